// SPDX-License-Identifier: Apache-2.0
#include "core/view/module_view.h"

#include "core/facts/delegation.h"

namespace etlens {

ModuleView module_view(const Facts& facts, const Scale& scale, const ModuleFacts& module,
                       std::span<const PartitionId> calls) {
  ModuleView view;
  view.path = module.path;
  view.type = text_or_null(module.type);
  view.self = scale.of(module.self);
  view.self_ticks = module.self.amount.value;
  view.inclusive = scale.of(module.inclusive);
  view.inclusive_ticks = module.inclusive.amount.value;
  view.disturbance_ticks = module.inclusive.disturbance.value;
  view.share = module.inclusive.share;
  view.calls = module.calls;
  view.delegated = fraction_of(module.delegated, module.inclusive.amount);
  view.delegated_ticks = module.delegated.value;
  view.delegates = backends_of(facts, calls);
  view.partitions = call_numbers(facts, calls);
  view.groups = costs_in_groups_view(scale, in_groups(facts, module.id), &CostInGroup::inclusive);
  return view;
}

ModulesView modules_view(const Facts& facts, std::string_view root, Scale scale, HeadView head,
                         const RowChoice& rows) {
  ModulesView view;
  view.head = std::move(head);
  view.modules = Rows<ModuleView>([&facts, root, scale, rows](const auto& take) {
    const std::vector<std::vector<PartitionId>> calls = partitions_of_modules(facts);
    const std::vector<ModuleId> modules = modules_below(facts.code(), root);
    for (const size_t row : chosen_rows(rows, modules.size())) {
      const ModuleFacts module = facts.module(modules[row]);
      take(module_view(facts, scale, module, calls[module.id.value]));
    }
  });
  return view;
}

}  // namespace etlens
