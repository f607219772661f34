// SPDX-License-Identifier: Apache-2.0
// Joins of what builders wrote, and of real artifacts, without anything of core/workspace.
#pragma once

#include <string>
#include <vector>

#include "core/join/attribution.h"
#include "core/join/pairing.h"
#include "tests/support/dump_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::test {

struct JoinOptions {
  std::string program;  // a .pte's bytes; "" for none. Whether it fits is not asked.
  std::vector<std::string> library_frames;
  TimeScale clock = TimeScale::Nanoseconds;
  SelectionRequest selection;
};

// Fails the test if the artifacts cannot be read or fit each other not at all.
Join join_of(const DumpBuilder& dump, const RecordBuilder& record, const JoinOptions& options = {});
// Without a record.
Join join_of(const DumpBuilder& dump);

// Log, trees, blocks, record and program of files; `pte` may be "". Fails the test if one cannot be
// read.
AttributionRequest read_artifacts(const std::string& etdump, const std::string& etrecord,
                                  const std::string& pte = {});
// The same of what builders wrote.
AttributionRequest read_artifacts(const DumpBuilder& dump, const RecordBuilder& record);

struct JoinedFiles {
  MethodFit fit;
  Join join;
};
// Every block of executions of a pair of files, with the method that fits it best; `pte` may be "".
std::vector<JoinedFiles> joins_of(const std::string& etdump, const std::string& etrecord,
                                  const std::string& pte);

// The event that the dump calls so; of several the first. Fails the test if there is none.
ContributionId find_event(const Join& join, std::string_view logged_name);
// The code's line of that number; invalid if there is none.
LineId find_line(const Join& join, uint32_t number);
// Names of nodes.
std::string name_of(const Join& join, NodeId node);
std::vector<std::string> names_of(const Join& join, std::span<const NodeId> nodes);

// A frame of strict exports in /m/a.py, whose text is "line n".
std::string trace_at(uint32_t line);

}  // namespace etlens::test
