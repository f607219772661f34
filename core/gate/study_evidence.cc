// SPDX-License-Identifier: Apache-2.0
#include "core/gate/study_evidence.h"

namespace etlens {
namespace {

bool is_of_times(const BudgetRow& row) {
  return row.budget == Budget::SlowerTotal || row.budget == Budget::SlowerLines;
}

}  // namespace

Evidence study_evidence(const Study& study, const StudyProgram& program,
                        const Comparison* comparison) {
  Evidence evidence;
  if (study.delegation != nullptr) {
    evidence.delegation = delegation_evidence(*study.delegation, study.code());
    evidence.calls = calls_of_record(*study.delegation, study.code());
  } else {
    const std::string why = "no ETRecord is shown with " + study.shown_path();
    evidence.delegation = Known<DelegationEvidence>::unknown(why);
    evidence.calls = Known<std::vector<CallStart>>::unknown(why);
  }
  if (!evidence.calls.value && program.memory != nullptr)
    evidence.calls = calls_of_program(program.memory->method());
  if (program.memory != nullptr) evidence.memory = memory_evidence(*program.memory);
  else evidence.memory = Known<MemoryEvidence>::unknown(program.why_not);
  if (program.size != nullptr) evidence.size = size_evidence(*program.size);
  else evidence.size = Known<SizeEvidence>::unknown(program.why_not);
  if (!study.is_of_export()) evidence.cold_start = cold_start_evidence(study.cold, study.clock());
  if (comparison != nullptr) evidence.time = time_evidence(*comparison);
  return evidence;
}

Policy policy_of_study(Policy policy, const Study& study, const Comparison* comparison) {
  const double least = CompareOptions().judge.threshold;
  std::erase_if(policy.budgets, [&](const BudgetRow& row) {
    if (is_of_times(row)) return comparison == nullptr || row.limit < least;
    return row.budget == Budget::ColdStart && study.is_of_export();
  });
  return policy;
}

}  // namespace etlens
