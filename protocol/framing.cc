// SPDX-License-Identifier: Apache-2.0
#include "protocol/framing.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/base/text.h"

namespace etlens::lsp {
namespace {

constexpr std::string_view kContentLength = "content-length";

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

// The offset behind the empty line that ends a header, searched from `from`; npos if there is none.
size_t end_of_header(std::string_view text, size_t from) {
  for (size_t at = text.find('\n', from); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    const std::string_view after = text.substr(at + 1);
    if (after.starts_with('\n')) return at + 2;
    if (after.starts_with("\r\n")) return at + 3;
  }
  return std::string_view::npos;
}

// Where Content-Length stands in a line. In front of it may stand what is left of a message whose
// own length was too short, so the last one counts. npos if there is none.
size_t find_length(std::string_view line) {
  for (size_t end = line.rfind(':'); end != std::string_view::npos && end > 0;
       end = line.rfind(':', end - 1)) {
    const std::string_view key = trim(line.substr(0, end));
    if (key.size() >= kContentLength.size() &&
        equal_ignoring_case(key.substr(key.size() - kContentLength.size()), kContentLength))
      return end;
  }
  return std::string_view::npos;
}

// The value of Content-Length. Other fields (Content-Type) say nothing new, and lines that are no
// field (what a stray print left on the stream) are passed over.
Result<size_t> content_length(std::string_view header) {
  std::optional<size_t> length;
  for (const std::string_view raw : split_lines(header)) {
    const std::string_view line = trim(raw);
    if (line.empty()) continue;
    const size_t colon = find_length(line);
    if (colon == std::string_view::npos) continue;
    const std::optional<int64_t> value = parse_int(trim(line.substr(colon + 1)));
    if (!value || *value < 0) {
      return Error{ErrorCode::Corrupt, "Content-Length is not a number of bytes"};
    }
    if (static_cast<uint64_t>(*value) > kMaxMessageBytes) {
      return Error{ErrorCode::Corrupt, "a message is larger than 64 MiB"};
    }
    if (length && *length != static_cast<size_t>(*value)) {
      return Error{ErrorCode::Corrupt, "a header has two values of Content-Length"};
    }
    length = static_cast<size_t>(*value);
  }
  if (!length) return Error{ErrorCode::Corrupt, "a header lacks Content-Length"};
  return *length;
}

}  // namespace

void FrameReader::push(std::string_view bytes) {
  if (at_ > 0 && at_ >= buffer_.size() / 2) {
    buffer_.erase(0, at_);
    scanned_ -= std::min(scanned_, at_);
    at_ = 0;
  }
  buffer_ += bytes;
}

std::optional<Frame> FrameReader::pull() {
  if (framing_ == Framing::Lines) return pull_line();
  while (true) {
    if (state_ == State::Skipping && !find_header()) return std::nullopt;
    if (state_ == State::Header) {
      std::optional<Frame> error = pull_header();
      if (error && !std::exchange(is_garbage_, true)) return error;
      if (error) continue;
      if (state_ == State::Header) return std::nullopt;
    }
    if (state_ == State::Body) {
      if (buffer_.size() - at_ < body_size_) return std::nullopt;
      std::string body(rest().substr(0, body_size_));
      at_ += body_size_;
      state_ = State::Header;
      is_garbage_ = false;
      return body;
    }
  }
}

// Moves on to the body, or gives an error; neither if the header is not complete yet.
std::optional<Frame> FrameReader::pull_header() {
  scanned_ = std::max(scanned_, at_);
  const size_t end = end_of_header(buffer_, scanned_);
  if (end == std::string::npos) {
    // The last two bytes may be the beginning of an empty line.
    scanned_ = std::max(at_, buffer_.size() - std::min<size_t>(buffer_.size(), 2));
    if (buffer_.size() - at_ <= kMaxHeaderBytes) return std::nullopt;
    return skip_from(at_ + 1, "a header is larger than 8 KiB");
  }
  scanned_ = std::max(at_, end - std::min<size_t>(end, 3));  // so that looking again is cheap
  if (end - at_ > kMaxHeaderBytes) return skip_from(at_ + 1, "a header is larger than 8 KiB");
  const Result<size_t> length = content_length(rest().substr(0, end - at_));
  if (!length) return skip_from(end, length.error().message);
  at_ = end;
  body_size_ = *length;
  state_ = State::Body;
  return std::nullopt;
}

// Empty lines are none. Of one that is too long, nothing is kept but the error.
std::optional<Frame> FrameReader::pull_line() {
  while (true) {
    const size_t end = buffer_.find('\n', std::max(scanned_, at_));
    const bool is_complete = end != std::string::npos;
    const size_t size = (is_complete ? end : buffer_.size()) - at_;
    if (size > kMaxMessageBytes || state_ == State::Skipping) {
      const bool is_told = state_ == State::Skipping;
      at_ = is_complete ? end + 1 : buffer_.size();
      state_ = is_complete ? State::Header : State::Skipping;
      if (!is_told) return Error{ErrorCode::Corrupt, "a message is larger than 64 MiB"};
      if (!is_complete) return std::nullopt;
      continue;
    }
    scanned_ = is_complete ? end + 1 : buffer_.size();
    if (!is_complete) return std::nullopt;
    const std::string_view line = trim(rest().substr(0, size));
    at_ = end + 1;
    if (!line.empty()) return std::string(line);
  }
}

Frame FrameReader::skip_from(size_t offset, std::string reason) {
  at_ = offset;
  state_ = State::Skipping;
  return Error{ErrorCode::Corrupt, std::move(reason)};
}

bool FrameReader::find_header() {
  const std::string_view text = rest();
  const auto found =
      std::search(text.begin(), text.end(), kContentLength.begin(), kContentLength.end(),
                  [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
  if (found != text.end()) {
    at_ += static_cast<size_t>(found - text.begin());
    state_ = State::Header;
    return true;
  }
  at_ = buffer_.size() - std::min(text.size(), kContentLength.size() - 1);
  return false;
}

std::string frame(std::string_view json, Framing framing) {
  if (framing == Framing::Lines) {
    std::string line(json);
    std::replace(line.begin(), line.end(), '\n', ' ');  // inside a string there is none
    return line + '\n';
  }
  std::string text = "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n";
  text += json;
  return text;
}

}  // namespace etlens::lsp
