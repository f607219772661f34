// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/names.h"

#include <catch2/catch.hpp>

namespace etlens::names_test {

TEST_CASE("names of XNNPACK: what a kind may report is known, and nothing else", "[names]") {
  size_t count = 0;
  for (uint8_t kind = 0; kind < static_cast<uint8_t>(XnnpackKind::kCount); ++kind) {
    for (const XnnpackName& own :
         names_of(static_cast<XnnpackKind>(kind), XnnpackNameSet::OfKind)) {
      CAPTURE(kind, own.name);
      CHECK(!is_unknown_xnnpack_name(parse_event_name(own.name)));
      ++count;
    }
  }
  CHECK(count > 60);
  CHECK(!is_unknown_xnnpack_name(parse_event_name("Invalid Unary Op #1")));
  for (const char* text : {"", " ", "Add ", "add", "Ad", "Zebra", "Abc", "Linear With Bias"}) {
    CAPTURE(text);
    CHECK(is_unknown_xnnpack_name(parse_event_name(text)));
  }
}

}  // namespace etlens::names_test
