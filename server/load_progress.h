// SPDX-License-Identifier: Apache-2.0
// LoadProgress: work-done progress of loads that take long enough to be noticed. The user may
// cancel.
#pragma once

#include <memory>
#include <string>

#include "server/server_base.h"

namespace etlens {

class LoadProgress {
 public:
  // `kind`: tells its tokens from those of others.
  LoadProgress(ServerBase& base, std::string kind) : base_(base), kind_(std::move(kind)) {}

  void begin(std::string what);
  // How much of all is done, 0 … 1.
  void report(double part);
  void end();
  // True if the token is that of the load that runs.
  bool is_current(const lsp::ProgressToken& token) const;

 private:
  // One load: shared with the answer to our request, which may come after the end.
  struct Shown {
    std::string token;
    std::string what;
    bool begun = false;
    uint32_t percentage = 0;
    bool ended = false;
  };

  void create();

  ServerBase& base_;
  std::string kind_;
  std::shared_ptr<Shown> shown_;
  uint64_t count_ = 0;
  Timer delay_;
};

}  // namespace etlens
