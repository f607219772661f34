// SPDX-License-Identifier: Apache-2.0
// Cases: folders of real artifacts. Those of tests/data and examples always; those of the folder
// that ETLENS_CORPUS names as well.
#pragma once

#include <string>
#include <vector>

namespace etlens::test {

// Every folder that holds dumps.
std::vector<std::string> case_folders();
// Every pair of dump and record of a case folder, whether the Inspector could load it or not.
struct Pair {
  std::string etdump;
  std::string etrecord;
};
std::vector<Pair> pairs_of(const std::string& folder);

// A file's content; .gz files unpacked.
std::string read_file(const std::string& path);
// `path` itself, or for a .gz file the path of an unpacked copy in the folder of the build, which other tests share.
std::string unpacked(const std::string& path);

}  // namespace etlens::test
