// SPDX-License-Identifier: Apache-2.0
#include "core/render/annotate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/facts/hints.h"
#include "core/render/colors.h"
#include "core/render/display_width.h"
#include "core/render/format.h"
#include "core/render/hint_text.h"

namespace etlens {
namespace {

constexpr size_t kTabWidth = 8;
constexpr size_t kMaxHintColumn = 96;  // hints of longer lines follow the line directly
constexpr size_t kFoldFrom = 60;       // lines; shorter files are shown whole
constexpr size_t kContext = 2;         // lines kept around a hint
constexpr size_t kMinFold = 4;         // fewer lines than this are not worth folding

// What a terminal can safely show: tabs expanded, and nothing unseen.
std::string displayable(std::string_view line) {
  std::string out;
  size_t column = 0;
  const std::string valid = valid_utf8(line);
  for (std::string_view rest = valid; !rest.empty();) {
    const size_t length = utf8_length(rest);
    const auto c = static_cast<unsigned char>(rest.front());
    if (c == '\t') {
      const size_t blanks = kTabWidth - column % kTabWidth;
      out.append(blanks, ' ');
      column += blanks;
    } else {
      const std::string shown = unsafe_length(rest) > 0 ? shown_instead(rest.substr(0, length))
                                                        : std::string(rest.substr(0, length));
      out += shown;
      column += display_width(shown);
    }
    rest.remove_prefix(length);
  }
  return out;
}

class Annotator {
 public:
  Annotator(const Facts& facts, const AnchoredSource& source, const AnnotateOptions& options)
      : facts_(facts), source_(source), options_(options) {
    hint_options_.threshold = options.threshold;
    words_.unit = options.unit;
    words_.current_line = [this](LineId line) {
      const bool is_here = facts_.code().lines[line.value].file == source_.file;
      return is_here ? source_.of(facts_.code(), line).line : 0;
    };
  }

  std::string render() {
    header();
    if (source_.document == nullptr) {
      recorded_lines_only();
      return std::move(out_);
    }
    SourceHints found = hints(facts_, source_, hint_options_);
    if (found.placed.empty() && found.unplaced.empty()) {
      out_ += fmt::format("  nothing above {}\n", format_share(options_.threshold));
      return std::move(out_);
    }
    for (PlacedHint& hint : found.placed) placed_.emplace(hint.line, std::move(hint.hint));
    lines();
    unplaced(found.unplaced);
    return std::move(out_);
  }

 private:
  void header() {
    const std::string& path = facts_.sources()[source_.file.value].path;
    const std::string_view shown = path.empty() ? facts_.code().recorded_path(source_.file) : path;
    out_ += paint(kBold, displayable(shown)) + "\n";
  }

  std::string paint(std::string_view color, std::string_view text) const {
    return painted(options_.color ? color : std::string_view(), text);
  }

  std::string paint_hint(const Hint& hint) const {
    const auto level = static_cast<size_t>(heat_level(heat_of(hint)));
    const std::string text = hint_text(facts_, hint, words_).text;
    if (options_.legend != nullptr) options_.legend->add(text);
    return paint(kHeatColors[level], displayable(text));
  }

  // Of hints whose cost is their line's own.
  static double heat_of(const Hint& hint) {
    return hint.kind == HintKind::Cost ? hint.cost.share : 0;
  }

  void lines() {
    const Document& document = *source_.document;
    size_t count = document.line_count();
    if (count > 1 && document.line(count - 1).empty()) --count;
    const std::vector<bool> shown = shown_lines(count);
    const size_t column = hint_column();
    const size_t digits = std::to_string(count).size();
    for (size_t n = 0; n < count; ++n) {
      if (shown[n]) {
        line(n, digits, column);
        continue;
      }
      size_t end = n;
      while (end < count && !shown[end]) ++end;
      out_ += paint(kDim, fmt::format("{:>{}} ⋮ {}", "", digits, counted(end - n, "line"))) + "\n";
      if (options_.legend != nullptr) options_.legend->add("⋮");
      n = end - 1;
    }
  }

