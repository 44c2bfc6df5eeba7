-- Drives Neovim with reqgate: diagnostics, hover, edits, outline and completion. Any failure ends Neovim with an error.
local function fail(words)
  io.stderr:write('neovim: ' .. words .. '\n')
  vim.cmd('cquit 1')
end

local function expect(holds, words)
  if not holds then fail(words) end
end

local function diagnostic(code)
  for _, one in ipairs(vim.diagnostic.get(0)) do
    if one.code == code then return one end
  end
end

local function wait(words, holds)
  expect(vim.wait(20000, holds, 20), words)
end

local ok, problem = pcall(function()
  wait('the server did not start', function() return #vim.lsp.get_clients({ bufnr = 0, name = 'reqgate' }) == 1 end)
  local client = vim.lsp.get_clients({ bufnr = 0, name = 'reqgate' })[1]
  wait('no finding is shown', function() return diagnostic('open-point') ~= nil end)
  local open = diagnostic('open-point')
  expect(open.severity == vim.diagnostic.severity.ERROR and open.message:find('^fact: left open'), vim.inspect(open))
  -- Columns of Neovim are bytes: the finding covers "导出 The format is TBD." after the bullet.
  local line = vim.api.nvim_buf_get_lines(0, 4, 5, true)[1]
  expect(open.lnum == 4 and line:sub(open.col + 1, open.end_col):find('TBD%.$'), vim.inspect(open))
  local title = vim.tbl_filter(function(one) return one.message:find('^REJECT') end, vim.diagnostic.get(0))
  expect(#title == 1 and title[1].lnum == 0, vim.inspect(title))

  local document = { uri = vim.uri_from_bufnr(0) }
  local function asked(method, params)
    params.textDocument = document
    local answer = client:request_sync(method, params, 20000, 0)
    expect(answer and not answer.err, method .. ': ' .. vim.inspect(answer))
    return answer.result
  end
  local function position(row, column)
    return { line = row, character = vim.str_utfindex(vim.api.nvim_buf_get_lines(0, row, row + 1, true)[1], client.offset_encoding, column) }
  end
  local at = position(4, open.end_col - 2)
  local hover = asked('textDocument/hover', { position = at })
  expect(hover.contents.value:find('Reason'), vim.inspect(hover))
  local outline = asked('textDocument/documentSymbol', {})
  expect(outline[1].name == '😀 Export of orders', vim.inspect(outline))

  local actions = asked('textDocument/codeAction', { range = { start = at, ['end'] = at }, context = { diagnostics = {} } })
  local function apply(words)
    for _, action in ipairs(actions) do
      if action.title:find(words, 1, true) then
        vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
        return
      end
    end
    fail('no action ' .. words .. ': ' .. vim.inspect(actions))
  end
  apply('Add a default')
  expect(vim.api.nvim_buf_get_lines(0, 4, 5, true)[1] == '- 导出 The format is TBD. Until decided: ‹the default›.', 'the default is not in its place')
  apply('Waive open-point')
  local settings = vim.fn.bufnr('.reqgate.yaml')
  expect(settings > 0, 'the configuration was not created')
  local text = table.concat(vim.api.nvim_buf_get_lines(settings, 0, -1, true), '\n')
  expect(text:find('waivers:\n  %- rule: open%-point\n    reason: ""  # required\n    input: "ticket.md"'), text)

  -- The author decides, and the finding goes.
  vim.api.nvim_buf_set_lines(0, 4, 5, true, { '- The format is CSV.', '', '##' })
  wait('a mended finding is still shown', function() return diagnostic('open-point') == nil end)
  local items = asked('textDocument/completion', { position = { line = 6, character = 2 } })
  local labels = vim.tbl_map(function(item) return item.label end, items)
  expect(vim.tbl_contains(labels, 'Acceptance criteria'), vim.inspect(labels))
end)
if not ok then fail(tostring(problem)) end
print('neovim ' .. tostring(vim.version()) .. ': ok\n')
vim.cmd('qall!')
