// SPDX-License-Identifier: Apache-2.0
// Refresher: asks the client to look again. At once, and then not again for a moment: what comes
// meanwhile becomes one request at its end. Because of an edit, which the client knows of, only if
// what was answered at once is not what a thorough look says.
#pragma once

#include <functional>

#include "rpc/connection.h"
#include "rpc/uv/loop.h"
#include "server/capabilities.h"
#include "server/timing.h"

namespace etlens {

class Refresher {
 public:
  Refresher(uv::Loop& loop, Connection& connection, const Timing& timing,
            const ClientCapabilities& client)
      : loop_(loop), connection_(connection), timing_(timing), client_(client) {}

  void request() {
    if (pause_.pending()) {
      again_ = true;
      return;
    }
    if (client_.hint_refresh) connection_.request_without_params("workspace/inlayHint/refresh");
    if (client_.lens_refresh) connection_.request_without_params("workspace/codeLens/refresh");
    if (timing_.refresh_merge.count() == 0) return;
    pause_ = loop_.after(timing_.refresh_merge, [this] {
      if (std::exchange(again_, false)) request();
    });
  }

 private:
  uv::Loop& loop_;
  Connection& connection_;
  const Timing& timing_;
  const ClientCapabilities& client_;
  Timer pause_;
  bool again_ = false;
};

}  // namespace etlens
