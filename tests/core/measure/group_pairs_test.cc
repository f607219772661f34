// SPDX-License-Identifier: Apache-2.0
// Which groups of two dumps are the same, and which are never compared.
#include "core/measure/group_pairs.h"

namespace etlens::group_pairs_test {

namespace {

GroupEvidence group(std::string name, double work, std::optional<int64_t> size = {}) {
  return {std::move(name), size, work};
}

using Groups = std::vector<GroupEvidence>;

}  // namespace

TEST_CASE("group pairs: prefill and decode are never each other's", "[groups]") {
  const Groups decode_first{group("decode", 1), group("prefill", 28)};
  const Groups prefill_first{group("prefill", 16), group("decode", 1)};
  CHECK(partner_of(decode_first, 0, prefill_first) == 1);
  CHECK(partner_of(decode_first, 1, prefill_first) == 0);
  CHECK_FALSE(partner_of(decode_first, 0, {group("prefill", 1)}));
  CHECK_FALSE(partner_of(decode_first, 0, {group("group A", 1), group("group B", 28)}));
  CHECK_FALSE(partner_of(decode_first, 0, {}));
  // A prompt that is another one is other work.
  CHECK_FALSE(partner_of(decode_first, 1, {group("decode", 1), group("prefill", 200)}));
  CHECK_FALSE(may_be_same_work(group("prefill", 28, 32), group("prefill", 28, 64)));
  CHECK(may_be_same_work(group("prefill", 16, 32), group("prefill", 90, 32)));
  CHECK(may_be_same_work(group("prefill A", 16), group("prefill", 28)));
}

TEST_CASE("group pairs: letters are no evidence", "[groups]") {
  const Groups base{group("group A", 4, 96), group("group B", 2, 48), group("group C", 1, 24)};
  const Groups fresh{group("group A", 1, 24), group("group B", 4, 96)};
  CHECK(partner_of(base, 0, fresh) == 1);
  CHECK(partner_of(base, 2, fresh) == 0);
  CHECK_FALSE(partner_of(base, 1, fresh));
  // Without sizes: by the work, and where that leaves several, by the rank.
  const Groups seen{group("group A", 3.8), group("group B", 2.1), group("group C", 1)};
  const Groups again{group("group A", 1), group("group B", 3.6), group("group C", 1.9)};
  CHECK(partner_of(seen, 0, again) == 1);
  CHECK(partner_of(seen, 1, again) == 2);
  CHECK(partner_of(seen, 2, again) == 0);
  CHECK_FALSE(partner_of(seen, 1, {group("group A", 3.6), group("group B", 1.8)}));
}

TEST_CASE("group pairs: what is compared", "[groups]") {
  const Groups both{group("decode", 1), group("prefill", 28)};
  const ChosenGroup none;
  CHECK(can_compare(none, none));
  CHECK(can_compare({both, 0}, {both, 0}));
  CHECK_FALSE(can_compare({both, 0}, {both, 1}));
  // Nothing tells which of the two the executions of the other are.
  CHECK_FALSE(can_compare({both, 0}, none));
  CHECK_FALSE(can_compare(none, {both, 0}));
  // Somebody chose the executions.
  CHECK(can_compare({both, std::nullopt}, none));
  CHECK(can_compare({both, std::nullopt}, {both, 1}));
}

}  // namespace etlens::group_pairs_test
