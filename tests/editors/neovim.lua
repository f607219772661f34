-- SPDX-License-Identifier: Apache-2.0
-- A configuration with etlens and nothing else, as docs/editors.md has it. ETLENS is the executable.
vim.o.swapfile = false
vim.o.wrap = false
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'python',
  callback = function(event)
    local capabilities = vim.lsp.protocol.make_client_capabilities()
    capabilities.general.positionEncodings = { 'utf-16' }
    vim.lsp.start({
      name = 'etlens',
      cmd = { vim.env.ETLENS, 'lsp' },
      root_dir = vim.fn.getcwd(),
      capabilities = capabilities,
      init_options = { baseline = vim.env.ETLENS_BASELINE, runs = { enabled = vim.env.ETLENS_RUNS == '1' } },
    }, { bufnr = event.buf })
  end,
})
vim.api.nvim_create_autocmd('LspAttach', {
  callback = function(event) vim.lsp.inlay_hint.enable(true, { bufnr = event.buf }) end,
})
-- Neovim asks again on a refresh, but may mark a line as drawn before the answer is there.
vim.lsp.handlers['workspace/inlayHint/refresh'] = function(_, _, context)
  for buffer in pairs(vim.lsp.get_client_by_id(context.client_id).attached_buffers) do
    vim.lsp.inlay_hint.enable(false, { bufnr = buffer })
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  return vim.NIL
end
-- Neovim 0.10 shows the hover of one server only; newer ones show all.
if vim.fn.has('nvim-0.11') == 0 then
  vim.lsp.buf.hover = function()
    vim.lsp.buf_request_all(0, 'textDocument/hover', vim.lsp.util.make_position_params(), function(answers)
      local lines = {}
      for _, answer in pairs(answers) do
        if answer.result then vim.list_extend(lines, vim.lsp.util.convert_input_to_markdown_lines(answer.result.contents)) end
      end
      if #lines > 0 then vim.lsp.util.open_floating_preview(lines, 'markdown', { focus_id = 'hover' }) end
    end)
  end
end
