//! A critique in words: for a terminal, and as Markdown.
