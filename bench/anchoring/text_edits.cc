// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include "bench/anchoring/edits.h"
#include "core/base/text.h"
#include "core/source/python/python_tokens.h"

namespace etlens::bench {
namespace {

std::string_view text_of(std::string_view line, const Token& token) {
  return line.substr(token.begin, token.end - token.begin);
}

void replace_in(Program& program, size_t first, size_t last, std::string_view word,
                std::string_view with, std::string_view before = {}) {
  for (size_t i = first; i <= last && i < program.lines().size(); ++i) {
    program.lines()[i].text = replace_word(program.lines()[i].text, word, with, before);
  }
}

std::string fresh_name(Random& random) {
  static constexpr std::array<std::string_view, 12> kNames{"hidden", "feats",   "out",   "state",
                                                           "inner",  "proj",    "mixed", "stem",
                                                           "tail",   "gate_in", "acc",   "tmp"};
  return std::string(kNames[below(random, kNames.size())]) + "_" +
         std::to_string(below(random, 10));
}

// Names that are assigned in the function: `x = …`, `a, b = …`.
std::vector<std::string> variables_of(const Program& program, const PythonScope& scope) {
  std::set<std::string> names;
  for (size_t i = scope.header_line + 1; i <= scope.last_line; ++i) {
    const std::string_view line = program.lines()[i].text;
    const std::vector<Token> tokens = python_tokens(line);
    for (size_t t = 0; t + 1 < tokens.size() && tokens[t].kind == TokenKind::Name; t += 2) {
      const std::string_view next = text_of(line, tokens[t + 1]);
      if (next != "=" && next != ",") break;
      names.insert(std::string(text_of(line, tokens[t])));
    }
  }
  return {names.begin(), names.end()};
}

size_t pick_statement(const Program& program, Random& random) {
  const std::vector<Block> blocks = program.blocks();
  if (blocks.empty()) return SIZE_MAX;
  const Block& block = blocks[below(random, blocks.size())];
  return block.first + below(random, block.count);
}

// ----- layout

std::string strip(const std::string& text) { return std::string(trim(text)); }

// Lines [first, last] of one statement become one; false if a comment or a string stands in the
// way.
bool join(Program& program, size_t first, size_t last) {
  std::vector<ProgramLine>& lines = program.lines();
  std::string joined = lines[first].text;
  std::vector<uint32_t> origins = lines[first].origins;
  for (size_t i = first; i <= last; ++i) {
    if (lines[i].text.find('#') != std::string::npos ||
        lines[i].text.find("\"\"\"") != std::string::npos ||
        lines[i].text.find("'''") != std::string::npos || lines[i].text.ends_with('\\')) {
      return false;
    }
  }
  for (size_t i = first + 1; i <= last; ++i) {
    const std::string next = strip(lines[i].text);
    joined.erase(joined.find_last_not_of(" \t") + 1);
    const bool closes = next.starts_with(')') || next.starts_with(']') || next.starts_with('}');
    if (closes && joined.ends_with(',')) joined.pop_back();
    const bool opens = joined.ends_with('(') || joined.ends_with('[') || joined.ends_with('{');
    joined += (opens || closes || next.starts_with('.') ? "" : " ") + next;
    origins.insert(origins.end(), lines[i].origins.begin(), lines[i].origins.end());
  }
  lines[first] = {joined, origins};
  program.erase(first + 1, last - first);
  return true;
}

// Splits the one-line statement at its last bracketed group that is worth it, as formatters do: the
// whole content on a line of its own, or each argument.
bool split(Program& program, size_t at, Random& random) {
  ProgramLine& line = program.lines()[at];
  const std::vector<Token> tokens = python_tokens(line.text);
  std::vector<std::pair<size_t, size_t>> groups;  // top-level bracket pairs
  std::vector<size_t> open;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind == TokenKind::Open) open.push_back(t);
    if (tokens[t].kind != TokenKind::Close || open.empty()) continue;
    if (open.size() == 1 && t > open[0] + 1 && line.text[tokens[open[0]].begin] == '(') {
      groups.emplace_back(open[0], t);
    }
    open.pop_back();
  }
  if (groups.empty() || !open.empty() || line.text.find('#') != std::string::npos) return false;
  const auto [first, last] =
      chance(random, 0.7) ? groups.back() : groups[below(random, groups.size())];
  const std::string indent = indent_of(line.text);
  const std::string step = indent.starts_with('\t') ? "\t" : "    ";
  std::vector<std::string> inner;
  size_t begin = tokens[first].end;
  int depth = 0;
  const bool one_each = chance(random, 0.5);
  for (size_t t = first + 1; t < last; ++t) {
    if (tokens[t].kind == TokenKind::Open) ++depth;
    if (tokens[t].kind == TokenKind::Close) --depth;
    if (!one_each || depth > 0 || tokens[t].kind != TokenKind::Comma) continue;
    inner.push_back(indent + step + strip(line.text.substr(begin, tokens[t].end - begin)));
    begin = tokens[t].end;
  }
  const std::string rest = strip(line.text.substr(begin, tokens[last].begin - begin));
  const bool is_generator = line.text.find(" for ") != std::string::npos;
  if (!rest.empty())
    inner.push_back(indent + step + rest +
                    (one_each && !is_generator && rest.front() != '*' ? "," : ""));
  inner.push_back(indent + line.text.substr(tokens[last].begin));
  line.text.erase(tokens[first].end);
  program.insert(at + 1, inner);
  return true;
}

