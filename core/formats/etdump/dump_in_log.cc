// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/dump_in_log.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/formats/etdump/etdump_reader.h"

namespace etlens {
namespace {

// "ED00" in base64 where the dump's size stands in front of it, and where it does not, with the
// zero bytes in front that the offset of the root ends in.
struct Mark {
  std::string_view text;
  size_t before = 0;  // characters of the dump in front of it
};
constexpr Mark kMarks[] = {{"AABFRDAw", 8}, {"AEVEMDA", 4}};
constexpr size_t kPrefixChars = 8;  // of base64, that the dump's size is in

bool is_base64(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/';
}

// Characters from `at` on that are base64, padding included.
size_t base64_length(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && is_base64(text[end])) ++end;
  for (size_t pad = 0; pad < 2 && end < text.size() && text[end] == '='; ++pad) ++end;
  go_on(1 + (end - at) / 64);
  return end - at;
}

size_t skip(std::string_view text, size_t at, std::string_view characters) {
  return std::min(text.find_first_not_of(characters, at), text.size());
}

struct Candidate {
  size_t begin = 0;
  size_t end = 0;  // behind the last character that was taken
  std::string base64;
  bool is_whole = false;
};

// Takes base64 line by line.
class Gatherer {
 public:
  Gatherer(std::string_view text, size_t begin, size_t wanted) : text_(text), wanted_(wanted) {
    found_.begin = found_.end = begin;
    const size_t first = begin - std::min(begin, kMaxFront);
    const size_t line_end = text.substr(first, begin - first).rfind('\n');
    if (line_end != std::string_view::npos) front_ = begin - first - line_end - 1;
    else if (first == 0) front_ = begin;
  }

  Candidate gather() {
    bool goes_on = take(found_.begin);
    while (goes_on && found_.base64.size() < wanted_) goes_on = take_line();
    found_.is_whole = wanted_ == SIZE_MAX || found_.base64.size() >= wanted_;
    return std::move(found_);
  }

 private:
  static constexpr size_t kMaxFront = 256;  // characters of a line in front of the base64

  // The next line goes on if it is nothing but base64, behind a front as long as the first's.
  bool take_line() {
    const size_t line = found_.end;
    const size_t at = skip(text_, line, " \t");
    if (is_to_line_end(at)) return take(at);
    const bool has_front = front_ > 0 && line + front_ < text_.size() &&
                           text_.substr(line, front_).find('\n') == std::string_view::npos;
    return has_front && is_to_line_end(line + front_) && take(line + front_);
  }

  bool is_to_line_end(size_t at) const {
    const size_t length = base64_length(text_, at);
    const size_t end = line_end(at + length);
    return length > 0 && (end == text_.size() || text_[end] == '\n');
  }

  // What may stand behind base64 on its line: spaces, and the backslash with which a shell goes on.
  size_t line_end(size_t at) const { return skip(text_, at, " \r\\"); }

  // Takes a run. True if the line ends behind it and the dump may go on in the next.
  bool take(size_t at) {
    const size_t length = std::min(base64_length(text_, at), wanted_ - found_.base64.size());
    found_.base64.append(text_.substr(at, length));
    found_.end = at + length;
    const size_t end = line_end(found_.end);
    if (end >= text_.size() || text_[end] != '\n' || found_.base64.ends_with('=')) return false;
    found_.end = end + 1;
    return true;
  }

  std::string_view text_;
  size_t wanted_;  // characters
  size_t front_ = 0;
  Candidate found_;
};

// Characters of base64 that the dump's size says it has; SIZE_MAX where no size is in front.
size_t promised_chars(std::string_view text, size_t begin, const Mark& mark) {
  if (mark.before != kPrefixChars) return SIZE_MAX;
  const auto front = base64_decode(text.substr(begin, kPrefixChars));
  if (!front || front->size() < 4) return SIZE_MAX;
  ByteReader reader(*front);
  return static_cast<size_t>((uint64_t{reader.u32()} + 4 + 2) / 3 * 4);
}

// Finds the places where dumps may begin, in their order.
class MarkSearch {
 public:
  explicit MarkSearch(std::string_view text) : text_(text) {}

  // The next dump from `from` on; nullopt if there is none. `base64` is empty for what only looks
  // like one.
  std::optional<Candidate> next(size_t from) {
    size_t nearest = 0;
    for (size_t m = 0; m < std::size(kMarks); ++m) {
      const size_t first = from + kMarks[m].before;
      if (at_[m] != std::string_view::npos && at_[m] < first)
        at_[m] = text_.find(kMarks[m].text, first);
      if (begin_of(m) < begin_of(nearest)) nearest = m;
    }
    const size_t begin = begin_of(nearest);
    if (begin == std::string_view::npos) return std::nullopt;
    const std::string_view front = text_.substr(begin, kMarks[nearest].before);
    if (!std::all_of(front.begin(), front.end(), is_base64))
      return Candidate{begin, begin + 1, {}, false};
    return Gatherer(text_, begin, promised_chars(text_, begin, kMarks[nearest])).gather();
  }

 private:
  size_t begin_of(size_t mark) const {
    return at_[mark] == std::string_view::npos ? at_[mark] : at_[mark] - kMarks[mark].before;
  }

  std::string_view text_;
  size_t at_[std::size(kMarks)] = {};  // of each mark; npos once there is none any more
};

// One byte for every two: what a console printed is ASCII.
std::string narrow(std::string_view wide) {
  std::string text;
  text.reserve(wide.size() / 2);
  for (size_t i = 2; i + 1 < wide.size(); i += 2) {
    if (i % 1024 == 0) go_on();
    text.push_back(wide[i + 1] == '\0' ? wide[i] : '?');
  }
  return text;
}

Bytes decode(std::string_view base64) {
  const auto decoded = base64_decode(base64);
  if (!decoded) return {};
  Bytes bytes(decoded->size());
  if (!decoded->empty()) std::memcpy(bytes.data(), decoded->data(), decoded->size());
  return bytes;
}

}  // namespace

std::optional<DumpInLog> find_dump_in_log(std::string_view text) {
  if (text.starts_with("\xFF\xFE")) return find_dump_in_log(narrow(text));
  MarkSearch search(text);
  Candidate best;
  size_t dumps = 0;
  size_t from = 0;
  while (std::optional<Candidate> found = search.next(from)) {
    go_on();
    from = std::max(found->end, found->begin + 1);
    if (found->base64.empty()) continue;
    if (dumps++ == 0 || found->is_whole || !best.is_whole) best = *std::move(found);
  }
  if (dumps == 0) return std::nullopt;
  DumpInLog log;
  log.dump = decode(best.base64);
  if (!looks_like_etdump(log.dump.span())) return std::nullopt;
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(best.begin);
  log.line = 1 + static_cast<size_t>(std::count(text.begin(), begin, '\n'));
  log.dumps = dumps;
  return log;
}

bool is_log_with_dump(const FileSystem& files, const std::string& path) {
  const Result<Bytes> text = read_etdump_file(files, path);
  return text && find_dump_in_log(text->text());
}

}  // namespace etlens
