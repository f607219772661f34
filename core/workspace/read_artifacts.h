// SPDX-License-Identifier: Apache-2.0
// From the files that a request names to artifacts that are not yet joined.
#pragma once

#include <string>

#include "core/formats/etrecord/etrecord_reader.h"
#include "core/workspace/load.h"

namespace etlens {

// Within the budget of the caller. Without a dump the log is empty. A program that cannot be read
// is a row of the report.
Result<Artifacts> read_artifacts(const FileSystem& files, const LoadRequest& request,
                                 const CancelToken& cancel);

// As it is: lines that it lost are not looked for.
Result<EtRecord> read_record(const FileSystem& files, const std::string& path,
                             const Backends& backends, const CancelToken& cancel,
                             EdgeGraphs graphs = EdgeGraphs::AsExported);

// What is worked on: "a.etdp with a.etrecord".
std::string names_of(const LoadRequest& request);

}  // namespace etlens
