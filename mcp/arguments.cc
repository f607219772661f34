// SPDX-License-Identifier: Apache-2.0
#include "mcp/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "protocol/json_text.h"

namespace etlens::mcp {
namespace {

// 5.0, which is a whole number in JSON.
bool is_whole(const lsp::Json& value) {
  if (!value.is_number_float()) return false;
  const auto number = value.get<double>();
  return number >= 0 && number <= 1e15 && number == std::floor(number);
}

bool has_type(const lsp::Json& value, ArgumentType type) {
  switch (type) {
    case ArgumentType::Text:
      return value.is_string();
    case ArgumentType::Texts:
      return value.is_string() ||
             (value.is_array() && std::all_of(value.begin(), value.end(),
                                              [](const lsp::Json& v) { return v.is_string(); }));
    case ArgumentType::Count:
      return value.is_number_unsigned() || is_whole(value);
    case ArgumentType::Flag:
      return value.is_boolean();
  }
  return false;
}

const char* words_of(ArgumentType type) {
  switch (type) {
    case ArgumentType::Text:
      return "a string";
    case ArgumentType::Texts:
      return "a list of strings";
    case ArgumentType::Flag:
      return "true or false";
    case ArgumentType::Count:
      break;
  }
  return "a whole number from 0 on";
}

Error unknown_argument(const std::string& name, std::span<const ArgumentRow> rows) {
  std::vector<std::string> names;
  for (const ArgumentRow& row : rows) names.emplace_back(row.name);
  return {ErrorCode::InvalidParams,
          fmt::format("there is no argument {}; there are {}", name, join(names, ", "))};
}

}  // namespace

Result<Arguments> Arguments::read(const lsp::Json& json, std::span<const ArgumentRow> rows) {
  Arguments arguments;
  arguments.json_ = lsp::Json::object();
  if (!json.is_null() && !json.is_object())
    return Error{ErrorCode::InvalidParams, "the arguments are not an object; give one"};
  for (const auto& [name, value] : json.items()) {
    const auto row =
        std::find_if(rows.begin(), rows.end(),
                     [&, &name = name](const ArgumentRow& one) { return one.name == name; });
    if (row == rows.end()) return unknown_argument(name, rows);
    if (value.is_null()) continue;  // as if it were not there
    if (!has_type(value, row->type)) {
      return Error{ErrorCode::InvalidParams, fmt::format("{} is not {}; it is: {}", name,
                                                         words_of(row->type), row->description)};
    }
    if (row->type == ArgumentType::Count) arguments.json_[name] = value.get<uint64_t>();
    else lsp::put_back(arguments.json_[name] = value);
  }
  for (const ArgumentRow& row : rows) {
    if (row.is_required && !arguments.json_.contains(row.name)) {
      return Error{ErrorCode::InvalidParams,
                   fmt::format("{} is missing; it is: {}", row.name, row.description)};
    }
  }
  return arguments;
}

std::string Arguments::text(const char* name) const { return json_.value(name, std::string()); }

std::vector<std::string> Arguments::texts(const char* name) const {
  const auto at = json_.find(name);
  if (at == json_.end()) return {};
  if (at->is_string()) return {at->get<std::string>()};
  return at->get<std::vector<std::string>>();
}

size_t Arguments::count(const char* name, size_t otherwise) const {
  return json_.value(name, otherwise);
}

bool Arguments::flag(const char* name, bool otherwise) const {
  return json_.value(name, otherwise);
}

void write_schema(JsonWriter& out, std::span<const ArgumentRow> rows) {
  out.begin_object().field("type", "object").key("properties").begin_object();
  for (const ArgumentRow& row : rows) {
    out.key(row.name).begin_object();
    if (row.type == ArgumentType::Text) out.field("type", "string");
    if (row.type == ArgumentType::Flag) out.field("type", "boolean");
    if (row.type == ArgumentType::Count) out.field("type", "integer").field("minimum", 0);
    if (row.type == ArgumentType::Texts) {
      out.field("type", "array").key("items").begin_object().field("type", "string").end_object();
    }
    out.field("description", row.description).end_object();
  }
  out.end_object().key("required").begin_array();
  for (const ArgumentRow& row : rows) {
    if (row.is_required) out.value(row.name);
  }
  out.end_array().field("additionalProperties", false).end_object();
}

}  // namespace etlens::mcp
