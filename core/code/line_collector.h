// SPDX-License-Identifier: Apache-2.0
// Numbers the distinct lines of frames: files in the order in which they are first seen, lines
// ascending within each.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "core/code/code.h"

namespace etlens {

class LineCollector {
 public:
  explicit LineCollector(const EtRecord& record) : record_(record) {}

  void add(FrameId frame);
  // Fills Code::files and Code::lines; find() answers from then on.
  void store(Code& code);
  // Invalid for an invalid frame, and for one that was never added.
  LineId find(FrameId frame) const;

 private:
  const EtRecord& record_;
  std::unordered_map<StringId, size_t> order_of_file_;
  std::vector<StringId> files_;
  std::map<std::pair<size_t, uint32_t>, FrameId> frames_;  // by file and line
  std::map<std::pair<size_t, uint32_t>, LineId> lines_;
};

}  // namespace etlens
