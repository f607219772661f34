// SPDX-License-Identifier: Apache-2.0
// The prompts: what a person can have the agent do with the tools.
#pragma once

#include <string>
#include <string_view>

#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "protocol/json.h"

namespace etlens::mcp {

// The members of a prompts/list result.
void write_prompts(JsonWriter& out);
// Those of a prompts/get result. InvalidParams for a prompt or argument that there is not.
Result<void> write_prompt(JsonWriter& out, const lsp::Json& params);

// What a model should know before it calls any tool.
std::string_view instructions();

}  // namespace etlens::mcp
