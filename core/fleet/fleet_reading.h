// SPDX-License-Identifier: Apache-2.0
// Reads a fleet a little at a time, in one process: for who must say how far it is, and may want to
// stop.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/dump_reader.h"
#include "core/fleet/row_taker.h"

namespace etlens {

struct FleetSource {
  std::vector<std::string> paths;       // absolute: dumps and folders of dumps; or one file of rows
  std::vector<std::string> facts;       // patterns and tables (fact_sources.h), tables absolute
  std::string here;                     // folder that names are relative to
  LoadRequest load;                     // of every dump
  std::vector<FoundArtifact> partners;  // beside those that lie below the paths
  FleetOptions fleet;
  CancelToken cancel;
};

class FleetReading {
 public:
  // `files` must outlive it.
  FleetReading(const FileSystem& files, FleetSource source);

  // Goes on for about so long, one dump at least: true when everything is read. After an error it
  // is over.
  Result<bool> read_for(std::chrono::milliseconds time);
  // How much of all, 0 … 1.
  double progress() const;
  // An error if there is no dump that can be used.
  Result<Fleet> finish() &&;

 private:
  Result<void> begin();
  Result<bool> read_one();
  Result<bool> read_rows();

  const FileSystem& files_;
  FleetSource source_;
  FleetBuilder builder_;
  bool has_begun_ = false;
  uint64_t done_ = 0;  // dumps; bytes of rows
  uint64_t all_ = 0;
  std::vector<std::string> dumps_;
  std::optional<DumpReader> reader_;
  std::optional<RowTaker> rows_;
};

}  // namespace etlens
