// SPDX-License-Identifier: Apache-2.0
#include "core/render/histogram_picture.h"

#include <vector>

using namespace etlens;

TEST_CASE("histogram: the picture has a bar for each step that is not empty", "[histogram]") {
  const std::string two = picture_of(histogram(std::vector<double>{1, 2}));
  const std::string one = picture_of(histogram(std::vector<double>{1, 1}));
  CHECK(two.starts_with("data:image/svg+xml;base64,PHN2ZyB4bWxucz0i"));
  CHECK(two.size() > one.size());
}
