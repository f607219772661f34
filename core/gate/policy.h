// SPDX-License-Identifier: Apache-2.0
// Policy: what a model may cost, as a file in TOML has it (etlens.toml). Every surface that holds a
// model to a budget reads this one.
//
//   [artifacts]              paths are relative to the file; etlens finds the others
//   folder = "out"
//   [budget]                 every key is optional
//   cpu_operators = ["aten.topk.*"]
//   peak_memory = "16 MB"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_system.h"
#include "core/base/result.h"

namespace etlens {

enum class Budget : uint8_t {
  CpuOperators,   // names or globs of operators that may run on the CPU
  CpuNodes,       // at most so many operators on the CPU
  Delegated,      // at least this share of the counted operators (core/delegation/counted.h)
  DelegateCalls,  // at most so many
  ColdStart,      // at most
  PeakMemory,     // at most
  FileSize,
  SlowerTotal,  // than the base, by at most this share
  SlowerLines,  // the same of every line
  kCount,
};
inline constexpr size_t kBudgets = static_cast<size_t>(Budget::kCount);

enum class BudgetUnit : uint8_t { Names, Count, Share, Nanoseconds, Bytes };

// The key in the file: "cpu_operators".
std::string_view name_of(Budget budget);
BudgetUnit unit_of(Budget budget);

struct BudgetRow {
  Budget budget = Budget::CpuOperators;
  uint32_t line = 0;               // of the file, 1-based
  double limit = 0;                // in its unit; of a share a fraction
  std::vector<std::string> names;  // of Names
  bool is_required = false;        // that it could not be checked breaks the policy
};

// Absolute paths; "" or empty for what is not named.
struct PolicyArtifacts {
  std::string folder;
  std::string etrecord;
  std::string pte;
  std::string method;
  std::vector<std::string> etdump;
  std::vector<std::string> base;  // also "REVISION:PATH", as it stands in the file
  std::string tick_unit;          // of the dumps' ticks: "ns", "us", "ms", "s", "cycles"; or ""
};

struct Policy {
  std::string path;
  PolicyArtifacts artifacts;
  std::vector<BudgetRow> budgets;  // in the order of Budget, each at most once

  const BudgetRow* find(Budget budget) const;
};

// A policy is written by hand: a larger file is another kind of file.
inline constexpr uint64_t kMaxPolicyBytes = 64 << 10;
// Dots outside of comments: with them grows how deep tables may lie in each other.
inline constexpr size_t kMaxPolicyDots = 2000;

// `path`: absolute. Errors are one sentence with the file, the line, what is wrong and what to
// write: Corrupt for what is not TOML, Unsupported for all else.
Result<Policy> parse_policy(const FileSystem& files, const std::string& path,
                            std::string_view text);
Result<Policy> read_policy(const FileSystem& files, const std::string& path);

inline constexpr std::string_view kPolicyName = "etlens.toml";
// The policy of `folder` (absolute), or the nearest one above it up to the root of the git
// repository around it; "" if there is none.
std::string find_policy(const FileSystem& files, const std::string& folder);

}  // namespace etlens
