-- SPDX-License-Identifier: Apache-2.0
-- A language server of Python, then etlens on the same buffer: what Python's says, and what Neovim shows of it, is what it was.
-- PYTHON_SERVER is what the program NODE runs; ETLENS, and the configuration with it, are of neovim.lua.
local kPatienceMs = 60000
-- What Neovim asks every server for, and shows the answers of all.
local kEtlens = {
  ['textDocument/hover'] = true, ['textDocument/codeLens'] = true, ['textDocument/inlayHint'] = true, ['workspace/symbol'] = true,
  ['textDocument/codeAction'] = true,
}
local is_old = vim.fn.has('nvim-0.11') == 0
local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))

-- Text, and where in it the cursor is: at the bar. Measured lines, others, and one with letters of more than one byte.
local places = {
  'from rope import |apply_rope', 'class |Attention(', 'math.|sqrt(self.head_dim)', 'return |weights @ v', 'q = |apply_rope(self',
  'q = apply_rope(|self.split', 'v = self.|split_heads(', 'def |attend(self', '|größe)',
}
local at_places = {
  'hover', 'definition', 'declaration', 'typeDefinition', 'implementation', 'references', 'documentHighlight', 'signatureHelp', 'completion',
  'rename', 'prepareRename', 'prepareCallHierarchy', 'prepareTypeHierarchy', 'selectionRange', 'codeAction', 'inlayHint',
}
local of_documents = { 'documentSymbol', 'foldingRange', 'documentLink', 'documentColor', 'formatting', 'semanticTokens/full', 'codeLens', 'diagnostic' }

local notices = {}
local say = print
print = function(message) table.insert(notices, message) end
vim.notify = print
vim.notify_once = print
vim.ui.select = function(items) error(#items .. ' things to choose from') end

local function until_(what, holds)
  assert(vim.wait(kPatienceMs, holds, 5), what .. ': not within ' .. kPatienceMs / 1000 .. ' s')
end

local function clients_of(name)
  local found = vim.lsp.get_clients({ bufnr = vim.fn.bufnr('layers.py'), name = name })
  return found[1], #found
end

local function call(client, method, ...)
  if is_old then return client[method](...) end
  return client[method](client, ...)
end

-- What a client answers; 'not asked' where Neovim does not ask it.
local function ask(client, method, params)
  if not call(client, 'supports_method', method, { bufnr = 0 }) then return 'not asked' end
  local response, problem = call(client, 'request_sync', method, params, kPatienceMs, vim.fn.bufnr('layers.py'))
  assert(response, method .. ': ' .. tostring(problem))
  return response.err and response.err.message or response.result or vim.NIL
end

local function go_to(text)
  vim.cmd.buffer('layers.py')
  local plain = text:gsub('|', '')
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local from = line:find(plain, 1, true)
    if from then return vim.api.nvim_win_set_cursor(0, { number, from + text:find('|', 1, true) - 2 }) end
  end
  error('layers.py has no ' .. text)
end

local function answers_of(client)
  local answers = { ['workspace/symbol'] = ask(client, 'workspace/symbol', { query = 'rope' }) }
  for _, text in ipairs(places) do
    go_to(text)
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    params = vim.tbl_extend('error', params, {
      context = { includeDeclaration = true, diagnostics = {}, triggerKind = 1 }, newName = 'another', positions = { params.position },
      range = { start = params.position, ['end'] = params.position },
    })
    for _, name in ipairs(at_places) do
      local answer = ask(client, 'textDocument/' .. name, params)
      answers[name .. ' at ' .. text] = answer
      if name == 'prepareCallHierarchy' and type(answer) == 'table' and answer[1] then
        for _, calls in ipairs({ 'incomingCalls', 'outgoingCalls' }) do
          answers[calls .. ' at ' .. text] = ask(client, 'callHierarchy/' .. calls, { item = answer[1] })
        end
      end
    end
  end
  local document = { textDocument = { uri = vim.uri_from_bufnr(0) }, options = { tabSize = 4, insertSpaces = true } }
  for _, name in ipairs(of_documents) do answers[name] = ask(client, 'textDocument/' .. name, document) end
  return answers
end

-- Nobody waits for an answer any more, and what it brings is drawn.
local function settle()
  local quiet = 0
  until_('answers', function()
    local is_quiet = vim.iter(vim.lsp.get_clients()):all(function(client) return not next(client.requests) end)
    quiet = is_quiet and quiet + 1 or 0
    return quiet > 3
  end)
end

local function floats()
  local texts = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      vim.list_extend(texts, vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true))
      vim.api.nvim_win_close(window, true)
    end
  end
  return table.concat(texts, '\n')
end

local function name_of(buffer) return vim.fs.basename(vim.api.nvim_buf_get_name(buffer)) end

local function list_of(items)
  return vim.tbl_map(function(item) return { name_of(item.bufnr), item.lnum, item.col, item.text } end, items)
end

