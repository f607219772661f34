// SPDX-License-Identifier: Apache-2.0
// The table of backends. That one row more is all that a new backend takes is tested where its
// events can be read: tests/core/facts/new_backend_test.cc.
#include "core/backend/backend.h"

#include <set>

namespace etlens::registry_test {

TEST_CASE("backends: every built-in row has an id of its own and a label", "[backends]") {
  std::set<std::string_view> ids;
  for (const Backend& row : built_in_backends().rows()) {
    CAPTURE(row.id);
    CHECK_FALSE(row.id.empty());
    CHECK_FALSE(row.label.empty());
    CHECK(ids.insert(row.id).second);
    CHECK(&built_in_backends().find(row.id) == &row);
    CHECK(built_in_backends().label(row.id) == row.label);
    // Each needs the other.
    CHECK((row.operator_bytes == nullptr) == (row.payload_front_bytes == 0));
    if (row.contradict_payload != nullptr) CHECK(row.operator_bytes != nullptr);
    for (const std::string_view phase : row.host_phases) CHECK_FALSE(phase.empty());
    if (!row.dispatch_phase.empty()) CHECK(built_in_backends().is_host_phase(row.dispatch_phase));
  }
  CHECK(ids.size() >= 8);
}

TEST_CASE("backends: an unknown one is nothing special", "[backends]") {
  for (const char* id : {"", "MyBackend"}) {
    const Backend& row = built_in_backends().find(id);
    CHECK(row.id.empty());
    CHECK(row.open_placer == nullptr);
    CHECK(row.resolution_ns == 0);
  }
  CHECK(built_in_backends().label("XnnpackBackend") == "XNNPACK");
  CHECK(built_in_backends().label("MyBackend") == "My");
  CHECK(built_in_backends().label("Backend") == "Backend");
  CHECK(built_in_backends().label("").empty());
  CHECK_FALSE(built_in_backends().is_dispatch_phase(""));
}

}  // namespace etlens::registry_test
