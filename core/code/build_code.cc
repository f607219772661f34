// SPDX-License-Identifier: Apache-2.0
#include "core/code/build_code.h"

#include <algorithm>
#include <memory_resource>

#include "core/code/line_collector.h"
#include "core/code/line_runs.h"
#include "core/code/module_collector.h"

namespace etlens {
namespace {

// What tells the places of nodes apart.
struct PlaceKey {
  StackId stack;  // the node's own, or the one that it borrows
  ModuleStackId modules;
  friend bool operator==(const PlaceKey&, const PlaceKey&) = default;
};

struct PlaceKeyHash {
  size_t operator()(const PlaceKey& key) const {
    return (uint64_t{key.stack.value} << 32 | key.modules.value) * 0x9E3779B97F4A7C15ull;
  }
};

class CodeBuilder {
 public:
  CodeBuilder(std::shared_ptr<const EtRecord> record, const RecordMethod& method,
              const MethodContext& context)
      : record_(*record), context_(context), lines_(*record), modules_(*record), runs_(*record) {
    code_.record = record;
    code_.strings = std::shared_ptr<const StringPool>(record, &record->strings);
    code_.method = method;
  }

  Code build(const std::vector<CallNodes>& calls) {
    find_places(calls);
    lines_.store(code_);
    modules_.store(code_);
    for (const PlaceKey& key : keys_) add_place(key);
    runs_.store(code_);
    for (const CallNodes& call : calls) add_partition(call);
    return std::move(code_);
  }

 private:
  void find_places(const std::vector<CallNodes>& calls) {
    code_.place_of_node.resize(record_.nodes.size());
    for (const NodeId node : context_.nodes().all()) find_place(node);
    for (const CallNodes& call : calls) {
      for (const NodeId node : call.nodes) find_place(node);
    }
  }

  void find_place(NodeId node) {
    PlaceId& place = code_.place_of_node[node.value];
    if (place.valid()) return;
    const PlaceKey key{context_.stack_of(node), context_.modules_of(node)};
    const auto [at, is_new] = place_of_key_.try_emplace(key, PlaceId(keys_.size()));
    place = at->second;
    if (!is_new) return;
    keys_.push_back(key);
    if (const FrameId self = context_.frames().self_of(key.stack); self.valid()) lines_.add(self);
    for (const FrameId frame : context_.frames().lines_of(key.stack)) lines_.add(frame);
    modules_.add(key.modules);
  }

  void add_place(const PlaceKey& key) {
    Place place;
    place.line = lines_.find(context_.frames().self_of(key.stack));
    const std::span<const FrameId> frames = context_.frames().lines_of(key.stack);
    place.stack.reserve(frames.size());
    for (const FrameId frame : frames) place.stack.push_back(lines_.find(frame));
    place.has_modules = key.modules.valid();
    place.module = modules_.deepest_of(key.modules);
    place.owners = modules_.owners_of(key.modules);
    runs_.add(frames, place.stack, key.modules);
    code_.places.push_back(std::move(place));
  }

  void add_partition(const CallNodes& call) {
    Partition row;
    row.number = static_cast<uint32_t>(code_.partitions.size() + 1);
    row.instruction = call.instruction;
    row.backend = call.backend;
    row.nodes = call.nodes;
    row.module = common_module(call.nodes);
    for (const NodeId node : call.nodes) {
      if (const LineId line = code_.place_of(node)->line; line.valid()) row.lines.push_back(line);
    }
    std::sort(row.lines.begin(), row.lines.end());
    row.lines.erase(std::unique(row.lines.begin(), row.lines.end()), row.lines.end());
    code_.partitions.push_back(std::move(row));
  }

  // The deepest module that owns all nodes. Nodes whose stack is only the root (inserted quantize
  // nodes) are left out of the question while others know more.
  ModuleId common_module(const std::vector<NodeId>& nodes) const {
    std::vector<ModuleId> common;
    bool is_first = true;
    for (const NodeId node : nodes) {
      const SharedList<ModuleId>& owners = code_.place_of(node)->owners;
      if (owners.size() == 1) continue;
      if (is_first) {
        common.assign(owners.begin(), owners.end());
      } else {
        std::erase_if(common, [&](ModuleId module) {
          return !std::binary_search(owners.begin(), owners.end(), module);
        });
      }
      is_first = false;
    }
    ModuleId deepest(0);
    for (const ModuleId module : common) {
      if (code_.modules[module.value].depth > code_.modules[deepest.value].depth) deepest = module;
    }
    return deepest;
  }

  const EtRecord& record_;
  const MethodContext& context_;
  Code code_;
  LineCollector lines_;
  ModuleCollector modules_;
  LineRuns runs_;
  std::pmr::monotonic_buffer_resource memory_;
  std::pmr::unordered_map<PlaceKey, PlaceId, PlaceKeyHash> place_of_key_{&memory_};
  std::vector<PlaceKey> keys_;  // one per place
};

}  // namespace

Code build_code(std::shared_ptr<const EtRecord> record, const RecordMethod& method,
                const MethodContext& context, const std::vector<CallNodes>& calls) {
  return CodeBuilder(std::move(record), method, context).build(calls);
}

Code build_code(const std::vector<CallNodes>& calls) {
  const auto strings = std::make_shared<StringPool>();
  Code code;
  code.strings = strings;
  code.modules.push_back({"", {}, {}, 0, 1});
  for (const CallNodes& call : calls) {
    Partition row;
    row.number = static_cast<uint32_t>(code.partitions.size() + 1);
    row.instruction = call.instruction;
    if (!call.backend_name.empty()) row.backend = strings->intern(call.backend_name);
    row.module = ModuleId(0);
    code.partitions.push_back(std::move(row));
  }
  return code;
}

}  // namespace etlens
