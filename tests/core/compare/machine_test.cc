// SPDX-License-Identifier: Apache-2.0
// The machine's factor: what all places agree on.
#include "core/compare/machine.h"

#include <cmath>
#include <random>

namespace etlens::machine_test {

namespace {

struct Line {
  double share = 0;
  double change = 0;  // of the program, on the new side
  size_t places = 3;
};

MachineQuestion question(const std::vector<Line>& lines, double slower, size_t dumps,
                         double noise = 0.01) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0, noise);
  MachineQuestion question;
  question.dumps_before = question.dumps_after = dumps;
  for (uint32_t l = 0; l < lines.size(); ++l) {
    for (size_t i = 0; i < lines[l].places; ++i) {
      EqualWork work;
      work.share = lines[l].share / static_cast<double>(lines[l].places);
      work.voter = l;
      for (size_t d = 0; d < dumps; ++d) {
        work.values.before.push_back(10 + normal(random));
        work.values.after.push_back(10 + normal(random) + std::log(slower) +
                                    std::log1p(lines[l].change));
      }
      question.share += work.share;
      question.work.push_back(std::move(work));
    }
  }
  return question;
}

}  // namespace

TEST_CASE("All places slower by the same is the machine") {
  const Machine machine = find_machine(question({{0.5}, {0.3}, {0.1}, {0.1}}, 1.4, 4));
  REQUIRE(machine.is_known);
  CHECK(machine.factor == Approx(1.4).epsilon(0.01));
  CHECK(machine.low > 1.38);
  CHECK(machine.high < 1.42);
  CHECK(machine.level.after.size() == 4);
}

TEST_CASE("A line that most of the time is on has one vote like any other") {
  for (const double change : {0.1, 0.5, 3.0}) {
    const Machine machine =
        find_machine(question({{0.7, change}, {0.1}, {0.1}, {0.05}, {0.05}}, 1, 5));
    CAPTURE(change);
    CHECK(machine.factor == Approx(1).margin(0.02));
  }
}

TEST_CASE("A line that changed does not hide what the machine did") {
  const Machine machine =
      find_machine(question({{0.5, 1.0}, {0.2}, {0.1}, {0.1}, {0.05}, {0.05}}, 1.2, 5));
  CHECK(machine.factor == Approx(1.2).epsilon(0.02));
}

TEST_CASE("Too few places, or too little of the time, say nothing") {
  CHECK_FALSE(find_machine(question({{0.5, 0, 4}}, 1.4, 4)).is_known);
  CHECK_FALSE(find_machine(question({{0.01}, {0.01}}, 1.4, 4)).is_known);
  const Machine machine = find_machine(question({}, 1, 2));
  CHECK(machine.level.before == std::vector<double>{0, 0});
  CHECK(machine.factor == 1);
}

TEST_CASE("One dump a side is enough to see the machine") {
  const Machine machine = find_machine(question({{0.4}, {0.3}, {0.2}, {0.1}}, 1.5, 1, 0.05));
  CHECK(machine.factor == Approx(1.5).epsilon(0.05));
}

TEST_CASE("The level of everything counts calls into the runtime by their share") {
  MachineQuestion both = question({{0.3}, {0.2}, {0.1}}, 1, 2, 0);
  MachineQuestion calls = question({{0.4}}, 2, 2, 0);
  both.calls = calls.work;
  both.calls_share = 0.4;
  const Machine machine = find_machine(both);
  CHECK(machine.factor == Approx(1));
  const PerDump& level = machine.total_level;
  CHECK(level.after[0] - level.before[0] == Approx(0.4 * std::log(2.0)));
}

}  // namespace etlens::machine_test
