// SPDX-License-Identifier: Apache-2.0
// What tree-sitter allocates, counted, refused and failing.
#include <catch2/catch.hpp>

#include "core/base/budget.h"
#include "core/source/python/python_syntax.h"

namespace etlens::tree_memory_test {

namespace {

using Syntax = std::shared_ptr<const PythonSyntax>;

Result<Syntax> parse_in_load(const std::shared_ptr<const Document>& document) {
  return within_budget({}, [&]() -> Result<Syntax> { return PythonSyntax::parse(document); });
}

std::shared_ptr<const Document> lines(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += "x\n";
  return std::make_shared<Document>(text);
}

}  // namespace

TEST_CASE("tree memory: a tree counts, and the load ends when it is too large", "[python_syntax]") {
  const std::shared_ptr<const Document> source = lines(30'000);
  {
    const Result<Syntax> all = parse_in_load(source);
    REQUIRE(all);
    REQUIRE((*all)->is_valid());
  }
  const int64_t whole = last_peak_bytes();
  CHECK(whole > 30'000 * 100);  // what etlens itself makes of a line takes less
  set_base_budget(whole / 2, Ledger::kBaseNs);
  const Result<Syntax> half = parse_in_load(source);
  set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs);
  REQUIRE_FALSE(half);
  CHECK(half.error().message.find("MB of memory") != std::string::npos);
  CHECK(last_peak_bytes() < whole);
  CHECK(parse_in_load(source));
}

TEST_CASE("tree memory: whichever allocation fails, there is a sentence", "[python_syntax]") {
  const auto source = std::make_shared<const Document>(
      "class A(nn.Module):\n    def forward(self, x):\n        if x.any():\n            x = "
      "F.relu(self.up(x), inplace=[1, 2])\n        return f'{x} \"\"\"'\n(((\n");
  CHECK(parse_in_load(source));
  const int64_t count = counted_allocations();
  REQUIRE(count > 20);
  int64_t refused = 0;
  for (int64_t n = 1; n <= count; ++n) {
    fail_allocation(n);
    const Result<Syntax> syntax = parse_in_load(source);
    fail_allocation(0);
    refused += syntax ? 0 : 1;
  }
  CHECK(refused == count);
  CHECK(parse_in_load(source));
}

}  // namespace etlens::tree_memory_test
