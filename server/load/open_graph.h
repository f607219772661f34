// SPDX-License-Identifier: Apache-2.0
// OpenGraph: a method as a graph, with what it was made of. Immutable and shared.
#pragma once

#include <cstddef>
#include <memory>

#include "core/workspace/load_graph.h"
#include "server/load/open_program.h"

namespace etlens {

struct OpenGraph {
  LoadedGraph loaded;
  std::shared_ptr<const OpenProgram> program;  // null: of a record alone
  size_t method = 0;                           // of the program
};

}  // namespace etlens
