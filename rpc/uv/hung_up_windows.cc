// SPDX-License-Identifier: Apache-2.0
// Windows says it only to who reads.
#include "rpc/uv/hung_up.h"

namespace etlens::uv {

bool has_hung_up(int) { return false; }

}  // namespace etlens::uv
