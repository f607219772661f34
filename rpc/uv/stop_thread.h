// SPDX-License-Identifier: Apache-2.0
// Stops a thread for good, wherever it is: it uses no processor any more and keeps what it holds.
// For work that cannot be told to end. Such work has not allocated for long, so the thread is not
// inside the allocator; that it holds no lock of ours is for the caller to know.
#pragma once

#include <uv.h>

namespace etlens::uv {

void stop_thread(uv_thread_t thread);

}  // namespace etlens::uv
