// SPDX-License-Identifier: Apache-2.0
#include "core/formats/stored_tensor.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

using namespace etlens;

TEST_CASE("strides of a tensor without elements are not multiplied past their type", "[formats]") {
  const std::vector<int64_t> sizes{0, INT64_MAX / 2, 3, 5};
  REQUIRE(element_count(sizes) == 0);
  const std::vector<int64_t> strides = row_major_strides(sizes);
  CHECK(strides[3] == 1);
  CHECK(strides[2] == 5);
  CHECK(strides[1] == 15);
  CHECK(strides[0] > 0);
  CHECK(strides_fit(sizes, strides, 0));
}
