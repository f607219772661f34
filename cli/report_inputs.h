// SPDX-License-Identifier: Apache-2.0
// What `export` and `report` write about, and where they write it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/sides.h"
#include "core/export/export.h"

namespace etlens::cli {

struct ReportOptions {
  CommonOptions common;
  SideOptions base;  // of a comparison; nothing named: none
};

// Adds the options of a study, of time, and of a base to compare with.
void add_report_options(CLI::App& command, ReportOptions& options);

// Owns what an ExportInput refers to.
struct ReportInputs {
  std::unique_ptr<const Facts> facts;
  std::vector<AnchoredSource> sources;
  std::optional<TimeScale> unit;
  std::optional<Comparison> comparison;
  std::optional<MemoryFacts> memory;
  std::optional<ValuesFacts> values;
  std::optional<ProgramGraph> graph;
  LoadReport problems;                // of what is left out
  std::vector<std::string> left_out;  // ExportInput
  std::string since;                  // "" for none

  ExportInput view() const;
};

// `wants_all`: memory, values and the comparison too, where there are any. Notes about choices made
// go to stderr.
Result<ReportInputs> load_report(const ReportOptions& options, bool wants_all);

// Opens stdout, or the file of -o, and has it written. Returns an exit status.
int write_to(const ReportOptions& options, const std::function<void(Sink&)>& write);
// The same of a form.
int write_form(const ReportOptions& options, const ExportForm& form, const ReportInputs& inputs);

}  // namespace etlens::cli
