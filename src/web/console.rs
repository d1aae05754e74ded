//! Warnings of the GPU libraries and panics, in the browser's console: there they are errors that
//! nothing else reports (a shader that fails validation only logs).

use wasm_bindgen::JsValue;

struct Console;

impl log::Log for Console {
    fn enabled(&self, metadata: &log::Metadata) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record) {
        if self.enabled(record.metadata()) {
            let message = JsValue::from(format!("{}: {}", record.target(), record.args()));
            match record.level() {
                log::Level::Error => web_sys::console::error_1(&message),
                _ => web_sys::console::warn_1(&message),
            }
        }
    }

    fn flush(&self) {}
}

pub fn install() {
    // A second call finds the first logger in place.
    if log::set_logger(&Console).is_ok() {
        log::set_max_level(log::LevelFilter::Warn);
    }
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
}
