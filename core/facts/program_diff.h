// SPDX-License-Identifier: Apache-2.0
// ProgramDiff: why one program's file, or its planned memory, is larger than another's.
// Every byte has an owner, told by what outlives an export: the names of parameters and modules,
// the text of lines. The changes of all owners add up to the change of the whole, exactly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/facts/memory_facts.h"
#include "core/facts/size_facts.h"

namespace etlens {

// Who owns bytes of a program: the same owner in two programs has the same fields.
struct ByteOwner {
  std::string kind;    // of FilePartKind; of memory "planned" or "unused"
  std::string name;    // of the parameter, the operator, the delegate; "" for the rest of a kind
  std::string module;  // "" if none is known
  std::string text;    // of the line; "" if none is known

  friend auto operator<=>(const ByteOwner&, const ByteOwner&) = default;
};

struct OwnerChange {
  ByteOwner owner;
  uint64_t before = 0;
  uint64_t after = 0;
  std::string recorded_path;  // where the line is, in the new program if it is there; "" for none
  uint32_t line = 0;          // 1-based; 0 for none

  int64_t change() const { return static_cast<int64_t>(after) - static_cast<int64_t>(before); }
};

// Data of one name that a file has more than once.
struct RepeatedData {
  std::string name;
  uint64_t bytes = 0;  // of each
  size_t times = 0;
  bool is_new = false;  // the base has it fewer times
};

struct ProgramDiff {
  uint64_t before = 0;
  uint64_t after = 0;
  std::vector<OwnerChange> owners;     // that changed, the greatest change first
  uint64_t same = 0;                   // bytes of owners that did not change
  std::vector<RepeatedData> repeated;  // in the new file, those with the most bytes first
};

// Of the files. What is in other files (.ptd) is left out, as in their sizes.
ProgramDiff diff_sizes(const SizeFacts& before, const SizeFacts& after);
// Of the buffers that the exporter planned for one method of each: what is in use at the peak, by
// owner, and the rest.
ProgramDiff diff_memory(const MemoryFacts& before, const MemoryFacts& after);

}  // namespace etlens
