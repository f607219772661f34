// SPDX-License-Identifier: Apache-2.0
// The graph of one method, of a program and the record of its export, or of a record alone.
#pragma once

#include <memory>
#include <string>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/program_graph/program_graph.h"
#include "core/workspace/load.h"

namespace etlens {

struct LoadedGraph {
  std::string pte;       // "" without one
  std::string etrecord;  // "" without one
  ProgramGraph graph;
  LoadReport report;  // of the program
};

// Of a program that is loaded. Reads the payloads of its delegate calls.
ProgramGraph graph_of_loaded(const FileSystem& files, const EtProgram& program,
                             const ProgramMethod& method, std::shared_ptr<const Code> code,
                             const Backends& backends);

// The files and the method that the request names: a program, a record, or both. Errors are one
// sentence: which file, what is wrong, what to do.
Result<LoadedGraph> load_graph(const FileSystem& files, const LoadRequest& request,
                               const CancelToken& cancel = {});

}  // namespace etlens
