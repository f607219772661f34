// SPDX-License-Identifier: Apache-2.0
// What executions take on a machine that is not quiet, for tests and benchmarks of statistics.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace etlens::test {

// Each execution is drawn on its own, or follows the one before.
struct Noise {
  const char* name;
  double spread = 0.03;    // standard deviation of the logarithm
  double interrupted = 0;  // share of executions that take several times as long
  double slow = 0;         // share of executions that take `times` as long
  double times = 1;
  double follows = 0;    // correlation with the execution before
  int64_t step = 1;      // ns to which durations are cut, at a random phase
  double mean = 50'000;  // ns
  double least = 93;     // per cent of intervals that have to hold the truth, from 10 executions on
};

// In ns.
inline std::vector<int64_t> executions_of(const Noise& noise, size_t count, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::exponential_distribution<double> exponential;
  std::vector<int64_t> values;
  double state = normal(random);
  for (size_t i = 0; i < count; ++i) {
    state = noise.follows * state + std::sqrt(1 - noise.follows * noise.follows) * normal(random);
    double value = noise.mean * std::exp(noise.spread * state);
    if (uniform(random) < noise.slow) value *= noise.times;
    if (uniform(random) < noise.interrupted) value *= 2 + 5 * exponential(random);
    const auto step = static_cast<double>(noise.step);
    values.push_back(static_cast<int64_t>(value / step + uniform(random)) * noise.step);
  }
  return values;
}

}  // namespace etlens::test
