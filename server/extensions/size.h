// SPDX-License-Identifier: Apache-2.0
// etlens/size: what every byte of a program's file is for, as a tree of kinds, modules and parts.
// Of the same program as etlens/memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/place.h"

namespace etlens::extensions {

struct SizeNode {
  std::string level;               // kind, module, part
  std::string kind;                // constant, delegate_constant, delegate_other, program, padding
  std::string name;                // "constants of kernels"; a dotted path; a parameter
  std::optional<uint32_t> parent;  // index in the list; absent for a kind
  ByteCount bytes;                 // with everything below it
  double share = 0;                // of the file
  uint64_t users = 1;              // operands and calls that share a part
  std::optional<std::string> module;  // of a part; "" is the root
  std::optional<uint32_t> partition;  // number of the delegate call that it is of
  std::optional<uint32_t> place;      // into `places`: the line that needs it
};
FIELDS(SizeNode, level, kind, name, parent, bytes, share, users, module, partition, place)

struct SizeResult {
  uint64_t generation = 0;
  std::string why;  // why there is nothing, in one sentence, or ""
  std::string pte;
  std::optional<std::string> etrecord;
  ByteCount file;
  ByteCount external;           // beside it, in other files
  std::vector<SizeNode> nodes;  // parents before children, the largest child first
  std::vector<SourceLine> places;
};
FIELDS(SizeResult, generation, why, pte, etrecord, file, external, nodes, places)

}  // namespace etlens::extensions
