// SPDX-License-Identifier: Apache-2.0
// LoadProgress: work-done progress of loads that take long enough to be noticed. The user may
// cancel.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "rpc/connection.h"
#include "rpc/uv/loop.h"
#include "server/capabilities.h"
#include "server/timing.h"

namespace etlens {

class LoadProgress {
 public:
  // `kind`: tells its tokens from those of others.
  LoadProgress(uv::Loop& loop, Connection& connection, const Timing& timing,
               const ClientCapabilities& client, std::string kind)
      : loop_(loop),
        connection_(connection),
        timing_(timing),
        client_(client),
        kind_(std::move(kind)) {}

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

  uv::Loop& loop_;
  Connection& connection_;
  const Timing& timing_;
  const ClientCapabilities& client_;
  std::string kind_;
  std::shared_ptr<Shown> shown_;
  uint64_t count_ = 0;
  Timer delay_;
};

}  // namespace etlens
