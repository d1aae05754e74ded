//! A promise is kept at its limit and broken just below it.

use pocket_exam::exam::{File, Report};
use pocket_exam::parts::capitals::{Capital, Capitals};
use pocket_exam::parts::few_shot::FewShot;
use pocket_exam::parts::json::{Begun, Json};
use pocket_exam::parts::loops::{Loops, Prompt};
use pocket_exam::parts::stories::{Stories, Story};
use pocket_exam::parts::thinking::{Comparison, Thinking, Way};
use pocket_exam::promises::broken;
use pocket_exam::statistics::Share;

fn capital(i: usize) -> Capital {
    let country = if i == 0 { "France".into() } else { format!("Country {i}") };
    Capital { country, capital: "Paris".into(), tokens: 1, p: 0.51, first: true, says: " Paris.".into(), whole: i < 95 }
}

fn way(right: usize) -> Way {
    Way { right: Share::new(right, 200), written: 5.0, passes: 20.0 }
}

fn comparison(bare: usize, steps: usize) -> Comparison {
    Comparison { bare: way(bare), steps: way(steps), example: None }
}

fn story() -> Story {
    Story {
        seed: 1,
        text: String::new(),
        sentences: 10,
        ends: true,
        names: Default::default(),
        strangers: Default::default(),
        two_colours: Default::default(),
    }
}

fn prompt() -> Prompt {
    Prompt { prompt: "The rain".into(), greedy: String::new(), circle: None, qualifies: true, drawn: Vec::new() }
}

/// Everything exactly at its limit.
fn report() -> Report {
    Report {
        file: File {
            name: "pocket".into(),
            sha256: String::new(),
            bytes: 1,
            parameters: 1,
            layers: 1,
            vocabulary: 1,
            context: 1,
        },
        capitals: Some(Capitals {
            whole: Share::new(95, 100),
            first: Share::new(95, 100),
            mean_p: 0.51,
            known: (0..100).map(capital).collect(),
            unknown: Vec::new(),
        }),
        thinking: Some(Thinking { sums: comparison(100, 180), words: comparison(0, 0) }),
        loops: Some(Loops { prompts: vec![prompt(); 3] }),
        stories: Some(Stories { prompt: "Once upon a time", temperature: 0.7, stories: vec![story()] }),
        few_shot: Some(FewShot {
            goes_on: Share::new(95, 100),
            stops: Share::new(95, 100),
            right: Share::new(0, 100),
            wrong: Vec::new(),
            example: None,
        }),
        json: Some(Json {
            begun: vec![Begun {
                beginning: "{",
                seen: true,
                parses: Share::new(95, 100),
                right: Share::new(0, 100),
                wrong: Vec::new(),
            }],
            example: None,
        }),
        perplexity: None,
    }
}

#[test]
fn promises_are_kept_at_their_limits_and_broken_below() {
    assert_eq!(broken(&report()), Vec::<String>::new());
    /// One thing worse than promised, and a word of the complaint.
    type Case = (fn(&mut Report), &'static str);
    let cases: [Case; 14] = [
        (|r| r.capitals.as_mut().unwrap().whole = Share::new(94, 100), "capitals said whole"),
        (|r| r.capitals.as_mut().unwrap().known[3].p = 0.5, "capitals above"),
        (|r| r.capitals.as_mut().unwrap().known[0].p = 0.5, "P(Paris)"),
        (|r| r.capitals.as_mut().unwrap().known[0].tokens = 2, "P(Paris)"),
        (|r| r.capitals.as_mut().unwrap().known[10..31].iter_mut().for_each(|c| c.tokens = 2), "of one token"),
        (|r| r.thinking.as_mut().unwrap().sums = comparison(0, 179), "sums in steps"),
        (|r| r.thinking.as_mut().unwrap().sums = comparison(121, 200), "points over"),
        (|r| drop(r.loops.as_mut().unwrap().prompts.pop()), "2 prompts loop"),
        (|r| r.stories.as_mut().unwrap().stories[0].sentences = 9, "story of seed 1"),
        (|r| r.stories.as_mut().unwrap().stories[0].strangers.extend(["Tom".into()]), "Tom"),
        (|r| r.stories.as_mut().unwrap().stories[0].two_colours.extend(["key".into()]), "key"),
        (|r| r.few_shot.as_mut().unwrap().goes_on = Share::new(94, 100), "dialogues go on"),
        (|r| r.few_shot.as_mut().unwrap().stops = Share::new(94, 100), "dialogues end"),
        (|r| r.json.as_mut().unwrap().begun[0].parses = Share::new(94, 100), "JSON"),
    ];
    for (worsen, word) in cases {
        let mut report = report();
        worsen(&mut report);
        let complaints = broken(&report);
        assert!(complaints.iter().any(|c| c.contains(word)), "{word}: {complaints:?}");
    }
}
