//! The tokenizer as it's learned from the corpus.

use pocket_trainer::tokenizer::Tokenizer;
use small_world::{Split, World};

#[test]
fn training_is_reproducible_and_digits_stay_alone() {
    let world = World::new();
    let first = Tokenizer::train(&world, 3000, 600).unwrap();
    let second = Tokenizer::train(&world, 3000, 600).unwrap();
    assert_eq!((&first.tokens, &first.merges), (&second.tokens, &second.merges));
    assert_eq!(first.tokens.len(), 600);
    let digits = |t: &&String| t.chars().any(|c| c.is_ascii_digit());
    assert_eq!(first.tokens.iter().filter(digits).count(), 10);
    let braces = |t: &&String| t.contains('{');
    assert_eq!(first.tokens.iter().filter(braces).count(), 1);
    let document = world.document(Split::Held, 5);
    let again = Tokenizer::new(first.tokens.clone(), first.merges.clone()).unwrap();
    assert_eq!(first.encode(&document).unwrap(), again.encode(&document).unwrap());
}
