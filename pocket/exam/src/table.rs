//! The figures for a terminal: one line each, all prompts of the loops, no long texts.

use std::fmt::Write;

use crate::exam::Report;
use crate::parts::loops::Prompt;
use crate::statistics::{Share, percent, places};

/// Columns of a name.
const WIDTH: usize = 34;

pub fn table(report: &Report) -> String {
    let mut out = Lines(String::new());
    out.line("file", &format!("{}, {} weights, {} bytes", report.file.name, report.file.parameters, report.file.bytes));
    if let Some(part) = &report.capitals {
        out.head("capitals");
        out.share("whole sentence", &part.whole);
        out.share("first token", &part.first);
        out.line("mean probability", &places(part.mean_p));
        for c in part.unsure() {
            out.line(&format!("  unsure: {}", c.country), &format!("{} for {}; {:?}", places(c.p), c.capital, c.says));
        }
        for g in &part.unknown {
            out.line(&format!("  never told: {}", g.country), &format!("{} {}", places(g.p), g.says));
        }
    }
    if let Some(part) = &report.thinking {
        out.head("thinking");
        let ways = [
            ("sums, at once", &part.sums.bare),
            ("sums, in steps", &part.sums.steps),
            ("words, at once", &part.words.bare),
            ("words, in steps", &part.words.steps),
        ];
        for (name, way) in ways {
            out.share(name, &way.right);
            out.line("", &format!("{} tokens written, {} computed", way.written, way.passes));
        }
    }
    if let Some(part) = &report.loops {
        out.head("loops");
        for p in &part.prompts {
            out.line(&format!("{:?}", p.prompt), &verdict(p));
        }
    }
    if let Some(part) = &report.stories {
        out.head("stories");
        for s in &part.stories {
            let ends = if s.ends { "" } else { ", cut off" };
            out.line(
                &format!("seed {}", s.seed),
                &format!(
                    "{} sentences{ends}; names {:?}, strangers {:?}, of two colours {:?}",
                    s.sentences, s.names, s.strangers, s.two_colours
                ),
            );
            out.line("", &s.text);
        }
    }
    if let Some(part) = &report.few_shot {
        out.head("dialogues");
        out.share("go on with \\nUser:", &part.goes_on);
        out.share("stop cleanly", &part.stops);
        out.share("right answers", &part.right);
        for w in &part.wrong {
            out.line("  wrong", &format!("{} {:?}, not {:?}", w.question, w.says, w.truth));
        }
    }
    if let Some(part) = &report.json {
        out.head("json");
        for of in &part.begun {
            let unseen = if of.seen { "" } else { ": not a token of the documents" };
            out.line(&format!("begun with {:?}{unseen}", of.beginning), "");
            out.share("  parses", &of.parses);
            out.share("  true", &of.right);
            // Not begun, most answers are sentences: that is what shows the brace's effect.
            for w in of.wrong.iter().filter(|_| !of.beginning.is_empty()) {
                let truth = w.truth.as_ref().map_or("?".into(), ToString::to_string);
                out.line("  wrong", &format!("{} {:?}, not {truth}", w.question, w.says));
            }
        }
    }
    if let Some(part) = &report.perplexity {
        out.head("perplexity");
        let all = ("all", &part.all);
        for (name, s) in std::iter::once(all).chain(part.kinds.iter().map(|of| (of.kind, &of.surprise))) {
            let figures =
                format!("{:8.3}   {:.4} nats, {} tokens, {} documents", s.perplexity, s.nll, s.tokens, s.documents);
            out.line(name, &figures);
        }
    }
    out.0
}

fn verdict(prompt: &Prompt) -> String {
    let Some(c) = &prompt.circle else {
        return format!("no loop: {:?}", prompt.greedy);
    };
    let looping = prompt.drawn.iter().filter(|d| d.circle).count();
    let verdict = if prompt.qualifies { "QUALIFIES".into() } else { format!("{looping} drawn texts loop too") };
    format!("{verdict}: {:?} × {}, least probability {}", c.text, c.repeats, places(c.least_p))
}

struct Lines(String);

impl Lines {
    fn head(&mut self, name: &str) {
        // Writing into a string can't fail.
        let _ = writeln!(self.0, "\n{name}");
    }

    fn line(&mut self, name: &str, value: &str) {
        let _ = writeln!(self.0, "{name:WIDTH$} {value}");
    }

    fn share(&mut self, name: &str, share: &Share) {
        let Share { right, of, share, low, high } = share;
        let figures = format!("{right:4} of {of:4}  {:>7}  [{}, {}]", percent(*share), percent(*low), percent(*high));
        self.line(name, &figures);
    }
}
