// SPDX-License-Identifier: Apache-2.0
// A method of a record that is looked at without a dump.
#pragma once

#include <optional>
#include <string>

#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/etrecord/etrecord.h"

namespace etlens {

// The method of that name; with "" forward, or the first with a graph. `path` is the record's, for
// the error: which methods there are.
Result<RecordMethod> choose_method(const EtRecord& record, const std::string& path,
                                   const std::string& name);

// What the file at `path` is instead of a record; nullopt if it may be one.
std::optional<Error> wrong_kind_of_record(const FileSystem& files, const std::string& path);

}  // namespace etlens
