// SPDX-License-Identifier: Apache-2.0
// Which events a person asked for, in a line of text: words that have to be there and, behind a
// minus, words that must not.
//   softmax blocks.0      both: somewhere in the name, the operator, the module, the line or the
//                         backend, case aside
//   -"DELEGATE_CALL"      not what is called so; in quotes a whole name, of an event or of a group
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/facts/facts.h"

namespace etlens {

class EventFilter {
 public:
  // Of a text that is longer than anybody types, only the begin counts.
  static constexpr size_t kMaxBytes = 4096;

  explicit EventFilter(std::string_view text);

  bool is_empty() const { return terms_.empty(); }
  bool matches(const Facts& facts, ContributionId id) const;

 private:
  struct Term {
    std::string text;
    bool is_whole = false;
    bool is_excluded = false;
  };

  std::vector<Term> terms_;
};

// The term that leaves out what is called so.
std::string excluding(std::string_view name);

}  // namespace etlens
