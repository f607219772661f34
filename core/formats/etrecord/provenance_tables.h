// SPDX-License-Identifier: Apache-2.0
// ProvenanceTables: the stack traces and module stacks of nodes, each text parsed once into the
// rows of an EtRecord. Most nodes share theirs with others.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/formats/etrecord/stack_trace.h"

namespace etlens {

class ProvenanceTables {
 public:
  // Rows are appended to `record`, which outlives this.
  explicit ProvenanceTables(EtRecord& record) : record_(record) {}

  // `text`: a node's stack_trace.
  StackId stack_of(StringId text);
  // `text`: a node's nn_module_stack.
  ModuleStackId modules_of(StringId text);

 private:
  FrameId frame_of(const ParsedFrame& parsed);
  // Valid until the next one.
  const Module& module_of(std::string_view entry);

  EtRecord& record_;
  std::unordered_map<StringId, StackId> stacks_;
  std::unordered_multimap<uint64_t, FrameId> frames_;  // by file and line
  std::unordered_map<StringId, ModuleStackId> module_stacks_;
  StringPool entries_;           // of module stacks, which share many of them
  std::vector<Module> modules_;  // by their entries; the one of "" is none
};

}  // namespace etlens
