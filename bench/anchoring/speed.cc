// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "bench/anchoring/corpus.h"
#include "bench/anchoring/edits.h"
#include "core/base/text.h"
#include "core/source/anchor/edited_anchors.h"

namespace etlens::bench {
namespace {

constexpr size_t kLines = 5000;
constexpr size_t kRecorded = 2000;
constexpr int kRepeats = 9;
constexpr int kGrowthRepeats = 5;
constexpr int kKeystrokes = 200;

// A module of so many lines: classes with an __init__ and a forward of ten lines.
std::string large_source(bool all_alike, size_t line_count = kLines) {
  std::string text = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n";
  for (size_t n = 0, lines = 4; lines < line_count; ++n, lines += 20) {
    const std::string id = all_alike ? "" : std::to_string(n);
    text += fmt::format(
        "class Block{0}(nn.Module):\n    def __init__(self, dim):\n        super().__init__()\n"
        "        self.up{1} = nn.Linear(dim, 2 * dim)\n        self.down{1} = nn.Linear(2 * dim, "
        "dim)\n"
        "        self.norm{1} = nn.LayerNorm(dim)\n\n    def forward(self, x, mask):\n",
        n, id);
    for (const char* line :
         {"h = self.norm{0}(x)", "h = self.up{0}(h)", "h = F.gelu(h) * {1}.5",
          "h = torch.where(mask, h, torch.zeros_like(h))", "h = self.down{0}(h)", "y = h + x",
          "scale = torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-{1})", "y = y * scale",
          "y = torch.cat([y, y.neg()], dim=-{1})", "return y.chunk(2, dim=-1)[0]"}) {
      text += "        " + fmt::format(fmt::runtime(line), id, n % 7 + 1) + "\n";
    }
    text += "\n\n";
  }
  return text;
}

std::vector<Recorded> record_all(const Program& program, size_t limit) {
  Random random(5);
  std::vector<Recorded> lines = record_lines(program, random, 1.0);
  if (lines.size() > limit) lines.resize(limit);
  return lines;
}

double median(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <typename Work>
double milliseconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// Beside the time of one parse of the same text: anchoring after a change needs that at the least.
void measure(std::string_view name, const std::string& text,
             const std::vector<Recorded>& recorded) {
  const auto document = std::make_shared<Document>(text);
  const std::vector<RecordedLine> views = views_of(recorded, true);
  std::vector<double> times, parses;
  std::vector<Anchor> anchors;
  for (int i = 0; i < kRepeats; ++i) {
    times.push_back(milliseconds([&] { anchors = anchor_lines(document, views); }));
    parses.push_back(milliseconds([&] { (void)PythonSyntax::parse(document); }));
  }
  const auto placed =
      std::count_if(anchors.begin(), anchors.end(), [](const Anchor& a) { return a.line > 0; });
  const double middle = median(times);
  fmt::print("{:<46}{:>7}{:>10}{:>8}{:>11.2f}{:>10.2f}{:>14.3f}\n", name, document->line_count(),
             recorded.size(), placed, middle, times.back(), middle / median(parses));
}

std::string with_variable_renamed(std::string text) {
  for (size_t at = 0; (at = text.find("h ", at)) != std::string::npos; ++at)
    text.replace(at, 2, "z9 ");
  return text;
}

std::string with_line_repeated(size_t line_count) {
  std::string text;
  for (size_t i = 0; i < line_count; ++i) {
    text += i % 500 == 0 ? "def forward(x):\n" : "    h = h(h, h(h), h) + h\n";
  }
  return text;
}

// Files of 5,000 lines, four and sixteen times as many, two fifths of them recorded: if the time is
// linear, a line costs the same in all of them.
void measure_growth() {
  struct Case {
    std::string_view name;
    std::string (*change)(const Program&, size_t line_count);
  };
  const Case cases[] = {
      {"one line inserted",
       [](const Program& program, size_t) { return "# one line more\n" + program.text(); }},
      {"every line changed",
       [](const Program& program, size_t) { return with_variable_renamed(program.text()); }},
      {"another file, one line repeated",
       [](const Program&, size_t line_count) { return with_line_repeated(line_count); }},
  };
  fmt::print("\n{:<34}{:>8}{:>10}{:>10}{:>14}\n", "as the file grows", "lines", "median ms",
             "us/line", "of the first");
  for (const auto& [name, change] : cases) {
    double first = 0;
    for (const size_t factor : {1, 4, 16}) {
      const Program program(large_source(false, factor * kLines));
      const std::vector<Recorded> recorded = record_all(program, factor * kRecorded);
      const std::vector<RecordedLine> views = views_of(recorded, true);
      const auto document = std::make_shared<Document>(change(program, factor * kLines));
      std::vector<double> times;
      for (int i = 0; i < kGrowthRepeats; ++i) {
        times.push_back(milliseconds([&] { (void)anchor_lines(document, views); }));
      }
      const double per_line = median(times) * 1000 / static_cast<double>(document->line_count());
      if (factor == 1) first = per_line;
      fmt::print("{:<34}{:>8}{:>10.1f}{:>10.2f}{:>14.2f}\n", name, document->line_count(),
                 median(times), per_line, per_line / first);
    }
  }
}

// Keystrokes here and there in comments, in code and on new lines, each one after the other.
void measure_keystrokes(const std::string& text, const std::vector<Recorded>& recorded) {
  auto document = std::make_shared<const Document>(text);
  auto syntax = PythonSyntax::parse(document);
  const std::vector<RecordedLine> lines = views_of(recorded, true);
  std::vector<Anchor> anchors = anchor_lines(document, lines, {syntax});
  std::vector<double> edit_times, parse_times, anchor_times, whole_times;
  Random random(9);
  for (int i = 0; i < kKeystrokes; ++i) {
    const size_t row = below(random, document->line_count());
    TextEdit edit;
    edit.begin = edit.end = document->offset_of(row, i % 3 == 0 ? 0 : SIZE_MAX);
    edit.text = i % 3 == 0 ? "# new line\n" : i % 3 == 1 ? "  # x" : " ";
    std::shared_ptr<const Document> after;
    std::shared_ptr<const PythonSyntax> parsed;
    std::vector<Anchor> carried;
    edit_times.push_back(
        milliseconds([&] { after = std::make_shared<Document>(document->edited(edit)); }));
    parse_times.push_back(
        milliseconds([&] { parsed = syntax->edited(std::span(&edit, 1), after); }));
    anchor_times.push_back(milliseconds([&] {
      carried = anchor_after_edits(*document, anchors, std::span(&edit, 1), after, lines, {parsed});
    }));
    if (i % 20 == 0) whole_times.push_back(milliseconds([&] { (void)PythonSyntax::parse(after); }));
    document = after;
    syntax = parsed;
    anchors = carried;
  }
  const double whole = median(whole_times);
  const auto row = [&](std::string_view name, std::vector<double>& times) {
    const double middle = median(times);
    fmt::print("{:<34}{:>10.3f}{:>10.3f}{:>14.3f}\n", name, middle, times[times.size() * 99 / 100],
               middle / whole);
  };
  fmt::print("\n{:<34}{:>10}{:>10}{:>14}\n", "after a keystroke", "median ms", "p99 ms",
             "of one parse");
  row("the text edited", edit_times);
  row("parsed again, outlined", parse_times);
  row("lines anchored again", anchor_times);
  fmt::print("{:<34}{:>10.3f}\n", "one parse of the whole text", whole);
}

}  // namespace

void print_speed() {
  fmt::print("{:<46}{:>7}{:>10}{:>8}{:>11}{:>10}{:>14}\n", "whole-document anchoring", "lines",
             "recorded", "placed", "median ms", "worst ms", "of one parse");
  for (const bool all_alike : {false, true}) {
    Program program(large_source(all_alike));
    const std::vector<Recorded> recorded = record_all(program, kRecorded);
    const std::string kind = all_alike ? "alike classes, " : "";
    measure(kind + "unchanged", program.text(), recorded);
    Program one = program;
    one.insert(10, {"# one line more"});
    measure(kind + "one line inserted", one.text(), recorded);
    Program many = program;
    Random random(3);
    for (int i = 0; i < 60; ++i) {
      edit_kinds()[below(random, edit_kinds().size())].apply(many, random);
      many.refresh();
    }
    measure(kind + "60 edits of all kinds", many.text(), recorded);
    measure(kind + "every line changed", with_variable_renamed(program.text()), recorded);
    measure(kind + "another file, one line repeated", with_line_repeated(kLines), recorded);
  }
  const Program program(large_source(false));
  measure_keystrokes(program.text(), record_all(program, kRecorded));
  measure_growth();
}

}  // namespace etlens::bench
