//! Rules of the house: who may know what, and how long a file may be.

use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
                let text = fs::read_to_string(&path).expect("text");
                found.push((path.strip_prefix(root).expect("inside").to_path_buf(), text));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} has files");
    found
}

/// Every file of `folder` in which one of `words` stands must be in one of `rooms`.
fn only_in(folder: &str, endings: &[&str], words: &[&str], rooms: &[&str]) {
    let mut seen = false;
    for (path, text) in files(folder, endings) {
        let Some(word) = words.iter().find(|word| text.contains(**word)) else { continue };
        seen = true;
        assert!(rooms.iter().any(|room| path.starts_with(room)), "{} knows {word}", path.display());
    }
    assert!(seen || rooms.is_empty(), "{words:?} occur nowhere: the rule checks nothing");
}

#[test]
fn burn_is_known_to_the_model_the_weights_and_the_device() {
    only_in(
        "src",
        &[".rs"],
        &["use burn", "burn::", "cubecl"],
        &["src/model/llama", "src/linear", "src/device.rs", "src/loader.rs", "src/web/testing.rs"],
    );
}

#[test]
fn javascript_is_known_to_the_web_folder() {
    only_in("src", &[".rs"], &["wasm_bindgen", "js_sys", "web_sys"], &["src/web"]);
}

#[test]
fn tokenizers_and_jinja_have_a_room_each() {
    only_in("src", &[".rs"], &["use tokenizers"], &["src/tokenizer.rs"]);
    only_in("src", &[".rs"], &["minijinja"], &["src/chat.rs"]);
}

#[test]
fn nothing_may_panic_on_what_users_give() {
    for folder in ["src", "pocket/world/src", "pocket/trainer/src", "pocket/exam/src"] {
        only_in(folder, &[".rs"], &[".unwrap()", ".expect(", "panic!(", "todo!(", "unimplemented!("], &[]);
    }
}

#[test]
fn the_page_shows_text_as_text_and_rolls_no_dice() {
    let words =
        ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "Math.random", "console.log", "eval("];
    only_in("www", &[".js", ".html"], &words, &[]);
}

#[test]
fn files_hold_one_idea() {
    // What is longer says why here.
    let longer: [(&str, &str); 1] =
        [("www/api/next-token.d.ts", "the whole public contract, mostly its documentation")];
    let folders = ["src", "xtask/src", "pocket/world/src", "pocket/trainer/src", "pocket/exam/src"];
    let rust = folders.into_iter().flat_map(|folder| files(folder, &[".rs"]));
    for (path, text) in rust.chain(files("www", &[".js", ".ts", ".html", ".css"])) {
        let lines = text.lines().count();
        if !longer.iter().any(|(name, _)| path == Path::new(name)) {
            assert!(lines <= 310, "{} has {lines} lines", path.display());
        }
    }
}
