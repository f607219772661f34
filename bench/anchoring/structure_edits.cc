// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "bench/anchoring/edits.h"
#include "core/base/text.h"

namespace etlens::bench {
namespace {

struct Range {
  size_t first = 0;
  size_t count = 0;
};

// A class or function with its decorators and the blank lines behind it.
Range range_of(const Program& program, uint32_t row) {
  const PythonScope& scope = program.scope(row);
  size_t end = scope.last_line + 1;
  while (end < program.lines().size() && trim(program.lines()[end].text).empty()) ++end;
  return {scope.first_line, end - scope.first_line};
}

bool is_pick(Random& random, const std::vector<uint32_t>& rows, uint32_t& row) {
  if (rows.empty()) return false;
  row = rows[below(random, rows.size())];
  return true;
}

// A run of lines inside one block; `least` lines at least.
bool pick_run(const Program& program, Random& random, size_t least, size_t most, Block& block,
              Range& run) {
  std::vector<Block> blocks = program.blocks();
  std::erase_if(blocks, [&](const Block& b) { return b.count < least; });
  if (blocks.empty()) return false;
  block = blocks[below(random, blocks.size())];
  run.count = std::min(block.count, least + below(random, most - least + 1));
  run.first = block.first + below(random, block.count - run.count + 1);
  return true;
}

std::vector<uint32_t> methods_of(const Program& program, uint32_t class_row) {
  std::vector<uint32_t> methods;
  for (const uint32_t row : program.functions()) {
    if (program.scope(row).parent == class_row) methods.push_back(row);
  }
  return methods;
}

std::vector<uint32_t> top_level(const Program& program) {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < program.syntax().scopes().size(); ++row) {
    if (program.scope(row).parent == kNone) rows.push_back(row);
  }
  return rows;
}

bool swap_ranges(Program& program, Range a, Range b) {
  if (a.first > b.first) std::swap(a, b);
  if (a.first + a.count > b.first) return false;
  program.move(b.first, b.count, a.first);
  program.move(a.first + b.count, a.count, b.first + b.count);
  return true;
}

bool pick_two(Random& random, const std::vector<uint32_t>& rows, uint32_t& a, uint32_t& b) {
  if (rows.size() < 2) return false;
  a = rows[below(random, rows.size())];
  do b = rows[below(random, rows.size())];
  while (a == b);
  return true;
}

}  // namespace

bool insert_lines(Program& program, Random& random) {
  static const std::vector<std::vector<std::string>> kTexts{
      {"# look here first"},
      {""},
      {"scale = 0.5"},
      {"x = torch.relu(x)"},
      {"extra = self.extra(x)", "x = x + extra"},
      {"if not torch.jit.is_scripting():", "    self.calls += 1"},
      {"# TODO: fuse", "", "y = x.clone()"},
      {"print(x.shape)"},
      {"batch = x.shape[0]", "steps = x.shape[1]", "width = x.shape[2]", "assert width > 0"}};
  if (chance(random, 0.25)) {
    uint32_t row = 0;
    if (!is_pick(random, top_level(program), row)) return false;
    const size_t at = program.scope(row).first_line;
    if (chance(random, 0.5)) {
      program.insert(at, {"def added(x):", "    y = x * 2", "    return torch.tanh(y)", "", ""});
    } else {
      program.insert(at, {"class Added(nn.Module):", "    def __init__(self):",
                          "        super().__init__()", "        self.act = nn.GELU()", "",
                          "    def forward(self, x):", "        return self.act(x) * 0.5", "", ""});
    }
    return true;
  }
  Block block;
  Range run;
  if (!pick_run(program, random, 1, 1, block, run)) return false;
  std::vector<std::string> texts = kTexts[below(random, kTexts.size())];
  for (std::string& text : texts) {
    if (!text.empty()) text = block.indent + text;
  }
  program.insert(run.first, texts);
  return true;
}

bool delete_lines(Program& program, Random& random) {
  const double what = std::uniform_real_distribution<double>(0, 1)(random);
  uint32_t row = 0;
  if (what < 0.12 && is_pick(random, program.functions(), row)) {
    const Range range = range_of(program, row);
    program.erase(range.first, range.count);
    return true;
  }
  if (what < 0.2 && is_pick(random, program.classes(), row)) {
    const Range range = range_of(program, row);
    program.erase(range.first, range.count);
    return true;
  }
  Block block;
  Range run;
  if (!pick_run(program, random, 1, 4, block, run)) return false;
  program.erase(run.first, run.count);
  return true;
}

