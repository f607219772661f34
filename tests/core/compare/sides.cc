// SPDX-License-Identifier: Apache-2.0
#include "tests/core/compare/sides.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"

namespace etlens::test {

std::shared_ptr<const Side> side_of_data(const std::string& name) {
  const std::string folder = ETLENS_TEST_DATA "/compare/";
  MemoryFileSystem files;
  files.put("/r.etrecord", read_file(name == "base" ? ETLENS_TEST_DATA
                                         "/release-1.5/mlp-portable-fp32/model.etrecord"
                                                    : folder + name + ".etrecord.gz"));
  SideRequest request;
  request.load.etrecord = "/r.etrecord";
  request.keeps_samples = true;
  for (int i = 1; i <= 6; ++i) {
    request.dumps.push_back(fmt::format("/{}.etdp", i));
    files.put(request.dumps.back(),
              read_file(folder + name + "-" + std::to_string(i) + ".dump.gz"));
  }
  Result<Side> side = load_side(files, request);
  if (!side) FAIL(side.error().message);
  return std::make_shared<const Side>(std::move(*side));
}

std::shared_ptr<const Side> part_of(const Side& side, const std::vector<size_t>& dumps) {
  auto part = std::make_shared<Side>(side);
  part->dumps.clear();
  part->influences.clear();
  for (const size_t d : dumps) part->dumps.push_back(side.dumps[d]);
  return part;
}

std::shared_ptr<const Side> scaled(const Side& side, LineId line, double factor) {
  auto slower = std::make_shared<Side>(side);
  for (DumpAmounts& dump : slower->dumps) {
    for (size_t i = 0; i < dump.self.size(); ++i) {
      if (side.landings.rows[i].line != line) continue;
      Amount& amount = dump.self[i].amount;
      const Amount more(std::llround(static_cast<double>(amount.value) * factor) - amount.value);
      amount += more;
      dump.total += more;
    }
  }
  return slower;
}

Comparison compared(const std::shared_ptr<const Side>& before,
                    const std::shared_ptr<const Side>& after) {
  Result<Comparison> comparison = compare(before, after);
  if (!comparison) FAIL(comparison.error().message);
  return std::move(*comparison);
}

void Alarms::add(const Change& change) {
  if (std::max(change.before.share, change.after.share) < kLeastShare) return;
  ++tested;
  accused += is_accused(change) ? 1 : 0;
}

double Alarms::share() const {
  return tested == 0 ? 0 : static_cast<double>(accused) / static_cast<double>(tested);
}

bool is_accused(const Change& change) {
  return change.judged.verdict == Verdict::Slower || change.judged.verdict == Verdict::Faster;
}

bool reconciles(const Comparison& comparison) {
  Amount before = comparison.total.before.disturbance;
  Amount after = comparison.total.after.disturbance;
  for (const LineChange& line : comparison.lines) {
    before += line.change.before.ticks;
    after += line.change.after.ticks;
  }
  for (const PartChange& part : comparison.parts) {
    before += part.change.before.ticks;
    after += part.change.after.ticks;
  }
  return before == comparison.before->measured() && after == comparison.after->measured();
}

}  // namespace etlens::test
