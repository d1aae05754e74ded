//! Chooses where the model runs: WebGPU where it can be trusted, otherwise the CPU, with a reason.

use burn::tensor::Device;
use burn::tensor::wgpu::{WgpuBackend, WgpuInitError, WgpuSetup, wgpu};

use crate::error::{Code, Error, Result};
use crate::loader::Placement;

/// What the caller asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    Auto,
    Webgpu,
    Cpu,
}

/// Launches collected before they are submitted: about one layer's.
const TASKS_MAX: usize = 64;

/// Files up to this size hold a few million weights: the CPU multiplies them in about a millisecond, which on
/// a GPU the launches of the kernels alone take.
const SMALL: u64 = 4 << 20;

/// Opens the device for a model file of `size` bytes, if that is known. `auto` never fails; `webgpu` gives
/// `no-webgpu` where WebGPU can't be used at all.
pub async fn open(backend: Backend, size: Option<u64>) -> Result<Placement> {
    match backend {
        Backend::Cpu => return Ok(Placement::cpu("The CPU was asked for.")),
        Backend::Auto if size.is_some_and(|size| size <= SMALL) => {
            return Ok(Placement::cpu("A model this small is computed faster on the CPU than on a GPU."));
        }
        Backend::Auto | Backend::Webgpu => {}
    }
    let forced = backend == Backend::Webgpu;
    // Explicit: no other graphics API may stand in.
    let options = Device::wgpu_options().graphics_api(WgpuBackend::WebGpu).tasks_max(TASKS_MAX);
    let refusal = match options.init_with_setup_async().await {
        Err(error) => refusal_of(&error),
        Ok((device, setup)) => match refuse(&setup, forced) {
            None => {
                let name = setup.adapter.get_info().name;
                return Ok(Placement {
                    device,
                    backend: "webgpu",
                    adapter: (!name.is_empty()).then_some(name),
                    reason: if forced { "WebGPU was asked for." } else { "This browser has WebGPU on real hardware." }
                        .into(),
                    forced,
                    max_binding: setup.adapter.limits().max_storage_buffer_binding_size,
                });
            }
            Some(reason) => reason,
        },
    };
    if forced { Err(Error::new(Code::NoWebgpu, refusal)) } else { Ok(Placement::cpu(refusal)) }
}

fn refusal_of(error: &WgpuInitError) -> String {
    match error {
        WgpuInitError::AdapterUnavailable { .. } => "This browser offers no WebGPU here.".into(),
        other => format!("WebGPU couldn't be started: {other}."),
    }
}

/// Why this adapter isn't used, if it isn't. A software adapter is right but slow: only when forced.
fn refuse(setup: &WgpuSetup, forced: bool) -> Option<String> {
    let limits = setup.adapter.limits();
    if !forced && setup.adapter.get_info().device_type == wgpu::DeviceType::Cpu {
        return Some("The browser's WebGPU is computed in software, which is slower than this CPU path.".into());
    }
    if !setup.adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
        // The GPU runtime asks for it at its first operation and would panic.
        return Some("This GPU's driver lacks the feature timestamp-query.".into());
    }
    let enough = limits.max_storage_buffers_per_shader_stage >= 8
        && limits.max_compute_invocations_per_workgroup >= 256
        && limits.max_compute_workgroup_storage_size >= 16384;
    (!enough).then(|| "This GPU's limits are below those that WebGPU guarantees.".into())
}
