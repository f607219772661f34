// SPDX-License-Identifier: Apache-2.0
// Why the operators of a study's record are on the CPU. The record is read already; what decides
// reasons beside it, the arguments of its nodes, is read here.
#pragma once

#include <memory>
#include <string>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/load_report.h"
#include "core/delegation/delegation.h"

namespace etlens {

// `path`: of the record's file. `planned`: the method in the program of the same export; null without
// one. A record whose arguments cannot be read, or cost too much, has fewer reasons, which is a row
// of the report. Never null.
std::shared_ptr<const Delegation> delegation_of(const FileSystem& files, const std::string& path,
                                                const std::shared_ptr<const EtRecord>& record,
                                                const RecordMethod& method,
                                                const ProgramMethod* planned, LoadReport& report,
                                                const CancelToken& cancel);

}  // namespace etlens
