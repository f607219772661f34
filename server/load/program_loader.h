// SPDX-License-Identifier: Apache-2.0
// ProgramLoader: reads a program when somebody asks what memory or size it takes, in the
// background, and keeps it until its files are others. Apart from the study: a folder without any
// dump has a program, too.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/workspace/resolve.h"
#include "rpc/uv/worker.h"
#include "server/load/open_program.h"

namespace etlens {

// Which program, and with which record. Equal requests with equal stamps give equal programs.
struct ProgramRequest {
  StudyWish wish;                      // names the program; without a record the one that fits
  std::vector<FoundArtifact> records;  // possible ones
};

class ProgramLoader {
 public:
  using Program = Result<std::shared_ptr<const OpenProgram>>;  // one sentence if it cannot be read
  using Done = std::function<void(const Program&)>;

  ProgramLoader(uv::Loop& loop, const FileSystem& files) : files_(files), worker_(loop) {}

  // `done` is called at once if the program is known and its files are as they were.
  void ask(ProgramRequest request, Done done);
  // Nothing is read any more, and nobody is answered.
  void shut();
  bool is_busy() const { return worker_.is_running(); }

 private:
  struct Job;
  // A request, and the artifacts that it depends on as they were when it was made.
  struct Key {
    ProgramRequest request;
    FileStamps stamps;

    bool operator==(const Key& other) const {
      return request.wish == other.request.wish && stamps == other.stamps;
    }
  };
  struct Waiting {
    Key key;
    Done done;
  };

  Key key_of(ProgramRequest request) const;
  bool has_same_sources() const;
  void start();
  void finish(const Job& job);

  const FileSystem& files_;
  std::optional<Key> known_;
  std::shared_ptr<const OpenProgram> program_;  // of known_
  std::vector<Waiting> waiting_;
  uv::Worker worker_;
};

}  // namespace etlens
