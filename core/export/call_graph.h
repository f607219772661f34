// SPDX-License-Identifier: Apache-2.0
// The call graph of a Python profile in Graphviz' language, for its `dot`: functions with their
// times, and who called whom how often. Functions with less than 0.5 % of the whole time and calls
// with less than 0.1 % are left out.
#pragma once

#include "core/export/sink.h"
#include "core/formats/pstats/python_profile.h"

namespace etlens {

void write_call_graph(const PythonProfile& profile, Sink& sink);

}  // namespace etlens
