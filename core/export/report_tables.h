// SPDX-License-Identifier: Apache-2.0
// The tables of a report: the same that the commands print, whatever the page is written in.
#pragma once

#include <string>
#include <vector>

#include "core/export/export.h"
#include "core/render/tables.h"

namespace etlens {

struct ReportTable {
  std::string id;  // of a place on a page: "modules"
  std::string title;
  std::string about;  // a sentence; "" for none
  Table table;
};

class ReportTables {
 public:
  // The input must outlive the tables.
  explicit ReportTables(const ExportInput& input) : input_(input) {}

  Table lines() const;  // the most costly first; of those that cost something
  // What to look at first; no rows where nothing stands out.
  ReportTable advice() const;
  // Delegate calls, fallbacks, reasons, memory, modules, events, values, what was odd: those that have rows.
  std::vector<ReportTable> more() const;

 private:
  void add_memory(std::vector<ReportTable>& tables) const;
  void add_values(std::vector<ReportTable>& tables) const;
  using Add = void (ReportTables::*)(std::vector<ReportTable>& tables) const;
  void add_optional(Oddity oddity, Add part, std::vector<ReportTable>& tables,
                    LoadReport& problems) const;
  Table oddities(const LoadReport& problems) const;

  const ExportInput& input_;
};

// Which files' text is left out of a page, and what to do; "" if that of none is.
std::string left_out_sentence(std::span<const std::string> paths);

// Leaves `table` its first rows; the others.
Table split_rows(Table& table, size_t count);

}  // namespace etlens
