// SPDX-License-Identifier: Apache-2.0
// etlens/hotLines: the ranking of lines. etlens/lineCosts: the lines of one document.
// etlens/delegateLines: those of a delegate call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/line_view.h"
#include "server/extensions/comparison.h"

namespace etlens::extensions {

// As `etlens lines` has it, and what is shown of it.
struct LineCost {
  std::string_view recorded_path;
  std::optional<lsp::DocumentUri> uri;  // absent if the file was not found
  Spread<OwnLineView> own;
  Spread<LineCostView> cost;
  std::vector<uint32_t> partitions;  // numbers
  std::string label;                 // as the inlay hint; "" if that is quiet
  std::string self_text;             // "3.10 ms"
  std::string inclusive_text;
  uint32_t heat = 0;  // 0 (cold) to 4
  std::string where;  // "XNNPACK", "CPU", "XNNPACK+CPU", ""
  bool fallback = false;
  std::vector<uint32_t> events;         // ids, the most costly first
  std::optional<double> running_share;  // of it and all before it in etlens/hotLines
  std::optional<ChangeItem> change;     // of what the hint shows; absent without a baseline
};
FIELDS(LineCost, recorded_path, uri, own, cost, partitions, label, self_text, inclusive_text, heat,
       where, fallback, events, running_share, change)

// What stands at the end of a line of the text of now (1-based).
struct LineHint {
  uint32_t line = 0;
  std::string text;
};
FIELDS(LineHint, line, text)

struct LineCostsResult {
  Spread<ListHead> head;
  std::vector<LineCost> lines;     // ascending
  std::vector<LineCost> unplaced;  // recorded lines that are not in the text any more
  std::vector<LineHint>
      hints;  // ascending; the texts of textDocument/inlayHint, those of modules, too
};
FIELDS(LineCostsResult, head, lines, unplaced, hints)

struct HotLinesParams {
  std::optional<uint32_t> limit;  // default 100
};
FIELDS(HotLinesParams, limit)

struct HotLinesResult {
  Spread<ListHead> head;
  std::vector<LineCost> lines;  // the most costly first
};
FIELDS(HotLinesResult, head, lines)

// The lines that ran in one delegate call with the line at a position.
struct DelegateLinesResult {
  uint64_t generation = 0;
  std::string message;               // "XNNPACK #2 ran 5 lines"
  std::vector<uint32_t> partitions;  // numbers; none where one fused event did the work
  std::vector<SourceLine> lines;     // of all files, that of the position among them
};
FIELDS(DelegateLinesResult, generation, message, partitions, lines)

}  // namespace etlens::extensions