  void line(size_t n, size_t digits, size_t column) {
    const std::string text = displayable(source_.document->line(n));
    std::string line = paint(kDim, fmt::format("{:>{}} │ ", n + 1, digits)) + text;
    if (const auto hint = placed_.find(static_cast<uint32_t>(n + 1)); hint != placed_.end()) {
      const size_t width = display_width(text);
      line += std::string(width < column ? column - width : 0, ' ') + "   ";
      line += paint_hint(hint->second);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out_ += line + "\n";
  }

  size_t hint_column() const {
    size_t column = 0;
    for (const auto& [number, hint] : placed_)
      column = std::max(column, display_width(displayable(source_.document->line(number - 1))));
    return std::min(column, kMaxHintColumn);
  }

  // Everything in short files; else the hinted lines, a few around them and the def and class lines
  // that enclose them.
  std::vector<bool> shown_lines(size_t count) const {
    if (!options_.fold || count <= kFoldFrom) return std::vector<bool>(count, true);
    std::vector<bool> shown(count, false);
    for (const auto& [number, hint] : placed_) {
      const size_t line = number - 1;
      const size_t first = line < kContext ? 0 : line - kContext;
      for (size_t n = first; n < std::min(count, line + kContext + 1); ++n) shown[n] = true;
      show_enclosing(line, shown);
    }
    for (size_t n = 0; n < count;) {
      size_t end = n;
      while (end < count && !shown[end]) ++end;
      if (end - n < kMinFold)
        std::fill(shown.begin() + static_cast<ptrdiff_t>(n),
                  shown.begin() + static_cast<ptrdiff_t>(end), true);
      n = std::max(end, n) + 1;
    }
    return shown;
  }

  void show_enclosing(size_t line, std::vector<bool>& shown) const {
    const auto indent_of = [&](size_t n) {
      const std::string_view text = source_.document->line(n);
      return std::min(text.find_first_not_of(" \t"), text.size());
    };
    size_t indent = indent_of(line);
    for (size_t n = line; n-- > 0 && indent > 0;) {
      const std::string_view text = trim(source_.document->line(n));
      if (text.empty() || indent_of(n) >= indent) continue;
      indent = indent_of(n);
      if (text.starts_with("def ") || text.starts_with("class ") ||
          text.starts_with("async def ")) {
        shown[n] = true;
      }
    }
  }

  void recorded_lines_only() {
    const SourceLocation& location = facts_.sources()[source_.file.value];
    const bool is_open = location.candidates.size() > 1;
    out_ += paint(kDim, is_open ? "  more than one file fits; map it with --path-map"
                                : "  not found here; give its folder "
                                  "with --root. The recorded lines:") +
            "\n";
    for (const PlacedHint& hint : recorded_hints(facts_, source_.file, hint_options_))
      recorded_line(hint.hint);
  }

  // Of definitions no text was recorded.
  std::string_view recorded_text(const CodeLine& line) const {
    const std::string_view text = facts_.code().text(line.text);
    return text.empty() ? facts_.code().text(line.function) : text;
  }

  void recorded_line(const Hint& hint) {
    const CodeLine& line = facts_.code().lines[hint.line.value];
    out_ += paint(kDim, fmt::format("{:>5} │ ", line.number)) + displayable(recorded_text(line)) +
            "   " + paint_hint(hint) + "\n";
  }

  void unplaced(const std::vector<Hint>& hints) {
    if (hints.empty()) return;
    out_ += paint(kDim, "  recorded lines that are no longer found:") + "\n";
    for (const Hint& hint : hints) recorded_line(hint);
  }

  const Facts& facts_;
  const AnchoredSource& source_;
  AnnotateOptions options_;
  HintOptions hint_options_;
  HintTextOptions words_;
  std::map<uint32_t, Hint> placed_;  // by current line
  std::string out_;
};

}  // namespace

std::string annotate_source(const Facts& facts, const AnchoredSource& source,
                            const AnnotateOptions& options) {
  return Annotator(facts, source, options).render();
}

}  // namespace etlens
