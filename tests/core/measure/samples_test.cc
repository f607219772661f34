// SPDX-License-Identifier: Apache-2.0
// Which executions are odd, and which are used.
#include "core/measure/samples.h"

#include <string>
#include <vector>

#include "core/measure/groups.h"

namespace etlens::samples_test {

namespace {

using Numbers = std::vector<uint32_t>;

std::vector<Amount> amounts(const std::vector<int64_t>& values) {
  std::vector<Amount> amounts;
  for (const int64_t value : values) amounts.emplace_back(value);
  return amounts;
}

Numbers chosen(std::string_view choice, size_t count, const std::vector<SampleGroup>& groups = {},
               std::string_view group = "") {
  const auto result = choose_samples(choice, group, count, groups);
  if (!result) FAIL(result.error().message);
  return *result;
}

std::string refusal(std::string_view choice, size_t count, std::string_view group = "",
                    const std::vector<SampleGroup>& groups = {}) {
  const auto result = choose_samples(choice, group, count, groups);
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::InvalidParams);
  return result.error().message;
}

SampleGroup group_of(std::string name, Numbers samples, int64_t total) {
  SampleGroup group;
  group.name = std::move(name);
  group.samples = std::move(samples);
  group.total = Amount(total);
  return group;
}

// The first has the largest total, the second the slower executions.
const std::vector<SampleGroup> kTwoGroups{group_of("decode", {1, 3, 4, 5}, 400),
                                          group_of("prefill", {0, 2, 6}, 390)};

}  // namespace

TEST_CASE("samples: choices are read", "[samples]") {
  CHECK(chosen("", 3) == Numbers{0, 1, 2});
  CHECK(chosen("all", 3) == Numbers{0, 1, 2});
  CHECK(chosen("2", 3) == Numbers{1});
  CHECK(chosen("1-3,5", 6) == Numbers{0, 1, 2, 4});
  CHECK(chosen(" 5 , 1-2,2", 6) == Numbers{0, 1, 4});  // in their order, each once
  CHECK(chosen("", 7, kTwoGroups) == Numbers{1, 3, 4, 5});
  CHECK(chosen("fast", 7, kTwoGroups) == Numbers{1, 3, 4, 5});
  CHECK(chosen("slow", 7, kTwoGroups) == Numbers{0, 2, 6});
  CHECK(chosen("all", 7, kTwoGroups).size() == 7);
}

TEST_CASE("samples: the first executions are left out", "[samples]") {
  CHECK(*without_first({0, 1, 2, 3}, 0, 4) == Numbers{0, 1, 2, 3});
  CHECK(*without_first({0, 1, 2, 3}, 3, 4) == Numbers{3});
  CHECK(*without_first({1, 3}, 2, 4) == Numbers{3});
  const auto none = without_first({0, 1}, 2, 4);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ErrorCode::InvalidParams);
  CHECK_THAT(none.error().message, Catch::Contains("4 executions, and the first 2 are left out"));

  const std::vector<Amount> totals = amounts({90, 10, 100, 10, 10, 10, 200});
  std::vector<SampleGroup> groups = kTwoGroups;
  leave_out_first(groups, totals, 0);
  CHECK(groups.front().name == "decode");
  leave_out_first(groups, totals, 2);
  REQUIRE(groups.size() == 2);
  CHECK((groups[0].name == "prefill" && groups[0].samples == Numbers{2, 6}));
  CHECK(groups[0].total == Amount(300));
  CHECK((groups[1].samples == Numbers{3, 4, 5} && groups[1].total == Amount(30)));
  leave_out_first(groups, totals, 6);
  CHECK(groups.empty());  // what is left did the same work
}

TEST_CASE("samples: groups are chosen by name", "[samples]") {
  CHECK(chosen("", 7, kTwoGroups, "prefill") == Numbers{0, 2, 6});
  CHECK(chosen("prefill", 7, kTwoGroups) == Numbers{0, 2, 6});
  CHECK(chosen("prefill", 7, kTwoGroups, "decode") == Numbers{0, 2, 6});
  CHECK(chosen("all", 7, kTwoGroups, "prefill").size() == 7);
  CHECK(chosen("", 2, {group_of("group A", {0}, 2), group_of("group B", {1}, 1)}, "B") ==
        Numbers{1});
  CHECK_THAT(refusal("", 7, "chat", kTwoGroups), Catch::Contains("there are decode, prefill"));
  CHECK_THAT(refusal("", 7, "decode"), Catch::Contains("all executions did the same work"));
}

TEST_CASE("samples: what cannot be read is an error that says what there is", "[samples]") {
  for (const char* wrong : {"0", "4", "2-4", "3-2", "1-", "-2", "1,,2", "x", "1;2", "1.5", ",",
                            "99999999999999999999"}) {
    CAPTURE(wrong);
    CHECK(refusal(wrong, 3).find("the block has 3") != std::string::npos);
  }
  CHECK(refusal("slow", 3).find("all executions are of one kind") != std::string::npos);
}

TEST_CASE("samples: ranges as text, and back", "[samples]") {
  CHECK(samples_text(Numbers{0, 1, 2}, 3) == "all");
  CHECK(samples_text(Numbers{0, 1, 2, 6}, 8) == "1-3,7");
  CHECK(samples_text(Numbers{4}, 8) == "5");
  CHECK(chosen(samples_text(Numbers{0, 3, 4, 7}, 8), 8) == Numbers{0, 3, 4, 7});
}

TEST_CASE("samples: the odd ones", "[samples]") {
  const Numbers all{0, 1, 2, 3, 4};
  CHECK(find_odd(amounts({5000, 100, 110, 90, 105}), all) == Numbers{0});
  CHECK(find_odd(amounts({100, 100, 110, 90, 105}), all).empty());
  // Half as much again, and most of all that was beyond.
  CHECK(find_odd(amounts({100, 100, 160, 90, 105}), all) == Numbers{2});
  // Only those that are used count.
  CHECK(find_odd(amounts({5000, 100, 110, 90, 105}), Numbers{1, 2, 3, 4}).empty());
  CHECK(find_odd(amounts({5000, 100}), Numbers{0, 1}).empty());  // which of the two is odd?
}

}  // namespace etlens::samples_test
