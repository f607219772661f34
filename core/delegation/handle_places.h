// SPDX-License-Identifier: Apache-2.0
// HandlePlaces: how often a record's map lists each debug handle, for calls and for kernels.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/formats/pte/program.h"

namespace etlens {

struct HandlePlace {
  struct InCall {
    uint32_t call = 0;
    uint32_t count = 0;
  };
  std::vector<InCall> calls;  // ascending
  uint32_t delegated = 0;     // of all calls
  uint32_t kernels = 0;
  std::vector<std::string_view> kernel_operators;  // base names, where a program tells
};

class HandlePlaces {
 public:
  // `program` may be null. Calls are counted as in the map's delegates.
  HandlePlaces(const EtRecord& record, const MethodMap& map, const ProgramMethod* program);

  // Null if the map has the handle nowhere.
  const HandlePlace* find(DebugHandle handle) const;

  // Operators of the program's kernels that the map lists nowhere: base names.
  const std::vector<std::string_view>& unlisted_kernels() const { return unlisted_; }
  // Calls that the map gives no handle, ascending: all of their nodes are without one.
  const std::vector<uint32_t>& calls_without_handles() const { return without_handles_; }

 private:
  void find_unlisted(const MethodMap& map, const ProgramMethod& program);

  std::unordered_map<DebugHandle, HandlePlace> places_;
  std::vector<std::string_view> unlisted_;
  std::vector<uint32_t> without_handles_;
};

}  // namespace etlens
