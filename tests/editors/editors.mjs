// SPDX-License-Identifier: Apache-2.0
// Starts a real editor in a terminal, on a copy of an example, and looks at the screen as a person does:
// hints and hover, hints that follow an edit, new numbers when the dump on disk is replaced; beside a
// baseline, what changed; and every code action once.
// node editors.mjs NAME ROOT: ROOT is what tests/editors/fetch unpacked. ETLENS names the executable.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { svgOf } from './picture.mjs';
import { wordsOf } from './program.mjs';

const kHere = new URL('.', import.meta.url).pathname;
const kExample = path.join(kHere, '../data/examples/mlp');
const kExamples = path.join(kHere, '../../examples');
const kNewDump = path.join(kHere, 'another-run.etdp');  // another run of the same program
const kPatienceMs = 90_000;  // on a machine that has other things to do
const kAgainMs = 3_000;
const kReadMs = 2_000;  // a dump has been read
const kHint = /(Σ )?\d[\d.]* (ns|µs|ms|s) \d[\d.]*%.*$/;

// In the order in which the server lists them.
const kActions = ['Show the lines of these delegate calls', 'Go to the next line of these delegate calls', 'Why is this not delegated?', 'Compare with the last run'];

// An editor: how it starts (as shell commands; `run` is its program), with which files of its own, and
// its keys. `refreshes`: it looks at its hints again when the server says so; others do with the next edit.
const kEditors = {
  neovim: {
    name: 'neovim',
    title: 'Neovim',
    program: 'usr/bin/nvim',
    // Neovim starts a second Neovim by the name of its program, which here is that of the loader: so both
    // are started by hand.
    command: (run, root, file) =>
      `${run} --headless --listen ./socket --cmd 'set rtp+=${root}/usr/lib/nvim' -u '${kHere}neovim.lua' -i NONE ${file} & ` +
      `until [ -S socket ]; do sleep 0.05; done; ${run} --server ./socket --remote-ui`,
    environment: (root) => ({ VIMRUNTIME: path.join(root, 'usr/share/nvim/runtime') }),
    configuration: {},  // neovim.lua reads ETLENS_BASELINE
    hover: ['K'],
    closeHover: ['j', 'k'],
    dismiss: ['Enter', 'Escape'],  // a message that takes several rows waits for a key
    insertOnTop: ['g', 'g', 'O', '# one', 'Escape'],
    goTo: (line) => [`${line}G`],
    actions: [':lua vim.lsp.buf.code_action()', 'Enter'],
    // "2: Go to the next line of these delegate calls"
    choose: (screen, title) => [/(\d+): /.exec(screen[rowOf(screen, title)])[1], 'Enter'],
    refreshes: true,
    showsDocuments: true,
    quit: [':qa!', 'Enter'],
  },
  helix: {
    name: 'helix',
    title: 'Helix',
    program: 'usr/lib/hx/hx',
    command: (run, root, file) => `${run} ${file}`,
    environment: (root) => ({ HELIX_RUNTIME: path.join(root, 'usr/lib/hx/runtime') }),
    configuration: {
      'helix/config.toml': '[editor.lsp]\ndisplay-inlay-hints = true\n',
      'helix/languages.toml': (executable, baseline, keepsRuns) =>
        `[language-server.etlens]\ncommand = ${JSON.stringify(executable)}\nargs = ["lsp"]\n` +
        `config = { baseline = ${JSON.stringify(baseline)}, runs = { enabled = ${keepsRuns} } }\n\n` +
        '[[language]]\nname = "python"\nlanguage-servers = ["etlens"]\n',
    },
    hover: ['Space', 'k'],
    closeHover: ['Escape'],
    dismiss: ['Escape'],
    insertOnTop: ['g', 'g', 'O', '# one', 'Escape'],
    goTo: (line) => [`${line}gg`],
    actions: ['Space', 'a'],
    // The first row of the menu is chosen.
    choose: (screen, title) => [...Array(rowOf(screen, title) - rowOf(screen, kActions[0])).fill('Down'), 'Enter'],
    refreshes: false,
    showsDocuments: false,  // for a server
    quit: [':q!', 'Enter'],
  },
};

class Terminal {
  constructor(folder) {
    this.socket = `etlens-${process.pid}`;
    this.folder = folder;
  }

  tmux(...args) {
    return execFileSync('tmux', ['-L', this.socket, '-f', '/dev/null', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }

  start(command, environment) {
    const sets = Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    this.tmux('-u', 'new-session', '-d', '-s', 'editor', '-x', '180', '-y', '70', '-c', this.folder, ...sets, command);
  }

  // An editor that reads a key together with Escape takes both for Alt and that key.
  keys(keys) {
    for (const key of keys) {
      this.tmux('send-keys', '-t', 'editor', key);
      if (key === 'Escape') execFileSync('sleep', ['0.3']);
    }
  }

  // The row of the cursor.
  cursorRow() {
    return Number(this.tmux('display-message', '-p', '-t', 'editor', '#{cursor_y}'));
  }

  screen() {
    return this.tmux('capture-pane', '-p', '-t', 'editor').split('\n');
  }

  // With ETLENS_SCREENS=1, for docs/editors.md: build/screens/NAME.svg.
  picture(name, label) {
    if (process.env.ETLENS_SCREENS !== '1') return;
    const folder = path.join(kHere, '../../build/screens');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `${name}.svg`), svgOf(this.tmux('capture-pane', '-e', '-p', '-t', 'editor'), { rows: 40, columns: 150, label }));
  }

