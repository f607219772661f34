// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/json_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/budget.h"
#include "core/base/json_escapes.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr int kMaxDepth = 8;
constexpr std::array<std::string_view, 4> kWeights{"original_state_dict", "original_constants",
                                                   "named_data_store", "state_dict"};

Error no_json(std::string_view what) {
  return {ErrorCode::Corrupt, "its JSON is damaged: " + std::string(what)};
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
      std::string text = unescape_json(raw);
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
