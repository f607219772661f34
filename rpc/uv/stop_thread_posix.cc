// SPDX-License-Identifier: Apache-2.0
// A signal whose handler does not return. SIGURG: what nobody handles is ignored, so that one which
// comes from elsewhere does no harm before.
#include <pthread.h>
#include <unistd.h>

#include <csignal>

#include "rpc/uv/stop_thread.h"

namespace etlens::uv {
namespace {

pthread_t stopped;

// For the thread that was chosen; a signal from elsewhere may reach any.
void wait_forever(int) {
  if (::pthread_equal(::pthread_self(), stopped) == 0) return;
  while (true) ::pause();
}

}  // namespace

void stop_thread(uv_thread_t thread) {
  stopped = thread;
  struct sigaction action {};
  action.sa_handler = wait_forever;
  ::sigaction(SIGURG, &action, nullptr);
  ::pthread_kill(thread, SIGURG);
}

}  // namespace etlens::uv