namespace {

constexpr std::string_view kCopySuffix = "V2";

void add_copy(Program& program, Random& random, uint32_t row) {
  const Range range = range_of(program, row);
  const std::string name(program.scope(row).name);
  std::vector<std::string> copy = program.texts(range.first, range.count);
  for (std::string& text : copy) text = replace_word(text, name, name + std::string(kCopySuffix));
  program.insert(chance(random, 0.5) ? range.first : range.first + range.count, copy);
}

}  // namespace

bool add_twin(Program& program, Random& random) {
  uint32_t row = 0;
  if (!is_pick(random, chance(random, 0.5) ? program.classes() : program.functions(), row))
    return false;
  add_copy(program, random, row);
  return true;
}

bool delete_twin(Program& program, Random& random) {
  std::vector<uint32_t> twins;
  const auto scopes = program.syntax().scopes();
  for (uint32_t copy = 0; copy < scopes.size(); ++copy) {
    if (!scopes[copy].name.ends_with(kCopySuffix)) continue;
    const std::string_view name =
        scopes[copy].name.substr(0, scopes[copy].name.size() - kCopySuffix.size());
    for (uint32_t row = 0; row < scopes.size(); ++row) {
      if (scopes[row].parent != scopes[copy].parent || scopes[row].name != name) continue;
      twins.push_back(row);
      twins.push_back(copy);
    }
  }
  uint32_t row = 0;
  if (!is_pick(random, twins, row)) return false;
  const Range range = range_of(program, row);
  program.erase(range.first, range.count);
  return true;
}

bool duplicate_lines(Program& program, Random& random) {
  const double what = std::uniform_real_distribution<double>(0, 1)(random);
  uint32_t row = 0;
  const bool is_class = what < 0.2;
  if (what < 0.4 && is_pick(random, is_class ? program.classes() : program.functions(), row)) {
    add_copy(program, random, row);
    return true;
  }
  Block block;
  Range run;
  if (!pick_run(program, random, 1, 3, block, run)) return false;
  const std::vector<std::string> copy = program.texts(run.first, run.count);
  // Most copies are pasted right behind; some further down in the same block.
  const size_t behind = run.first + run.count;
  const size_t rest = block.first + block.count - behind;
  program.insert(chance(random, 0.7) ? behind : behind + below(random, rest + 1), copy);
  return true;
}

bool move_lines(Program& program, Random& random) {
  const double what = std::uniform_real_distribution<double>(0, 1)(random);
  uint32_t row = 0, other = 0;
  if (what < 0.2 && pick_two(random, top_level(program), row, other)) {
    const Range range = range_of(program, row);
    program.move(range.first, range.count, program.scope(other).first_line);
    return true;
  }
  if (what < 0.5 && is_pick(random, program.classes(), row)) {
    const bool to_other_class = what < 0.35;
    const std::vector<uint32_t> from = methods_of(program, row);
    std::vector<uint32_t> to = from;
    if (to_other_class) {
      to.clear();
      for (const uint32_t c : program.classes()) {
        if (c != row)
          for (const uint32_t m : methods_of(program, c)) to.push_back(m);
      }
    }
    if (!from.empty() && !to.empty()) {
      const uint32_t method = from[below(random, from.size())];
      const uint32_t target = to[below(random, to.size())];
      // A class has one method of a name.
      const bool clashes = to_other_class && std::any_of(to.begin(), to.end(), [&](uint32_t m) {
                             return program.scope(m).parent == program.scope(target).parent &&
                                    program.scope(m).name == program.scope(method).name;
                           });
      const Range range = range_of(program, method);
      if (!clashes && method != target && range.count > 0) {
        program.move(range.first, range.count, program.scope(target).first_line);
        return true;
      }
    }
  }
  Block block;
  Range run;
  if (!pick_run(program, random, 2, 3, block, run) || block.count == run.count) return false;
  run.count = std::max<size_t>(1, run.count - 1);
  size_t to = run.first;
  while (to >= run.first && to <= run.first + run.count)
    to = block.first + below(random, block.count + 1);
  program.move(run.first, run.count, to);
  return true;
}

