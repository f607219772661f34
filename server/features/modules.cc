// SPDX-License-Identifier: Apache-2.0
// etlens/modules: the tree of modules.
#include "core/facts/delegation.h"
#include "server/features/features.h"

namespace etlens {

extensions::ModulesResult list_modules(Session& session) {
  extensions::ModulesResult result;
  result.head = list_head(session, session.facts());
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.facts();
  const Comparison* comparison = session.shown_comparison();
  const std::vector<std::vector<PartitionId>> calls = partitions_of_modules(facts);
  for (size_t m = 0; m < facts.code().modules.size(); ++m) {
    const ModuleFacts module = facts.module(ModuleId(m));
    extensions::ModuleItem& item = result.modules.emplace_back();
    item.module = module_view(facts, scale_of(facts), module, calls[m]);
    if (module.parent.valid()) item.parent = module.parent.value;
    item.depth = module.depth;
    item.self_text = value_words(session, facts, module.self.value);
    item.inclusive_text = value_words(session, facts, module.inclusive.value);
    item.spread_text = spread_words(session, facts, module.inclusive);
    if (module.line.valid()) item.source = source_line(session, facts, module.line);
    const ModuleChange* change = comparison ? comparison->of_module(ModuleId(m)) : nullptr;
    if (change != nullptr) item.change = change_item(session, change->change);
  }
  return result;
}

}  // namespace etlens