  end() {
    try {
      this.tmux('kill-server');
    } catch {
      // It ended with its last session.
    }
  }

  // Until `holds(screen)` is not null or false; that is the result. `again`: keys that are pressed first, and once more after a while:
  // what the server has to find out may not be there yet.
  async wait(what, holds, again = []) {
    const end = Date.now() + kPatienceMs;
    let next = Date.now();
    for (;;) {
      if (again.length > 0 && Date.now() >= next) {
        this.keys(['Escape', ...again]);
        next = Date.now() + kAgainMs;
      }
      let screen;
      try {
        screen = this.screen();
      } catch {
        throw new Error(`${what}: the editor ended`);
      }
      const result = holds(screen);
      if (result) return result;
      if (Date.now() > end) throw new Error(`${what}: not within ${kPatienceMs / 1000} s\n${screen.join('\n')}`);
      await setTimeout(50);
    }
  }
}

// The hints on the screen: [code, hint] per line, from top to bottom, line numbers left out.
function hintsOn(screen) {
  return screen.flatMap((row) => {
    const hint = kHint.exec(row);
    return hint ? [[row.slice(0, hint.index).replace(/^\W*\d+ /, '').trim(), hint[0].trim()]] : [];
  });
}

const rowOf = (screen, text) => screen.findIndex((row) => row.includes(text));

const age = (folder, minutes) => {
  for (const file of fs.readdirSync(folder)) fs.utimesSync(path.join(folder, file), new Date(0), new Date(Date.now() - minutes * 60_000));
};

// The editor with a file of the folder.
function start(editor, root, executable, home, folder, file, { baseline = '', keepsRuns = false } = {}) {
  for (const [name, text] of Object.entries(editor.configuration)) {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    fs.writeFileSync(path.join(home, name), typeof text === 'string' ? text : text(executable, baseline, keepsRuns));
  }
  const run = wordsOf(root, editor.program).map((word) => `'${word}'`).join(' ');

  const terminal = new Terminal(folder);
  terminal.start(editor.command(run, root, file), {
    ETLENS: executable, ETLENS_BASELINE: baseline, ETLENS_RUNS: keepsRuns ? '1' : '',
    HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home,
    TERM: 'tmux-256color', LANG: 'C.UTF-8', ...editor.environment(root),
  });
  return terminal;
}

// The storyteller after an optimisation, beside dumps from before it.
async function tryBaseline(editor, root, executable, work) {
  const folder = path.join(work, 'compared');
  fs.cpSync(path.join(kExamples, 'storyteller-after'), folder, { recursive: true });
  age(folder, 1);
  const before = path.join(folder, 'before');
  fs.mkdirSync(before);
  for (const name of ['model.etdp', 'model.etrecord', 'model.pte']) fs.copyFileSync(path.join(kExamples, 'storyteller', name), path.join(before, name));
  for (const name of ['run2.etdp', 'run3.etdp', 'run4.etdp']) fs.copyFileSync(path.join(kExamples, 'storyteller-runs', name), path.join(before, name));
  age(before, 10);
  const terminal = start(editor, root, executable, path.join(work, 'other-home'), folder, 'layers.py', { baseline: 'before' });
  try {
    const source = fs.readFileSync(path.join(folder, 'layers.py'), 'utf8').split('\n');
    const line = source.findIndex((text) => text.includes('torch.bmm(weights'));
    terminal.keys(editor.goTo(line + 1));
    const row = await terminal.wait('a changed line says so', (screen) =>
      screen.find((text) => text.includes('torch.bmm(weights') && /−\d+% ▼ likely/.test(text)));
    terminal.keys(editor.hover);
    await terminal.wait('the hover says what was before', (screen) =>
      rowOf(screen, 'since the baseline') >= 0 && rowOf(screen, '4 dumps against 1') >= 0);
    terminal.keys(['Escape', ...editor.quit]);
    return `beside a baseline ${/−\d+% ▼ likely/.exec(row)[0]}`;
  } finally {
    terminal.end();
  }
}

