// SPDX-License-Identifier: Apache-2.0
// An ETDump as FlatBuffers' own verifier and flatc's classes read it: the oracle of the reader, which
// verifies and reads in one walk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/formats/etdump/event_log.h"

namespace etlens::test {

struct OracleEvent {
  EventKind kind = EventKind::Empty;
  std::string name;
  int32_t chain = 0;
  int32_t instruction = -1;
  int32_t delegate_id_int = -1;
  std::string delegate_id_str;
  std::string metadata;
  uint64_t start = 0;
  uint64_t end = 0;
  std::string value;      // of a debug event: what it logged
  int32_t allocator = 0;  // of an allocation
  uint64_t bytes = 0;

  friend bool operator==(const OracleEvent&, const OracleEvent&) = default;
};

struct OracleRun {
  std::string name;
  int32_t bundled_input_index = -1;
  std::vector<std::string> allocators;
  std::vector<OracleEvent> events;

  friend bool operator==(const OracleRun&, const OracleRun&) = default;
};

// nullopt for what no schema of ETDump verifies. `file` looks like an ETDump.
std::optional<std::vector<OracleRun>> oracle_of(const Bytes& file);

// The same of what the reader made.
std::vector<OracleRun> runs_of(const EventLog& log);

// "" if the reader accepts the file if and only if the oracle does, with the same rows; else the
// difference. Errors that are none of offsets (a file that is cut off, a name that is too long,
// times that cannot be added) are no difference.
std::string difference_from_oracle(const Bytes& file);

}  // namespace etlens::test
