// SPDX-License-Identifier: Apache-2.0
// etlens/memory: planned memory, tensor by tensor.
#include <algorithm>

#include "core/render/memory_report.h"
#include "server/features/features.h"
#include "server/features/program_places.h"

namespace etlens {
namespace {

constexpr size_t kMostLines = 5;

class MemoryLister {
 public:
  MemoryLister(Session& session, const OpenProgram& program, size_t method)
      : method_(method), facts_(program.memory[method]), places_(session, program) {}

  void fill(extensions::MemoryResult& result) {
    for (uint32_t i = 0; i < facts_.method().instructions.size(); ++i)
      result.instructions.emplace_back(facts_.op_at(i));
    result.peak = byte_count(facts_.peak());
    result.peak_instruction = facts_.peak_instruction();
    for (const PlannedBuffer& row : facts_.buffers()) result.buffers.push_back(buffer(row));
    for (size_t r = 0; r < facts_.tensor_count(); ++r) {
      const TensorFacts tensor = facts_.tensor(r);
      // A damaged plan may name buffers that it does not have: the report says so.
      if (tensor.memory_id > 0 && tensor.memory_id <= result.buffers.size())
        result.buffers[tensor.memory_id - 1].tensors.push_back(item(tensor));
    }
    for (const MemoryLineFacts& row : facts_.lines()) {
      if (row.at_peak == 0 || result.lines.size() == kMostLines) break;
      if (const std::optional<uint32_t> place = places_.add(method_, row.line))
        result.lines.push_back({byte_count(row.at_peak), row.share, *place});
    }
    for (const WaitingFacts& row : facts_.waiting()) result.waiting.push_back(waiting(row));
    result.unplanned = static_cast<uint32_t>(facts_.unplanned().size());
    result.places = places_.take();
  }

 private:
  static extensions::MemoryBuffer buffer(const PlannedBuffer& row) {
    extensions::MemoryBuffer buffer;
    buffer.id = row.id;
    buffer.size = byte_count(row.size);
    buffer.peak = byte_count(row.peak);
    buffer.peak_instruction = row.peak_instruction;
    buffer.without_reuse = byte_count(row.without_reuse);
    buffer.live = row.live;
    return buffer;
  }

  extensions::MemoryTensor item(const TensorFacts& tensor) {
    extensions::MemoryTensor item;
    item.value = tensor.value;
    item.offset = tensor.offset;
    item.bytes = byte_count(tensor.bytes);
    item.at_peak = tensor.at_peak;
    item.share = tensor.share;
    item.type = tensor_text(tensor);
    item.first = tensor.first;
    item.last = tensor.last;
    item.view_of = tensor.view_of;
    item.roles = role_names(tensor);
    if (!tensor.buffer.empty()) item.buffer = tensor.buffer;
    item.written = places_.add(method_, tensor.written);
    item.op = tensor.op;
    if (!tensor.node.empty()) item.node = tensor.node;
    item.module = tensor.module_path;
    if (tensor.partition.valid())
      item.partition = facts_.code().partitions[tensor.partition.value].number;
    item.place = places_.add(method_, tensor.line);
    return item;
  }

  extensions::MemoryWaiting waiting(const WaitingFacts& row) {
    extensions::MemoryWaiting waiting;
    waiting.instruction = row.instruction;
    waiting.bytes = byte_count(row.bytes);
    waiting.share = row.share;
    waiting.text = waiting_text(facts_, row);
    for (const size_t r : row.tensors) waiting.values.push_back(facts_.tensor(r).value);
    waiting.place = places_.add(method_, row.line);
    return waiting;
  }

  size_t method_;
  const MemoryFacts& facts_;
  ProgramPlaces places_;
};

void add_allocators(const Session& session, extensions::MemoryResult& result) {
  if (session.time_facts() == nullptr || session.time_facts()->study().pte_path != result.pte)
    return;
  for (const AllocatorFacts& row : allocator_facts(*session.time_facts()->join().log)) {
    result.allocators.push_back({std::string(row.block), row.name, row.executions, row.events,
                                 byte_count(row.most), byte_count(row.largest)});
  }
}

}  // namespace

extensions::MemoryResult list_memory(Session& session, const ProgramLoader::Program& program,
                                     const extensions::MemoryParams& params) {
  extensions::MemoryResult result;
  const OpenProgram* const read = begin_answer(session, program, result);
  if (read == nullptr) return result;
  const OpenProgram& open = *read;
  const std::optional<size_t> method = chosen_method(session, open.program(), params.method);
  for (size_t m = 0; m < open.memory.size(); ++m) {
    result.methods.push_back(
        {open.memory[m].method().name, byte_count(open.memory[m].peak()), method == m});
  }
  add_allocators(session, result);
  if (method) MemoryLister(session, open, *method).fill(result);
  else result.why = open.pte + " has no method" + (params.method ? " " + *params.method : "");
  return result;
}

}  // namespace etlens
