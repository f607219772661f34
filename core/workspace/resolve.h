// SPDX-License-Identifier: Apache-2.0
// From a wish to what is loaded: the newest artifacts and those that fit, and the files that this
// answer depends on.
#pragma once

#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/workspace/discovery.h"
#include "core/workspace/file_stamps.h"
#include "core/workspace/load.h"

namespace etlens {

struct ResolvedStudy {
  LoadRequest request;
  size_t dumps = 0;  // that were found
  // Where the wish names no dump: of those found the newest of each other model.
  std::vector<std::string> other_models;
};

// What the wish, whose paths are absolute, leaves open is the newest or the likeliest of `found`. A
// wish without a dump, of which none is found either, is of an export that has not run, and where
// there is none, of its profile alone. NotFound if the dump that it names is not there, or if there
// is nothing at all.
Result<ResolvedStudy> resolve(const FileSystem& files, const std::vector<FoundArtifact>& found,
                              const StudyWish& wish, const CancelToken& cancel = {});

// Every file that resolve() may read, and those that its request reads, as they are now. Equal
// wishes and equal stamps give equal studies, as far as the sources are the same. No file is opened.
FileStamps looked_at(const FileSystem& files, const std::vector<FoundArtifact>& found,
                     const StudyWish& wish);
// Of these only the files that the request reads.
FileStamps used_by(const LoadRequest& request, FileStamps stamps);

struct ResolvedProgram {
  LoadRequest request;  // `pte`, and the record that fits it
  size_t programs = 0;  // that were found
};

// The same of a program: no dump is looked for. NotFound if there is no program.
Result<ResolvedProgram> resolve_program(const FileSystem& files,
                                        const std::vector<FoundArtifact>& found,
                                        const StudyWish& wish, const CancelToken& cancel = {});

}  // namespace etlens
