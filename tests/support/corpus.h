// SPDX-License-Identifier: Apache-2.0
// Cases: folders of real artifacts with what ExecuTorch's Inspector printed for them. Those of
// tests/data always; those of the folder that ETLENS_CORPUS names as well.
#pragma once

#include <nlohmann/json.hpp>
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

// Every case folder (one that holds artifacts) of tests/data and of the corpus.
std::vector<std::string> case_folders();
// The pairs of a case folder that the Inspector could load.
std::vector<OracleCase> oracle_cases(const std::string& folder);
// Every pair of dump and record of a case folder, whether the Inspector could load it or not.
struct Pair {
  std::string etdump;
  std::string etrecord;
};
std::vector<Pair> pairs_of(const std::string& folder);

// A file's content; .gz files unpacked.
std::string read_file(const std::string& path);
// `path` itself, or for a .gz file the path of an unpacked copy in the folder for temporary files.
std::string unpacked(const std::string& path);

}  // namespace etlens::test
