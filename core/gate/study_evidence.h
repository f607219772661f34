// SPDX-License-Identifier: Apache-2.0
// What is known of a study that is open already, as evidence for a policy: nothing is read again.
#pragma once

#include <string>

#include "core/facts/memory_facts.h"
#include "core/facts/size_facts.h"
#include "core/gate/evidence.h"
#include "core/gate/policy.h"
#include "core/workspace/study.h"

namespace etlens {

// The program of a study. Without one the pointers are null, and `why_not` is a clause that tells why.
struct StudyProgram {
  const MemoryFacts* memory = nullptr;  // of the study's method
  const SizeFacts* size = nullptr;
  std::string why_not;
};

// `comparison`: with the base that the policy names, or null.
Evidence study_evidence(const Study& study, const StudyProgram& program,
                        const Comparison* comparison);

// The policy without the budgets about which an open study says nothing: those of times without `comparison`, or with a
// limit below what the comparison tells apart; that of the cold start where nothing ran. They are not broken by that.
Policy policy_of_study(Policy policy, const Study& study, const Comparison* comparison);

}  // namespace etlens
