// SPDX-License-Identifier: Apache-2.0
// etlens/edgeProgram: the graph of the method as a document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/place.h"

namespace etlens::extensions {

struct EdgeProgramNode {
  uint32_t line = 0;  // of the text
  std::string name;
  std::optional<SourceLine> source;
  Time self;
  uint32_t heat = 0;                  // 0 (cold) to 4
  std::optional<std::string> module;  // the path; absent if nothing tells
  std::string where;                  // the delegate that runs it; "" on the CPU
};
FIELDS(EdgeProgramNode, line, name, source, self, heat, module, where)

struct EdgeProgramResult {
  uint64_t generation = 0;
  lsp::DocumentUri uri;  // of the document with this text, for clients that can show it
  std::string text;
  std::vector<EdgeProgramNode> nodes;
};
FIELDS(EdgeProgramResult, generation, uri, text, nodes)

}  // namespace etlens::extensions
