// SPDX-License-Identifier: Apache-2.0
#include "core/view/memory_view.h"

namespace etlens {
namespace {

TensorView tensor_view(const Code& code, const TensorFacts& tensor) {
  TensorView view;
  view.value = tensor.value;
  view.memory_id = tensor.memory_id;
  view.offset = tensor.offset;
  view.bytes = tensor.bytes;
  view.dtype = tensor.dtype;
  view.shape.assign(tensor.shape.begin(), tensor.shape.end());
  view.first = tensor.first;
  view.last = tensor.last;
  view.view_of = tensor.view_of;
  if (tensor.is_input) view.roles.push_back("input");
  if (tensor.is_output) view.roles.push_back("output");
  if (tensor.is_mutable) view.roles.push_back("mutable");
  if (tensor.is_scratch) view.roles.push_back("scratch");
  view.node = text_or_null(tensor.node);
  view.line = place_view(code, tensor.line);
  view.buffer = text_or_null(tensor.buffer);
  view.written = place_view(code, tensor.written);
  return view;
}

std::vector<AllocatorView> allocators_view(const std::vector<AllocatorFacts>& allocators) {
  std::vector<AllocatorView> views;
  for (const AllocatorFacts& row : allocators)
    views.push_back(
        {row.block, row.allocator, row.name, row.executions, row.events, row.most, row.largest});
  return views;
}

}  // namespace

MemoryView memory_view(const MemoryFacts& facts,
                       const std::optional<std::vector<AllocatorFacts>>& allocators,
                       const RowChoice& rows) {
  MemoryView view;
  view.method = facts.method().name;
  for (const PlannedBuffer& buffer : facts.buffers()) {
    view.buffers.push_back({buffer.id, buffer.size, buffer.peak, buffer.peak_instruction});
    view.live.emplace_back(std::to_string(buffer.id), buffer.live);
  }
  view.tensors = Rows<TensorView>([&facts, rows](const auto& take) {
    for (const size_t row : chosen_rows(rows, facts.tensor_count()))
      take(tensor_view(facts.code(), facts.tensor(row)));
  });
  view.unplanned = facts.unplanned();
  if (allocators) view.allocators = allocators_view(*allocators);
  return view;
}

}  // namespace etlens
