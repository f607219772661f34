// SPDX-License-Identifier: Apache-2.0
// What ExecuTorch's own Inspector printed for real artifacts.
#pragma once

#include <string>
#include <vector>

#include "core/inspector/inspector.h"

namespace etlens::test {

struct OracleCase {
  std::string name;          // for messages
  std::string oracle;        // path of the Inspector's JSON
  std::string tsv;           // path of its TSV; "" if there is none
  std::string etdump;        // paths; gzipped dumps end in .gz
  std::string etrecord;      // "" for the dump alone
  std::string debug_buffer;  // "" if none
  InspectorRelease release;  // whose Inspector it was
};

// The pairs of a case folder that the Inspector could load.
std::vector<OracleCase> oracle_cases(const std::string& folder);

}  // namespace etlens::test
