//! The command line of reqgate.

fn main() {}
