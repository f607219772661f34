// SPDX-License-Identifier: Apache-2.0
#include "rpc/write_soon.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>

namespace etlens {

// The file may be shared with other processes, so it is not made non-blocking but asked first.
bool write_soon(std::FILE* file, std::string_view bytes) {
  pollfd ready{::fileno(file), POLLOUT, 0};
  if (::poll(&ready, 1, 0) != 1 || ready.revents != POLLOUT) return false;
  return ::write(ready.fd, bytes.data(), std::min(bytes.size(), kMostWrittenAtOnce)) > 0;
}

}  // namespace etlens
