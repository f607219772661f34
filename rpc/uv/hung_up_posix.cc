// SPDX-License-Identifier: Apache-2.0
#include "rpc/uv/hung_up.h"

#include <poll.h>

namespace etlens::uv {

bool has_hung_up(int descriptor) {
  pollfd state{descriptor, 0, 0};
  return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace etlens::uv
