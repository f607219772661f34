// SPDX-License-Identifier: Apache-2.0
// DumpBuilder: writes an ETDump in the domain's words, as real FlatBuffers bytes, so that a test
// goes through the reader. Events are given in the order in which they finish.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/bytes.h"

namespace etlens::test {

struct DumpEvent {
  std::string name;  // "" for a delegate event
  int32_t chain = 0;
  int32_t instruction = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  int32_t delegate_id_int = -1;
  std::string delegate_id_str;
  std::string metadata;
};

struct LoggedTensor {
  int32_t instruction = 0;
  std::vector<int64_t> sizes;
  int8_t scalar_type = 6;  // float32
  int64_t offset = 0;
  bool is_output = false;
  std::string delegate_id = {};  // by which a delegate logs it itself
};

class DumpBuilder {
 public:
  DumpBuilder& block(std::string name, int32_t bundled_input_index = -1);
  // Of the block, before its events; the first has id 1.
  DumpBuilder& allocator(std::string name);
  DumpBuilder& allocation(int32_t allocator, uint64_t bytes);
  // Method::execute, Method::init, Program::load_method and the like: chain -1, instruction 0.
  DumpBuilder& framework(std::string name, uint64_t start, uint64_t end);
  DumpBuilder& event(std::string name, int32_t instruction, uint64_t start, uint64_t end);
  // native_call_<kernel> and the OPERATOR_CALL around it, which adds `around` ticks on each side.
  DumpBuilder& operator_call(std::string kernel, int32_t instruction, uint64_t start, uint64_t end,
                             uint64_t around = 0);
  DumpBuilder& delegate(std::string id, int32_t instruction, uint64_t start, uint64_t end,
                        std::string metadata = {});
  DumpBuilder& delegate(int32_t id, int32_t instruction, uint64_t start, uint64_t end,
                        std::string metadata = {});
  DumpBuilder& add(DumpEvent event);
  DumpBuilder& tensor(LoggedTensor tensor);

  Bytes build(bool size_prefixed = true) const;
  // With the layout of release 0.1.
  Bytes build_v01() const;

 private:
  enum class Kind { Event, Tensor, Allocation };
  struct Item {
    Kind kind = Kind::Event;
    DumpEvent event;
    LoggedTensor tensor;
    int32_t allocator = 0;
    uint64_t bytes = 0;
  };
  struct BlockData {
    std::string name;
    int32_t bundled_input_index;
    std::vector<std::string> allocators;
    std::vector<Item> items;
  };
  std::vector<BlockData> blocks_;
};

}  // namespace etlens::test
