// SPDX-License-Identifier: Apache-2.0
#include "core/render/histogram_picture.h"

#include <vector>

namespace etlens::histogram_picture_test {

TEST_CASE("histogram: the picture has a bar for each step that is not empty", "[histogram]") {
  const std::string two = picture_of(histogram(std::vector<double>{1, 2}), {"1 ns", "2 ns"});
  const std::string one = picture_of(histogram(std::vector<double>{1, 1}), {"1 ns", "1 ns"});
  CHECK(two.starts_with("data:image/svg+xml;base64,PHN2ZyB4bWxucz0i"));
  CHECK(two.size() > one.size());
}

TEST_CASE("histogram: two on one axis, each with its own height", "[histogram]") {
  BothHistograms both;
  both.before.counts[0] = 50;
  both.after.counts[20] = 5;
  const std::string picture = picture_of(both, {});
  CHECK(picture.starts_with("data:image/svg+xml;base64,PHN2ZyB4bWxucz0i"));
  // Neither is drawn over the other: swapping them is another picture.
  std::swap(both.before, both.after);
  CHECK(picture_of(both, {}) != picture);
  CHECK(picture.size() > picture_of(Histogram(), {}).size());
}

}  // namespace etlens::histogram_picture_test
