//! Stories: who is in them is settled first, so that names, pronouns and colours agree all the way.

use crate::facts::Facts;
use crate::random::Random;
use crate::template::{Slots, Tale};

/// The tales that the data files tell.
#[derive(Debug)]
pub(crate) struct Tales {
    once: Vec<Tale>,
    family: Vec<Tale>,
    short: Vec<Tale>,
    keepsakes: Vec<Tale>,
}

impl Tales {
    pub fn new() -> Tales {
        Tales {
            once: Tale::read_all(include_str!("../data/once.txt")),
            family: Tale::read_all(include_str!("../data/family.txt")),
            short: Tale::read_all(include_str!("../data/short_stories.txt")),
            keepsakes: Tale::read_all(include_str!("../data/keepsakes.txt")),
        }
    }

    /// The text of a story document: half begin `Once upon a time` and have exactly ten sentences.
    pub fn text(&self, facts: &Facts, random: &mut Random) -> String {
        if random.percent(50) {
            self.once(facts, random)
        } else {
            random.pick(&self.family).tell(&cast(facts, false, random), &[], random)
        }
    }

    /// The same for the later part of the corpus: half are of three sentences that repeat who found what, and of
    /// which colour, since a small model is slow to learn to look back for that; most others are of ten.
    pub fn later_text(&self, facts: &Facts, random: &mut Random) -> String {
        if random.percent(50) {
            random.pick(&self.keepsakes).tell(&cast(facts, false, random), &[], random)
        } else if random.percent(50) {
            self.once(facts, random)
        } else {
            self.text(facts, random)
        }
    }

    fn once(&self, facts: &Facts, random: &mut Random) -> String {
        let animal = random.percent(60);
        let plot = random.pick(&["tree", "hole", "lost", "mud"]);
        let tags = [if animal { "animal" } else { "child" }, plot];
        random.pick(&self.once).tell(&cast(facts, animal, random), &tags, random)
    }

    /// A story of four sentences, for an answer.
    pub fn short(&self, facts: &Facts, random: &mut Random) -> String {
        random.pick(&self.short).tell(&cast(facts, true, random), &[], random)
    }

    /// The same about an animal of this kind.
    pub fn short_about(&self, kind: usize, facts: &Facts, random: &mut Random) -> String {
        let mut slots = Slots::default();
        pet(&mut slots, kind, facts, random);
        slots.extend(cast(facts, true, random));
        random.pick(&self.short).tell(&slots, &[], random)
    }
}

/// Everyone and everything in a story. The friend is the pet where `animal` says so, else another child.
fn cast(facts: &Facts, animal: bool, random: &mut Random) -> Slots {
    let mut slots = Slots::default();
    let girl = random.percent(50);
    let name = facts.child(girl, random);
    slots.set("name", name);
    for (key, value) in ["girl", "he", "him", "his"].into_iter().zip(words_for(girl)) {
        slots.set(key, value);
    }
    let kind = loop {
        let kind = random.below(facts.pets.len());
        // Where the friend is a child, the pet lives in the house and must fit into a basket.
        if animal || !facts.words("farm-animals").contains(&facts.pets[kind].0) {
            break kind;
        }
    };
    let pet = pet(&mut slots, kind, facts, random);
    let (friend, friend_is_girl) = if animal { (pet, true) } else { other_child(facts, name, random) };
    slots.set("friend", friend);
    let [friend_girl, _, _, friend_his] = words_for(friend_is_girl);
    slots.set("fgirl", friend_girl);
    slots.set("fhis", friend_his);

    slots.set("woman", random.word(facts.words("women")));
    slots.set("man", random.word(facts.words("men")));
    let helper_is_woman = random.percent(40);
    slots.set("helper", random.word(facts.words(if helper_is_woman { "helpers-she" } else { "helpers-he" })));
    let [_, helper_he, _, helper_his] = words_for(helper_is_woman);
    slots.set("hhe", helper_he);
    slots.set("hhis", helper_his);
    slots.set("hadj", random.word(facts.words("helper-traits")));

    slots.set("thing", random.word(facts.words("things")));
    slots.set("colour", random.word(facts.words("colours")));
    let (place, at) = *random.pick(&facts.places);
    slots.set("place", place);
    slots.set("at", at);
    slots.set("day", random.word(facts.words("weekdays")));
    slots.set("food", random.word(facts.words("foods")));
    slots.set("fruit", random.word(facts.words("fruits")));
    slots.set("vegetable", random.word(facts.words("vegetables")));
    slots.set("age", facts.words("numbers")[random.between(4, 10)]);
    slots
}

/// Sets the pet's kind, colour and pronouns, and gives its name.
fn pet(slots: &mut Slots, kind: usize, facts: &Facts, random: &mut Random) -> &'static str {
    let (kind, furs) = &facts.pets[kind];
    let name = random.word(facts.words("pets"));
    slots.set("kind", *kind);
    slots.set("fur", *random.pick(furs));
    slots.set("pet", name);
    let [_, he, him, his] = words_for(random.percent(50));
    slots.set("phe", he);
    slots.set("phim", him);
    slots.set("phis", his);
    name
}

fn other_child(facts: &Facts, name: &str, random: &mut Random) -> (&'static str, bool) {
    loop {
        let girl = random.percent(50);
        let other = facts.child(girl, random);
        if other != name {
            return (other, girl);
        }
    }
}

/// The noun and pronouns: `girl`, `she`, `her` and `her`, or `boy`, `he`, `him` and `his`.
pub(crate) fn words_for(female: bool) -> [&'static str; 4] {
    if female { ["girl", "she", "her", "her"] } else { ["boy", "he", "him", "his"] }
}
