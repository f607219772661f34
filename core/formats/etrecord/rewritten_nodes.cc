// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/rewritten_nodes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/framework_file.h"

namespace etlens {
namespace {

// Which stacks have a frame that is not the framework's.
class OwnStacks {
 public:
  explicit OwnStacks(const EtRecord& record) : record_(record) {
    is_own_.reserve(record.frames.size());
    std::unordered_map<StringId, bool> files;
    for (const Frame& frame : record.frames) {
      go_on();
      const auto [at, is_new] = files.try_emplace(frame.file, false);
      if (is_new) at->second = frame.line > 0 && !is_framework_file(record.text(frame.file));
      is_own_.push_back(at->second);
    }
  }

  bool has_own(StackId stack) {
    if (!stack.valid()) return false;
    const auto [at, is_new] = stacks_.try_emplace(stack, false);
    if (!is_new) return at->second;
    const std::span<const FrameId> frames = record_.frames_of(stack);
    go_on(1 + frames.size());
    at->second = std::ranges::any_of(frames, [&](FrameId id) { return is_own_[id.value]; });
    return at->second;
  }

 private:
  const EtRecord& record_;
  std::vector<bool> is_own_;  // by frame
  std::unordered_map<StackId, bool> stacks_;
};

}  // namespace

std::vector<NodeId> rewritten_nodes(const EtRecord& record, bool has_passes) {
  std::vector<NodeId> found;
  OwnStacks stacks(record);
  for (size_t n = 0; n < record.nodes.size(); ++n) {
    go_on();
    const Node& node = record.nodes[n];
    if (!node.exported_name.valid()) continue;
    // Nodes that no pass made may be without a trace, such as those that quantize an input.
    const bool has_frames = node.stack.valid() && record.stacks[node.stack.value].frame_count > 0;
    if (has_passes || (has_frames && !stacks.has_own(node.stack))) found.emplace_back(n);
  }
  return found;
}

void place_on_origins(EtRecord& record, const std::vector<NodeId>& nodes, const EtRecord& exported,
                      ProvenanceTables& provenance) {
  OwnStacks model(exported);
  std::unordered_map<std::string_view, const Node*> origins;
  std::unordered_set<std::string_view> traces;
  for (const Node& node : exported.nodes) {
    go_on();
    origins.try_emplace(exported.text(node.name), &node);
    if (model.has_own(node.stack)) traces.insert(exported.text(node.stack_trace));
  }
  for (const NodeId id : nodes) {
    go_on();
    Node& node = record.nodes[id.value];
    if (node.stack_trace.valid() && traces.contains(record.text(node.stack_trace))) continue;
    const auto origin = origins.find(record.text(node.exported_name));
    if (origin == origins.end() || !model.has_own(origin->second->stack)) continue;
    const Node& from = *origin->second;
    node.stack = provenance.stack_of(record.strings.intern(exported.text(from.stack_trace)));
    if (node.modules.valid() || !from.module_stack_text.valid()) continue;
    node.modules =
        provenance.modules_of(record.strings.intern(exported.text(from.module_stack_text)));
  }
}

}  // namespace etlens
