//! Records and errors as JavaScript values.

use js_sys::Reflect;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::error::Error;

/// A plain object: maps as objects, missing values as null.
pub fn record<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(|e| JsError::new(&format!("A record can't be written: {e}")).into())
}

/// An `Error` object with `code` and `hint`.
pub fn thrown(error: Error) -> JsValue {
    let object = js_sys::Error::new(&error.message);
    for (key, value) in [("code", error.code.as_str()), ("hint", error.hint())] {
        // Setting a property of a fresh object can't fail.
        let _ = Reflect::set(&object, &key.into(), &value.into());
    }
    object.into()
}
