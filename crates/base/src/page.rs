//! A self-contained page: one template and one style sheet, no script and no external resource.

use std::io::Write;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior, Value};

use crate::hash::Hash;

/// The name of the only template. Its file ending makes every value in it escaped for HTML.
const NAME: &str = "page.html";

/// A page template. A value that the template names and the caller does not give is an error.
pub struct Page(Environment<'static>);

impl Page {
    /// Reads the template. In addition to the values of each part it gets `style`, `style_hash` and `version`: a
    /// content security policy that allows the style sheet by its hash forbids every other style and every script.
    ///
    /// # Errors
    /// Fails if the template is broken.
    pub fn new(template: &'static str, style: &'static str) -> Result<Self, Error> {
        let mut page = Environment::new();
        page.set_auto_escape_callback(|_| AutoEscape::Html);
        page.set_undefined_behavior(UndefinedBehavior::Strict);
        page.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        page.add_global("style", style);
        page.add_global("style_hash", Hash::of(style).base64());
        page.add_global("version", env!("CARGO_PKG_VERSION"));
        page.add_template(NAME, template)?;
        Ok(Self(page))
    }

    /// Writes the page, or a part of it if the template distinguishes parts.
    ///
    /// # Errors
    /// Fails if the template names a value that `values` lacks, or if it cannot be written.
    pub fn write(&self, values: Value, out: impl Write) -> Result<(), Error> {
        self.0.get_template(NAME)?.render_captured_to(values, out).map(drop)
    }

    /// Returns the page as text.
    ///
    /// # Errors
    /// Fails if the template names something that `values` lacks.
    pub fn render(&self, values: Value) -> Result<String, Error> {
        self.0.get_template(NAME)?.render(values)
    }
}

#[cfg(test)]
mod tests {
    use minijinja::context;

    use super::*;

    #[test]
    fn values_bring_no_markup_and_the_style_is_named_by_its_hash() {
        let page = Page::new("{{ style_hash|safe }} {{ words }}", "abc").expect("a template");
        let text = page.render(context! { words => "<b>" }).expect("every value is given");
        assert_eq!(text, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0= &lt;b&gt;");
        assert!(page.render(context! {}).is_err(), "a value is missing");
    }
}
