// SPDX-License-Identifier: Apache-2.0
// Exports: one study in the forms that other programs read. Every number is a fact; an export adds
// none. Each form is a file of this folder and a row of the table in export.cc.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare/compare.h"
#include "core/export/sink.h"
#include "core/facts/facts.h"
#include "core/facts/memory_facts.h"
#include "core/facts/value_facts.h"
#include "core/program_graph/program_graph.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

// What is to be exported. Everything must outlive the export.
struct ExportInput {
  const Facts& facts;
  const std::vector<AnchoredSource>& sources;  // one per file of the code
  std::optional<TimeScale> unit;               // of times for people; nullopt: chosen for each
  const Comparison* comparison = nullptr;      // for reports; null for none
  const MemoryFacts* memory = nullptr;         // for reports; null for none
  const ValuesFacts* values = nullptr;         // for reports; null for none
  const ProgramGraph* graph = nullptr;         // for reports; null for none
  std::string_view generator = "etlens";       // with its version, as files name what wrote them
  std::string_view since = {};           // the change since the run before, in words; "" for none
  const LoadReport* problems = nullptr;  // what parts of this are left out; null: none
  // Files as they were recorded whose text must not be sent: of them only what the record holds is
  // written. Their places in `sources` have no document.
  std::span<const std::string> left_out = {};
};

struct ExportForm {
  std::string_view name;      // as the user says it: "speedscope"
  std::string_view opens_in;  // what reads it, for people
  std::string_view suffix;    // of file names: ".speedscope.json"
  bool is_binary = false;
  void (*write)(const ExportInput& input, Sink& sink) = nullptr;
};

// By name.
std::span<const ExportForm> export_forms();
// Null for a name that there is not.
const ExportForm* find_export_form(std::string_view name);

// One each: the table names them.
void write_chrome(const ExportInput& input, Sink& sink);      // Chrome's trace events, JSON
void write_csv(const ExportInput& input, Sink& sink);         // rows of events
void write_html(const ExportInput& input, Sink& sink);        // the report, one file
void write_markdown(const ExportInput& input, Sink& sink);    // the report for a pull request
void write_ndjson(const ExportInput& input, Sink& sink);      // rows of events, JSON
void write_perfetto(const ExportInput& input, Sink& sink);    // Perfetto's trace packets, protobuf
void write_pprof(const ExportInput& input, Sink& sink);       // pprof's profile, gzipped protobuf
void write_prof(const ExportInput& input, Sink& sink);        // a Python profile, marshalled
void write_speedscope(const ExportInput& input, Sink& sink);  // speedscope's own format, JSON
void write_svg(const ExportInput& input, Sink& sink);         // flame graph of modules

}  // namespace etlens
