// SPDX-License-Identifier: Apache-2.0
#include "core/program_graph/value_flow.h"

#include <algorithm>

#include "core/base/budget.h"
#include "core/measure/lifetimes.h"
#include "core/program_graph/control_flow.h"
#include "core/program_graph/instruction_uses.h"

namespace etlens {
namespace {

// One place where a slot is read or written; a slot is a value that no other stands for.
struct Event {
  uint32_t slot = 0;
  uint32_t instruction = 0;
  uint32_t read = kNone;  // into ValueFlow::reads; kNone: it is written
};

class FlowFinder {
 public:
  explicit FlowFinder(const ProgramMethod& method)
      : method_(method), lifetimes_(find_lifetimes(method)) {}

  ValueFlow find() {
    flow_.sources.resize(method_.values.size());
    flow_.is_written.resize(method_.values.size());
    for (uint32_t i = 0; i < method_.instructions.size(); ++i) {
      flow_.instructions.push_back(uses_of(method_, lifetimes_, i));
      for (const ValueUse& use : flow_.instructions.back().writes)
        flow_.is_written[use.value] = true;
    }
    find_sources();
    collect_events();
    find_makers();
    return std::move(flow_);
  }

 private:
  void find_sources() {
    for (uint32_t t = 0; t < method_.tensors.size(); ++t) {
      const ProgramTensor& tensor = method_.tensors[t];
      if (tensor.is_constant()) flow_.sources[tensor.value] = ValueSource::Constant;
      else if (lifetimes_[t].is_mutable) flow_.sources[tensor.value] = ValueSource::State;
    }
    std::vector<ValueUse> inputs;
    for (uint32_t a = 0; a < method_.inputs.size(); ++a)
      append_uses(method_, method_.inputs[a], a, inputs);
    for (const ValueUse& use : inputs) flow_.sources[use.value] = ValueSource::Input;
    for (uint32_t a = 0; a < method_.outputs.size(); ++a)
      append_uses(method_, method_.outputs[a], a, flow_.outputs.reads);
  }

  // Of a view that no instruction makes, the value whose bytes it has.
  uint32_t base_of(uint32_t value) const {
    if (flow_.is_written[value] || flow_.sources[value] != ValueSource::None) return value;
    if (method_.tensor_of(value) == nullptr) return value;
    const uint32_t base = lifetimes_[method_.values[value].first].view_of;
    return base == kNone ? value : method_.tensors[base].value;
  }

  void collect_events() {
    for (uint32_t i = 0; i < flow_.instructions.size(); ++i) {
      for (const ValueUse& use : flow_.instructions[i].reads) add_read(i, use);
      for (const ValueUse& use : flow_.instructions[i].writes) events_.push_back({use.value, i});
    }
    const auto end = static_cast<uint32_t>(method_.instructions.size());
    for (const ValueUse& use : flow_.outputs.reads) add_read(end, use);
    std::ranges::stable_sort(events_, {}, &Event::slot);
  }

  void add_read(uint32_t instruction, const ValueUse& use) {
    go_on();
    const uint32_t base = base_of(use.value);
    // Nothing is known of the bytes of a tensor that nothing makes but that they are there.
    const bool is_unknown = !flow_.is_written[base] && method_.tensor_of(base) != nullptr;
    if (is_unknown && flow_.sources[base] == ValueSource::None)
      flow_.sources[base] = ValueSource::State;
    events_.push_back({base, instruction, static_cast<uint32_t>(flow_.reads.size())});
    flow_.reads.push_back({use, instruction, base, {}});
  }

  void find_makers() {
    const ControlFlow blocks(method_);
    DefinitionSearch search(blocks);
    for (size_t begin = 0; begin < events_.size();) {
      size_t end = begin;
      while (end < events_.size() && events_[end].slot == events_[begin].slot) ++end;
      follow({events_.data() + begin, end - begin}, blocks, search);
      begin = end;
    }
  }

  // The events of one slot, in the order of instructions.
  void follow(std::span<const Event> events, const ControlFlow& blocks, DefinitionSearch& search) {
    const bool has_source = flow_.sources[events.front().slot] != ValueSource::None;
    search.begin(has_source);
    for (const Event& event : events) {
      go_on();
      if (event.read == kNone) search.define(event.instruction);
    }
    uint32_t block = kNone;
    uint32_t latest = kNone;  // that wrote it in this block
    for (const Event& event : events) {
      go_on();
      const uint32_t at = blocks.block_of(event.instruction);
      if (at != block) latest = kNone;
      block = at;
      if (event.read == kNone) latest = event.instruction;
      else if (latest != kNone) flow_.reads[event.read].makers = {latest};
      else flow_.reads[event.read].makers = search.reaching(block);
    }
  }

  const ProgramMethod& method_;
  std::vector<Lifetime> lifetimes_;
  ValueFlow flow_;
  std::vector<Event> events_;
};

}  // namespace

ValueFlow find_value_flow(const ProgramMethod& method) { return FlowFinder(method).find(); }

}  // namespace etlens
