// SPDX-License-Identifier: Apache-2.0
// What an export delegates, without a dump: of its record, which the program makes surer, or of the
// program alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/code/code.h"
#include "core/delegation/cuts.h"
#include "core/delegation/delegation.h"
#include "core/workspace/discovery.h"
#include "core/workspace/load.h"

namespace etlens {

struct LoadedDelegation {
  std::string etrecord;              // "" of a program alone
  std::string pte;                   // "" without one
  std::shared_ptr<const Code> code;  // null of a program alone
  Delegation delegation;
  std::vector<Cut> cuts = {};
};

// The record and the program that the request names; one of them may be "". One that nobody named is
// left out if it cannot be used beside the other. Errors are one sentence: which file, what is wrong,
// what to do.
Result<LoadedDelegation> load_delegation(const FileSystem& files, const LoadRequest& request,
                                         const CancelToken& cancel = {});

struct ResolvedRecord {
  LoadRequest request;  // `etrecord` and `pte`, one of which may be ""
  size_t records = 0;   // that were found
  size_t programs = 0;  // that were found
};

// What the wish leaves open, as for a study without a dump (core/workspace/choose_export.h). NotFound
// if there is neither a record nor a program.
Result<ResolvedRecord> resolve_record(const FileSystem& files,
                                      const std::vector<FoundArtifact>& found,
                                      const StudyWish& wish, const CancelToken& cancel = {});

}  // namespace etlens
