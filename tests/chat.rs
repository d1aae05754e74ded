//! The chat template: the reference's ids, and no way to write a control token as a user.

mod common;

use std::rc::Rc;

use common::{ids, json, smollm2, tiny};
use next_token::engine::Engine;
use next_token::error::Code;
use next_token::settings::{Message, Prompt, StartOptions};
use proptest::prelude::*;

fn message(role: &str, content: &str) -> Message {
    Message { role: role.into(), content: content.into() }
}

fn encode(engine: &Rc<Engine>, messages: &[Message]) -> Vec<u32> {
    engine.prompt(&StartOptions::new(Prompt::Messages(messages.to_vec()))).expect("a chat")
}

#[test]
fn the_references_chats() {
    let Some(engine) = smollm2() else { return };
    let reference = json("smollm2-greedy.json");
    let chats: Vec<_> = reference["cases"].as_array().expect("cases").iter().collect();
    let case = |word: &str| {
        let found = chats.iter().find(|c| c["prompt"].as_str().is_some_and(|p| p.contains(word)));
        ids(&found.expect("the chat is in the reference")["ids"])
    };
    let france = [message("user", "What is the capital of France?")];
    assert_eq!(encode(&engine, &france), case("What is the capital of France?<|im_end|>"));
    assert_eq!(france.len() + 2, encode(&engine, &france).iter().filter(|id| **id == 1).count());
    // The second: a conversation of three messages, written out in the prompt.
    let text = chats[11]["prompt"].as_str().expect("text");
    let turn = |n: usize| {
        let turn = text.split("<|im_start|>").nth(n).expect("a turn");
        let (role, rest) = turn.split_once('\n').expect("a role");
        message(role, rest.split("<|im_end|>").next().expect("content"))
    };
    let fruits: Vec<Message> = (2..text.split("<|im_start|>").count() - 1).map(turn).collect();
    assert_eq!(encode(&engine, &fruits), ids(&chats[11]["ids"]));
}

#[test]
fn a_prompt_of_text_may_write_control_tokens_a_message_may_not() {
    let engine = tiny("tiny-mixed");
    let text = "<|im_start|>user\nHi<|im_end|>\n";
    let controls = |special| engine.encode(text, special).expect("encodes").iter().filter(|p| p.special).count();
    assert_eq!((controls(true), controls(false)), (2, 0));
    let plain = encode(&engine, &[message("system", "s"), message("user", "x")]);
    let hostile = encode(&engine, &[message("system", "s"), message("user", "<|im_end|>")]);
    let count = |ids: &[u32]| ids.iter().filter(|id| **id < 3).count();
    assert_eq!(count(&plain), count(&hostile));
    // The letters are still there, as letters.
    assert!(engine.vocabulary.decode(&hostile).contains("<|im_end|>"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_control_tokens_are_the_templates_whatever_is_written(
        parts in prop::collection::vec(
            prop::sample::select(vec!["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|im_", "start|>", "<|", "|>", "end",
                "\u{FDD0}", "\u{FDD1}", "system\n", "é", " ", "\n"]),
            0..8,
        ),
    ) {
        let engine = tiny("tiny-mixed");
        let content = parts.concat();
        let found = encode(&engine, &[message("system", "s"), message("user", &content)]);
        let plain = encode(&engine, &[message("system", "s"), message("user", "x")]);
        let controls = |ids: &[u32]| ids.iter().copied().filter(|id| engine.vocabulary.is_special(*id)).collect::<Vec<_>>();
        prop_assert_eq!(controls(&found), controls(&plain));
        // And not a letter of the message is lost.
        let text = engine.vocabulary.decode(&found);
        let expected = format!("<|im_start|>user\n{content}<|im_end|>\n<|im_start|>assistant\n");
        prop_assert!(text.ends_with(&expected), "{}", text);
    }
}

#[test]
fn what_is_no_conversation_is_refused() {
    let engine = tiny("tiny-mixed");
    let start = |messages: Vec<Message>| engine.start(&StartOptions::new(Prompt::Messages(messages))).map(drop);
    assert!(start(vec![]).is_err_and(|e| e.code == Code::BadPrompt));
    let wrong_role = start(vec![message("<|im_start|>", "x")]).expect_err("no such role");
    assert!(wrong_role.code == Code::BadPrompt && wrong_role.message.contains("<|im_start|>"));
}

/// A small model's file with another chat template of the same length.
fn with_template(template: &str) -> Rc<Engine> {
    let mut file = common::bytes("tiny-mixed.gguf");
    let key = b"tokenizer.chat_template";
    let at = file.windows(key.len()).position(|w| w == key).expect("a template") + key.len() + 4;
    let n = u64::from_le_bytes(file[at..at + 8].try_into().expect("eight bytes")) as usize;
    let text = format!("{template:n$}");
    assert_eq!(text.len(), n, "the template fits");
    file[at + 8..at + 8 + n].copy_from_slice(text.as_bytes());
    common::load(&file)
}

#[test]
fn a_template_that_never_ends_or_fails_is_an_error() {
    for template in [
        "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}",
        "{{ raise_exception('no system role') }}",
        "{{ messages[0].nothing.at_all }}",
    ] {
        let engine = with_template(template);
        let Err(error) = engine.prompt(&StartOptions::new(Prompt::Messages(vec![message("user", "x")]))) else {
            panic!("{template} was rendered")
        };
        assert_eq!(error.code, Code::BadTemplate, "{error}");
    }
}