struct StatementLines {
  size_t first, last;
};

std::vector<StatementLines> statements_of(const Program& program) {
  std::vector<StatementLines> found;
  const Document& document = program.syntax().document();
  for (const PythonStatement& s : program.syntax().statements()) {
    if (s.is_docstring || s.is_header || s.scope == kNone) continue;
    const StatementLines lines{document.line_at(s.begin), document.line_at(s.end)};
    const bool shares = !found.empty() && found.back().last >= lines.first;
    if (shares) found.pop_back();
    else found.push_back(lines);
  }
  return found;
}

void change_quotes(Program& program) {
  for (ProgramLine& line : program.lines()) {
    const std::vector<Token> tokens = python_tokens(line.text);
    for (size_t t = tokens.size(); t-- > 0;) {
      const std::string_view text = text_of(line.text, tokens[t]);
      if (tokens[t].kind != TokenKind::String || text.size() < 2 || text.starts_with("'''"))
        continue;
      if (!text.starts_with('\'') || text.find('"') != std::string_view::npos) continue;
      if (!text.ends_with('\'') || text.find('\\') != std::string_view::npos) continue;
      line.text[tokens[t].begin] = line.text[tokens[t].end - 1] = '"';
    }
  }
}

void change_blank_lines(Program& program, Random& random) {
  std::vector<ProgramLine>& lines = program.lines();
  for (size_t i = lines.size(); i-- > 1;) {
    const bool is_blank = trim(lines[i].text).empty();
    if (is_blank && chance(random, 0.15)) program.erase(i, 1);
  }
}

}  // namespace

bool rename_variable(Program& program, Random& random) {
  const std::vector<uint32_t> functions = program.functions();
  if (functions.empty()) return false;
  const PythonScope scope = program.scope(functions[below(random, functions.size())]);
  const std::vector<std::string> names = variables_of(program, scope);
  if (names.empty()) return false;
  const std::string& name = names[below(random, names.size())];
  replace_in(program, scope.header_line, scope.last_line, name, fresh_name(random));
  return true;
}

bool rename_attribute(Program& program, Random& random) {
  std::set<std::string> names;
  for (const ProgramLine& line : program.lines()) {
    const std::vector<Token> tokens = python_tokens(line.text);
    for (size_t t = 0; t + 2 < tokens.size(); ++t) {
      if (text_of(line.text, tokens[t]) == "self" && tokens[t + 1].kind == TokenKind::Dot) {
        names.insert(std::string(text_of(line.text, tokens[t + 2])));
      }
    }
  }
  if (names.empty()) return false;
  const std::string name =
      *std::next(names.begin(), static_cast<ptrdiff_t>(below(random, names.size())));
  // Also renames the method of that name, as a refactoring would.
  const std::string with = fresh_name(random);
  replace_in(program, 0, program.lines().size(), name, with, "self.");
  replace_in(program, 0, program.lines().size(), name, with, "    def ");
  return true;
}

