// SPDX-License-Identifier: Apache-2.0
// Cells: the values of facts as cells of a table, in its style.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/render/tables.h"

namespace etlens {

class Cells {
 public:
  // The facts must outlive the cells.
  Cells(const Facts& facts, const TableOptions& options);

  bool is_human() const { return options_.style == TableStyle::Human; }

  // The name of a column of amounts.
  std::string header(std::string_view name) const;
  std::string cost(const Cost& cost) const;
  std::string time(double value) const;  // of one execution, as Cost::value
  // The same of what a contribution took: if it ran, people read no 0.
  std::string measured(double value, ContributionId id) const;
  std::string share(double fraction) const;
  std::string count(double per_execution) const;
  // What a backend logged in a unit of its own; "" for ticks.
  std::string reported(const EventFacts& event) const;
  std::string path(FileId file) const;
  std::string line(LineId line) const;  // as recorded
  // Each once. People read the name of a file once, and not at all where there is no other:
  // "model.py:12,14 +3".
  std::string lines(std::span<const LineId> lines) const;
  std::string operator_of(NodeId node) const;
  // Each once. People get the first few; data is complete.
  std::string list(std::vector<std::string> names) const;

 private:
  const Facts& facts_;
  TableOptions options_;
  double factor_;  // in one of the target unit
};

// The same without a measure: bytes, a part of a whole, and a line as it was recorded ("" for
// none).
std::string bytes_text(uint64_t bytes, TableStyle style);
std::string share_text(double share, TableStyle style);
std::string recorded_line_text(const Code& code, LineId id, TableStyle style);

}  // namespace etlens
