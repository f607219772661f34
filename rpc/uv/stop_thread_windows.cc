// SPDX-License-Identifier: Apache-2.0
#include "rpc/uv/stop_thread.h"

namespace etlens::uv {

void stop_thread(uv_thread_t thread) { ::SuspendThread(thread); }

}  // namespace etlens::uv
