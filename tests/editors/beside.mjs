// SPDX-License-Identifier: Apache-2.0
// Starts Neovim with a language server of Python and etlens on one buffer, a copy of an example; beside.lua looks.
// node beside.mjs ROOT PYTHON: ROOT is what tests/editors/fetch unpacked, PYTHON what tests/pyright/fetch printed. ETLENS names the executable.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { wordsOf } from './program.mjs';

const kHere = new URL('.', import.meta.url).pathname;
const [root, python] = process.argv.slice(2);
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'etlens-editor-'));
try {
  const folder = path.join(work, 'example');
  fs.cpSync(path.join(kHere, '../../examples/storyteller'), folder, { recursive: true });
  const [program, ...words] = wordsOf(root, 'usr/bin/nvim');
  const options = ['--headless', '--cmd', `set rtp+=${root}/usr/lib/nvim`, '-u', 'NONE', '-i', 'NONE', '-l', path.join(kHere, 'beside.lua')];
  const home = path.join(work, 'home');
  const { status, stdout, stderr } = spawnSync(program, [...words, ...options], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 300_000,
    env: {
      ...process.env, VIMRUNTIME: path.join(root, 'usr/share/nvim/runtime'), PYTHON_SERVER: python, NODE: process.execPath,
      HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home,
    },
  });
  console.log(`${stdout}${stderr}`.trim());
  process.exitCode = status === 0 ? 0 : 1;
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
