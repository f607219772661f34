// SPDX-License-Identifier: Apache-2.0
// A method of a record that is looked at without a dump.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/formats/etrecord/etrecord.h"

namespace etlens {

// The method of that name; with "" forward, or the first with a graph. `path` is the record's, for
// the error: which methods there are.
Result<RecordMethod> choose_method(const EtRecord& record, const std::string& path,
                                   const std::string& name);

}  // namespace etlens
