//! The fused kernels against the same network written in plain burn operations: loss and all gradients.

use burn::module::Module;
use burn::optim::GradientsParams;
use burn::tensor::activation::{log_softmax, silu, softmax};
use burn::tensor::{Device, Int, Tensor, TensorData};
use pocket_trainer::network::{Batch, Network, Sizes};

const SIZES: Sizes = Sizes {
    vocabulary: 50,
    context: 64,
    layers: 2,
    d: 24,
    ffn: 40,
    heads: 4,
    kv_heads: 2,
    head_dim: 6,
    rope_base: 100.0,
    norm_eps: 1e-5,
};

fn batch() -> Batch {
    let document = |n: usize, k: usize| (0..n).map(|i| ((i * i * 7 + i * k + k) % 50) as u32).collect::<Vec<u32>>();
    Batch::new(&[document(9, 1), document(2, 5), document(17, 3), document(12, 11)])
}

#[test]
fn loss_and_gradients_are_those_of_plain_operations() {
    let device = Device::flex().autodiff();
    let mut network = Network::new(&SIZES, 3, &device);
    // The embedding's small start would leave hardly anything to attention.
    network.embedding = network.embedding.map(|e| (e * 15.0).detach().require_grad());
    let batch = batch();
    let fused = network.loss(&SIZES, &batch, &device);
    let plain = plain_loss(&network, &batch, &device);
    let (a, b) = (number(&fused), number(&plain));
    assert!((a - b).abs() < 2e-5 * a, "{a} against {b}");

    let fused = GradientsParams::from_grads(fused.backward(), &network);
    let plain = GradientsParams::from_grads(plain.backward(), &network);
    let mut checked = 0;
    let mut check = |name: &str, got: Vec<f32>, want: Vec<f32>| {
        let size = want.iter().map(|x| x * x).sum::<f32>().sqrt();
        let difference = got.iter().zip(&want).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt();
        assert!(size > 1e-4, "{name}: the gradient is {size}");
        assert!(difference < 1e-4 * size, "{name}: {difference} of {size}");
        checked += 1;
    };
    macro_rules! same {
        ($name:expr, $param:expr, $rank:literal) => {
            let values =
                |g: &GradientsParams| g.get::<$rank>($param.id).unwrap().into_data().try_to_vec::<f32>().unwrap();
            check($name, values(&fused), values(&plain));
        };
    }
    same!("embedding", network.embedding, 2);
    same!("norm", network.norm, 1);
    for block in &network.blocks {
        same!("attention_norm", block.attention_norm, 1);
        same!("qkv", block.qkv, 2);
        same!("output", block.output, 2);
        same!("ffn_norm", block.ffn_norm, 1);
        same!("gate_up", block.gate_up, 2);
        same!("down", block.down, 2);
    }
    assert_eq!(checked, 14);
    assert_eq!(network.num_params(), SIZES.parameters());
}

fn number(loss: &Tensor<1>) -> f32 {
    loss.clone().into_data().try_to_vec::<f32>().unwrap()[0]
}

fn norm(x: Tensor<2>, weight: Tensor<1>) -> Tensor<2> {
    let scale = ((x.clone() * x.clone()).mean_dim(1) + SIZES.norm_eps).sqrt().recip();
    x * scale * weight.unsqueeze()
}

/// Every document alone, one head after the other.
fn plain_loss(network: &Network, batch: &Batch, device: &Device) -> Tensor<1> {
    let (mut at, mut sum) = (0, Tensor::<1>::zeros([1], device));
    for t in batch.documents.iter().copied() {
        let ids: Vec<i32> = batch.inputs[at..at + t].iter().map(|id| *id as i32).collect();
        let targets: Vec<i32> = batch.targets[at..at + t].iter().map(|id| *id as i32).collect();
        let int = |ids: Vec<i32>| Tensor::<1, Int>::from_data(TensorData::new(ids, [t]), device);
        let mut x = network.embedding.val().select(0, int(ids));
        for block in &network.blocks {
            let qkv = norm(x.clone(), block.attention_norm.val()).matmul(block.qkv.val());
            let d = SIZES.head_dim;
            let columns = |head: usize| qkv.clone().narrow(1, head * d, d);
            let heads = (0..SIZES.heads).map(|head| {
                let kv = head / (SIZES.heads / SIZES.kv_heads);
                let (q, k) = (turn(columns(head), device), turn(columns(SIZES.heads + kv), device));
                let scores = q.matmul(k.transpose()) / (d as f32).sqrt();
                let future: Vec<f32> = (0..t * t).map(|i| if i % t > i / t { -1e9 } else { 0.0 }).collect();
                let scores = scores + Tensor::<2>::from_data(TensorData::new(future, [t, t]), device);
                softmax(scores, 1).matmul(columns(SIZES.heads + SIZES.kv_heads + kv))
            });
            x = x + Tensor::cat(heads.collect(), 1).matmul(block.output.val());
            let gate_up = norm(x.clone(), block.ffn_norm.val()).matmul(block.gate_up.val());
            let (gate, up) = (gate_up.clone().narrow(1, 0, SIZES.ffn), gate_up.narrow(1, SIZES.ffn, SIZES.ffn));
            x = x + (silu(gate) * up).matmul(block.down.val());
        }
        let logits = norm(x, network.norm.val()).matmul(network.embedding.val().transpose());
        let chosen = log_softmax(logits, 1).gather(1, int(targets).reshape([t, 1]));
        sum = sum - chosen.sum();
        at += t;
    }
    sum / at as f32
}

/// Rotary positions: neighbours turn together.
fn turn(x: Tensor<2>, device: &Device) -> Tensor<2> {
    let [t, d] = x.dims();
    let angle = |p: usize, i: usize| p as f64 * f64::from(SIZES.rope_base).powf(-2.0 * i as f64 / d as f64);
    let table = |f: fn(f64) -> f64| {
        let values: Vec<f32> = (0..t * d).map(|i| f(angle(i / d, i % d / 2)) as f32).collect();
        Tensor::<2>::from_data(TensorData::new(values, [t, d]), device)
    };
    let pairs = x.clone().reshape([t, d / 2, 2]);
    let (a, b) = (pairs.clone().narrow(2, 0, 1), pairs.narrow(2, 1, 1));
    let turned = Tensor::cat(vec![-b, a], 2).reshape([t, d]);
    x * table(f64::cos) + turned * table(f64::sin)
}
