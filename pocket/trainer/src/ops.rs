//! burn's backend extension: the kernels as differentiable tensor operations.

use std::fmt;
use std::sync::Arc;

use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::CheckpointStrategy;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, NodeGuard, Ops, OpsKind};
use burn::backend::ops::FloatTensorOps;
use burn::backend::tensor::FloatTensor;
use burn::backend::{Autodiff, Backend, Dispatch, Flex, backend_extension};
use burn::tensor::{Tensor, TensorData};

use crate::kernels::attention::{self, Shape};
use crate::kernels::matmul::{View, multiply};
use crate::kernels::{loss, norm, swiglu};

type Buffer = FloatTensor<Flex>;

#[backend_extension(Flex, Autodiff)]
pub trait TrainOps: Backend {
    /// `x`: `[n, k]`; `w`: `[k, m]`, or `[m, k]` if `turned`; gives `[n, m]`.
    fn product(x: FloatTensor<Self>, w: FloatTensor<Self>, turned: bool) -> FloatTensor<Self>;
    /// `qkv`: `[n, (heads + 2·kv_heads)·head_dim]`; gives `[n, heads·head_dim]`.
    fn attend(qkv: FloatTensor<Self>, documents: Arc<[usize]>, shape: Shape) -> FloatTensor<Self>;
    /// `[n, 2·ffn]` to `[n, ffn]`
    fn swiglu(x: FloatTensor<Self>, ffn: usize) -> FloatTensor<Self>;
    /// `[n, d]` to `[n, d]`; `weight`: `[d]`
    fn rms_norm(x: FloatTensor<Self>, weight: FloatTensor<Self>, eps: f32) -> FloatTensor<Self>;
    /// `logits`: `[n, vocabulary]`; gives `[1]`, the mean over rows in nats.
    fn cross_entropy(logits: FloatTensor<Self>, targets: Arc<[u32]>) -> FloatTensor<Self>;
}

pub fn product(x: Tensor<2>, w: Tensor<2>, turned: bool) -> Tensor<2> {
    Tensor::from_dispatch(<Dispatch as TrainOps>::product(x.into_dispatch(), w.into_dispatch(), turned))
}

pub fn attend(qkv: Tensor<2>, documents: Arc<[usize]>, shape: Shape) -> Tensor<2> {
    Tensor::from_dispatch(<Dispatch as TrainOps>::attend(qkv.into_dispatch(), documents, shape))
}

pub fn swiglu(x: Tensor<2>) -> Tensor<2> {
    let ffn = x.dims()[1] / 2;
    Tensor::from_dispatch(<Dispatch as TrainOps>::swiglu(x.into_dispatch(), ffn))
}

pub fn rms_norm(x: Tensor<2>, weight: Tensor<1>, eps: f32) -> Tensor<2> {
    Tensor::from_dispatch(<Dispatch as TrainOps>::rms_norm(x.into_dispatch(), weight.into_dispatch(), eps))
}

pub fn cross_entropy(logits: Tensor<2>, targets: Arc<[u32]>) -> Tensor<1> {
    Tensor::from_dispatch(<Dispatch as TrainOps>::cross_entropy(logits.into_dispatch(), targets))
}

fn buffer<const D: usize>(values: Vec<f32>, shape: [usize; D]) -> Buffer {
    Buffer::from_data(TensorData::new(values, shape))
}

/// A contiguous tensor of rank 2.
fn view(x: &Buffer) -> View<'_> {
    let shape = x.layout().shape();
    View::new(values(x), shape[0], shape[1])
}

fn matrix(a: View, b: View) -> Buffer {
    buffer(multiply(a, b), [a.rows(), b.cols()])
}

/// Values of a contiguous tensor.
fn values(x: &Buffer) -> &[f32] {
    x.as_slice().unwrap_or(&[])
}

impl TrainOps for Flex {
    fn product(x: Buffer, w: Buffer, turned: bool) -> Buffer {
        let (x, w) = (x.to_contiguous(), w.to_contiguous());
        matrix(view(&x), if turned { view(&w).transpose() } else { view(&w) })
    }

    fn attend(qkv: Buffer, documents: Arc<[usize]>, shape: Shape) -> Buffer {
        let out = attention::forward(values(&qkv.to_contiguous()), &documents, shape);
        let n = out.len() / shape.out();
        buffer(out, [n, shape.out()])
    }

    fn swiglu(x: Buffer, ffn: usize) -> Buffer {
        let out = swiglu::forward(values(&x.to_contiguous()), ffn);
        let n = out.len() / ffn;
        buffer(out, [n, ffn])
    }

    fn rms_norm(x: Buffer, weight: Buffer, eps: f32) -> Buffer {
        let weight = weight.to_contiguous();
        let out = norm::forward(values(&x.to_contiguous()), values(&weight), eps);
        let d = values(&weight).len();
        let n = out.len() / d;
        buffer(out, [n, d])
    }

    fn cross_entropy(logits: Buffer, targets: Arc<[u32]>) -> Buffer {
        buffer(vec![loss_and_gradient(logits, &targets).0], [1])
    }
}

