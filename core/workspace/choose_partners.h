// SPDX-License-Identifier: Apache-2.0
// Of the artifacts found the record and the program of a dump. Candidates are read where there are
// several.
#pragma once

#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/workspace/discovery.h"
#include "core/workspace/load.h"

namespace etlens {

// The record for a dump: of several likely ones the one whose pairing score is best. "" if there is
// none at all. Reads candidates; at most kMaxScored of them.
Result<std::string> choose_record(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                  const std::string& etdump, const CancelToken& cancel = {});

// The program for a dump and its record ("" for none): of several the likeliest one whose
// instructions are those that ran. "" if there is none. Reads candidates; at most kMaxScored of
// them.
Result<std::string> choose_program(const FileSystem& files, const std::vector<FoundArtifact>& found,
                                   const std::string& etdump, const std::string& etrecord,
                                   const CancelToken& cancel = {});

// Both, where the request, which has a dump, leaves them open. What had to be read for that is the
// request's read_ahead. NotFound if there is no such dump.
Result<void> choose_partners(const FileSystem& files, const std::vector<FoundArtifact>& found,
                             LoadRequest& request, const CancelToken& cancel = {});

}  // namespace etlens
