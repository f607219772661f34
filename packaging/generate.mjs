// SPDX-License-Identifier: Apache-2.0
// Writes the manual page and the completions of bash, zsh and fish from what the executable says about itself:
//   node packaging/generate.mjs EXECUTABLE FOLDER
// writes etlens.1, etlens.bash, _etlens and etlens.fish into the folder.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const [executable, folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("node packaging/generate.mjs EXECUTABLE FOLDER");
const help = (...args) => execFileSync(executable, [...args, "--help"], { encoding: "utf8" });

// "--format TEXT:{table,json}=table    Form": flags, what the value is, what it is chosen from, description.
function parseOption(head, text) {
  // "--no-recover{false}": what a flag sets is nothing that is typed.
  const [, flags, rest] = /^(-[\w-]+(?:,-[\w-]+)*)(?:\{\w+\})?(.*)$/.exec(head);
  const several = / \.\.\.$/.test(rest);
  const type = rest.trim().replace(/ \.\.\.$/, "").replace(/ REQUIRED$/, "");
  const choices = /\{([^}]*)\}/.exec(type)?.[1].split(",") ?? [];
  const [, name, initial] = /^([^=]*?)(?:=([^=]*))?$/.exec(type.replace(/:\{[^}]*\}/, "").replace(/:[A-Z]+ in \[.*\]/, "")) ?? [];
  // FROM=TO is a form, and no default.
  const form = /^[A-Z]+=[A-Z]+$/.test(type);
  return { flags: flags.split(","), value: form ? type : name.replace(/^TEXT$/, choices.length > 0 ? "" : "TEXT"), initial: form ? undefined : initial,
           choices, several, text, hasValue: type !== "" };
}

// Sections of a help text: what stands indented below "Options:" and the like, and the text behind all of it.
function parseHelp(text) {
  const lines = text.split("\n");
  const parsed = { description: lines[0], usage: lines[1].replace(/^Usage: .*?(?=etlens )/, ""), positionals: [], options: [], commands: [], footer: "" };
  const lists = { "Positionals:": parsed.positionals, "Options:": parsed.options, "Subcommands:": parsed.commands };
  let list;
  let at = 2;
  for (; at < lines.length; ++at) {
    const line = lines[at];
    if (line in lists) list = lists[line];
    else if (line === "") list = undefined;
    else if (list === undefined || !line.startsWith("  ")) break;
    else {
      // The program pads by bytes: a sign of several is a shorter line here.
      const before = /^ +\S+(?: \S+)*/.exec(line)[0];
      const width = 30 - (Buffer.byteLength(before) - before.length);
      // A head that needs the column of descriptions has its own below.
      const isHead = /^ {30}/.test(lines[at + 1] ?? "");
      const column = !isHead && line[width - 1] === " " ? line.slice(width) : undefined;
      const head = (column === undefined ? line : line.slice(0, width)).trim();
      const body = column ?? lines[++at].trim();
      list.push(list === parsed.options ? parseOption(head, body) : { name: head.split(" ")[0], text: body });
    }
  }
  parsed.footer = lines.slice(at).join("\n").trim();
  return parsed;
}

