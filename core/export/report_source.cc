// SPDX-License-Identifier: Apache-2.0
#include "core/export/report_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/export/markup.h"
#include "core/export/report_tables.h"
#include "core/facts/hints.h"
#include "core/render/format.h"
#include "core/render/hint_text.h"

namespace etlens {
namespace {

constexpr uint32_t kAround = 3;      // lines before and behind each
constexpr size_t kMaxLetters = 200;  // bytes of a line

class SourceExcerpts {
 public:
  SourceExcerpts(const ExportInput& input, const PageLinks& links, Sink& sink)
      : input_(input), facts_(input.facts), links_(links), sink_(sink) {
    size_t taken = 0;
    for (const LineId line : facts_.hot_lines()) {
      if (taken++ == kMaxExcerptLines) break;
      const FileId file = facts_.code().lines[line.value].file;
      if (std::find(order_.begin(), order_.end(), file) == order_.end()) order_.push_back(file);
      lines_[file].push_back(line);
    }
  }

  void run() {
    if (const std::string left_out = left_out_sentence(input_.left_out); !left_out.empty())
      sink_ << "<p>" << escape_markup(left_out) << "</p>\n";
    for (const FileId file : order_) {
      const AnchoredSource& source = input_.sources[file.value];
      const std::string& here = facts_.sources()[file.value].path;
      sink_ << "<h3>"
            << escape_markup(here.empty() ? facts_.code().recorded_path(file)
                                          : std::string_view(base_name(here)))
            << "</h3>\n";
      if (source.document == nullptr) write_recorded(file);
      else write_file(source);
    }
  }

 private:
  HintTextOptions words_of(const AnchoredSource& source) const {
    HintTextOptions words;
    words.unit = input_.unit;
    words.current_line = [this, &source](LineId line) {
      const bool is_here = facts_.code().lines[line.value].file == source.file;
      return is_here ? source.of(facts_.code(), line).line : 0;
    };
    return words;
  }

  void begin(std::string_view name) {
    sink_ << "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Source of "
          << escape_markup(name) << "\"><pre class=\"code\">\n";
  }
  void end() { sink_ << "</pre></div>\n"; }

  // `line`: that is recorded there; invalid for none.
  void write_line(FileId file, uint32_t number, LineId line, std::string_view text,
                  const Hint* hint, const HintTextOptions& words) {
    const bool has_cost = hint != nullptr && hint->kind == HintKind::Cost;
    const int heat = has_cost ? heat_level(hint->cost.share) : 0;
    std::string shown = valid_utf8(text.substr(0, kMaxLetters));
    if (text.size() > kMaxLetters) shown += "…";
    sink_ << fmt::format(
        "<span class=\"h{}\" id=\"{}\"><span class=\"n\">{}</span><span>{}</span>", heat,
        excerpt_id(file, number),
        line.valid() ? links_.linked(line, std::to_string(number)) : std::to_string(number),
        escape_markup(shown));
    if (hint != nullptr)
      sink_ << "<span class=\"k\">" << escape_markup(hint_text(facts_, *hint, words).text)
            << "</span>";
    else sink_ << "<span></span>";
    sink_ << "</span>\n";
  }

  void write_file(const AnchoredSource& source) {
    const Document& document = *source.document;
    HintOptions options;
    const SourceHints found = hints(facts_, source, options);
    std::map<uint32_t, const Hint*> hint_of_line;
    for (const PlacedHint& placed : found.placed) hint_of_line[placed.line] = &placed.hint;
    const HintTextOptions words = words_of(source);
    const std::string name(base_name(facts_.code().recorded_path(source.file)));
    // What is around the lines, joined where it touches.
    std::vector<uint32_t> at;
    std::map<uint32_t, LineId> line_at;
    for (const LineId line : lines_[source.file]) {
      const uint32_t now = source.of(facts_.code(), line).line;
      if (now != 0 && line_at.emplace(now, line).second) at.push_back(now);
    }
    std::sort(at.begin(), at.end());
    const uint32_t first_line = facts_.code().files[source.file.value].first_line;
    for (uint32_t i = 0; i < source.anchors.size(); ++i) {
      if (source.anchors[i].line != 0) line_at.emplace(source.anchors[i].line, first_line + i);
    }
    const auto count = static_cast<uint32_t>(document.line_count());
    uint32_t last = 0;
    bool is_open = false;
    for (const uint32_t line : at) {
      const uint32_t first = std::max(last + 1, line > kAround ? line - kAround : 1);
      if (is_open && first > last + 1) {
        end();
        is_open = false;
      }
      if (!is_open) begin(fmt::format("{}, lines {} and following", name, first));
      is_open = true;
      for (uint32_t n = first; n <= std::min(count, line + kAround); ++n) {
        const auto hint = hint_of_line.find(n);
        const auto recorded = line_at.find(n);
        write_line(source.file, n, recorded == line_at.end() ? LineId() : recorded->second,
                   document.line(n - 1), hint == hint_of_line.end() ? nullptr : hint->second,
                   words);
        last = n;
      }
    }
    if (is_open) end();
  }

  // The recorded texts of its lines alone.
  void write_recorded(FileId file) {
    const bool is_left_out = std::find(input_.left_out.begin(), input_.left_out.end(),
                                       facts_.code().recorded_path(file)) != input_.left_out.end();
    const bool is_there = is_left_out || !facts_.sources()[file.value].path.empty();
    sink_ << "<p class=\"soft\">"
          << (is_there ? "The file itself is left out" : "The file was not found")
          << "; these are the recorded lines.</p>\n";
    HintTextOptions words;
    words.unit = input_.unit;
    std::vector<LineId> lines = lines_[file];
    std::sort(lines.begin(), lines.end());
    begin(base_name(facts_.code().recorded_path(file)));
    for (const LineId line : lines) {
      const CodeLine& row = facts_.code().lines[line.value];
      const std::optional<Hint> hint = hint_of(facts_, line, false, {});
      write_line(file, row.number, line, facts_.code().text(row.text), hint ? &*hint : nullptr,
                 words);
    }
    end();
  }

  const ExportInput& input_;
  const Facts& facts_;
  const PageLinks& links_;
  Sink& sink_;
  std::vector<FileId> order_;
  std::map<FileId, std::vector<LineId>> lines_;
};

}  // namespace

void write_sources(const ExportInput& input, const PageLinks& links, Sink& sink) {
  SourceExcerpts(input, links, sink).run();
}

}  // namespace etlens
