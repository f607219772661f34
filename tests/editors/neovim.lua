-- SPDX-License-Identifier: Apache-2.0
-- A configuration with etlens and nothing else, as README.md has it. ETLENS is the executable.
vim.o.swapfile = false
vim.o.wrap = false
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'python',
  callback = function(event)
    vim.lsp.start({
      name = 'etlens',
      cmd = { vim.env.ETLENS, 'lsp' },
      root_dir = vim.fn.getcwd(),
      init_options = { baseline = vim.env.ETLENS_BASELINE },
    }, { bufnr = event.buf })
  end,
})
vim.api.nvim_create_autocmd('LspAttach', {
  callback = function(event) vim.lsp.inlay_hint.enable(true, { bufnr = event.buf }) end,
})
-- Neovim asks again on a refresh, but may mark a line as drawn before the answer is there.
vim.lsp.handlers['workspace/inlayHint/refresh'] = function(_, _, context)
  for _, buffer in ipairs(vim.lsp.get_buffers_by_client_id(context.client_id)) do
    vim.lsp.inlay_hint.enable(false, { bufnr = buffer })
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  return vim.NIL
end
