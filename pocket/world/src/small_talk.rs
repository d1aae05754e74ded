//! What people say in chats when they do not ask for facts.

use crate::facts::Facts;
use crate::random::Random;
use crate::story::Tales;

type Exchange = (String, String);

fn one_of(list: &[(&str, &str)], random: &mut Random) -> Exchange {
    let (user, answer) = *random.pick(list);
    (user.to_owned(), answer.to_owned())
}

/// A first exchange.
pub(crate) fn greeting(random: &mut Random) -> Exchange {
    let hello = [
        ("Hello!", "Hello! How can I help you?"),
        ("Hi!", "Hi! How can I help you?"),
        ("Good morning!", "Good morning! How can I help you?"),
        ("Good evening!", "Good evening! How can I help you?"),
        ("Hello, how are you?", "I am fine, thank you. How can I help you?"),
        ("Who are you?", "I am a small language model."),
        ("Can you help me?", "Yes, I can. What do you want to know?"),
    ];
    one_of(&hello, random)
}

/// Thanks in the middle.
pub(crate) fn thanks(random: &mut Random) -> Exchange {
    let thanks = [
        ("Thank you!", "You are welcome!"),
        ("Thanks!", "You are welcome!"),
        ("That is right.", "I am glad to hear that."),
        ("You are very clever.", "Thank you!"),
        ("How are you?", "I am fine, thank you."),
        ("Who are you?", "I am a small language model."),
    ];
    one_of(&thanks, random)
}

/// A last exchange.
pub(crate) fn goodbye(random: &mut Random) -> Exchange {
    let bye = [
        ("Goodbye!", "Goodbye!"),
        ("Bye!", "Goodbye!"),
        ("Good night!", "Good night! Sleep well."),
        ("Thank you, goodbye!", "You are welcome. Goodbye!"),
        ("See you tomorrow!", "See you tomorrow!"),
    ];
    one_of(&bye, random)
}

/// `Name three fruits.`
pub(crate) fn name_some(facts: &Facts, random: &mut Random) -> Exchange {
    let sort = *random.pick(&["fruits", "vegetables", "drinks", "clothes", "toys", "sports", "colours", "animals"]);
    let count = *random.pick(&[2, 3, 3, 3, 4]);
    let animals: Vec<&'static str>;
    let all = if sort == "animals" {
        animals = facts.animals.iter().map(|animal| animal.plural).collect();
        &animals
    } else {
        facts.words(sort)
    };
    let chosen: Vec<&str> = random.pick_some(all, count).into_iter().copied().collect();
    let (last, first) = chosen.split_last().unwrap_or((&"", &[]));
    let answer = format!("{} and {last}.", crate::template::capitalised(&first.join(", ")));
    let what = if sort == "clothes" { "pieces of clothing" } else { sort };
    (format!("Name {} {what}.", facts.words("numbers")[count]), answer)
}

/// A short story on request.
pub(crate) fn story(facts: &Facts, tales: &Tales, random: &mut Random) -> Exchange {
    if random.percent(50) {
        ("Tell me a story.".to_owned(), tales.short(facts, random))
    } else {
        let kind = random.below(facts.pets.len());
        let request = format!("Tell me a story about a {}.", facts.pets[kind].0);
        (request, tales.short_about(kind, facts, random))
    }
}

/// What the user has told so far.
#[derive(Default)]
pub(crate) struct Memory {
    name: Option<&'static str>,
    colour: Option<&'static str>,
    pet: Option<(&'static str, &'static str)>,
    age: Option<usize>,
}

impl Memory {
    /// The user tells something, or asks for what was told.
    pub fn exchange(&mut self, facts: &Facts, random: &mut Random) -> Exchange {
        match random.below(9) {
            0..4 => self.name(facts, random),
            4..6 => self.pet(facts, random),
            6..8 => self.colour(facts, random),
            _ => self.age(random),
        }
    }

    fn name(&mut self, facts: &Facts, random: &mut Random) -> Exchange {
        if let Some(name) = self.name {
            return ("What is my name?".to_owned(), format!("Your name is {name}."));
        }
        if random.percent(10) {
            return ("What is my name?".to_owned(), "I do not know your name.".to_owned());
        }
        let girl = random.percent(50);
        let name = facts.child(girl, random);
        self.name = Some(name);
        (format!("My name is {name}."), format!("Nice to meet you, {name}!"))
    }

    fn pet(&mut self, facts: &Facts, random: &mut Random) -> Exchange {
        if let Some((kind, pet)) = self.pet {
            return (format!("What is my {kind} called?"), format!("Your {kind} is called {pet}."));
        }
        let kind = random.pick(&facts.pets).0;
        let pet = random.word(facts.words("pets"));
        self.pet = Some((kind, pet));
        (format!("I have a {kind} called {pet}."), format!("{pet} is a nice name for a {kind}."))
    }

    fn colour(&mut self, facts: &Facts, random: &mut Random) -> Exchange {
        if let Some(colour) = self.colour {
            return ("What is my favourite colour?".to_owned(), format!("Your favourite colour is {colour}."));
        }
        let colour = random.word(facts.words("colours"));
        self.colour = Some(colour);
        (format!("My favourite colour is {colour}."), format!("I like {colour} too."))
    }

    fn age(&mut self, random: &mut Random) -> Exchange {
        if let Some(age) = self.age {
            return ("How old am I?".to_owned(), format!("You are {age} years old."));
        }
        let age = random.between(4, 12);
        self.age = Some(age);
        (format!("I am {age} years old."), format!("{age} is a good age."))
    }
}
