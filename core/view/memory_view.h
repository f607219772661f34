// SPDX-License-Identifier: Apache-2.0
// The memory that an exporter planned for a method: the document of `etlens memory`. Bytes are not
// rounded; first and last are instructions, both included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/facts/allocator_facts.h"
#include "core/facts/memory_facts.h"
#include "core/view/place_view.h"
#include "core/view/row_choice.h"

namespace etlens {

struct BufferView {
  uint32_t id = 0;
  uint64_t size = 0;
  uint64_t peak = 0;
  uint32_t peak_instruction = 0;
};
FIELDS(BufferView, id, size, peak, peak_instruction)

struct TensorView {
  uint32_t value = 0;  // in the plan's table
  uint32_t memory_id = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  std::string_view dtype;
  std::vector<int32_t> shape;
  uint32_t first = 0;
  uint32_t last = 0;
  Nullable<uint32_t> view_of;           // a value
  std::vector<std::string_view> roles;  // input, output, mutable, scratch
  Nullable<std::string_view> node;
  Nullable<PlaceView> line;
  Nullable<std::string_view> buffer;  // state: its dotted path in the model
  Nullable<PlaceView> written;        // state: the line that computes its new value
};
FIELDS(TensorView, value, memory_id, offset, bytes, dtype, shape, first, last, view_of, roles, node,
       line, buffer, written)

// What an allocator gave out while the program ran.
struct AllocatorView {
  std::string_view block;
  int32_t allocator = 0;
  std::string name;
  uint64_t executions = 0;
  uint64_t events = 0;   // of all of them
  uint64_t most = 0;     // bytes in one execution
  uint64_t largest = 0;  // bytes of one event
};
FIELDS(AllocatorView, block, allocator, name, executions, events, most, largest)

struct MemoryView {
  Literal<"etlens/memory@1"> schema;
  std::string_view method;
  std::vector<BufferView> buffers;
  Rows<TensorView> tensors;
  std::vector<std::pair<std::string, std::vector<uint64_t>>> live;  // by buffer: bytes in use
  std::vector<uint32_t> unplanned;                                  // values
  Nullable<std::vector<AllocatorView>> allocators;                  // null without a dump
};
FIELDS(MemoryView, schema, method, buffers, tensors, live, unplanned, allocators)

// `allocators`: of a dump of the program. All that is passed by reference must outlive the view.
MemoryView memory_view(const MemoryFacts& facts,
                       const std::optional<std::vector<AllocatorFacts>>& allocators,
                       const RowChoice& rows);

}  // namespace etlens
