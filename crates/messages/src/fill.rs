//! Values put into the placeholders of a text.

use std::fmt::Display;

/// A text with its placeholders filled in. Values are not read as templates, and other braces stay as they are.
pub fn fill(template: &str, values: &[(&str, &dyn Display)]) -> String {
    fill_with(template, |name, _| values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string()))
}

/// Fills in the value of each name that `value` knows. It also gets the text before the placeholder, as far as it is filled in.
pub fn fill_with(template: &str, value: impl Fn(&str, &str) -> Option<String>) -> String {
    let mut out = String::with_capacity(template.len() + 20);
    let mut rest = template;
    while let Some((before, placeholder)) = rest.split_once('{') {
        out.push_str(before);
        let named = placeholder.split_once('}');
        rest = match named.and_then(|(name, after)| Some((value(name, &out)?, after))) {
            Some((value, after)) => {
                out.push_str(&value);
                after
            }
            None => {
                out.push('{');
                placeholder
            }
        };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn a_value_is_not_a_template() {
        assert_eq!(fill("{a} {b}", &[("a", &"{b}"), ("b", &"x")]), "{b} x");
    }

    #[test]
    fn other_braces_stay() {
        assert_eq!(fill("{\"id\": {n}} {", &[("n", &1)]), "{\"id\": 1} {");
    }
}
