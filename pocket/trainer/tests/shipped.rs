//! What is shipped is what the recipe makes: the record beside the file tells no other story.

use std::fs;
use std::path::Path;

use pocket_trainer::curve::svg;
use pocket_trainer::recipe::Recipe;
use pocket_trainer::record::Record;

#[test]
fn the_shipped_model_is_of_this_recipe_to_its_last_step() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model");
    let record: Record = serde_json::from_slice(&fs::read(model.join("record.json")).unwrap()).unwrap();
    assert_eq!(record.recipe, Recipe::POCKET);
    assert_eq!(record.steps, Recipe::POCKET.steps());
    assert_eq!(record.curve.last().map(|point| (point.step, point.tokens)), Some((record.steps, record.tokens)));
    assert_eq!(record.bytes, fs::metadata(model.join("pocket.gguf")).unwrap().len());
    assert!(record.bytes <= 2_500_000);
    assert_eq!(fs::read_to_string(model.join("loss.svg")).unwrap(), svg(&record.curve));
}
