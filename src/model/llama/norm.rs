//! RMSNorm: x / √(mean x² + ε) · w, over each row.

use burn::tensor::Tensor;

pub struct RmsNorm {
    /// `[1, d]`
    weight: Tensor<2>,
    eps: f32,
}

impl RmsNorm {
    pub fn new(weight: Tensor<1>, eps: f32) -> Self {
        RmsNorm { weight: weight.unsqueeze(), eps }
    }

    /// `[t, d]` to `[t, d]`
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        let mean_square = (x.clone() * x.clone()).mean_dim(1); // [t, 1]
        let scale = (mean_square + self.eps).sqrt().recip(); // [t, 1]
        x * scale * self.weight.clone()
    }
}
