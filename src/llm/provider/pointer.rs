//! Writes a value at a JSON pointer, making the objects on the way.

use serde_json::{Map, Value};

/// Writes `value` at `pointer`, e.g. `/generationConfig/temperature`. Whatever is no object on the way becomes one.
pub fn put(body: &mut Value, pointer: &str, value: Value) {
    let mut here = body;
    for name in pointer.split('/').skip(1) {
        if !here.is_object() {
            *here = Value::Object(Map::new());
        }
        let Value::Object(object) = here else { return };
        here = object.entry(name).or_insert(Value::Null);
    }
    *here = value;
}
