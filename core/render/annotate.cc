// SPDX-License-Identifier: Apache-2.0
#include "core/render/annotate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/text.h"
#include "core/render/display_width.h"
#include "core/render/format.h"

namespace etlens {
namespace {

constexpr size_t kTabWidth = 8;
constexpr size_t kMaxHintColumn = 96;  // hints of longer lines follow the line directly
constexpr size_t kFoldFrom = 60;       // lines; shorter files are shown whole
constexpr size_t kContext = 2;         // lines kept around a hint
constexpr size_t kMinFold = 4;         // fewer lines than this are not worth folding

constexpr std::array<std::string_view, 5> kHeatColors{"\x1b[2m", "\x1b[36m", "\x1b[33m",
                                                      "\x1b[38;5;208m", "\x1b[1;31m"};
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kReset = "\x1b[0m";

// What a terminal can safely show: tabs expanded, control characters as U+FFFD.
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
      const std::string_view shown =
          c < 0x20 || c == 0x7F ? "\xEF\xBF\xBD" : rest.substr(0, length);
      out += shown;
      column += display_width(shown);
    }
    rest.remove_prefix(length);
  }
  return out;
}

struct HintedLine {
  LineId id;
  LineHint hint;
};

class Annotator {
 public:
  Annotator(const ProfileSnapshot& snapshot, const AnchoredSource& source,
            const AnnotateOptions& options)
      : snapshot_(snapshot),
        profile_(snapshot.profile),
        file_(profile_.files[source.file.value]),
        source_(source),
        options_(options) {
    hint_options_.threshold = options.threshold;
    hint_options_.current_line = [this](LineId line) {
      return profile_.lines[line.value].file == source_.file ? source_.of(profile_, line).line : 0;
    };
  }

  std::string render() {
    header();
    if (source_.document == nullptr) {
      recorded_lines_only();
      return std::move(out_);
    }
    collect();
    if (hints_.empty() && unplaced_.empty()) {
      out_ += fmt::format("  nothing above {}\n", format_share(options_.threshold));
    } else {
      lines();
    }
    unplaced();
    return std::move(out_);
  }

 private:
  void header() {
    const std::string& path = snapshot_.sources[source_.file.value].path;
    const std::string_view shown = path.empty() ? snapshot_.recorded_path(source_.file) : path;
    out_ += paint(kBold, displayable(shown)) + "\n";
  }

  std::string paint(std::string_view color, std::string_view text) const {
    if (!options_.color || text.empty()) return std::string(text);
    return std::string(color) + std::string(text) + std::string(kReset);
  }

  std::string paint_hint(const LineHint& hint) const {
    const auto level = static_cast<size_t>(heat_level(hint.share));
    return paint(kHeatColors[level], hint.text);
  }

  void collect() {
    for (uint32_t i = 0; i < file_.line_count; ++i) {
      const LineId id(file_.first_line + i);
      const Anchor& anchor = source_.of(profile_, id);
      std::optional<LineHint> hint = line_hint(snapshot_, id, anchor.edited, hint_options_);
      if (!hint) continue;
      if (anchor.line > 0) hints_.emplace(anchor.line, HintedLine{id, std::move(*hint)});
      else unplaced_.push_back({id, std::move(*hint)});
    }
  }

  void lines() {
    const Document& document = *source_.document;
    size_t count = document.line_count();
    if (count > 1 && document.line(count - 1).empty()) --count;
    const std::vector<bool> shown = shown_lines(count);
    size_t column = 0;
    for (const auto& [number, hinted] : hints_) {
      column = std::max(column, display_width(displayable(document.line(number - 1))));
    }
    column = std::min(column, kMaxHintColumn);
    const size_t digits = std::to_string(count).size();
    for (size_t n = 0; n < count; ++n) {
      if (!shown[n]) {
        size_t end = n;
        while (end < count && !shown[end]) ++end;
        out_ +=
            paint(kDim, fmt::format("{:>{}} ⋮ {}", "", digits, counted(end - n, "line"))) + "\n";
        n = end - 1;
        continue;
      }
      const std::string text = displayable(document.line(n));
      std::string line = paint(kDim, fmt::format("{:>{}} │ ", n + 1, digits)) + text;
      const auto hinted = hints_.find(static_cast<uint32_t>(n + 1));
      if (hinted != hints_.end()) {
        const size_t width = display_width(text);
        line += std::string(width < column ? column - width : 0, ' ') + "   " +
                paint_hint(hinted->second.hint);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out_ += line + "\n";
    }
  }

  // Everything in short files; else the hinted lines, a few around them and the def and class lines
  // that enclose them.
  std::vector<bool> shown_lines(size_t count) const {
    if (!options_.fold || count <= kFoldFrom) return std::vector<bool>(count, true);
    std::vector<bool> shown(count, false);
    for (const auto& [number, hinted] : hints_) {
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
    const SourceLocation& location = snapshot_.sources[source_.file.value];
    out_ +=
        paint(kDim, location.candidates.size() > 1
                        ? "  more than one file fits; map it with --path-map"
                        : "  not found here; give its folder with --root. The recorded lines:") +
        "\n";
    for (uint32_t i = 0; i < file_.line_count; ++i) {
      const LineId id(file_.first_line + i);
      if (const std::optional<LineHint> hint = line_hint(snapshot_, id, false, hint_options_)) {
        recorded_line(id, *hint);
      }
    }
  }

  void recorded_line(LineId id, const LineHint& hint) {
    const LineRow& row = profile_.lines[id.value];
    const Frame& frame = profile_.record->frames[row.frame.value];
    out_ += paint(kDim, fmt::format("{:>5} │ ", row.line)) +
            displayable(profile_.record->text(frame.text)) + "   " + paint_hint(hint) + "\n";
  }

  void unplaced() {
    if (unplaced_.empty()) return;
    out_ += paint(kDim, "  recorded lines that are no longer found:") + "\n";
    for (const HintedLine& line : unplaced_) recorded_line(line.id, line.hint);
  }

  const ProfileSnapshot& snapshot_;
  const Profile& profile_;
  const FileRow& file_;
  const AnchoredSource& source_;
  AnnotateOptions options_;
  HintOptions hint_options_;
  std::map<uint32_t, HintedLine> hints_;  // by current line
  std::vector<HintedLine> unplaced_;
  std::string out_;
};

}  // namespace

std::string annotate_source(const ProfileSnapshot& snapshot, const AnchoredSource& source,
                            const AnnotateOptions& options) {
  return Annotator(snapshot, source, options).render();
}

}  // namespace etlens
