// SPDX-License-Identifier: Apache-2.0
// Profiles for golden files (txtar.h).
//
// profile.json describes a profile in the domain's words; GoldenProfile turns it into real
// artifacts:
//   "nodes":      [{"name", "op", "handle", "at": [["model.py", 16, "forward"], …],
//                   "modules", "inputs"}]
//                 frames outermost first; their texts are taken from the sources
//   "map":        {"0": [1]}
//   "delegates":  {"2": {"name": "XnnpackBackend", "delegate_map": {}}}
//   "executions": [[["op", "addmm.out", 0, 120], ["call", 2, 300, [["Clamp (NC) #1", 40]]], …]]
//                 durations in ticks; 1 tick of dispatch on each side of a kernel, 10 at the end
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/workspace/load.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/txtar.h"

namespace etlens::test {

struct GoldenProfile {
  MemoryFileSystem files;
  LoadRequest request;
  std::shared_ptr<const Study> study;
  std::string error;  // if it could not be loaded
};
// Loads what the sections describe: profile.json, settings.json if there is one (method, block,
// libraryFrames, statistic, executions, raw), and the sources, which lie in /work. A section `NAME
// (edited)` replaces NAME on disk after the traces were made.
void load_golden(const std::vector<Section>& sections, GoldenProfile& profile);

}  // namespace etlens::test
