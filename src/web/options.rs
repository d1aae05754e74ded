//! Options from JavaScript: each value's type is checked here and an error names the key.
//! Ranges are checked in `crate::settings`. Unknown keys are refused by the caller, `www/api`.

use js_sys::{Array, JsString, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{Code, Error, Result};
use crate::model::table::Table;
use crate::run::ForkOptions;
use crate::settings::{Message, Prompt, RunChange, SamplingOptions, StartOptions};

pub fn sampling(options: &JsValue) -> Result<SamplingOptions> {
    Ok(SamplingOptions {
        temperature: number(options, "temperature")?,
        top_k: number(options, "topK")?,
        top_p: number(options, "topP")?,
        min_p: number(options, "minP")?,
        repetition_penalty: number(options, "repetitionPenalty")?,
        top: number(options, "top")?,
    })
}

pub fn start(options: &JsValue) -> Result<StartOptions> {
    let mut start = StartOptions::new(prompt(options)?);
    start.special = boolean(options, "special")?;
    start.sampling = sampling(options)?;
    start.seed = number(options, "seed")?;
    start.max_tokens = number(options, "maxTokens")?;
    start.stop = stop(&get(options, "stop"))?;
    start.cache = boolean(options, "cache")?;
    Ok(start)
}

pub fn fork(options: &JsValue) -> Result<ForkOptions> {
    let position = match number(options, "position")? {
        None => None,
        Some(n) if n.fract() == 0.0 && (0.0..4e9).contains(&n) => Some(n as usize),
        Some(n) => return Err(Error::config(format!("position is {n}; it must be a whole number."))),
    };
    let given = get(options, "stop");
    let change = RunChange {
        seed: number(options, "seed")?,
        max_tokens: number(options, "maxTokens")?,
        stop: if given.is_undefined() { None } else { Some(stop(&given)?) },
        cache: boolean(options, "cache")?,
    };
    Ok(ForkOptions { position, change })
}

pub fn messages(given: &JsValue) -> Result<Vec<Message>> {
    let list = array(given, "messages", "a list of { role, content }")?;
    let messages = list.iter().map(|message| {
        let text = |key: &str| {
            let value = get(&message, key);
            let name = format!("messages[].{key}");
            if value.is_string() { whole_text(&value, &name) } else { Err(wrong(&name, "text", &value)) }
        };
        Ok(Message { role: text("role")?, content: text("content")? })
    });
    messages.collect()
}

fn prompt(options: &JsValue) -> Result<Prompt> {
    let (prompt, messages) = (get(options, "prompt"), get(options, "messages"));
    match (prompt.is_undefined(), messages.is_undefined()) {
        (false, true) => {
            if prompt.is_string() {
                return whole_text(&prompt, "prompt").map(Prompt::Text);
            }
            let ids = array(&prompt, "prompt", "text or a list of token ids")?;
            let id = |value: JsValue| value.as_f64().filter(|n| n.fract() == 0.0 && (0.0..4e9).contains(n));
            let ids: Option<Vec<u32>> = ids.iter().map(|value| id(value).map(|n| n as u32)).collect();
            ids.map(Prompt::Tokens).ok_or_else(|| wrong("prompt", "text or a list of token ids", &prompt))
        }
        (true, false) => Ok(Prompt::Messages(self::messages(&messages)?)),
        _ => Err(Error::new(Code::BadPrompt, "Give either prompt or messages.")),
    }
}

/// A string's text. Half of a surrogate pair is no character: converting it would change the text.
pub fn whole_text(value: &JsValue, name: &str) -> Result<String> {
    match value.dyn_ref::<JsString>() {
        Some(text) if text.is_valid_utf16() => Ok(text.into()),
        Some(_) => Err(Error::new(Code::BadPrompt, format!("{name} holds half of a character (a lone surrogate)."))
            .with_hint("Leave it out; it was probably cut in two on the way here.")),
        None => Err(wrong(name, "text", value)),
    }
}

fn stop(value: &JsValue) -> Result<Vec<String>> {
    const WHAT: &str = "text or a list of texts";
    if value.is_undefined() || value.is_null() {
        return Ok(Vec::new());
    }
    if let Some(text) = value.as_string() {
        return Ok(vec![text]);
    }
    let list = array(value, "stop", WHAT)?;
    list.iter().map(|text| text.as_string().ok_or_else(|| wrong("stop", WHAT, &text))).collect()
}

/// `{ rows: { last: { next: p } }, separator?, end? }`
pub fn table(value: &JsValue) -> Result<Table> {
    let rows = entries(&get(value, "rows"), "table.rows")?;
    let rows = rows.into_iter().map(|(last, next)| {
        let name = format!("table.rows[{last:?}]");
        let next = entries(&next, &name)?
            .into_iter()
            .map(|(token, p)| p.as_f64().map(|p| (token, p)).ok_or_else(|| wrong(&name, "numbers", &p)));
        Ok((last, next.collect::<Result<_>>()?))
    });
    let text = |key: &str, default: &str| {
        let given = get(value, key);
        if given.is_undefined() {
            return Ok(default.to_string());
        }
        given.as_string().ok_or_else(|| wrong(&format!("table.{key}"), "text", &given))
    };
    Ok(Table {
        rows: rows.collect::<Result<_>>()?,
        words: Vec::new(),
        separator: text("separator", " ")?,
        end: text("end", "<END>")?,
    })
}

fn entries(value: &JsValue, name: &str) -> Result<Vec<(String, JsValue)>> {
    let object: &Object = value.dyn_ref().ok_or_else(|| wrong(name, "an object", value))?;
    let pairs = Object::entries(object);
    Ok(pairs
        .iter()
        .map(|pair| Array::from(&pair))
        .map(|p| (p.get(0).as_string().unwrap_or_default(), p.get(1)))
        .collect())
}

/// undefined if the options or the key are missing.
fn get(options: &JsValue, key: &str) -> JsValue {
    if options.is_object() { Reflect::get(options, &key.into()).unwrap_or_default() } else { JsValue::UNDEFINED }
}

pub fn number(options: &JsValue, key: &str) -> Result<Option<f64>> {
    let value = get(options, key);
    if value.is_undefined() {
        return Ok(None);
    }
    value.as_f64().map(Some).ok_or_else(|| wrong(key, "a number", &value))
}

fn boolean(options: &JsValue, key: &str) -> Result<Option<bool>> {
    let value = get(options, key);
    if value.is_undefined() {
        return Ok(None);
    }
    value.as_bool().map(Some).ok_or_else(|| wrong(key, "true or false", &value))
}

fn array(value: &JsValue, key: &str, what: &str) -> Result<Array> {
    if Array::is_array(value) { Ok(Array::from(value)) } else { Err(wrong(key, what, value)) }
}

fn wrong(key: &str, what: &str, value: &JsValue) -> Error {
    let given = match value.as_string() {
        Some(text) => format!("the text {text:?}"),
        None if value.is_null() => "null".to_string(),
        None => format!("of the type {}", value.js_typeof().as_string().unwrap_or_default()),
    };
    Error::config(format!("{key} is {given}; it must be {what}."))
}
