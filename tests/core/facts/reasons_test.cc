// SPDX-License-Identifier: Apache-2.0
// Why operators of a dump are on the CPU. A dump is the truth for who ran what: no event inside a
// delegate call has a reason, and of those on the CPU nearly all have one.
#include "core/facts/reasons.h"

#include <catch2/catch.hpp>

#include "core/facts/advice.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/studies.h"

namespace etlens::reasons_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

std::shared_ptr<const Study> study_of_pair(const Pair& pair, const std::string& program,
                                           bool finds_reasons) {
  LoadRequest request;
  request.etdump = unpacked(pair.etdump);
  request.etrecord = unpacked(pair.etrecord);
  request.pte = program;
  request.recovers = false;
  request.finds_reasons = finds_reasons;
  const auto study = load_study(real_file_system(), request);
  return study ? *study : nullptr;
}

// What tells of the events of a dump, by who ran them.
struct Told {
  size_t on_cpu = 0;  // that ran a node on the CPU
  size_t reasons = 0;
  size_t said_delegated = 0;  // the record says that a delegate runs the node
};

Told told_of(const std::shared_ptr<const Study>& study) {
  Told told;
  if (!study->delegation || study->delegation->lowering != Lowering::Delegated) return told;
  const Facts facts(study);
  for (size_t c = 0; c < facts.contribution_count(); ++c) {
    const ContributionFacts row = facts.contribution(ContributionId(c));
    const DelegationReason* reason = reason_of(facts, row.id);
    if (row.partition.valid() || !row.node.valid()) CHECK(reason == nullptr);
    const bool is_operator = row.part == Part::Line || row.part == Part::Unattributed;
    if (!is_operator || row.partition.valid() || !row.node.valid()) continue;
    // Arithmetic on sizes has no kernel, and stands at the node whose size it is.
    if (study->join->logged_name(row.id) == "OPERATOR_CALL") continue;
    ++told.on_cpu;
    told.reasons += reason != nullptr ? 1 : 0;
    const NodeDelegation* node = study->delegation->find(row.node);
    if (node != nullptr && node->is_delegated()) ++told.said_delegated;
  }
  return told;
}

}  // namespace

TEST_CASE("reasons: those of a dump are the record's", "[reasons]") {
  size_t studies = 0;
  Told all;
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump);
      const auto study = study_of_pair(pair, "", true);
      if (study == nullptr || !study->delegation) continue;
      ++studies;
      const Told told = told_of(study);
      all.on_cpu += told.on_cpu;
      all.reasons += told.reasons;
      all.said_delegated += told.said_delegated;
      if (told.said_delegated > 0)
        UNSCOPED_INFO(pair.etdump << ": " << told.said_delegated << " of " << told.on_cpu);
    }
  }
  INFO(all.reasons << " reasons, " << all.on_cpu << " on the CPU, " << all.said_delegated
                   << " said to be delegated");
  CHECK(studies > 5);
  CHECK(all.on_cpu > 50);
  // Nothing is told where dump and record disagree, and that is the exception.
  CHECK(all.said_delegated * 100 <= all.on_cpu);
  CHECK(all.reasons * 100 >= all.on_cpu * 95);
}

TEST_CASE("reasons: nothing is told that was not asked for", "[reasons]") {
  const std::vector<Pair> pairs = pairs_of(ETLENS_EXAMPLES "/storyteller");
  REQUIRE(!pairs.empty());
  const auto without = study_of_pair(pairs.front(), "", false);
  REQUIRE(without != nullptr);
  CHECK(without->delegation == nullptr);
  const Facts facts(without);
  for (size_t c = 0; c < facts.contribution_count(); ++c)
    CHECK(reason_of(facts, ContributionId(c)) == nullptr);
  for (const Advice& row : advise(facts, headline(facts))) CHECK(row.reason.empty());
}

TEST_CASE("reasons: findings about the CPU say why, and each operator once", "[reasons]") {
  const std::vector<Pair> pairs = pairs_of(ETLENS_EXAMPLES "/storyteller");
  REQUIRE(!pairs.empty());
  const auto study = study_of_pair(pairs.front(), "", true);
  REQUIRE(study != nullptr);
  const Facts facts(study);
  size_t fallbacks = 0;
  std::set<ContributionId> told;
  for (const Advice& row : advise(facts, headline(facts))) {
    if (row.kind == AdviceKind::Fallback) {
      ++fallbacks;
      CHECK(!row.reason.empty());
    }
    if (row.kind != AdviceKind::NotDelegated) continue;
    CHECK(!row.reason.empty());
    for (const ContributionId id : row.events) CHECK(told.insert(id).second);
  }
  CHECK(fallbacks > 0);
}

}  // namespace etlens::reasons_test
