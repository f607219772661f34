// SPDX-License-Identifier: Apache-2.0
// A program and the record of its export, without any dump: what memory and size are read from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/formats/pte/program.h"
#include "core/workspace/discovery.h"
#include "core/workspace/load.h"
#include "core/workspace/recovered_record.h"

namespace etlens {

struct LoadedProgram {
  std::shared_ptr<const EtProgram> program;
  std::shared_ptr<const EtRecord> record;          // null without one
  std::shared_ptr<const RecordRecovery> recovery;  // null if nothing was tried
};

// The program and the record that the request names; the record may be "". Errors are one sentence:
// which file, what is wrong, what to do; Unsupported if the record is of another export.
Result<LoadedProgram> load_program(const FileSystem& files, const LoadRequest& request,
                                   const CancelToken& cancel = {});
// The same without looking for lines that the record lost.
Result<LoadedProgram> load_program(const FileSystem& files, const std::string& pte,
                                   const std::string& etrecord, const CancelToken& cancel = {});

// The row of the method of that name; with "" forward, or the first that does something. nullopt if
// there is none.
std::optional<size_t> find_method(const EtProgram& program, std::string_view name);
// The same. The error names the methods that there are.
Result<size_t> choose_method(const EtProgram& program, const std::string& name);

// Of the records found the likeliest one that fits the program at `pte`; "" if none does. Reads at
// most kMaxScored of them.
std::string find_record_of(const FileSystem& files, const std::vector<FoundArtifact>& found,
                           const std::string& pte, const CancelToken& cancel = {});

}  // namespace etlens
