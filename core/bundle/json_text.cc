// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/json_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr int kMaxDepth = 8;
constexpr std::array<std::string_view, 4> kWeights{"original_state_dict", "original_constants",
                                                   "named_data_store", "state_dict"};

Error no_json(std::string_view what) {
  return {ErrorCode::Corrupt, "its JSON is damaged: " + std::string(what)};
}

std::optional<uint32_t> hex_of(std::string_view digits) {
  uint32_t value = 0;
  if (digits.size() != 4) return std::nullopt;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<uint32_t>(digit);
  }
  return value;
}

void append_utf8(std::string& out, uint32_t code) {
  const auto part = [&](uint32_t bits) { out += static_cast<char>(0x80 | (bits & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    part(code);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    part(code >> 6);
    part(code);
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    part(code >> 12);
    part(code >> 6);
    part(code);
  }
}

// The character of \uXXXX at `at`, which then is behind it; surrogates that have no other are U+FFFD.
void unescape_unicode(std::string_view raw, size_t& at, std::string& out) {
  const std::optional<uint32_t> first = hex_of(raw.substr(std::min(at + 2, raw.size()), 4));
  if (!first) {
    out += raw[at++];
    return;
  }
  at += 6;
  uint32_t code = *first;
  if (code >= 0xd800 && code < 0xdc00 && raw.substr(at, 2) == "\\u") {
    const std::optional<uint32_t> second = hex_of(raw.substr(std::min(at + 2, raw.size()), 4));
    if (second && *second >= 0xdc00 && *second < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10) + (*second - 0xdc00);
      at += 6;
    }
  }
  append_utf8(out, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
}

std::string unescaped_json(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (size_t at = 0; at < raw.size();) {
    if (raw[at] != '\\' || at + 1 == raw.size()) {
      out += raw[at++];
    } else if (raw[at + 1] == 'u') {
      unescape_unicode(raw, at, out);
    } else {
      constexpr std::string_view kNames = "nrtbf", kCharacters = "\n\r\t\b\f";
      const size_t name = kNames.find(raw[at + 1]);
      out += name == kNames.npos ? raw[at + 1] : kCharacters[name];
      at += 2;
    }
  }
  return out;
}

void append_escaped(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (c == '\n') out += "\\n";
    else if (byte < 0x20) ((out += "\\u00") += kHex[byte >> 4]) += kHex[byte & 15];
    else out += c;
  }
}

class JsonChanger {
 public:
  JsonChanger(std::string_view json, const JsonChange& change, int depth)
      : json_(json), change_(change), depth_(depth) {}

  Result<std::string> run() {
    for (size_t at = 0; at < json_.size();) {
      go_on();
      const size_t quote = std::min(json_.find('"', at), json_.size());
      out_ += json_.substr(at, quote - at);
      if (quote == json_.size()) break;
      size_t end = quote + 1;
      while (end < json_.size() && json_[end] != '"') end += json_[end] == '\\' ? 2 : 1;
      if (end >= json_.size()) return no_json("a string has no end");
      if (Result<void> done = string_at(json_.substr(quote + 1, end - quote - 1), end + 1); !done)
        return std::move(done).error();
      at = end + 1;
    }
    return std::move(out_);
  }

 private:
  Result<void> string_at(std::string_view raw, size_t behind) {
    const size_t next = json_.find_first_not_of(" \t\r\n", behind);
    const bool is_key = next != json_.npos && json_[next] == ':';
    const bool is_weight = !is_key && std::ranges::find(kWeights, key_) != kWeights.end();
    out_ += '"';
    if (is_weight) {
      // left out
    } else if (!is_key && key_ == "processed_bytes") {
      out_ += payload(raw);
    } else {
      std::string text = unescaped_json(raw);
      if (!is_key && key_ == "backend_id") backend_ = text;
      if (is_key) key_ = text;
      const bool is_json = !is_key && (text.starts_with('{') || text.starts_with('['));
      if (is_json && depth_ >= kMaxDepth) return no_json("strings hold JSON in too many levels");
      Result<std::string> inner =
          is_json ? JsonChanger(text, change_, depth_ + 1).run() : plain(text, is_key);
      if (!inner) return std::move(inner).error();
      append_escaped(out_, *inner);
    }
    out_ += '"';
    return {};
  }

  Result<std::string> plain(std::string_view text, bool is_key) const {
    if (!change_.text) return std::string(text);
    if (is_key || key_ != "value") return change_.text(text);
    // Of a compile spec: base64. What is no text in it may name anything.
    const std::optional<std::vector<uint8_t>> bytes = base64_decode(text);
    if (!bytes || text.size() % 4 != 0) return change_.text(text);
    const std::string decoded(bytes->begin(), bytes->end());
    const bool is_text = std::ranges::none_of(decoded, [](unsigned char c) { return c < 0x20; });
    return is_text ? base64_encode(change_.text(decoded)) : std::string();
  }

  std::string payload(std::string_view base64) const {
    const std::optional<std::vector<uint8_t>> bytes = base64_decode(base64);
    if (!bytes || !change_.payload) return "";
    return base64_encode(change_.payload(backend_, std::string(bytes->begin(), bytes->end())));
  }

  std::string_view json_;
  const JsonChange& change_;
  const int depth_;
  std::string out_;
  std::string key_;      // the last one
  std::string backend_;  // "backend_id" stands before the payload
};

}  // namespace

Result<std::string> changed_json(std::string_view json, const JsonChange& change) {
  return JsonChanger(json, change, 0).run();
}

}  // namespace etlens
