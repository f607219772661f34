// SPDX-License-Identifier: Apache-2.0
#include "tests/support/dump_builder.h"

#include <flatbuffers/flatbuffers.h>

#include "core/formats/etdump/schema/etdump_generated.h"
#include "core/formats/etdump/schema/etdump_v01_generated.h"

namespace etlens::test {
namespace {

namespace now = etdump_schema;
namespace old = etdump_v01_schema;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

Bytes bytes_of(const FlatBufferBuilder& builder) {
  return Bytes::copy_of(
      {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()});
}

Offset<flatbuffers::String> text(FlatBufferBuilder& b, const std::string& value) {
  return value.empty() ? Offset<flatbuffers::String>() : b.CreateString(value);
}

Offset<flatbuffers::Vector<uint8_t>> raw(FlatBufferBuilder& b, const DumpEvent& event) {
  const bool is_delegate = event.delegate_id_int != -1 || !event.delegate_id_str.empty();
  if (!is_delegate) return {};
  return b.CreateVector(reinterpret_cast<const uint8_t*>(event.metadata.data()),
                        event.metadata.size());
}

}  // namespace

DumpBuilder& DumpBuilder::block(std::string name, int32_t bundled_input_index) {
  blocks_.push_back({std::move(name), bundled_input_index, {}, {}});
  return *this;
}

DumpBuilder& DumpBuilder::add(DumpEvent event) {
  blocks_.back().items.push_back({Kind::Event, std::move(event), {}, 0, 0});
  return *this;
}

DumpBuilder& DumpBuilder::tensor(LoggedTensor tensor) {
  blocks_.back().items.push_back({Kind::Tensor, {}, std::move(tensor), 0, 0});
  return *this;
}

DumpBuilder& DumpBuilder::allocator(std::string name) {
  blocks_.back().allocators.push_back(std::move(name));
  return *this;
}

DumpBuilder& DumpBuilder::allocation(int32_t allocator, uint64_t bytes) {
  blocks_.back().items.push_back({Kind::Allocation, {}, {}, allocator, bytes});
  return *this;
}

DumpBuilder& DumpBuilder::framework(std::string name, uint64_t start, uint64_t end) {
  return add({std::move(name), -1, 0, start, end, -1, "", ""});
}

DumpBuilder& DumpBuilder::event(std::string name, int32_t instruction, uint64_t start,
                                uint64_t end) {
  return add({std::move(name), 0, instruction, start, end, -1, "", ""});
}

DumpBuilder& DumpBuilder::operator_call(std::string kernel, int32_t instruction, uint64_t start,
                                        uint64_t end, uint64_t around) {
  event("native_call_" + std::move(kernel), instruction, start, end);
  return event("OPERATOR_CALL", instruction, start - around, end + around);
}

DumpBuilder& DumpBuilder::delegate(std::string id, int32_t instruction, uint64_t start,
                                   uint64_t end, std::string metadata) {
  return add({"", 0, instruction, start, end, -1, std::move(id), std::move(metadata)});
}

DumpBuilder& DumpBuilder::delegate(int32_t id, int32_t instruction, uint64_t start, uint64_t end,
                                   std::string metadata) {
  return add({"", 0, instruction, start, end, id, "", std::move(metadata)});
}

Bytes DumpBuilder::build(bool size_prefixed) const {
  FlatBufferBuilder b;
  std::vector<Offset<now::RunData>> runs;
  for (const BlockData& block : blocks_) {
    std::vector<Offset<now::Event>> events;
    for (const Item& item : block.items) {
      if (item.kind == Kind::Allocation) {
        const auto allocation = now::CreateAllocationEvent(b, item.allocator, item.bytes);
        events.push_back(now::CreateEvent(b, 0, allocation, 0));
        continue;
      }
      if (item.kind == Kind::Tensor) {
        const LoggedTensor& t = item.tensor;
        const auto sizes = b.CreateVector(t.sizes);
        const auto tensor = now::CreateTensor(b, t.scalar_type, sizes, sizes, t.offset);
        const auto output = t.is_output ? now::CreateBool(b, true) : Offset<now::Bool>();
        const auto value =
            now::CreateValue(b, now::ValueType_Tensor, tensor, 0, 0, 0, 0, 0, output);
        const auto id = text(b, t.delegate_id);
        now::DebugEventBuilder logged(b);
        if (t.is_output) logged.add_chain_index(UINT64_MAX);
        if (!t.is_output) logged.add_instruction_id(t.instruction);
        if (!t.delegate_id.empty()) logged.add_delegate_debug_id_str(id);
        logged.add_debug_entry(value);
        const auto debug = logged.Finish();
        events.push_back(now::CreateEvent(b, 0, 0, debug));
        continue;
      }
      const DumpEvent& e = item.event;
      const auto name = text(b, e.name);
      const auto id = text(b, e.delegate_id_str);
      const auto metadata = raw(b, e);
      const auto profile = now::CreateProfileEvent(b, name, e.chain, e.instruction,
                                                   e.delegate_id_int, id, metadata, e.start, e.end);
      events.push_back(now::CreateEvent(b, profile));
    }
    const auto name = b.CreateString(block.name);
    const auto list = b.CreateVector(events);
    std::vector<Offset<now::Allocator>> allocators;
    for (const std::string& allocator : block.allocators)
      allocators.push_back(now::CreateAllocator(b, b.CreateString(allocator)));
    const auto registered = allocators.empty() ? 0 : b.CreateVector(allocators);
    runs.push_back(now::CreateRunData(b, name, block.bundled_input_index, registered, list));
  }
  const auto root = now::CreateETDump(b, 0, b.CreateVector(runs));
  if (size_prefixed) b.FinishSizePrefixed(root, "ED00");
  else b.Finish(root, "ED00");
  return bytes_of(b);
}

Bytes DumpBuilder::build_v01() const {
  FlatBufferBuilder b;
  std::vector<Offset<old::RunData>> runs;
  for (const BlockData& block : blocks_) {
    std::vector<Offset<old::Event>> events;
    for (const Item& item : block.items) {
      const DumpEvent& e = item.event;
      const auto name = text(b, e.name);
      const auto id = text(b, e.delegate_id_str);
      const auto metadata = raw(b, e);
      const auto profile = old::CreateProfileEvent(b, name, e.chain, e.instruction,
                                                   e.delegate_id_int, id, metadata, e.start, e.end);
      events.push_back(old::CreateEvent(b, profile));
    }
    const auto name = b.CreateString(block.name);
    const auto list = b.CreateVector(events);
    runs.push_back(old::CreateRunData(b, name, 0, list));
  }
  b.FinishSizePrefixed(old::CreateETDump(b, 0, b.CreateVector(runs)), "ED00");
  return bytes_of(b);
}

}  // namespace etlens::test
