// SPDX-License-Identifier: Apache-2.0
#include "server/load/budget_checker.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/gate/study_evidence.h"
#include "core/render/gate_report.h"

namespace etlens {
namespace {

// As `etlens gate` finds it: that of the dump's folder or above it, else that of the workspace folder.
std::string policy_below(const FileSystem& files, const std::string& folder,
                         const std::string& root) {
  std::string path = find_policy(files, folder);
  if (path.empty() || !is_below(root, path)) path = find_policy(files, root);
  return is_below(root, path) ? path : "";
}

// A link may lead anywhere; nothing outside of the folder that is open is read for its sake.
Result<Policy> read_policy_below(const FileSystem& files, const std::string& path,
                                 const std::string& root) {
  if (!is_below(files.without_links(root), files.without_links(path))) {
    return Error{ErrorCode::Unsupported, path + " is a link to a file outside of " + root +
                                             "; put the policy itself there"};
  }
  return read_policy(files, path);
}

bool needs_program(const Policy& policy) {
  return std::ranges::any_of(policy.budgets, [](const BudgetRow& row) {
    return row.budget == Budget::PeakMemory || row.budget == Budget::FileSize ||
           row.budget == Budget::DelegateCalls;
  });
}

// The comparison that is shown, if its base is the one that the policy names.
const Comparison* comparison_of(const OpenStudy& open, const Policy& policy) {
  const std::vector<std::string>& base = policy.artifacts.base;
  const bool is_same =
      base == open.used.baseline.paths || base == open.used.settings.baseline.paths;
  return !base.empty() && is_same ? open.comparison.get() : nullptr;
}

StudyProgram program_of(const OpenStudy& open, const ProgramLoader::Program& program) {
  StudyProgram of_study;
  if (!program) {
    of_study.why_not = program.error().message;
    return of_study;
  }
  for (const MemoryFacts& memory : (*program)->memory)
    if (memory.method().name == open.study().code().method_name()) of_study.memory = &memory;
  of_study.size = &(*program)->size;
  of_study.why_not = (*program)->pte + " has no method of the name that is shown";
  return of_study;
}

// Where the recorded files of the study and of its program are here.
std::map<std::string, std::string, std::less<>> paths_here(const OpenStudy& open,
                                                           const ProgramLoader::Program& program) {
  std::map<std::string, std::string, std::less<>> paths;
  const Study& study = open.study();
  for (size_t f = 0; f < study.sources.size(); ++f)
    paths[std::string(study.code().text(study.code().files[f].recorded_path))] =
        study.sources[f].path;
  if (!program) return paths;
  for (size_t m = 0; m < (*program)->codes.size(); ++m) {
    const Code& code = *(*program)->codes[m];
    for (size_t f = 0; f < code.files.size(); ++f)
      paths.try_emplace(std::string(code.text(code.files[f].recorded_path)),
                        (*program)->sources[m][f].path);
  }
  return paths;
}

LineId line_at(const Study& study, const BrokenBudgetView& broken) {
  if (!broken.path || !broken.line) return {};
  const Code& code = study.code();
  for (size_t l = 0; l < code.lines.size(); ++l) {
    const CodeLine& line = code.lines[l];
    if (line.number == *broken.line && study.sources[line.file.value].path == *broken.path)
      return LineId(static_cast<uint32_t>(l));
  }
  return {};
}

}  // namespace

struct BudgetChecker::Job {
  std::shared_ptr<const OpenStudy> study;
  PolicyPlace place;
  CancelToken cancel = {};
  std::string path = {};  // of the policy; "" for none
  Result<Policy> policy = Error{ErrorCode::Internal, "the policy was not read"};
  ProgramLoader::Program program = Error{ErrorCode::NotFound, ""};
  std::optional<CheckedBudgets> result = {};

  void read(const FileSystem& files) {
    const std::string folder(parent_path(study->study().shown_path()));
    policy = within_budget(cancel, [&]() -> Result<Policy> {
      path = place.named.empty() ? policy_below(files, folder, place.root) : place.named;
      if (path.empty()) return Error{ErrorCode::NotFound, ""};
      return place.named.empty() ? read_policy_below(files, path, place.root)
                                 : read_policy(files, path);
    });
  }

  void judge() {
    const Result<CheckedBudgets> checked =
        within_budget(cancel, [this]() -> Result<CheckedBudgets> { return check(); });
    if (checked) result = *checked;
    else refuse(checked.error().message);
  }

  void refuse(const std::string& problem) {
    CheckedBudgets& refused = result.emplace();
    refused.view.policy = path;
    refused.view.problem = problem;
  }

 private:
  CheckedBudgets check() const {
    const Study& shown = study->study();
    const Comparison* comparison = comparison_of(*study, *policy);
    const Policy checked_here = policy_of_study(*policy, shown, comparison);
    const Evidence evidence = study_evidence(shown, program_of(*study, program), comparison);
    GateResult gate = check_policy(checked_here, evidence);
    const auto paths = paths_here(*study, program);
    for (GateRow& row : gate.rows) {
      for (GateFinding& finding : row.findings) {
        go_on();
        const auto at = paths.find(finding.place.recorded_path);
        if (at != paths.end()) finding.place.path = at->second;
      }
    }
    CheckedBudgets checked{budgets_view(worded_gate(gate)), {}};
    checked.view.not_checked += policy->budgets.size() - checked_here.budgets.size();
    for (const BrokenBudgetView& broken : checked.view.broken)
      checked.lines.push_back(line_at(shown, broken));
    return checked;
  }
};

void BudgetChecker::check(std::shared_ptr<const OpenStudy> study, PolicyPlace place,
                          AskProgram ask_program, Done done) {
  const auto job = std::make_shared<Job>(Job{std::move(study), std::move(place)});
  worker_.start(
      job, [&files = files_](Job& read) { read.read(files); },
      [this, job, turn = ++turn_, ask_program = std::move(ask_program),
       done = std::move(done)](const Job&) {
        if (job->path.empty()) return done(std::nullopt);
        if (!job->policy) {
          job->refuse(job->policy.error().message);
          return done(job->result);
        }
        const std::string& pte = job->study->study().pte_path;
        if (!needs_program(*job->policy) || pte.empty()) {
          job->program = Error{ErrorCode::NotFound,
                               "no .pte program is shown with " + job->study->study().shown_path()};
          return judge(job, done);
        }
        ask_program([this, job, turn, done](const ProgramLoader::Program& program) {
          if (turn != turn_ || !worker_.is_alive()) return;
          job->program = program;
          judge(job, done);
        });
      });
}

void BudgetChecker::judge(const std::shared_ptr<Job>& job, Done done) {
  worker_.start(
      job, [](Job& read) { read.judge(); },
      [done = std::move(done)](const Job& judged) { done(judged.result); });
}

void BudgetChecker::drop() {
  ++turn_;
  worker_.drop();
}

void BudgetChecker::shut() {
  ++turn_;
  worker_.shut();
}

}  // namespace etlens
