// SPDX-License-Identifier: Apache-2.0
// The sentence of a file that cannot be read, on every system.
#pragma once

#include <string_view>

#include "core/base/result.h"

namespace etlens {

inline Error cannot_read(ErrorCode code, std::string_view path, std::string_view reason,
                         std::string_view what_to_do) {
  std::string message = "cannot read ";
  ((((message += path) += ": ") += reason) += "; ") += what_to_do;
  return {code, std::move(message)};
}

}  // namespace etlens
