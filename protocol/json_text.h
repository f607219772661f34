// SPDX-License-Identifier: Apache-2.0
// Writes values of the protocol as JSON text: core/base/fields_json.h for its own types.
#pragma once

#include <concepts>
#include <string>

#include "core/base/fields_json.h"
#include "protocol/json.h"
#include "protocol/uri.h"

namespace etlens::lsp {

// The JSON value null, as a result.
struct Null {};

void write_tree(JsonWriter& out, const Json& json);
// Of what a client sends back: names as they were before they were written into a message, where
// nothing is invisible.
void put_back(Json& json);
inline void write_json(JsonWriter& out, const JsonText& json) { out.raw(json.text); }
inline void write_json(JsonWriter& out, Null) { out.null(); }
inline void write_json(JsonWriter& out, const DocumentUri& uri) { out.exact(uri.string()); }

}  // namespace etlens::lsp

namespace etlens {

// Here, where it is found for the writer's sake: the tree is of another library. A template, so
// that nobody asks of every struct whether it could become a tree: that compiles slowly.
template <std::same_as<lsp::Json> T>
void write_json(JsonWriter& out, const T& json) {
  lsp::write_tree(out, json);
}

}  // namespace etlens

namespace etlens::lsp {

template <typename T>
std::string to_json_text(const T& value) {
  return json_text(value, JsonStyle::Message);
}

// The value as a tree: for fields of type LSPAny.
template <typename T>
Json to_json_value(const T& value) {
  return Json::parse(to_json_text(value), nullptr, /*allow_exceptions=*/false);
}

}  // namespace etlens::lsp
