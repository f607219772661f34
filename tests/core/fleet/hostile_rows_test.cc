// SPDX-License-Identifier: Apache-2.0
// Rows as they come from a file or a pipe: many sound ones are no harm, and one without end is
// given up.
#include <fmt/format.h>

#include <vector>

#include "core/base/budget.h"
#include "core/fleet/dump_work.h"
#include "core/fleet/row_taker.h"
#include "test_paths.h"
#include "tests/support/corpus.h"

namespace etlens::hostile_rows_test {

using namespace etlens::test;

namespace {

constexpr int64_t kMb = 1 << 20;

struct SmallBudget {
  SmallBudget() { set_base_budget(kMb / 2, Ledger::kBaseNs); }
  ~SmallBudget() { set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs); }
};

// Rows of so many dumps, a line each.
std::string rows_of(int dumps) {
  std::string text;
  for (int d = 0; d < dumps; ++d) {
    DumpRows rows;
    rows.head.id = fmt::format("{:040}", d);
    rows.head.name = fmt::format("dumps/{}.etdp", d);
    rows.head.program = "p";
    rows.rows.emplace_back();
    rows.rows.back().place.key = "total";
    rows.rows.back().self_ticks = 1000 + d % 7;
    text += dump_rows_text(rows, RowForm::Ndjson);
  }
  return text;
}

}  // namespace

TEST_CASE("hostile rows: a fleet may take what its rows justify", "[fleet][hostile]") {
  const std::string text = rows_of(8000);
  FleetOptions options;
  options.keeps_dumps = true;
  const SmallBudget small;
  CommandScope command({});
  FleetBuilder fleet(options);
  RowTaker taker("stdin", fleet);
  bool is_refused = false;
  try {
    for (size_t at = 0; at < text.size(); at += 64 << 10)
      CHECK(taker.take(std::string_view(text).substr(at, 64 << 10)));
  } catch (const std::bad_alloc&) {
    is_refused = true;
  }
  INFO(command.error().message);
  CHECK_FALSE(is_refused);
}

TEST_CASE("hostile rows: a line without end asks whether it may go on", "[fleet][hostile]") {
  CancelToken cancel;
  cancel.cancel();
  CommandScope command(cancel);
  FleetBuilder fleet({});
  RowTaker taker("sparse", fleet);
  const std::string nothing(64 << 10, '\0');
  size_t pieces = 0;
  const auto take_all = [&] {
    for (; pieces < 10'000; ++pieces) (void)taker.take(nothing);
  };
  CHECK_THROWS_AS(take_all(), std::bad_alloc);
  CHECK(pieces < 2'000);
  CHECK(command.error().code == ErrorCode::Cancelled);
}

TEST_CASE("hostile rows: what a process read counts where its rows are taken", "[fleet]") {
  const std::string path = unpacked(ETLENS_TEST_DATA "/compare/base-1.dump.gz");
  const uint64_t size = real_file_system().stat(path)->size;
  CommandScope command({});
  DumpWork work;
  work.dumps = {path};
  uint64_t granted = 0;
  size_t rows = 0;
  REQUIRE(read_dumps(real_file_system(), work, [&](size_t, const DumpText& text) {
    granted = granted_bytes();
    rows = std::get<std::string>(text).size();
    return true;
  }));
  CHECK(rows > 0);
  CHECK(granted == size);
}

}  // namespace etlens::hostile_rows_test
