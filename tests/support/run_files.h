// SPDX-License-Identifier: Apache-2.0
// Files about runs, as etlens.profile writes them.
#pragma once

#include <string>
#include <string_view>

#include "core/base/sha256.h"

namespace etlens::test {

// The identity of a file with this content.
inline nlohmann::json artifact_of(const std::string& name, std::string_view content) {
  return {{"file", name},
          {"sha256", sha256_of({reinterpret_cast<const uint8_t*>(content.data()), content.size()})},
          {"bytes", content.size()}};
}

// "" for a file that the run was without. Further fields of `more` take the place of these.
inline std::string run_file_of(std::string_view dump, std::string_view record,
                               std::string_view program, const nlohmann::json& more = {}) {
  nlohmann::json run{{"schema", "etlens/run@1"},
                     {"dump", artifact_of("m.etdp", dump)},
                     {"program", nullptr},
                     {"record", nullptr},
                     {"paired_by", "export"}};
  if (!record.empty()) run["record"] = artifact_of("m.etrecord", record);
  if (!program.empty()) run["program"] = artifact_of("m.pte", program);
  if (more.is_object()) run.update(more);
  return run.dump();
}

}  // namespace etlens::test
