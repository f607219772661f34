// SPDX-License-Identifier: Apache-2.0
// Whether the other end of an input is closed, asked without reading what is still in it.
#pragma once

namespace etlens::uv {

// False where the system cannot say.
bool has_hung_up(int descriptor);

}  // namespace etlens::uv
