// SPDX-License-Identifier: Apache-2.0
// etlens/modules: the tree of modules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/comparison.h"

namespace etlens::extensions {

struct ModuleItem {
  std::string path;  // "" is the root
  std::optional<std::string> type;
  std::optional<uint32_t> parent;  // index in the list
  uint32_t depth = 0;
  uint32_t calls = 0;
  Time self;
  Time inclusive;
  Time disturbance;                  // that executions had beyond the inclusive time, on average
  double share = 0;                  // of the inclusive time
  std::optional<SourceLine> source;  // a line where its time is spent
  std::optional<ChangeItem> change;  // of the inclusive time; absent without a baseline
};
FIELDS(ModuleItem, path, type, parent, depth, calls, self, inclusive, disturbance, share, source,
       change)

struct ModulesResult {
  uint64_t generation = 0;
  std::vector<ModuleItem> modules;  // parents before children; the first is the root
};
FIELDS(ModulesResult, generation, modules)

}  // namespace etlens::extensions
