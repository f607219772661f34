// SPDX-License-Identifier: Apache-2.0
#include "server/user_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <type_traits>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/summary.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr size_t kLeastDumps = 2;  // of a folder that is offered

template <typename T>
void offer(Question& question, std::string title, std::optional<T>& chosen,
           std::type_identity_t<std::optional<T>> value) {
  question.offers.push_back(
      {std::move(title), [&chosen, value = std::move(value)] { chosen = value; }});
}

}  // namespace

template <auto Choice>
Result<void> UserChoices::select(const lsp::Json& argument) {
  auto& choice = this->*Choice;
  if (argument.is_null()) {
    choice.reset();
    return {};
  }
  auto chosen =
      lsp::decode<typename std::remove_reference_t<decltype(choice)>::value_type>(argument);
  if (!chosen) return std::move(chosen).error();
  if (std::optional<Error> problem = refuse(*chosen)) return *std::move(problem);
  choice = *std::move(chosen);
  // The one that was chosen last decides.
  if constexpr (std::is_same_v<decltype(Choice), decltype(&UserChoices::group_)>)
    executions_.reset();
  return {};
}

const UserChoices::Command* UserChoices::find(std::string_view name) {
  static constexpr Command kCommands[] = {
      {"etlens.selectProfile", &UserChoices::select<&UserChoices::dump_>, &UserChoices::ask_dump},
      {"etlens.selectMethod", &UserChoices::select<&UserChoices::method_>,
       &UserChoices::ask_method},
      {"etlens.selectStatistic", &UserChoices::select<&UserChoices::statistic_>,
       &UserChoices::ask_statistic},
      {"etlens.selectExecutions", &UserChoices::select<&UserChoices::executions_>,
       &UserChoices::ask_executions},
      {"etlens.selectGroup", &UserChoices::select<&UserChoices::group_>, &UserChoices::ask_group},
      {"etlens.selectMeasure", &UserChoices::select<&UserChoices::measure_>,
       &UserChoices::ask_measure},
      {"etlens.selectBaseline", &UserChoices::select<&UserChoices::baseline_>,
       &UserChoices::ask_baseline},
      {"etlens.selectFleet", &UserChoices::select<&UserChoices::fleet_>, &UserChoices::ask_fleet},
  };
  const Command* found = std::ranges::find(kCommands, name, &Command::name);
  return found == std::end(kCommands) ? nullptr : found;
}

LoadSettings UserChoices::load_settings() {
  LoadSettings settings = session_.config.load;
  if (dump_) {
    const std::vector<FoundArtifact>& found = workers_.study.found();
    settings.etdump = path_as_shown(found, dump_->etdump);
    settings.etrecord = path_as_shown(found, dump_->etrecord.value_or(""));
    settings.pte = path_as_shown(found, dump_->pte.value_or(""));
  }
  if (method_) {
    settings.selection.method = method_->method.value_or("");
    settings.selection.block = method_->block.value_or("");
  }
  if (wants_all_values(measure())) settings.values->most_bytes = UINT64_MAX;
  if (statistic_) settings.time.statistic = *parse_statistic(statistic_->statistic);
  if (baseline_) {
    settings.baseline = {baseline_->paths, baseline_->etrecord.value_or(""),
                         baseline_->pte.value_or("")};
  }
  if (group_) {
    settings.time.group = group_->group;
    settings.time.executions.clear();
  }
  if (executions_) settings.time.executions = executions_->executions;
  return settings;
}

FleetSettings UserChoices::fleet_settings() const {
  FleetSettings settings = session_.config.fleet;
  if (fleet_) {
    settings.paths = fleet_->paths;
    if (fleet_->groupBy) settings.group_by = *fleet_->groupBy;
  }
  return settings;
}

bool UserChoices::wants_all_values(const std::string& measure) {
  const OpenStudy* open = session_.study();
  const bool is_left_out = open != nullptr && open->find(measure) == nullptr && open->values &&
                           open->study().report.find(Oddity::ValuesLarge) != nullptr;
  wants_all_values_ |= is_left_out && ValuesFacts::has_measure(measure);
  return wants_all_values_;
}

std::optional<Error> UserChoices::refuse(const extensions::SelectStatisticArguments& chosen) const {
  if (parse_statistic(chosen.statistic)) return std::nullopt;
  return Error{ErrorCode::InvalidParams,
               fmt::format("{} is not a statistic; there are typical, mean, median, min and max",
                           chosen.statistic)};
}

std::optional<Error> UserChoices::refuse(
    const extensions::SelectExecutionsArguments& chosen) const {
  if (session_.study() == nullptr) return std::nullopt;
  return check_executions(*session_.time_facts(), chosen.executions);
}

std::optional<Error> UserChoices::refuse(const extensions::SelectGroupArguments& chosen) const {
  if (session_.study() == nullptr) return std::nullopt;
  return check_group(*session_.time_facts(), chosen.group);
}

