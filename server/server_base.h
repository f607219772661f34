// SPDX-License-Identifier: Apache-2.0
// ServerBase: what all parts of a server stand on. They live on the loop thread, and no longer than
// the server.
#pragma once

#include "rpc/connection.h"
#include "rpc/uv/loop.h"
#include "server/session/session.h"
#include "server/timing.h"

namespace etlens {

// How far client and server are between initialize and exit.
enum class Lifecycle { Uninitialized, Running, ShutDown, Exited };

struct ServerBase {
  uv::Loop& loop;
  const Timing& timing;
  Log& log;
  Connection& connection;
  Session& session;
  Lifecycle lifecycle = Lifecycle::Uninitialized;

  bool is_running() const { return lifecycle == Lifecycle::Running; }
};

}  // namespace etlens
