// SPDX-License-Identifier: Apache-2.0
// A study of an export that has not run yet: its record, its program or both, without a dump. It has
// the code, which delegate call runs each operator, and the measures that need no execution.
#pragma once

#include <memory>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/workspace/load.h"

namespace etlens {

struct ExportStudy {
  std::shared_ptr<Study> study;
  const EtProgram* program = nullptr;     // of the artifacts; null if it is not used
  const ProgramMethod* method = nullptr;  // of the program, where there is no record
};

// `artifacts` without a log's events: a record with an edge program, a program, or both. Errors:
// Mismatch if they do not belong together, NotFound if they have no
// method of the name asked for, Unsupported if there is nothing to show in them. The measures of
// the request and the sources are left to the caller.
Result<ExportStudy> study_of_export(const FileSystem& files, const Artifacts& artifacts,
                                    const LoadRequest& request, const CancelToken& cancel = {});

}  // namespace etlens
