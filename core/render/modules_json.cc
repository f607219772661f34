// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens modules`.
#include "core/facts/delegation.h"
#include "core/render/report_json.h"
#include "core/render/report_writer.h"

namespace etlens {

std::string modules_json(const Facts& facts, std::string_view root, TimeScale target,
                         const RowChoice& rows) {
  ReportWriter out(facts, target);
  out.head("etlens/modules@2");
  JsonWriter& json = out.json();
  json.key("modules").begin_array();
  const std::vector<std::vector<PartitionId>> partitions = partitions_of_modules(facts);
  const std::vector<ModuleId> modules = modules_below(facts.code(), root);
  for (const size_t row : chosen_rows(rows, modules.size())) {
    const ModuleFacts module = facts.module(modules[row]);
    const std::vector<PartitionId>& calls = partitions[module.id.value];
    json.begin_object().field("path", module.path);
    out.nullable("type", module.type);
    out.cost("self", module.self);
    out.cost("inclusive", module.inclusive);
    json.field("disturbance_ticks", module.inclusive.disturbance.value);
    json.field("share", module.inclusive.share).field("calls", module.calls);
    json.field("delegated", fraction_of(module.delegated, module.inclusive.amount));
    json.field("delegated_ticks", module.delegated.value);
    out.backends("delegates", out.backends_of(calls));
    out.partition_numbers(calls);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace etlens
