// SPDX-License-Identifier: Apache-2.0
// Models that were exported both ways (tests/data/helpers): what is found again of the lines that
// the default export lost, against the frames that strict=True kept.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/formats/etrecord/etrecord.h"
#include "core/recover/recover.h"

namespace etlens::test {

// Counts of nodes of the edge graph.
struct HelperScore {
  size_t lost = 0;    // their innermost line differs from the record's
  size_t placed = 0;  // of these: a line is said
  size_t right = 0;   // and it is the true one
  size_t harmed = 0;  // of the others: another line than the record's is said
  size_t chains = 0;  // a whole stack is said where frames were lost
  size_t right_chains = 0;
  size_t runs = 0;
  size_t steps = 0;
  double seconds = 0;              // of recovery
  double reading_seconds = 0;      // of the record
  std::vector<std::string> notes;  // what is wrong, what is missing and why

  size_t wrong() const { return placed - right + harmed; }
};

// A changed source, and where its lines were before.
struct HelperMutation {
  std::string path;  // recorded
  std::string text;
  std::string what;
  std::map<uint64_t, uint64_t> moved;  // line now -> line before; 0: there was none
};

// Which recorded files are the project's, by their StringId.
std::vector<bool> project_files(const EtRecord& record);
// The sources of a case by their recorded paths.
ReadSource helper_sources(const std::string& folder);
// Their recorded paths, in order.
std::vector<std::string> helper_files(const std::string& folder);
// The names of the cases in tests/data/helpers.
std::vector<std::string> helper_cases();
// `folder`: model.etrecord, truth.tsv and sources/.
HelperScore score_helpers(const std::string& folder, const HelperMutation* mutation = nullptr);
// Every way that the sources of a case are changed: a statement dropped, two swapped, an operator
// or a function exchanged, a helper renamed, a helper doubled behind a flag that nobody knows.
std::vector<HelperMutation> helper_mutations(const std::string& folder);

}  // namespace etlens::test
