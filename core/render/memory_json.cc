// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens memory`.
#include "core/base/json_writer.h"
#include "core/render/json_parts.h"
#include "core/render/memory_report.h"

namespace etlens {
namespace {

class MemoryWriter {
 public:
  explicit MemoryWriter(const MemoryFacts& facts) : facts_(facts) {}

  std::string run(const DumpAllocators& allocators, const RowChoice& rows) {
    json_.begin_object().field("schema", "etlens/memory@1");
    json_.field("method", facts_.method().name);
    json_.key("buffers").begin_array();
    for (const PlannedBuffer& buffer : facts_.buffers()) {
      json_.begin_object().field("id", buffer.id).field("size", buffer.size);
      json_.field("peak", buffer.peak).field("peak_instruction", buffer.peak_instruction);
      json_.end_object();
    }
    json_.end_array().key("tensors").begin_array();
    for (const size_t r : chosen_rows(rows, facts_.tensor_count())) tensor(facts_.tensor(r));
    json_.end_array().key("live").begin_object();
    for (const PlannedBuffer& buffer : facts_.buffers()) {
      json_.key(std::to_string(buffer.id)).begin_array();
      for (const uint64_t bytes : buffer.live) json_.value(bytes);
      json_.end_array();
    }
    json_.end_object().key("unplanned").begin_array();
    for (const uint32_t value : facts_.unplanned()) json_.value(value);
    json_.end_array().key("allocators");
    list(allocators);
    json_.end_object();
    return json_.take();
  }

 private:
  void tensor(const TensorFacts& tensor) {
    json_.begin_object().field("value", tensor.value).field("memory_id", tensor.memory_id);
    json_.field("offset", tensor.offset).field("bytes", tensor.bytes);
    json_.field("dtype", tensor.dtype).key("shape").begin_array();
    for (const int32_t size : tensor.shape) json_.value(size);
    json_.end_array().field("first", tensor.first).field("last", tensor.last).key("view_of");
    if (tensor.view_of) json_.value(*tensor.view_of);
    else json_.null();
    json_.key("roles").begin_array();
    if (tensor.is_input) json_.value("input");
    if (tensor.is_output) json_.value("output");
    if (tensor.is_mutable) json_.value("mutable");
    if (tensor.is_scratch) json_.value("scratch");
    json_.end_array();
    write_nullable(json_, "node", tensor.node);
    json_.key("line");
    write_place(json_, facts_.code(), tensor.line);
    json_.end_object();
  }

  void list(const DumpAllocators& allocators) {
    if (!allocators) {
      json_.null();
      return;
    }
    json_.begin_array();
    for (const AllocatorFacts& row : *allocators) {
      json_.begin_object().field("block", row.block).field("allocator", row.allocator);
      json_.field("name", row.name).field("executions", row.executions);
      json_.field("events", row.events).field("most", row.most).field("largest", row.largest);
      json_.end_object();
    }
    json_.end_array();
  }

  const MemoryFacts& facts_;
  JsonWriter json_;
};

}  // namespace

std::string memory_json(const MemoryFacts& facts, const DumpAllocators& allocators,
                        const RowChoice& rows) {
  return MemoryWriter(facts).run(allocators, rows);
}

}  // namespace etlens
