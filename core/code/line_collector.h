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
  explicit LineCollector(const EtRecord& record)
      : record_(record), is_added_(record.frames.size()) {}

  void add(FrameId frame);
  // Fills Code::files and Code::lines; find() answers from then on.
  void store(Code& code);
  // Invalid for an invalid frame, and for one that was never added.
  LineId find(FrameId frame) const;

 private:
  struct Row {
    FrameId frame;  // that says what the line is
    LineId line;
  };
  using Key = std::pair<size_t, uint32_t>;  // file and line

  const EtRecord& record_;
  std::unordered_map<StringId, size_t> order_of_file_;
  std::vector<StringId> files_;
  std::map<Key, Row> rows_;
  std::vector<bool> is_added_;   // by FrameId
  std::vector<LineId> line_of_;  // by FrameId
};

}  // namespace etlens
