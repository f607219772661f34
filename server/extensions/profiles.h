// SPDX-License-Identifier: Apache-2.0
// etlens/profiles: what else could be shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/extensions/place.h"

namespace etlens::extensions {

struct DumpItem {
  std::string etdump;
  int64_t modified = 0;  // milliseconds since 1970
  uint64_t size = 0;
  bool current = false;
  bool baseline = false;  // what is shown is compared with it, or with it and others
  // Of one that is not shown, once it was read in the background (etlens/profilesChanged): what an
  // execution takes, and how many there are.
  std::optional<Time> total;
  std::optional<uint64_t> executions;
};
FIELDS(DumpItem, etdump, modified, size, current, baseline, total, executions)

struct MethodItem {
  std::string name;
  bool current = false;
};
FIELDS(MethodItem, name, current)

struct BlockItem {
  std::string name;
  uint64_t executions = 0;
  bool current = false;
  std::optional<std::string> method;  // that it ran; absent if that is not clear
};
FIELDS(BlockItem, name, executions, current, method)

struct ExecutionItem {
  uint32_t number = 0;  // 1-based, in the order of the run
  Time total;
  bool used = false;
  bool odd = false;  // far from the others
};
FIELDS(ExecutionItem, number, total, used, odd)

struct StatisticItem {
  std::string name;
  bool current = false;
};
FIELDS(StatisticItem, name, current)

struct ProfilesResult {
  std::vector<DumpItem> dumps;  // the newest first
  std::vector<std::string> records;
  std::vector<MethodItem> methods;        // of the current record
  std::vector<BlockItem> blocks;          // of the current dump; only executions
  std::vector<ExecutionItem> executions;  // of the current block
  std::vector<StatisticItem> statistics;
  bool pinned = false;  // the user chose the dump; a newer one does not replace it
};
FIELDS(ProfilesResult, dumps, records, methods, blocks, executions, statistics, pinned)

}  // namespace etlens::extensions
