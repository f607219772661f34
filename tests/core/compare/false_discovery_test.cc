// SPDX-License-Identifier: Apache-2.0
#include "core/compare/false_discovery.h"

namespace etlens::false_discovery_test {

TEST_CASE("Benjamini and Hochberg's own example") {
  // Their table of 1995: at 5 % the four smallest of fifteen are rejected.
  const std::vector<double> ps{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                               0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const std::vector<double> adjusted = adjust_for_many(ps);
  for (size_t i = 0; i < ps.size(); ++i) {
    CAPTURE(i);
    CHECK((adjusted[i] <= 0.05) == (i < 4));
    CHECK(adjusted[i] >= ps[i]);
  }
}

TEST_CASE("The order of the places does not matter") {
  CHECK(adjust_for_many(std::vector<double>{0.5, 0.01}) == std::vector<double>{0.5, 0.02});
  CHECK(adjust_for_many({}).empty());
}

}  // namespace etlens::false_discovery_test
