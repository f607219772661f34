// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/stack_trace.h"

#include <algorithm>
#include <optional>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr std::string_view kFile = "File \"";
constexpr std::string_view kLine = "\", line ";
constexpr std::string_view kIn = ", in ";
constexpr size_t kSourceIndent = 4;  // blanks that Python puts before the source line

// Python does not escape quotes in file names, so the last `", line ` of the line is the right one,
// as long as a number stands behind it.
std::optional<ParsedFrame> parse_header(std::string_view line) {
  // Headers are indented by two, or by none where the text was stripped; source lines by four.
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(indent);
  if (indent >= kSourceIndent || !line.starts_with(kFile)) return std::nullopt;
  line.remove_prefix(kFile.size());
  for (size_t at = line.rfind(kLine); at != std::string_view::npos && at != 0;
       at = line.rfind(kLine, at - 1)) {
    std::string_view rest = line.substr(at + kLine.size());
    const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const std::optional<int64_t> number = parse_int(rest.substr(0, digits));
    if (!number || *number > UINT32_MAX) continue;
    rest.remove_prefix(digits);
    ParsedFrame frame;
    frame.file = line.substr(0, at);
    frame.line = static_cast<uint32_t>(*number);
    if (rest.starts_with(kIn)) frame.function = trim(rest.substr(kIn.size()));
    return frame;
  }
  return std::nullopt;
}

// A line of nothing but ~ and ^ behind blanks. Four blanks only is what newer Pythons put under an
// expression that spans several lines.
bool is_mark_line(std::string_view line) {
  return line.starts_with("    ") && line.find_first_not_of(" ~^") == std::string_view::npos;
}

// Marks are counted in characters of the stripped source line; frames keep bytes.
uint32_t byte_of_character(std::string_view text, size_t character) {
  size_t byte = 0;
  for (; character > 0 && byte < text.size(); --character) byte += utf8_length(text.substr(byte));
  return static_cast<uint32_t>(byte);
}

void apply_marks(std::string_view marks, ParsedFrame& frame) {
  const size_t first = marks.find_first_of("~^");
  if (first == std::string_view::npos || first < kSourceIndent) return;
  const size_t last = marks.find_last_of("~^") + 1;
  frame.mark_begin = byte_of_character(frame.text, first - kSourceIndent);
  frame.mark_end = byte_of_character(frame.text, last - kSourceIndent);
}

}  // namespace

ParsedStack parse_stack_trace(std::string_view text) {
  ParsedStack stack;
  stack.indented = text.starts_with(' ');
  // What the next line may be: a header's source line, then the marks under it.
  enum class Expect { Header, Source, Marks } expect = Expect::Header;
  while (!text.empty()) {
    go_on();
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (std::optional<ParsedFrame> frame = parse_header(line)) {
      stack.frames.push_back(*frame);
      expect = Expect::Source;
    } else if (expect == Expect::Source && !is_mark_line(line) &&
               !trim(line).starts_with("[Previous line repeated ")) {
      stack.frames.back().text = trim(line);
      expect = Expect::Marks;
    } else if (expect == Expect::Marks && is_mark_line(line)) {
      apply_marks(line, stack.frames.back());
      expect = Expect::Header;
    } else {
      expect = Expect::Header;
    }
  }
  return stack;
}

}  // namespace etlens
