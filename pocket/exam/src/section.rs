//! The measured section of the model card, in Markdown.

use crate::exam::Report;
use crate::markdown::{block, code, row, table};
use crate::parts::capitals::{Capitals, UNSURE};
use crate::parts::few_shot::{FewShot, STOP};
use crate::parts::json::{self, Json};
use crate::parts::loops::{self, Loops};
use crate::parts::perplexity::{Perplexity, Surprise};
use crate::parts::stories::Stories;
use crate::parts::thinking::{Comparison, Thinking, Way};
use crate::statistics::{Share, percent, places};

/// Loops that the card shows.
const LOOPS: usize = 3;
/// Wrong answers that the card shows, of each sort.
const WRONG: usize = 5;

pub fn section(report: &Report) -> String {
    let file = &report.file;
    let mut text = format!(
        "Measured with this repository's engine on the CPU by `pocket-exam`: the same figures each time.\n\n\
         {}, {} bytes, {} weights, {} layers, vocabulary {}, context {}, sha256 `{}`.\n",
        file.name, file.bytes, file.parameters, file.layers, file.vocabulary, file.context, file.sha256
    );
    let parts = [
        report.capitals.as_ref().map(capitals),
        report.thinking.as_ref().map(thinking),
        report.loops.as_ref().map(loops),
        report.stories.as_ref().map(stories),
        report.few_shot.as_ref().map(few_shot),
        report.json.as_ref().map(self::json),
        report.perplexity.as_ref().map(perplexity),
    ];
    for part in parts.into_iter().flatten() {
        text.push('\n');
        text.push_str(&part);
    }
    text
}

fn share(share: &Share) -> String {
    let Share { right, of, low, high, .. } = share;
    format!("{right} of {of} ({} to {})", percent(*low), percent(*high))
}

fn capitals(part: &Capitals) -> String {
    let mut text = format!(
        "### Facts\n\n\
         `The capital of … is`: the capital, a full stop and the end, each the most probable, for {} countries of \
         the training text; the capital's first token for {}. Mean probability of a capital: {}.\n",
        share(&part.whole),
        share(&part.first),
        places(part.mean_p)
    );
    let unsure: Vec<String> =
        part.unsure().map(|c| format!("{} ({}: {})", c.country, c.capital, places(c.p))).collect();
    if !unsure.is_empty() {
        text.push_str(&format!("Below {UNSURE}: {}.\n", unsure.join(", ")));
    }
    if !part.unknown.is_empty() {
        let mut rows = vec![row(["country", "it says", "with probability", "true"])];
        rows.extend(part.unknown.iter().map(|g| row([&g.country, &code(&g.says), &places(g.p), &g.capital])));
        text.push_str(&format!(
            "\nThese countries occur in the training text, their capitals never. It answers all the same:\n\n{}",
            table(&rows)
        ));
    }
    text
}

fn thinking(part: &Thinking) -> String {
    let mut rows = vec![row(["held-out problems", "right (95 % interval)", "tokens written", "tokens computed"])];
    let mut way = |name: &str, way: &Way| {
        rows.push(row([name, &share(&way.right), &format!("{:.1}", way.written), &format!("{:.1}", way.passes)]));
    };
    way("sums, at once", &part.sums.bare);
    way("sums, in steps", &part.sums.steps);
    way("words backwards, at once", &part.words.bare);
    way("words backwards, in steps", &part.words.steps);
    let mut text = format!("### Thinking\n\n{}", table(&rows));
    for Comparison { example, .. } in [&part.sums, &part.words] {
        if let Some(e) = example {
            text.push_str(&format!(
                "\nThe first that only the steps get right:\n\n{}",
                block(&format!("{}\n\n{}", e.bare, e.steps))
            ));
        }
    }
    text
}

fn loops(part: &Loops) -> String {
    let shown: Vec<_> = part.qualified().take(LOOPS).collect();
    let mut text = format!(
        "### Loops\n\n\
         {} of {} prompts end greedily in a loop (the same cycle at least {} times, to the end of {} tokens) and \
         never at temperature {} with the seeds {} to {}.\n",
        part.qualified().count(),
        part.prompts.len(),
        loops::REPEATS,
        loops::LENGTH,
        loops::TEMPERATURE,
        loops::SEEDS.start(),
        loops::SEEDS.end()
    );
    if !shown.is_empty() {
        let mut rows = vec![row(["prompt", "the cycle", "least probability in it", "drawn, seed 1"])];
        for p in shown {
            let (cycle, least) =
                p.circle.as_ref().map_or_else(Default::default, |c| (code(&c.text), places(c.least_p)));
            let drawn = p.drawn.first().map_or_else(String::new, |d| code(&d.text));
            rows.push(row([&code(&p.prompt), &cycle, &least, &drawn]));
        }
        text.push_str(&format!("\n{}", table(&rows)));
    }
    text
}

