// SPDX-License-Identifier: Apache-2.0
// What an export delegates, of its record, without a dump; the program makes it surer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/code/code.h"
#include "core/delegation/delegation.h"
#include "core/workspace/discovery.h"
#include "core/workspace/load.h"

namespace etlens {

struct LoadedDelegation {
  std::string etrecord;
  std::string pte;  // "" without one
  std::shared_ptr<const Code> code;
  Delegation delegation;
};

// The record and the program that the request names; the program may be "". Errors are one
// sentence: which file, what is wrong, what to do.
Result<LoadedDelegation> load_delegation(const FileSystem& files, const LoadRequest& request,
                                         const CancelToken& cancel = {});

struct ResolvedRecord {
  LoadRequest request;  // `etrecord`, and the program that fits it or ""
  size_t records = 0;   // that were found
};

// What the wish leaves open: the newest record, or the one of the named program; and of the
// programs found the likeliest one that fits. NotFound if there is no record.
Result<ResolvedRecord> resolve_record(const FileSystem& files,
                                      const std::vector<FoundArtifact>& found,
                                      const StudyWish& wish, const CancelToken& cancel = {});

}  // namespace etlens
