// SPDX-License-Identifier: Apache-2.0
// An ETRecord without weights, inputs and outputs.
#pragma once

#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/file_system.h"
#include "core/bundle/renamer.h"

namespace etlens {

struct RecordMember {
  std::string name;
  std::string content;  // JSON, or nothing
};

// Graphs and maps; members with weights and examples are empty, those that a record may be without are left out. `path` ""
// gives nothing. Errors: NotFound, Io, Unsupported, Corrupt.
Result<std::vector<RecordMember>> record_without_weights(const FileSystem& files,
                                                         const std::string& path,
                                                         const Backends& backends);

// All texts of the members; then with other words.
Result<void> see_record(const std::vector<RecordMember>& members, Renamer& names);
Result<void> rename_record(std::vector<RecordMember>& members, Renamer& names);

}  // namespace etlens