// The code actions of a line that is on the CPU and in a delegate call, with a stored run.
async function tryActions(editor, root, executable, work) {
  const folder = path.join(work, 'acted');
  fs.cpSync(path.join(kExamples, 'storyteller'), folder, { recursive: true });
  const dump = path.join(folder, 'model.etdp');
  const shown = fs.readFileSync(dump);
  fs.copyFileSync(path.join(kExamples, 'storyteller-runs/run2.etdp'), dump);
  age(folder, 10);
  execFileSync(executable, ['runs', '--store'], { cwd: folder, stdio: 'pipe' });
  fs.writeFileSync(dump, shown);
  fs.utimesSync(dump, new Date(0), new Date(Date.now() - 60_000));
  const terminal = start(editor, root, executable, path.join(work, 'acting-home'), folder, 'layers.py', { keepsRuns: true });
  const source = fs.readFileSync(path.join(folder, 'layers.py'), 'utf8').split('\n');
  const line = source.findIndex((text) => text.includes('variance = x.pow(2)'));
  const act = async (title) => {
    terminal.keys(editor.goTo(line + 1));
    const screen = await terminal.wait(`“${title}” is offered`, (now) => {
      if (rowOf(now, kActions[0]) >= 0 && rowOf(now, title) >= 0) return now;
      return null;
    }, editor.actions);
    terminal.keys(editor.choose(screen, title));
  };
  try {
    await terminal.wait('hints appear', (screen) => hintsOn(screen).length >= 5);
    await act(kActions[2]);
    await terminal.wait('the reason is there', (screen) => rowOf(screen, 'XNNPACK takes mean only of 4-D tensors') >= 0);
    terminal.keys(editor.dismiss);
    await act(kActions[0]);
    const message = await terminal.wait('the lines are there', (screen) => screen.find((row) => /\d+ delegate calls ran \d+ lines: .*layers\.py:17, 18/.test(row)));
    terminal.keys(editor.dismiss);
    if (editor.showsDocuments) await act(kActions[1]);
    if (editor.showsDocuments) await terminal.wait('the cursor is on the next line', (screen) => {
      const row = screen[terminal.cursorRow()];
      return row.includes('return x * torch.rsqrt(variance');
    });
    await act(kActions[3]);
    // Both runs have to be read first.
    await terminal.wait('the hover compares with the last run', (screen) => rowOf(screen, 'since the baseline') >= 0 && rowOf(screen, '1 dump against 1') >= 0,
      [...editor.closeHover, ...editor.goTo(line + 1), ...editor.hover]);
    terminal.keys(['Escape', ...editor.quit]);
    return `${editor.showsDocuments ? 'four' : 'three'} code actions: ${/\d+ lines/.exec(message)[0]} of delegate calls`;
  } finally {
    terminal.end();
  }
}

async function tryEditor(editor, root, executable, work) {
  const folder = path.join(work, 'example');
  fs.cpSync(kExample, folder, { recursive: true });
  age(folder, 1);
  const terminal = start(editor, root, executable, path.join(work, 'home'), folder, 'mlp.py');
  try {
    const first = await terminal.wait('hints appear', (screen) => hintsOn(screen).length >= 5 && hintsOn(screen));

    // Hover where the first hint stands.
    const source = fs.readFileSync(path.join(folder, 'mlp.py'), 'utf8').split('\n');
    const line = source.findIndex((text) => text.includes('self.down(F.gelu('));
    terminal.keys(editor.goTo(line + 1));
    terminal.keys(editor.hover);
    await terminal.wait('the hover opens', (screen) => rowOf(screen, 'of forward') >= 0 && rowOf(screen, 'operator') >= 0);
    terminal.picture(editor.name, `${editor.title}: times on the lines of a model, and the hover of one`);
    terminal.keys(editor.closeHover);
    await terminal.wait('the hover closes', (screen) => rowOf(screen, 'operator') < 0);

    // A line above: every hint stays behind its code.
    terminal.keys(editor.insertOnTop);
    await terminal.wait('hints follow an edit', (screen) =>
      rowOf(screen, '# one') >= 0 && JSON.stringify(hintsOn(screen)) === JSON.stringify(first));

    // A new dump, as the runtime writes it: beside, then in the place of the old one.
    const target = path.join(folder, 'model.etdp');
    fs.copyFileSync(kNewDump, `${target}.new`);
    const began = Date.now();
    fs.renameSync(`${target}.new`, target);
    if (!editor.refreshes) {
      await setTimeout(kReadMs);
      terminal.keys(editor.insertOnTop);
    }
    const codeOf = (hints) => hints.map(([code]) => code);
    const next = await terminal.wait('a new dump shows new numbers', (screen) => {
      const hints = hintsOn(screen);
      const common = hints.filter(([code]) => codeOf(first).includes(code));
      return common.length >= 3 && common.every(([code, hint]) => first.every((old) => old[0] !== code || old[1] !== hint)) && hints;
    });
    const took = Date.now() - began;
    terminal.keys(['Escape', ...editor.quit]);
    return `${first.length} hints, hover, edit followed; ${next.length} new hints ${took} ms after the dump was replaced`;
  } finally {
    terminal.end();
  }
}

const [name, root] = process.argv.slice(2);
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'etlens-editor-'));
try {
  const editor = kEditors[name.split('-')[0]];
  const first = await tryEditor(editor, root, process.env.ETLENS, work);
  console.log(`${first}; ${await tryBaseline(editor, root, process.env.ETLENS, work)}; ${await tryActions(editor, root, process.env.ETLENS, work)}`);
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
