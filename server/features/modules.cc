// SPDX-License-Identifier: Apache-2.0
// etlens/modules: the tree of modules.
#include "server/features/features.h"

namespace etlens {

extensions::ModulesResult list_modules(Session& session) {
  extensions::ModulesResult result;
  result.generation = session.generation();
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.facts();
  for (size_t m = 0; m < facts.code().modules.size(); ++m) {
    const ModuleFacts module = facts.module(ModuleId(m));
    extensions::ModuleItem& item = result.modules.emplace_back();
    item.path = module.path;
    if (!module.type.empty()) item.type = module.type;
    if (module.parent.valid()) item.parent = module.parent.value;
    item.depth = module.depth;
    item.calls = module.calls;
    item.self = amount_value(session, facts, module.self.value);
    item.inclusive = amount_value(session, facts, module.inclusive.value);
    item.disturbance = disturbance_of(session, facts, module.inclusive);
    item.share = module.inclusive.share;
    if (module.line.valid()) item.source = source_line(session, facts, module.line);
    const Comparison* comparison = session.shown_comparison();
    const ModuleChange* change = comparison ? comparison->of_module(ModuleId(m)) : nullptr;
    if (change != nullptr) item.change = change_item(session, change->change);
  }
  return result;
}

}  // namespace etlens
