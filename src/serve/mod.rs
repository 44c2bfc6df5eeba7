//! Interfaces through which other programs use the gate and the workflow. Each is thin: the same functions as the command line.

pub mod mcp;
