//! Arguments of `reqgate lsp`.

use clap::Args;

pub(super) const LSP_HELP: &str = "\
Neovim 0.11 or later, in init.lua:
  vim.lsp.config('reqgate', { cmd = { 'reqgate', 'lsp' }, filetypes = { 'markdown', 'text' },
                              root_markers = { '.reqgate.yaml', '.git' } })
  vim.lsp.enable('reqgate')

docs/editors.md has Helix, Zed, VS Code and others.";

#[derive(Debug, Args)]
pub struct LspArguments {
    /// Use standard input and output, as it always does; many editors pass this
    #[arg(long)]
    pub stdio: bool,
}
