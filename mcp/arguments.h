// SPDX-License-Identifier: Apache-2.0
// Arguments of a tool: which there are, whether those of a call are such, and what they say.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "protocol/json.h"

namespace etlens::mcp {

enum class ArgumentType { Text, Texts, Count, Flag };

struct ArgumentRow {
  const char* name;
  ArgumentType type;
  const char* description;
  bool is_required = false;
};

class Arguments {
 public:
  // InvalidParams, one sentence for who has to write them again.
  static Result<Arguments> read(const lsp::Json& json, std::span<const ArgumentRow> rows);

  // "" and {} if it was not given.
  std::string text(const char* name) const;
  std::vector<std::string> texts(const char* name) const;
  size_t count(const char* name, size_t otherwise) const;
  bool flag(const char* name, bool otherwise) const;

 private:
  lsp::Json json_;
};

// The schema of an object of these.
void write_schema(JsonWriter& out, std::span<const ArgumentRow> rows);

}  // namespace etlens::mcp
