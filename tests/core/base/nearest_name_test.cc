// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest_name.h"

namespace etlens::nearest_name_test {

TEST_CASE("nearest name: letters missing, added, changed or exchanged") {
  const std::vector<std::string> names{"delegated", "delegate_calls", "peak_memory"};
  CHECK(nearest_name("delegate_cals", names) == "delegate_calls");
  CHECK(nearest_name("delegateed", names) == "delegated");
  CHECK(nearest_name("peak_nemory", names) == "peak_memory");
  CHECK(nearest_name("paek_memory", names) == "peak_memory");
  CHECK(nearest_name("peak", names) == "peak_memory");
  CHECK(nearest_name("memory", names) == "");
  CHECK(nearest_name("size", names) == "");
  CHECK(nearest_name(std::string(10'000, 'p'), names) == "");
  CHECK(nearest_name("peak", {}) == "");
}

}  // namespace etlens::nearest_name_test
