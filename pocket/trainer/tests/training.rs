//! Training on the real corpus, small and short: it learns, it goes on exactly, its file is what it is.

use std::path::PathBuf;

use next_token::loader::{GgufLoader, Placement};
use pocket_trainer::export::gguf;
use pocket_trainer::network::{Batch, Sizes};
use pocket_trainer::quantise::Precision;
use pocket_trainer::recipe::{Kind, Recipe, Round};
use pocket_trainer::train::Training;
use small_world::{Split, World};

const TINY: Recipe = Recipe {
    sizes: Sizes {
        vocabulary: 400,
        d: 32,
        ffn: 64,
        heads: 2,
        kv_heads: 1,
        head_dim: 16,
        layers: 2,
        ..Recipe::POCKET.sizes
    },
    seed: 7,
    tokenizer_documents: 1000,
    step_tokens: 1024,
    rounds: [
        Round { steps: 40, learning_rate: 1e-2, warmup: 5, cooldown: 10 },
        Round { steps: 20, learning_rate: 5e-3, warmup: 2, cooldown: 10 },
    ],
    weight_decay: 0.05,
    optimizer: Kind::Muon,
};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("pocket-trainer-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn advance(training: &mut Training, steps: u64) -> Vec<f32> {
    (0..steps).map(|_| training.advance().unwrap()).collect()
}

#[test]
fn an_interrupted_training_goes_on_as_if_nothing_had_been() {
    for optimizer in [Kind::Muon, Kind::AdamW] {
        let recipe = Recipe { optimizer, ..TINY };
        let folder = folder(&format!("resume-{optimizer:?}"));
        let mut training = Training::new(recipe).unwrap();
        advance(&mut training, 4);
        training.measure().unwrap();
        training.save(&folder).unwrap();
        training.save(&folder).unwrap(); // over the former one
        let straight = (advance(&mut training, 4), training.measure().unwrap());
        let mut again = Training::load(&folder).unwrap();
        let resumed = (advance(&mut again, 4), again.measure().unwrap());
        assert_eq!(straight, resumed);
        assert_eq!(
            (training.step(), training.tokens(), training.documents(), training.points()),
            (again.step(), again.tokens(), again.documents(), again.points())
        );
        // An interruption between the two renames leaves the former checkpoint.
        std::fs::rename(&folder, folder.with_extension("old")).unwrap();
        assert_eq!(Training::load(&folder).unwrap().step(), 4);
        let _ = std::fs::remove_dir_all(folder.with_extension("old"));
    }
}

#[test]
fn a_training_goes_on_over_the_border_of_its_rounds() {
    let round = |steps: u64| Round { steps, learning_rate: 5e-3, warmup: 2, cooldown: 2 };
    let recipe = Recipe { rounds: [round(3), round(4)], ..TINY };
    let folder = folder("border");
    let mut training = Training::new(recipe).unwrap();
    advance(&mut training, 3);
    assert_eq!(training.sizes(), recipe.sizes);
    training.save(&folder).unwrap();
    let straight = (advance(&mut training, 4), training.measure().unwrap());
    assert!(training.sizes().vocabulary > recipe.sizes.vocabulary, "names are whole tokens");
    let mut again = Training::load(&folder).unwrap();
    assert_eq!(straight.0[..2], advance(&mut again, 2));
    again.save(&folder).unwrap();
    let mut again = Training::load(&folder).unwrap();
    assert_eq!(again.sizes(), training.sizes());
    assert_eq!((&straight.0[2..], straight.1), (&advance(&mut again, 2)[..], again.measure().unwrap()));
    assert_eq!(again.documents(), training.documents());
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let folder = folder("other");
    assert!(!Training::exists(&folder).unwrap());
    std::fs::create_dir_all(&folder).unwrap();
    assert!(!Training::exists(&folder).unwrap(), "an empty one is free");
    std::fs::write(folder.join("thesis.txt"), "years of work").unwrap();
    let message = Training::exists(&folder).unwrap_err().to_string();
    assert!(message.contains("something else"), "{message}");
    assert!(Training::exists(std::path::Path::new(".")).is_err());
    let training = Training::new(TINY).unwrap();
    assert!(training.save(std::path::Path::new("..")).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_rate_rises_stays_and_falls_in_each_round() {
    let rates: Vec<f64> = (0..=60).map(|step| TINY.rate(step)).collect();
    for (step, want) in [(0, 2e-3), (4, 1e-2), (30, 1e-2), (39, 1e-3), (40, 2.5e-3), (50, 5e-3), (59, 5e-4), (60, 0.0)]
    {
        assert!((rates[step] - want).abs() < 1e-9, "step {step}: {}", rates[step]);
    }
}

#[test]
fn it_learns_and_the_file_computes_what_the_network_computes() {
    let recipe = Recipe { rounds: [Round { steps: 60, ..TINY.rounds[0] }, Round::NONE], ..TINY };
    let mut training = Training::new(recipe).unwrap();
    let losses = advance(&mut training, recipe.steps());
    let mean = |l: &[f32]| l.iter().sum::<f32>() / l.len() as f32;
    assert!((losses[0] - (400f32).ln()).abs() < 0.2, "the first loss is {}, not ln 400", losses[0]);
    assert!(mean(&losses[50..]) < 0.7 * losses[0], "{} to {}", losses[0], mean(&losses[50..]));

    let world = World::new();
    let ids = training.tokenizer.encode(&world.document(Split::Held, 3)).unwrap();
    let device = burn::tensor::Device::flex();
    let network = burn::module::Module::valid(&training.network);
    let batch = Batch::new(std::slice::from_ref(&ids));
    let logits = network.logits(&TINY.sizes, &batch, &device).into_data().try_to_vec::<f32>().unwrap();
    let want = &logits[logits.len() - TINY.sizes.vocabulary..];
    for (precision, tolerance) in [(Precision::F32, 1e-4), (Precision::Q8_0, 0.1), (Precision::Q4_1, 2.0)] {
        let file = gguf(&training.network, &TINY.sizes, &training.tokenizer, precision).unwrap();
        let engine = pollster::block_on(GgufLoader::load(&file, None, Placement::cpu("test"))).unwrap();
        let mut decoder = engine.model.decoder(ids.len()).unwrap();
        let got = pollster::block_on(decoder.forward(&ids[..ids.len() - 1], true)).unwrap().unwrap();
        let worst = want.iter().zip(got.values()).map(|(a, b)| (a - b).abs()).fold(0.0f32, f32::max);
        assert!(worst < tolerance, "{}: logits differ by {worst}", precision.name());
        assert!(precision == Precision::F32 || worst > 0.0);
    }
}