bool rename_function(Program& program, Random& random) {
  std::vector<uint32_t> rows = program.functions();
  std::erase_if(rows, [&](uint32_t row) { return program.scope(row).name.starts_with("__"); });
  if (rows.empty()) return false;
  const PythonScope& scope = program.scope(rows[below(random, rows.size())]);
  const std::string name(scope.name);
  const std::string with = fresh_name(random);
  if (scope.parent == kNone || name != "forward") {
    replace_in(program, 0, program.lines().size(), name, with);
  } else {
    replace_in(program, scope.header_line, scope.header_line, name, with);
  }
  return true;
}

bool rename_class(Program& program, Random& random) {
  const std::vector<uint32_t> rows = program.classes();
  if (rows.empty()) return false;
  const std::string name(program.scope(rows[below(random, rows.size())]).name);
  replace_in(program, 0, program.lines().size(), name, "New" + name);
  return true;
}

bool change_constant(Program& program, Random& random) {
  std::vector<std::pair<size_t, Token>> constants;
  for (const Block& block : program.blocks()) {
    for (size_t i = block.first; i < block.first + block.count; ++i) {
      for (const Token& token : python_tokens(program.lines()[i].text)) {
        if (token.kind == TokenKind::Number) constants.emplace_back(i, token);
      }
    }
  }
  if (constants.empty()) return false;
  const auto& [at, token] = constants[below(random, constants.size())];
  std::string& text = program.lines()[at].text;
  text =
      text.substr(0, token.begin) + std::to_string(2 + below(random, 97)) + text.substr(token.end);
  return true;
}

bool change_expression(Program& program, Random& random) {
  const size_t at = pick_statement(program, random);
  if (at == SIZE_MAX) return false;
  std::string& text = program.lines()[at].text;
  if (text.find('#') != std::string::npos) return false;
  const std::vector<Token> tokens = python_tokens(text);
  const size_t last_close = text.rfind(')');
  const size_t assign = text.find(" = ");
  switch (below(random, 4)) {
    case 0:  // one more argument
      if (last_close == std::string::npos || text[last_close - 1] == '(') return false;
      text.insert(last_close, text[last_close - 1] == ',' ? " dim=1" : ", dim=1");
      return true;
    case 1:  // a call around the right side
      if (assign == std::string::npos || tokens.empty()) return false;
      text = text.substr(0, assign + 3) + "F.relu(" + text.substr(assign + 3) + ")";
      return true;
    case 2:  // a method behind it
      if (!text.ends_with(')')) return false;
      text += ".contiguous()";
      return true;
    default:  // another operator
      for (const Token& token : tokens) {
        const std::string_view op = text_of(text, token);
        if (op != "+" && op != "*" && op != "-") continue;
        text[token.begin] = op == "+" ? '-' : '+';
        return true;
      }
      return false;
  }
}

bool wrap_statement(Program& program, Random& random) {
  const std::vector<StatementLines> all = statements_of(program);
  if (all.empty()) return false;
  const StatementLines lines = all[below(random, all.size())];
  return lines.first == lines.last ? split(program, lines.first, random)
                                   : join(program, lines.first, lines.last);
}

bool reformat(Program& program, Random& random) {
  const size_t width = 50 + below(random, 60);
  std::vector<StatementLines> all = statements_of(program);
  bool any = false;
  for (size_t i = all.size(); i-- > 0;) {
    size_t length = 0;
    for (size_t l = all[i].first; l <= all[i].last; ++l) length += program.lines()[l].text.size();
    if (all[i].first != all[i].last && length <= width + 20)
      any |= join(program, all[i].first, all[i].last);
    else if (all[i].first == all[i].last && length > width)
      any |= split(program, all[i].first, random);
  }
  change_quotes(program);
  change_blank_lines(program, random);
  return any;
}

const std::vector<EditKind>& edit_kinds() {
  static const std::vector<EditKind> kKinds{{"insert", insert_lines},
                                            {"class name", rename_class},
                                            {"method name", rename_function},
                                            {"attribute", rename_attribute},
                                            {"variable", rename_variable},
                                            {"constant", change_constant},
                                            {"expression", change_expression},
                                            {"reformat", reformat},
                                            {"wrap", wrap_statement},
                                            {"move", move_lines},
                                            {"extract", extract_helper},
                                            {"duplicate", duplicate_lines},
                                            {"reindent", reindent},
                                            {"delete", delete_lines},
                                            {"swap", swap_lines},
                                            {"twin", delete_twin, add_twin}};
  return kKinds;
}

}  // namespace etlens::bench
