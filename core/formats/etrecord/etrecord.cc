// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/etrecord.h"

#include <algorithm>

namespace etlens {
namespace {

template <typename Row>
const Row* find_instruction(const std::vector<Row>& rows, Instruction instruction) {
  const auto at =
      std::lower_bound(rows.begin(), rows.end(), instruction,
                       [](const Row& row, Instruction i) { return row.instruction < i; });
  return at != rows.end() && at->instruction == instruction ? &*at : nullptr;
}

}  // namespace

const InstructionHandles* MethodMap::find(Instruction instruction) const {
  return find_instruction(instructions, instruction);
}

const DelegateEntry* MethodMap::find_delegate(Instruction instruction) const {
  return find_instruction(delegates, instruction);
}

const MethodMap* EtRecord::map_of(StringId method) const {
  const auto at = std::lower_bound(maps.begin(), maps.end(), method,
                                   [](const MethodMap& map, StringId m) { return map.method < m; });
  return at == maps.end() || at->method != method ? nullptr : &*at;
}

std::span<const FrameId> EtRecord::frames_of(StackId stack) const {
  if (!stack.valid()) return {};
  const Stack& row = stacks[stack.value];
  return std::span(stack_frames).subspan(row.first_frame, row.frame_count);
}

std::span<const Module> EtRecord::modules_of(ModuleStackId stack) const {
  if (!stack.valid()) return {};
  const ModuleStack& row = module_stacks[stack.value];
  return std::span(modules).subspan(row.first_module, row.module_count);
}

std::string_view EtRecord::origin_target(const Node& node) const {
  const std::string_view origin = text(node.origin);
  const size_t begin = origin.find(kOriginTarget);
  if (begin == std::string_view::npos) return {};
  const std::string_view target = origin.substr(begin + kOriginTarget.size());
  return target.substr(0, target.find('\\'));
}

}  // namespace etlens