fn loss_and_gradient(logits: Buffer, targets: &[u32]) -> (f32, Buffer) {
    let logits = values(&logits.to_contiguous()).to_vec();
    let vocabulary = logits.len() / targets.len();
    let (loss, gradient) = loss::forward(logits, targets, vocabulary);
    (loss, buffer(gradient, [targets.len(), vocabulary]))
}

impl<C: CheckpointStrategy> TrainOps for Autodiff<Flex, C> {
    fn product(x: FloatTensor<Self>, w: FloatTensor<Self>, turned: bool) -> FloatTensor<Self> {
        let ((x, x_guard), (w, w_guard)) = (x.into_parts(), w.into_parts());
        let (x, w) = (x.to_contiguous(), w.to_contiguous());
        let out = Flex::product(x.clone(), w.clone(), turned);
        node::<C, 2>([x_guard, w_guard], out, move |grad| {
            let (x, w, grad) = (view(&x), view(&w), view(&grad));
            if turned {
                [matrix(grad, w), matrix(grad.transpose(), x)]
            } else {
                [matrix(grad, w.transpose()), matrix(x.transpose(), grad)]
            }
        })
    }

    fn attend(qkv: FloatTensor<Self>, documents: Arc<[usize]>, shape: Shape) -> FloatTensor<Self> {
        let (qkv, guard) = qkv.into_parts();
        let qkv = qkv.to_contiguous();
        let out = Flex::attend(qkv.clone(), documents.clone(), shape);
        node::<C, 1>([guard], out, move |grad| {
            let out = attention::backward(values(&qkv), values(&grad), &documents, shape);
            let n = out.len() / shape.row();
            [buffer(out, [n, shape.row()])]
        })
    }

    fn swiglu(x: FloatTensor<Self>, ffn: usize) -> FloatTensor<Self> {
        let (x, guard) = x.into_parts();
        let x = x.to_contiguous();
        let out = Flex::swiglu(x.clone(), ffn);
        node::<C, 1>([guard], out, move |grad| {
            let out = swiglu::backward(values(&x), values(&grad), ffn);
            let n = out.len() / (2 * ffn);
            [buffer(out, [n, 2 * ffn])]
        })
    }

    fn rms_norm(x: FloatTensor<Self>, weight: FloatTensor<Self>, eps: f32) -> FloatTensor<Self> {
        let ((x, x_guard), (weight, weight_guard)) = (x.into_parts(), weight.into_parts());
        let (x, weight) = (x.to_contiguous(), weight.to_contiguous());
        let out = Flex::rms_norm(x.clone(), weight.clone(), eps);
        node::<C, 2>([x_guard, weight_guard], out, move |grad| {
            let (dx, dw) = norm::backward(values(&x), values(&weight), values(&grad), eps);
            let d = dw.len();
            let n = dx.len() / d;
            [buffer(dx, [n, d]), buffer(dw, [d])]
        })
    }

    fn cross_entropy(logits: FloatTensor<Self>, targets: Arc<[u32]>) -> FloatTensor<Self> {
        let (logits, guard) = logits.into_parts();
        let (loss, gradient) = loss_and_gradient(logits, &targets);
        node::<C, 1>([guard], buffer(vec![loss], [1]), move |grad| {
            let scale = values(&grad).first().copied().unwrap_or(1.0);
            // It's 1 where the loss itself is what is minimised.
            if scale == 1.0 { [gradient.clone()] } else { [Flex::float_mul_scalar(gradient.clone(), scale.into())] }
        })
    }
}

/// Takes the gradient of an operation's output to those of its inputs.
#[derive(Clone)]
struct Gradient<const N: usize>(Arc<dyn Fn(Buffer) -> [Buffer; N] + Send + Sync>);

impl<const N: usize> fmt::Debug for Gradient<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gradient")
    }
}

#[derive(Debug)]
struct Step;

impl<const N: usize> Backward<Flex, N> for Step {
    type State = Gradient<N>;

    fn backward(self, ops: Ops<Gradient<N>, N>, grads: &mut Gradients, _: &mut Checkpointer) {
        let grad = grads.consume::<Flex>(&ops.node).to_contiguous();
        for (parent, grad) in ops.parents.into_iter().zip((ops.state.0)(grad)) {
            if let Some(parent) = parent {
                grads.register::<Flex>(parent.id, grad);
            }
        }
    }
}

/// An operation's output as a node of the graph.
fn node<C: CheckpointStrategy, const N: usize>(
    inputs: [NodeGuard; N],
    output: Buffer,
    gradient: impl Fn(Buffer) -> [Buffer; N] + Send + Sync + 'static,
) -> FloatTensor<Autodiff<Flex, C>> {
    match Step.prepare::<C>(inputs).compute_bound().stateful() {
        OpsKind::Tracked(prep) => prep.finish(Gradient(Arc::new(gradient)), output),
        OpsKind::UnTracked(prep) => prep.finish(output),
    }
}
