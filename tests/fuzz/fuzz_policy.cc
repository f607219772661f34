// SPDX-License-Identifier: Apache-2.0
// A policy as somebody wrote it -> its budgets, or one sentence that names the file.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/gate/policy.h"
#include "tests/fuzz/one_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const test::OneFile files(data, size);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Policy> policy = parse_policy(files, "/w/etlens.toml", text);
  if (!policy) {
    const std::string& message = policy.error().message;
    const bool is_sentence = message.starts_with("/w/etlens.toml") && message.size() < 2000 &&
                             message.find('\n') == std::string::npos;
    if (!is_sentence) std::abort();
    return 0;
  }
  if (policy->budgets.empty()) std::abort();
  for (const BudgetRow& row : policy->budgets) {
    const bool is_sound = row.line > 0 && std::isfinite(row.limit) && row.limit >= 0 &&
                          policy->find(row.budget) == &row;
    if (!is_sound) std::abort();
  }
  return 0;
}
