// SPDX-License-Identifier: Apache-2.0
#include "core/code/code.h"

#include <algorithm>

namespace etlens {

const Place* Code::place_of(NodeId node) const {
  if (!node.valid() || node.value >= place_of_node.size()) return nullptr;
  const PlaceId place = place_of_node[node.value];
  return place.valid() ? &places[place.value] : nullptr;
}

PartitionId Code::find_partition(Instruction instruction) const {
  const auto at =
      std::lower_bound(partitions.begin(), partitions.end(), instruction,
                       [](const Partition& row, Instruction i) { return row.instruction < i; });
  if (at == partitions.end() || at->instruction != instruction) return {};
  return PartitionId(static_cast<size_t>(at - partitions.begin()));
}

ModuleId Code::find_module(std::string_view path) const {
  const auto at = std::find_if(modules.begin(), modules.end(),
                               [&](const CodeModule& module) { return module.path == path; });
  return at == modules.end() ? ModuleId() : ModuleId(static_cast<size_t>(at - modules.begin()));
}

LineKey Code::key_of(LineId id) const {
  const CodeLine& line = lines[id.value];
  LineKey key{recorded_path(line.file), text(line.function), text(line.text), 0};
  for (uint32_t l = files[line.file.value].first_line; l < id.value; ++l)
    key.before += lines[l].function == line.function && lines[l].text == line.text;
  return key;
}

bool is_module_below(std::string_view root, std::string_view path) {
  if (root.empty() || path == root) return true;
  return path.starts_with(root) && path[root.size()] == '.';
}

std::vector<ModuleId> modules_below(const Code& code, std::string_view root) {
  std::vector<ModuleId> modules;
  for (size_t m = 0; m < code.modules.size(); ++m) {
    if (is_module_below(root, code.modules[m].path)) modules.emplace_back(m);
  }
  return modules;
}

}  // namespace etlens
