// SPDX-License-Identifier: Apache-2.0
// Comparing 2 × 12 dumps of a large model, against loading each of them as a study, and what a side
// keeps of a dump.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench/synthetic.h"
#include "core/compare/compare.h"

namespace etlens {
namespace {

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace
}  // namespace etlens
