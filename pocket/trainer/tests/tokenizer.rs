//! The tokenizer as it's learned from the corpus.

use pocket_trainer::tokenizer::Tokenizer;
use small_world::{Document, Kind, Part, Split, World};

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

#[test]
fn words_become_whole_tokens_and_the_rest_stays() {
    let world = World::new();
    let mut grown = Tokenizer::train(&world, 3000, 600).unwrap();
    let before = Tokenizer::new(grown.tokens.clone(), grown.merges.clone()).unwrap();
    let joined = grown.grow(&["Paris", "France", "Paris", "Kuala"]).unwrap();
    assert_eq!(grown.tokens[..600], before.tokens);
    assert_eq!(grown.merges[..before.merges.len()], before.merges);
    assert_eq!(grown.tokens.len(), 600 + joined.len());
    for (token, (left, right)) in grown.tokens[600..].iter().zip(joined) {
        assert_eq!(*token, format!("{}{}", grown.tokens[left as usize], grown.tokens[right as usize]));
    }
    let document = |text: &str| Document { kind: Kind::Fact, parts: vec![Part::Text(text.into())] };
    for word in [" Paris", " France", " Kuala"] {
        assert_eq!(grown.encode(&document(word)).unwrap().len(), 1, "{word}");
    }
    let other = document("Grass is green, said the dog.");
    assert_eq!(grown.encode(&other).unwrap(), before.encode(&other).unwrap());
}
