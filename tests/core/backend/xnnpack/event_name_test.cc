// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/event_name.h"

#include <catch2/catch.hpp>

namespace etlens::event_name_test {

TEST_CASE("event names: parts", "[event_name]") {
  const EventName name = parse_event_name("Convolution (NHWC, F32) IGEMM #3");
  CHECK(name.full == "Convolution (NHWC, F32) IGEMM");
  CHECK(name.base == "Convolution");
  CHECK(name.type == "F32");
  CHECK(name.second_type.empty());
  CHECK(name.kernel == "IGEMM");
  CHECK(name.number == 3);

  const EventName linear = parse_event_name("Fully Connected (NC, QDU8, F32, QC8W) GEMM #12");
  CHECK(linear.base == "Fully Connected");
  CHECK(linear.type == "QDU8");
  CHECK(linear.second_type == "F32");

  const EventName table = parse_event_name("Invalid Unary Op #1");
  CHECK(table.base == "Invalid Unary Op");
  CHECK(table.type.empty());
  CHECK(table.number == 1);

  CHECK(parse_event_name("Convert (NC)").number == 0);
  CHECK(parse_event_name("Convert (NC)").type.empty());
  CHECK(parse_event_name("Convert (NC, QS8, QC8) #1").second_type == "QC8");
  CHECK(parse_event_name("Average Pooling (NHWC, F32) Average Pooling #1").kernel ==
        "Average Pooling");
}

TEST_CASE("event names: odd text", "[event_name]") {
  CHECK(parse_event_name("").base.empty());
  CHECK(parse_event_name("#").base == "#");
  CHECK(parse_event_name("Add (").base == "Add (");
  CHECK(parse_event_name("Add )(").base == "Add )(");
  CHECK(parse_event_name("Add (ND) #0").full == "Add (ND) #0");
  CHECK(parse_event_name("Add (ND) #x").full == "Add (ND) #x");
  CHECK(parse_event_name("Add (ND) #99999999999").full == "Add (ND) #99999999999");
}

TEST_CASE("event names: numbers count equal names", "[event_name]") {
  const auto wrong = [](std::vector<std::string_view> texts) {
    std::vector<EventName> names;
    for (const std::string_view text : texts) names.push_back(parse_event_name(text));
    return miscounted(names);
  };
  CHECK(wrong({"Add (ND) #1", "Abs (NC) #1", "Add (ND) #2"}) ==
        std::vector<bool>{false, false, false});
  CHECK(wrong({"Add (ND) #2", "Abs (NC) #1", "Add (ND) #1"}) ==
        std::vector<bool>{true, false, true});
  CHECK(wrong({"Add (ND) #1", "Add (ND) #3"}) == std::vector<bool>{true, true});
  CHECK(wrong({"Add", "Add"}) ==
        std::vector<bool>{false, false});  // a backend that does not number
}

}  // namespace etlens::event_name_test