bool swap_lines(Program& program, Random& random) {
  const double what = std::uniform_real_distribution<double>(0, 1)(random);
  uint32_t a = 0, b = 0;
  if (what < 0.15 && pick_two(random, program.classes(), a, b)) {
    return swap_ranges(program, range_of(program, a), range_of(program, b));
  }
  if (what < 0.35 && is_pick(random, program.classes(), a)) {
    uint32_t c = 0;
    if (pick_two(random, methods_of(program, a), b, c)) {
      return swap_ranges(program, range_of(program, b), range_of(program, c));
    }
  }
  Block block;
  Range run;
  if (!pick_run(program, random, 2, 2, block, run)) return false;
  if (what < 0.75) return swap_ranges(program, {run.first, 1}, {run.first + 1, 1});
  const size_t one = block.first + below(random, block.count);
  const size_t two = block.first + below(random, block.count);
  return one != two && swap_ranges(program, {one, 1}, {two, 1});
}

bool extract_helper(Program& program, Random& random) {
  Block block;
  Range run;
  if (!pick_run(program, random, 1, 4, block, run)) return false;
  const PythonScope scope = program.scope(block.scope);
  const bool is_method = scope.parent != kNone && program.scope(scope.parent).is_class;
  const std::string name = "_part" + std::to_string(below(random, 100));
  const std::string outer = indent_of(program.lines()[scope.header_line].text);
  const bool is_before = chance(random, 0.5);
  const size_t at = is_before ? scope.first_line : scope.last_line + 1;
  const bool ends_in_return =
      trim(program.lines()[run.first + run.count - 1].text).starts_with("return");

  std::vector<ProgramLine> moved;
  std::string step = block.indent.starts_with(outer) ? block.indent.substr(outer.size()) : "    ";
  if (step.empty() || step.size() > 4) step = "    ";
  for (size_t i = run.first; i < run.first + run.count; ++i) {
    ProgramLine line = program.lines()[i];
    line.text = outer + step + std::string(trim(line.text));
    moved.push_back(std::move(line));
  }
  const std::string target = ends_in_return ? "return " : "x = ";
  const std::string call = is_method ? "self." + name + "(x)" : name + "(x)";
  program.lines()[run.first] = {block.indent + target + call, {}};
  program.erase(run.first + 1, run.count - 1);

  std::vector<ProgramLine> helper{
      {outer + "def " + name + (is_method ? "(self, x):" : "(x):"), {}}};
  helper.insert(helper.end(), moved.begin(), moved.end());
  if (!ends_in_return) helper.push_back({outer + step + "return x", {}});
  helper.push_back({"", {}});
  if (!is_before) helper.insert(helper.begin(), {"", {}});
  const size_t where = is_before ? at : at - (run.count - 1);
  program.lines().insert(program.lines().begin() + static_cast<ptrdiff_t>(where), helper.begin(),
                         helper.end());
  return true;
}

bool reindent(Program& program, Random& random) {
  if (chance(random, 0.25)) {  // tabs for blanks or the other way round, everywhere
    const bool has_tabs =
        std::any_of(program.lines().begin(), program.lines().end(),
                    [](const ProgramLine& l) { return l.text.starts_with('\t'); });
    const std::string_view from = has_tabs ? "\t" : "    ";
    const std::string_view to = has_tabs ? "    " : "\t";
    for (ProgramLine& line : program.lines()) {
      std::string indent;
      std::string_view rest = line.text;
      for (; rest.starts_with(from); rest.remove_prefix(from.size())) indent += to;
      line.text = indent + std::string(rest);
    }
    return true;
  }
  static constexpr std::array<std::string_view, 4> kHeaders{
      "if self.enabled:", "with torch.no_grad():", "for _ in range(2):", "if x is not None:"};
  Block block;
  Range run;
  if (!pick_run(program, random, 1, 6, block, run)) return false;
  const std::string step = block.indent.starts_with('\t') ? "\t" : "    ";
  for (size_t i = run.first; i < run.first + run.count; ++i)
    program.lines()[i].text.insert(0, step);
  program.insert(run.first, {block.indent + std::string(kHeaders[below(random, kHeaders.size())])});
  return true;
}

}  // namespace etlens::bench
