//! The record: it passes for its own corpus and file, and for no other.

use pocket_exam::record::check;
use small_world::{World, corpus_sha256};

#[test]
fn a_record_holds_for_its_own_corpus_and_file_only() {
    let file = b"a model";
    let sha256 = "97ff8a35544dcf40ad84047074439dd6aa3a0be469ea578a1b1c017d939ec61c";
    let corpus = corpus_sha256(&World::new(), 50);
    let record = |documents: u64| {
        format!(r#"{{"documents": {documents}, "corpus_sha256": "{corpus}", "sha256": "{sha256}", "curve": []}}"#)
    };
    check(&record(50), file).unwrap();
    let message = |result: anyhow::Result<()>| result.unwrap_err().to_string();
    assert!(message(check(&record(51), file)).contains("a change of the small world needs a new training"));
    assert!(message(check(&record(50), b"another")).contains("the file's hash is"));
    assert!(message(check("{}", file)).contains("the record isn't what the trainer writes"));
}