-- What Neovim shows of its own commands at a place. `hover` is apart: etlens adds to it.
local function shown_at(text)
  local shown = {}
  for _, name in ipairs({ 'definition', 'type_definition', 'references', 'document_symbol', 'incoming_calls', 'outgoing_calls', 'document_highlight', 'signature_help', 'hover' }) do
    go_to(text)
    notices = {}
    vim.fn.setqflist({}, 'r')
    vim.fn.setloclist(0, {}, 'r')
    if name == 'references' then vim.lsp.buf.references(nil) else vim.lsp.buf[name]() end
    settle()
    local marks = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(vim.fn.bufnr('layers.py'), -1, 0, -1, { details = true })) do
      if tostring(mark[4].hl_group):find('^LspReference') then table.insert(marks, { mark[2], mark[3], mark[4].end_row, mark[4].end_col, mark[4].hl_group }) end
    end
    shown[name] = {
      float = floats(), notices = notices, marks = marks,
      quickfix = list_of(vim.fn.getqflist()), places = list_of(vim.fn.getloclist(0)),
    }
    vim.cmd.cclose()
    vim.cmd.lclose()
    shown[name].cursor = { name_of(0), vim.api.nvim_win_get_cursor(0) }
    vim.lsp.buf.clear_references()
  end
  return shown
end

local function shown_of()
  local shown = {}
  for _, text in ipairs(places) do shown[text] = shown_at(text) end
  return shown
end

local function start_python()
  -- What it says of a file that it was told of, it says of the whole folder.
  vim.lsp.start({ name = 'python', cmd = { vim.env.NODE, vim.env.PYTHON_SERVER, '--stdio' }, root_dir = vim.fn.getcwd() }, { bufnr = vim.fn.bufnr('layers.py') })
  go_to('q = |apply_rope(self')
  local params
  until_('Python', function()
    local client = clients_of('python')
    if not client or not client.initialized then return false end
    params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    return true
  end)
  until_("Python's references", function()
    local found = ask(clients_of('python'), 'textDocument/references', vim.tbl_extend('error', params, { context = { includeDeclaration = true } }))
    return vim.iter(found ~= vim.NIL and found or {}):any(function(place) return vim.endswith(place.uri, 'rope.py') end)
  end)
  return clients_of('python')
end

local function same(what, before, now)
  assert(vim.deep_equal(before, now), what .. ': was ' .. vim.inspect(before) .. '\nis ' .. vim.inspect(now))
end

-- Python's answers, and what is shown, against those without etlens.
local function compare(before, shown_before)
  local now = answers_of(clients_of('python'))
  for what, answer in pairs(before) do same(what, answer, now[what]) end
  local asked = 0
  for what, answer in pairs(answers_of(clients_of('etlens'))) do
    local name = what:match('^[^ ]+')
    local method = name:find('/', 1, true) == nil and 'textDocument/' .. name or name
    -- Neovim 0.10 asks for what it knows no capability of, and is refused.
    local is_refused = type(answer) == 'string'
    asked = asked + (is_refused and 0 or 1)
    assert(is_refused or kEtlens[method], 'etlens is asked for ' .. method)
  end
  assert(asked > 10)
  local more = 0
  for text, shown in pairs(shown_of()) do
    for name, what in pairs(shown) do
      local was = shown_before[text][name]
      if name == 'hover' then
        -- Names of the servers stand above what each says.
        for line in vim.gsplit(was.float, '\n') do assert(what.float:find(line, 1, true), 'the hover at ' .. text .. ' has lost ' .. line .. '\n' .. what.float) end
        more = more + (what.float:find('operator', 1, true) and not was.float:find('operator', 1, true) and 1 or 0)
        for _, mark in ipairs(was.marks) do assert(vim.iter(what.marks):any(function(other) return vim.deep_equal(mark, other) end), 'no mark of the hover at ' .. text) end
        what.float, what.marks = was.float, was.marks
        if was.float == '' then what.notices = was.notices end
      end
      same(name .. ' at ' .. text, was, what)
    end
  end
  assert(more >= 3, 'etlens says something of ' .. more .. ' places')
  return vim.tbl_count(before)
end

local function main()
  -- No file type yet, for which neovim.lua would start etlens.
  vim.cmd('noautocmd edit layers.py')
  vim.cmd('noautocmd set filetype=python hidden')
  vim.api.nvim_buf_set_lines(0, -1, -1, true, { 'größe = "äöü"; print("äöü", größe)' })
  local python = start_python()
  local answers, shown = answers_of(python), shown_of()
  for _, name in ipairs({ 'definition', 'references', 'documentHighlight', 'incomingCalls', 'hover', 'rename', 'signatureHelp' }) do
    local some = vim.iter(pairs(answers)):any(function(what, answer) return vim.startswith(what, name .. ' ') and type(answer) == 'table' and next(answer) ~= nil end)
    assert(some, "Python's server says no " .. name)
  end

  dofile(here .. '/neovim.lua')
  go_to(places[1])
  vim.cmd('doautocmd FileType python')
  local hints = function()
    local client = clients_of('etlens')
    return client and client.initialized and #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 10
  end
  until_('hints', hints)
  assert(clients_of('etlens').offset_encoding == python.offset_encoding, 'two ways to count columns in one buffer')
  local count = compare(answers, shown)
  -- The one that started last is another one now.
  call(python, 'stop')
  until_('an end', function() return clients_of('python') == nil end)
  start_python()
  compare(answers, shown)
  say(count .. " answers of Python's server are what they were")
end

local ok, problem = xpcall(main, debug.traceback)
if not ok then say(problem) end
for _, client in ipairs(vim.lsp.get_clients()) do call(client, 'stop', true) end
vim.cmd(ok and 'qall!' or 'cquit')
