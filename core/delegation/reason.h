// SPDX-License-Identifier: Apache-2.0
// Why a node runs on the CPU, and what the rules of a backend answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace etlens {

// `id` tells reasons apart for programs; the others are for people.
struct DelegationReason {
  std::string_view id;
  std::string text;    // a sentence
  std::string remedy;  // what one can do in the source or at export; "" where there is nothing

  // Arithmetic on sizes: no delegate takes it, and it takes next to no time.
  bool is_of_sizes() const { return id == "no_tensor"; }
};

// The reason, and what one can do: "XNNPACK has no cumsum. …".
inline std::string sentences_of(const DelegationReason& reason) {
  return reason.remedy.empty() ? reason.text : reason.text + " " + reason.remedy;
}

enum class RuleAnswer : uint8_t {
  Taken,         // no rule is against the node
  Refused,       // a rule is
  OnlyTogether,  // the backend takes the node with another one, and never alone
  Unknown,       // no rule decides it
};

struct RuleVerdict {
  RuleAnswer answer = RuleAnswer::Taken;
  DelegationReason reason;  // of every answer but Taken

  static RuleVerdict taken() { return {}; }
  static RuleVerdict refused(std::string_view id, std::string text, std::string remedy = {}) {
    return {RuleAnswer::Refused, {id, std::move(text), std::move(remedy)}};
  }
  static RuleVerdict only_together(std::string_view id, std::string text, std::string remedy = {}) {
    return {RuleAnswer::OnlyTogether, {id, std::move(text), std::move(remedy)}};
  }
  static RuleVerdict unknown(std::string_view id, std::string text, std::string remedy = {}) {
    return {RuleAnswer::Unknown, {id, std::move(text), std::move(remedy)}};
  }
};

// A release of ExecuTorch: 7 is 0.7, 13 is 1.3.
using Release = int;
inline constexpr Release k06 = 6, k07 = 7, k10 = 10, k11 = 11, k12 = 12, k13 = 13, k14 = 14,
                         k15 = 15;
inline constexpr Release kNewestRules = k15;

// Which releases may have written a record.
struct Releases {
  Release first = 1;
  Release last = kNewestRules;
};

}  // namespace etlens
