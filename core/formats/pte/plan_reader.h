// SPDX-License-Identifier: Apache-2.0
// Reads one execution plan of a verified program: instructions, values and where the planner put
// them. For pte_reader.cc alone.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/pte/program.h"
#include "core/formats/pte/schema/program_generated.h"

namespace etlens {

Error corrupt_program(std::string what);

// What many entries of a file may share is copied for each of them: what that costs together is
// limited by the file's size.
class CopyBudget {
 public:
  explicit CopyBudget(size_t bytes) : size_(bytes), left_(bytes) {}

  // False, for good, once the budget is spent.
  bool take(size_t bytes) {
    is_spent_ = is_spent_ || bytes > left_;
    if (!is_spent_) left_ -= bytes;
    return !is_spent_;
  }
  // Empty for a missing string and once the budget is spent.
  std::string_view text(const flatbuffers::String* text) {
    if (text == nullptr || !take(text->size())) return {};
    return {text->c_str(), text->size()};
  }
  bool is_spent() const { return is_spent_; }
  size_t size() const { return size_; }  // at first
  void spend() { is_spent_ = true; }

 private:
  size_t size_;
  size_t left_;
  bool is_spent_ = false;
};

// The numbers of a list. A verified one may still lie where its numbers are not aligned.
template <typename T>
std::vector<T> numbers_in(const flatbuffers::Vector<T>& list) {
  std::vector<T> numbers(list.size());
  if (!numbers.empty()) std::memcpy(numbers.data(), list.Data(), numbers.size() * sizeof(T));
  return numbers;
}

// Fills everything but the places of the delegates' payloads. What is odd about values goes to the
// report; an instruction that points outside is an error.
Result<void> read_plan(const program_schema::ExecutionPlan& plan, CopyBudget& budget,
                       ProgramMethod& method, LoadReport& report);

}  // namespace etlens
