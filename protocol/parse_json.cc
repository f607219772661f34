// SPDX-License-Identifier: Apache-2.0
// simdjson reads nearly every message. What it refuses, numbers out of all ranges among it,
// nlohmann has the last word on, slower and more lenient.
#include "protocol/parse_json.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <memory>

namespace etlens::lsp {
namespace {

namespace dom = simdjson::dom;

// A parser keeps what its largest message needed.
constexpr size_t kMaxKeptBytes = 1 << 20;

Json to_tree(dom::element element) {
  switch (element.type()) {
    case dom::element_type::OBJECT: {
      Json::object_t fields;
      for (const auto [key, value] : dom::object(element))
        fields.insert_or_assign(std::string(key), to_tree(value));
      return fields;
    }
    case dom::element_type::ARRAY: {
      Json::array_t values;
      for (const dom::element value : dom::array(element)) values.push_back(to_tree(value));
      return values;
    }
    case dom::element_type::STRING:
      return std::string(std::string_view(element));
    case dom::element_type::INT64: {
      // As nlohmann has it: only numbers below zero are signed.
      const auto number = int64_t(element);
      return number < 0 ? Json(number) : Json(static_cast<uint64_t>(number));
    }
    case dom::element_type::UINT64:
      return uint64_t(element);
    case dom::element_type::DOUBLE:
      return double(element);
    case dom::element_type::BOOL:
      return bool(element);
    case dom::element_type::NULL_VALUE:
      return nullptr;
  }
  return nullptr;
}

// How deep arrays and objects nest, and how many values there are at most. Looks at the text, so
// that nothing is built of a message that will be refused.
struct Shape {
  size_t depth = 0;
  size_t values = 1;
};

Shape shape_of(std::string_view text) {
  Shape shape;
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      else if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      shape.depth = std::max(shape.depth, ++depth);
      ++shape.values;
    } else if (c == ',') {
      ++shape.values;
    } else if (c == ']' || c == '}') {
      if (depth > 0) --depth;
    }
  }
  return shape;
}

std::optional<Json> parse_fast(std::string_view text) {
  static thread_local std::unique_ptr<dom::parser> kept;
  if (!kept) {
    kept = std::make_unique<dom::parser>();
    if (kept->allocate(4096, kMaxJsonDepth) != simdjson::SUCCESS) return std::nullopt;
  }
  dom::element root;
  const bool ok = kept->parse(text.data(), text.size(), /*realloc_if_needed=*/true).get(root) ==
                  simdjson::SUCCESS;
  std::optional<Json> tree;
  if (ok) tree = to_tree(root);
  if (text.size() > kMaxKeptBytes) kept.reset();
  return tree;
}

// The number of an escape \uXXXX at the front of `text`; 0 for anything else.
uint32_t escaped_unit(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("\\u")) return 0;
  uint32_t unit = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return error == std::errc() && end == text.data() + 6 ? unit : 0;
}

// Editors in JavaScript write half of a character as an escape of its own, while it is typed. It is
// no text; a replacement of the same width keeps all positions behind it.
std::string without_half_characters(std::string_view text) {
  const auto is_high = [](uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; };
  const auto is_low = [](uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; };
  std::string whole;
  whole.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '\\') {
      whole += text[at++];
      continue;
    }
    const uint32_t unit = escaped_unit(text.substr(at));
    size_t length = unit == 0 ? 2 : 6;
    if (is_high(unit) && is_low(escaped_unit(text.substr(at + 6)))) length = 12;
    if (length == 6 && (is_high(unit) || is_low(unit))) whole += "\\uFFFD";
    else whole += text.substr(at, length);
    at += length;
  }
  return whole;
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  // A value takes two characters at least.
  if (text.size() / 2 > kMaxJsonValues && shape_of(text).values > kMaxJsonValues) {
    return Error{ErrorCode::Corrupt,
                 "the message holds more than " + std::to_string(kMaxJsonValues) + " values"};
  }
  if (std::optional<Json> tree = parse_fast(text)) return std::move(*tree);
  if (shape_of(text).depth > kMaxJsonDepth) {
    return Error{ErrorCode::Corrupt,
                 "the message nests deeper than " + std::to_string(kMaxJsonDepth)};
  }
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    json = Json::parse(without_half_characters(text), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Error{ErrorCode::Corrupt, "the message is not JSON"};
  return json;
}

}  // namespace etlens::lsp
