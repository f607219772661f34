// SPDX-License-Identifier: Apache-2.0
// A module and what it costs, and the tree of them: the document of `etlens modules`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/view/place_view.h"
#include "core/view/row_choice.h"

namespace etlens {

struct ModuleView {
  std::string_view path;  // "" is the root
  Nullable<std::string_view> type;
  double self = 0;
  int64_t self_ticks = 0;
  double inclusive = 0;
  int64_t inclusive_ticks = 0;
  int64_t disturbance_ticks = 0;
  double share = 0;  // of the inclusive time
  uint32_t calls = 0;
  double delegated = 0;
  int64_t delegated_ticks = 0;
  std::vector<std::string_view> delegates;
  std::vector<uint32_t> partitions;
  CostsInGroupsView groups;
};
FIELDS(ModuleView, path, type, self, self_ticks, inclusive, inclusive_ticks, disturbance_ticks,
       share, calls, delegated, delegated_ticks, delegates, partitions, groups)

struct ModulesView {
  Literal<"etlens/modules@2"> schema;
  Spread<HeadView> head;
  Rows<ModuleView> modules;
};
FIELDS(ModulesView, schema, head, modules)

// `calls`: what of its calls ran in delegates (core/facts/delegation.h).
ModuleView module_view(const Facts& facts, const Scale& scale, const ModuleFacts& module,
                       std::span<const PartitionId> calls);
// `root`: a module path; only it and what is below it.
ModulesView modules_view(const Facts& facts, std::string_view root, Scale scale, HeadView head,
                         const RowChoice& rows);

}  // namespace etlens