const main = parseHelp(help());
const version = execFileSync(executable, ["--version"], { encoding: "utf8" }).trim().replace(/ \(.*/, "");
const commands = main.commands.map(({ name }) => {
  const command = { name, ...parseHelp(help(name)) };
  if (command.footer === main.footer) command.footer = "";
  return command;
});
if (commands.length === 0 || commands.some((command) => command.options.length === 0)) throw new Error("the help was not understood");

// ---------------------------------------------------------------- man page

const roff = (text) => text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^([.'])/gm, "\\&$1")
  .replace(/[^\0-\x7f]/gu, (sign) => `\\[u${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
const bold = (text) => `\\fB${roff(text)}\\fR`;
const key = (option) => JSON.stringify(option);

// What three commands or more have in common is said once.
const uses = new Map();
for (const command of commands) for (const option of command.options) uses.set(key(option), [...(uses.get(key(option)) ?? []), command.name]);
const isCommon = (option) => uses.get(key(option)).length > 2;

function manOption(option) {
  const values = option.choices.length > 0 ? option.choices.map((choice) => `\\fB${roff(choice)}\\fR`).join("|") : `\\fI${roff(option.value)}\\fR`;
  const head = option.flags.map(bold).join(", ") + (option.hasValue ? ` ${values}` : "") + (option.several ? " \\.\\.\\." : "");
  const initial = option.initial === undefined || option.text.includes("(default") ? "" : ` (default: ${roff(option.initial)})`;
  return `.TP\n${head}\n${roff(option.text)}${initial}\n`;
}

function manCommand(command) {
  const own = command.options.filter((option) => !isCommon(option));
  const common = command.options.filter((option) => isCommon(option) && !option.flags.includes("--help"));
  let text = `.SS ${bold(command.usage)}\n${roff(command.description)}.\n`;
  for (const { name, text: what } of command.positionals) text += `.TP\n\\fI${roff(name)}\\fR\n${roff(what)}\n`;
  for (const option of own) text += manOption(option);
  if (common.length > 0) text += `.PP\nCommon options: ${common.map((option) => bold(option.flags.at(-1))).join(", ")}.\n`;
  if (command.footer !== "") text += `.PP\n.nf\n${roff(command.footer)}\n.fi\n`;
  return text;
}

function manPage() {
  const all = [...uses.keys()].map((text) => JSON.parse(text)).filter(isCommon);
  const template = readFileSync(path.join(here, "etlens.1.in"), "utf8");
  const parts = {
    VERSION: version,
    DESCRIPTION: roff(main.description),
    COMMANDS: commands.map(manCommand).join(""),
    COMMON: all.map(manOption).join(""),
  };
  return template.replace(/^\.\\" This .*\n/, '.\\" Written by packaging/generate.mjs.\n').replace(/@([A-Z]+)@\n?/g, (_, name) => parts[name] + (name === "VERSION" ? "" : "\n")).replace(/\n+/g, "\n");
}

// ---------------------------------------------------------------- completions

// Which names a value may have: of a list, of folders, of files, or nothing that could be known.
function kind(option) {
  if (option.choices.length > 0) return "choices";
  if (/^DIR/.test(option.value)) return "folders";
  return /^(FILE|PATH)/.test(option.value) || option.flags.includes("-o") ? "files" : "unknown";
}

const header = "# Completion of etlens(1). Written by packaging/generate.mjs.\n";
const allFlags = (command) => command.options.flatMap((option) => option.flags);

function bashCompletion() {
  const groups = (command, wanted) => {
    const byChoices = new Map();
    for (const option of command.options.filter((one) => one.hasValue && kind(one) === wanted)) {
      const choices = option.choices.join(" ");
      byChoices.set(choices, [...(byChoices.get(choices) ?? []), ...option.flags]);
    }
    return [...byChoices];
  };
  let text = `${header}_etlens() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command= at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; ++at)); do
    [[ \${COMP_WORDS[at]} == -* ]] || { command=\${COMP_WORDS[at]}; break; }
  done
  case $command in
    '')
      COMPREPLY=($(compgen -W '${[...commands.map(({ name }) => name), ...allFlags(main)].join(" ")}' -- "$word"))
      [[ \${#COMPREPLY[@]} -gt 0 ]] && return
      ;; # a folder is annotated
`;
  for (const command of commands) {
    text += `    ${command.name})\n      case $previous in\n`;
    for (const [choices, flags] of groups(command, "choices")) {
      text += `        ${flags.join(" | ")})\n          COMPREPLY=($(compgen -W '${choices}' -- "$word"))\n          return\n          ;;\n`;
    }
    const folders = groups(command, "folders").flatMap(([, flags]) => flags);
    if (folders.length > 0) text += `        ${folders.join(" | ")})\n          compopt -o filenames\n          mapfile -t COMPREPLY < <(compgen -d -- "$word")\n          return\n          ;;\n`;
    const unknown = groups(command, "unknown").flatMap(([, flags]) => flags);
    if (unknown.length > 0) text += `        ${unknown.join(" | ")}) return ;;\n`;
    text += `      esac\n      [[ $word == -* ]] && COMPREPLY=($(compgen -W '${allFlags(command).join(" ")}' -- "$word")) && return\n      ;;\n`;
  }
  return `${text}  esac
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _etlens etlens
`;
}

function zshCompletion() {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const plain = (text) => text.replace(/[[\]:\\]/g, (sign) => `\\${sign}`);
  const action = (option) => ({ choices: `(${option.choices.join(" ")})`, folders: "_files -/", files: "_files", unknown: " " })[kind(option)];
  const spec = (option, flag) => {
    const others = option.several ? "*" : `(${option.flags.join(" ")})`;
    const value = option.hasValue ? `:${plain(option.value === "" ? "value" : option.value)}:${action(option)}` : "";
    return quote(`${others}${flag}[${plain(option.text)}]${value}`);
  };
  const specs = (options) => options.flatMap((option) => option.flags.map((flag) => spec(option, flag)));
  let text = `#compdef etlens\n${header}_etlens() {
  local context state line
  typeset -A opt_args
  _arguments -C ${specs(main.options).join(" ")} '1: :->command' '*:: :->arguments'
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, description }) => `        ${quote(`${name}:${plain(description)}`)}`).join("\n")}
      )
      # A folder is annotated.
      _alternative 'commands:command:{_describe command commands}' 'folders:folder:_files'
      ;;
    arguments)
      case $words[1] in
`;
  for (const command of commands) {
    text += `        ${command.name})\n          _arguments \\\n${[...specs(command.options), "'*:path:_files'"].map((one) => `            ${one}`).join(" \\\n")}\n          ;;\n`;
  }
  return `${text}      esac\n      ;;\n  esac\n}\n_etlens "$@"\n`;
}

function fishCompletion() {
  const quote = (text) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const line = (condition, option) => {
    const names = option.flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(" ");
    const values = { choices: `-x -a ${quote(option.choices.join(" "))}`, folders: "-x -a '(__fish_complete_directories)'", files: "-r -F", unknown: "-x" };
    return `complete -c etlens -n ${condition} ${names}${option.hasValue ? ` ${values[kind(option)]}` : ""} -d ${quote(option.text)}\n`;
  };
  let text = header;
  for (const { name, description } of commands) text += `complete -c etlens -n __fish_use_subcommand -a ${name} -d ${quote(description)}\n`;
  for (const option of main.options) text += line("__fish_use_subcommand", option);
  for (const command of commands) {
    for (const option of command.options) text += line(`'__fish_seen_subcommand_from ${command.name}'`, option);
  }
  return text;
}

mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, "etlens.1"), manPage());
writeFileSync(path.join(folder, "etlens.bash"), bashCompletion());
writeFileSync(path.join(folder, "_etlens"), zshCompletion());
writeFileSync(path.join(folder, "etlens.fish"), fishCompletion());
