// SPDX-License-Identifier: Apache-2.0
// Members of an ETRecord's JSON that are not set.
#pragma once

#include <simdjson.h>

namespace etlens {

// Releases up to 0.3 write all members of a union and all optional values, unset ones as null. Such
// a member counts as one that is not there. The value is not consumed.
inline bool is_absent(simdjson::ondemand::value value) {
  simdjson::ondemand::json_type type;
  return value.type().get(type) == simdjson::SUCCESS && type == simdjson::ondemand::json_type::null;
}

}  // namespace etlens
