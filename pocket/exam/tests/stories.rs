//! The consistency checks: every training story passes them, and broken ones don't.

use pocket_exam::parts::stories::{names, people, two_colours};
use small_world::{Kind, Split, World};

#[test]
fn the_stories_of_the_training_text_are_consistent() {
    let world = World::new();
    let given = names(&world);
    let mut checked = 0;
    for document in (0..20_000).map(|index| world.document(Split::Train, index)).filter(|d| d.kind == Kind::Story) {
        let text = document.text().replace("<|endoftext|>", "");
        assert_eq!(two_colours(&text, world.colours()).len(), 0, "{text}");
        if text.starts_with("Once upon a time") {
            let (introduced, strangers) = people(&text, &given);
            assert!(introduced.len() == 2 && strangers.is_empty(), "{strangers:?}: {text}");
            checked += 1;
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn a_changed_colour_and_a_stranger_are_seen() {
    let world = World::new();
    let text = "Once upon a time Leo had a red key. He lost the red key. Then Mia found the blue key and a blue box.";
    assert_eq!(two_colours(text, world.colours()).into_iter().collect::<Vec<_>>(), ["key"]);
    let (_, strangers) = people(text, &names(&world));
    assert_eq!(strangers.into_iter().collect::<Vec<_>>(), ["Mia"]);
}