fn stories(part: &Stories) -> String {
    let mut text =
        format!("### Stories\n\n{} at temperature {}, five seeds, unchosen.\n", code(part.prompt), part.temperature);
    for s in &part.stories {
        let ends = if s.ends { "" } else { ", cut off" };
        let names: Vec<&str> = s.names.iter().map(String::as_str).collect();
        let strangers: Vec<&str> = s.strangers.iter().map(String::as_str).collect();
        let strangers = if strangers.is_empty() {
            "nobody else turns up".into()
        } else {
            format!("not introduced: {}", strangers.join(", "))
        };
        let colours = if s.two_colours.is_empty() {
            "colours stay".into()
        } else {
            format!("of two colours: {}", s.two_colours.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
        };
        text.push_str(&format!(
            "\nSeed {}: {} sentences{ends}; {}; {strangers}; {colours}.\n\n{}",
            s.seed,
            s.sentences,
            if names.is_empty() { "no names".into() } else { names.join(", ") },
            block(&s.text)
        ));
    }
    text
}

fn few_shot(part: &FewShot) -> String {
    let mut text = format!(
        "### Dialogues in plain text\n\n\
         Without a stop sequence it goes on with {} itself after {} answers. With it, {} end there and show nothing \
         of it. Right answers: {}.\n",
        code(STOP),
        share(&part.goes_on),
        share(&part.stops),
        share(&part.right)
    );
    if let Some(e) = &part.example {
        text.push_str(&format!("\nWithout it:\n\n{}", block(&format!("{}{}", e.prompt, e.without_stop))));
    }
    text.push_str(&wrong(part.wrong.iter().map(|w| [code(&w.question), code(&w.says), code(&w.truth)])));
    text
}

fn json(part: &Json) -> String {
    let mut rows = vec![row(["answer begun with", "an object, then the end of the turn", "true"])];
    for of in &part.begun {
        let beginning = if of.beginning.is_empty() { "nothing".into() } else { code(of.beginning) };
        let seen = if of.seen { "" } else { " (never a token in training)" };
        rows.push(row([&format!("{beginning}{seen}"), &share(&of.parses), &share(&of.right)]));
    }
    let mut text = format!("### JSON\n\nQuestions in the chat template that don't ask for JSON.\n\n{}", table(&rows));
    if let Some(e) = &part.example {
        let mut rows = vec![row(["question", "begun with `{`", "begun with nothing"])];
        rows.push(row([&code(&e.question), &code(&e.begun), &code(&e.unasked)]));
        text.push_str(&format!("\n{}", table(&rows)));
    }
    let truth = |w: &json::Wrong| w.truth.as_ref().map_or("?".into(), |truth| code(&truth.to_string()));
    let first = part.begun.first().into_iter().flat_map(|of| &of.wrong);
    text.push_str(&wrong(first.map(|w| [code(&w.question), code(&w.says), truth(w)])));
    text
}

fn wrong(answers: impl Iterator<Item = [String; 3]>) -> String {
    let mut rows = vec![row(["wrong answers, the first", "it says", "true"])];
    rows.extend(answers.take(WRONG).map(Vec::from));
    if rows.len() == 1 { String::new() } else { format!("\n{}", table(&rows)) }
}

fn perplexity(part: &Perplexity) -> String {
    let mut rows = vec![row(["documents it never saw", "number", "tokens", "nats a token", "perplexity"])];
    let mut line = |name: &str, s: &Surprise| {
        let (nll, perplexity) = (format!("{:.3}", s.nll), format!("{:.2}", s.perplexity));
        rows.push(row([name, &s.documents.to_string(), &s.tokens.to_string(), &nll, &perplexity]));
    };
    line("all", &part.all);
    for of in &part.kinds {
        line(of.kind, &of.surprise);
    }
    format!(
        "### Perplexity\n\nOver held-out documents that occur nowhere in training, to the letter; there are no such facts.\n\n{}",
        table(&rows)
    )
}
