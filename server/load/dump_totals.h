// SPDX-License-Identifier: Apache-2.0
// DumpTotals: what the dumps take that are listed and not shown. Each is read alone, without a
// record, one after the other in the background; what is kept of it is its total, until the file
// is another.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/time_scale.h"
#include "core/workspace/discovery.h"
#include "rpc/uv/worker.h"
#include "server/config.h"

namespace etlens {

// Of one execution, as the settings' statistic has it.
struct DumpTotal {
  double value = 0;  // ticks
  TimeScale ticks = TimeScale::Nanoseconds;
  size_t executions = 0;
};

class DumpTotals {
 public:
  // Larger lists have numbers at their newest dumps only.
  static constexpr size_t kMostDumps = 32;
  static constexpr uint64_t kMostBytes = 256 << 20;

  // `changed`: all that was asked for is known.
  DumpTotals(uv::Loop& loop, const FileSystem& files, std::function<void()> changed)
      : files_(files), changed_(std::move(changed)), worker_(loop) {}

  // nullopt while it is not known, and where the dump alone does not tell: it cannot be read, or
  // ran more than one block.
  std::optional<DumpTotal> find(const FoundArtifact& dump) const;
  // Reads those that are not known yet. `shown`: the dump that needs none.
  void want(const std::vector<FoundArtifact>& found, const std::string& shown,
            const LoadSettings& settings);
  // Nothing is read any more.
  void shut() { worker_.shut(); }
  bool is_busy() const { return worker_.is_running(); }

 private:
  struct Known {
    FileStamp stamp;
    std::optional<DumpTotal> total;
  };
  struct Job;

  static std::optional<DumpTotal> read(const FileSystem& files, const StudyWish& wish,
                                       const std::string& path, const CancelToken& cancel);
  // nullptr unless this very file was read.
  const Known* known(const FoundArtifact& dump) const;
  void start();

  const FileSystem& files_;
  std::function<void()> changed_;
  StudyWish wish_;  // how dumps are read: with other settings they have other totals
  std::unordered_map<std::string, Known> known_;  // by path
  std::vector<FoundArtifact> waiting_;            // the newest last
  uv::Worker worker_;
};

}  // namespace etlens
