// SPDX-License-Identifier: Apache-2.0
// Studies of what builders wrote, through the loading that everything uses.
#pragma once

#include <memory>
#include <string>

#include "core/workspace/load.h"
#include "tests/support/dump_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::test {

// `request`: everything but the paths. Fails the test if the artifacts cannot be loaded.
std::shared_ptr<const Study> study_of(const DumpBuilder& dump, const RecordBuilder& record,
                                      LoadRequest request = {}, const std::string& program = {});
// The same, or why it could not be loaded.
Result<std::shared_ptr<const Study>> try_study_of(const DumpBuilder& dump,
                                                  const RecordBuilder& record,
                                                  LoadRequest request = {},
                                                  const std::string& program = {});

// A request for the time as it was logged (mean_raw of times.h).
LoadRequest mean_raw_request();

}  // namespace etlens::test
