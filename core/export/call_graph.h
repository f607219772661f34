// SPDX-License-Identifier: Apache-2.0
// The call graph of a Python profile in Graphviz' language, for its `dot`: functions with their
// times, and who called whom how often.
#pragma once

#include "core/export/sink.h"
#include "core/formats/pstats/python_profile.h"

namespace etlens {

struct CallGraphOptions {
  // Shares of the whole time below which functions and calls are left out.
  double least_function = 0.005;
  double least_call = 0.001;
};

void write_call_graph(const PythonProfile& profile, const CallGraphOptions& options, Sink& sink);

}  // namespace etlens