// What there is depends on the study, so a measure is only refused while there is one.
std::optional<Error> UserChoices::refuse(const extensions::SelectMeasureArguments& chosen) {
  const OpenStudy* open = session_.study();
  const bool is_there = open == nullptr || open->find(chosen.measure) != nullptr;
  if (is_there || wants_all_values(chosen.measure)) return std::nullopt;
  std::vector<std::string> there;
  for (const OpenMeasure& row : open->measures) there.emplace_back(row.facts.quantity().id);
  return Error{ErrorCode::InvalidParams, fmt::format("there is no measure {} here; there is: {}",
                                                     chosen.measure, join(there, ", "))};
}

Question UserChoices::ask_dump() {
  Question question{"Which dump should etlens show?", {}};
  offer(question, "Newest", dump_, {});
  for (const FoundArtifact* dump : dumps_by_age(workers_.study.found())) {
    offer(question, short_path(session_.roots, dump->path), dump_,
          extensions::SelectProfileArguments{dump->path, {}, {}});
  }
  return question;
}

Question UserChoices::ask_method() {
  Question question{"Which method, or which block of executions, should etlens show?", {}};
  const extensions::ProfilesResult known =
      list_profiles(session_, workers_.study.found(), workers_.totals, false);
  for (const extensions::MethodItem& method : known.methods)
    offer(question, method.name, method_, extensions::SelectMethodArguments{method.name, {}});
  for (const extensions::BlockItem& block : known.blocks)
    offer(question, block.name, method_, extensions::SelectMethodArguments{{}, block.name});
  return question;
}

Question UserChoices::ask_statistic() {
  Question question{"Which statistic of the executions should etlens show?", {}};
  const extensions::ProfilesResult known =
      list_profiles(session_, workers_.study.found(), workers_.totals, false);
  for (const extensions::StatisticItem& statistic : known.statistics)
    offer(question, statistic.name, statistic_, {{statistic.name}});
  return question;
}

// Groups only where there are some, and single executions only where they are odd.
Question UserChoices::ask_executions() {
  Question question{"Which executions should etlens show?", {}};
  if (session_.study() == nullptr) return question;
  const Headline& head = session_.study()->time().headline;
  offer(question, "As in the settings", executions_, {});
  offer(question, fmt::format("All {}", head.samples), executions_, {{"all"}});
  for (const GroupFacts& group : head.groups) {
    const std::string name(group.name);
    offer(question, fmt::format("{} ×{}", name, group.samples.size()), executions_, {{name}});
  }
  for (const OddSample& odd : head.odd) {
    const std::string number = std::to_string(odd.sample + 1);
    offer(question, "Execution " + number, executions_, {{number}});
  }
  return question;
}

Question UserChoices::ask_group() {
  Question question{"Which group of executions should etlens show?", {}};
  if (session_.study() == nullptr) return question;
  const OpenMeasure& time = session_.study()->time();
  const auto add = [&](std::string title, std::optional<extensions::SelectGroupArguments> value) {
    question.offers.push_back({std::move(title), [this, value = std::move(value)] {
                                 group_ = value;
                                 executions_.reset();
                               }});
  };
  if (time.headline.groups.empty()) return question;
  add("As in the settings", std::nullopt);
  for (const GroupFacts& group : time.headline.groups) {
    add(group_text(group, time.facts, session_.config.show.unit),
        extensions::SelectGroupArguments{std::string(group.name)});
  }
  return question;
}

Question UserChoices::ask_measure() {
  Question question{"Which measure should etlens show?", {}};
  if (session_.study() == nullptr) return question;
  for (const OpenMeasure& row : session_.study()->measures) {
    const Quantity& quantity = row.facts.quantity();
    offer(question, std::string(quantity.label), measure_, {{std::string(quantity.id)}});
  }
  return question;
}

Question UserChoices::ask_baseline() {
  Question question{"With which dump should etlens compare the shown one?", {}};
  offer(question, "None", baseline_, extensions::SelectBaselineArguments());
  const std::string shown =
      session_.study() == nullptr ? "" : session_.study()->study().etdump_path;
  for (const FoundArtifact* dump : dumps_by_age(workers_.study.found())) {
    if (dump->path == shown) continue;
    offer(question, short_path(session_.roots, dump->path), baseline_,
          extensions::SelectBaselineArguments{{dump->path}, {}, {}});
  }
  return question;
}

// Folders of the workspace that hold several dumps.
Question UserChoices::ask_fleet() {
  Question question{"Which folder of dumps should etlens show next to the shown one?", {}};
  offer(question, "None", fleet_, extensions::SelectFleetArguments());
  std::vector<std::string> folders;  // that of the newest dump first
  std::map<std::string, size_t> dumps_in;
  for (const FoundArtifact* dump : dumps_by_age(workers_.study.found())) {
    std::string folder(parent_path(dump->path));
    if (++dumps_in[folder] == 1) folders.push_back(std::move(folder));
  }
  for (const std::string& folder : folders) {
    if (dumps_in[folder] < kLeastDumps) continue;
    offer(question, short_path(session_.roots, folder), fleet_,
          extensions::SelectFleetArguments{{folder}, {}});
  }
  return question;
}

}  // namespace etlens
