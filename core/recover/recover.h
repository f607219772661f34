// SPDX-License-Identifier: Apache-2.0
// Recovery: the lines inside helpers that a record of torch.export's default (strict=False) lost,
// found again by running the source symbolically against the record (docs/recovery.md). What is not
// sure is not said.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/recover/read_source.h"

namespace etlens {

struct RecoveredFrame {
  uint32_t file = 0;  // into Recovery::files
  uint32_t line = 0;  // 1-based
  std::string function;
  uint32_t column = 0;  // in the line without leading blanks: tells calls of one line apart
};

struct RecoveredNode {
  NodeId node;
  uint32_t first_frame = 0;  // into Recovery::frames, outermost first
  uint32_t frame_count = 0;
  // The frames are the whole stack of the project; else only the last one, the line, is sure.
  bool is_chain = false;
};

// Why nodes keep the line that the record gives them.
enum class NotRecovered : uint8_t {
  Ambiguous,    // good explanations differ
  Unexplained,  // a statement fits nothing that the record says
  Limit,        // too much work
  NoSource,     // no readable class
};

// "ambiguous", "unexplained", "limit", "no source".
std::string_view name_of(NotRecovered why);

struct UnrecoveredCall {
  std::string module;  // path
  std::string type;
  NotRecovered why = NotRecovered::NoSource;
  std::vector<NodeId> nodes;
  std::string file;   // of the unexplained statement; else ""
  uint32_t line = 0;  // 1-based
};

struct Recovery {
  std::vector<std::string> files;  // recorded paths as the record has them, or siblings of such
  std::vector<RecoveredFrame> frames;
  std::vector<RecoveredNode> nodes;  // ascending; only those of which something is said
  std::vector<UnrecoveredCall> unrecovered;
  size_t runs = 0;
  size_t steps = 0;
};

// `is_project_file`: by the StringId of a recorded file. A graph of a strict export, which lost
// nothing, gives an empty result, and so does a file whose recorded lines read otherwise today.
Recovery recover_lines(const EtRecord& record, GraphId graph,
                       const std::vector<bool>& is_project_file, const ReadSource& read);

}  // namespace etlens
