// SPDX-License-Identifier: Apache-2.0
// The ways through a program's instructions: blocks that are run from their first instruction to
// their last, and which block may follow which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/formats/pte/program.h"

namespace etlens {

class ControlFlow {
 public:
  explicit ControlFlow(const ProgramMethod& method);

  size_t count() const { return before_.size(); }
  // One past the last instruction is the end of the method, which is a block as well.
  uint32_t block_of(uint32_t instruction) const { return block_of_[instruction]; }
  std::span<const uint32_t> before(uint32_t block) const { return before_[block]; }

 private:
  std::vector<uint32_t> block_of_;  // per instruction, and for the end
  std::vector<std::vector<uint32_t>> before_;
};

// Which writes of one slot reach the begin of a block.
class DefinitionSearch {
 public:
  explicit DefinitionSearch(const ControlFlow& flow);

  // Of another slot. `has_source`: it has a value before the first instruction.
  void begin(bool has_source);
  // A write; the last one of a block counts.
  void define(uint32_t instruction);
  // Ascending; kBeforeStart for the source.
  const std::vector<uint32_t>& reaching(uint32_t block);

 private:
  struct Row {
    uint32_t slot = 0;  // that `writer` is of
    uint32_t writer = 0;
    uint32_t seen = 0;  // the search that was here last
  };

  const ControlFlow& flow_;
  std::vector<Row> rows_;  // per block
  uint32_t slot_ = 0;
  uint32_t search_ = 0;
  bool has_source_ = false;
  uint32_t known_block_ = kNone;  // of this slot, that `found_` is of
  std::vector<uint32_t> found_;
  std::vector<uint32_t> open_;
};

}  // namespace etlens
