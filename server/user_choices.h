// SPDX-License-Identifier: Apache-2.0
// UserChoices: what the user chose by command: the dump, the method, the statistic, the executions, their
// group, the measure, the baseline, the fleet. A choice stands above the settings until it is null again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "server/extensions/commands.h"
#include "server/publisher.h"
#include "server/workers.h"

namespace etlens {

class UserChoices {
 public:
  UserChoices(Session& session, const Workers& workers) : session_(session), workers_(workers) {}

  // The session's settings with what was chosen.
  LoadSettings load_settings();
  FleetSettings fleet_settings() const;
  const std::string& measure() const {
    return measure_ ? measure_->measure : session_.config.show.measure;
  }
  bool has_dump() const { return dump_.has_value(); }
  // A load passes over values that are so many that it would take long, until somebody wants to see
  // them. True if that is so since now.
  bool wants_more_values() { return !wants_all_values_ && wants_all_values(measure()); }

  // A command that chooses. With null, the settings decide again.
  struct Command {
    std::string_view name;
    Result<void> (UserChoices::*select)(const lsp::Json& argument);
    Question (UserChoices::*question)();
  };
  // Null if the command is another one.
  static const Command* find(std::string_view name);

 private:
  // Null in an argument is no choice; one that is refused leaves the one before.
  template <auto Choice>
  Result<void> select(const lsp::Json& argument);
  template <typename Arguments>
  std::optional<Error> refuse(const Arguments& /*any*/) const {
    return std::nullopt;
  }
  std::optional<Error> refuse(const extensions::SelectStatisticArguments& chosen) const;
  std::optional<Error> refuse(const extensions::SelectExecutionsArguments& chosen) const;
  std::optional<Error> refuse(const extensions::SelectGroupArguments& chosen) const;
  std::optional<Error> refuse(const extensions::SelectMeasureArguments& chosen);
  Question ask_dump();
  Question ask_method();
  Question ask_statistic();
  Question ask_executions();
  Question ask_group();
  Question ask_measure();
  Question ask_baseline();
  Question ask_fleet();
  bool wants_all_values(const std::string& measure);

  Session& session_;
  const Workers& workers_;
  std::optional<extensions::SelectProfileArguments> dump_;
  std::optional<extensions::SelectMethodArguments> method_;
  std::optional<extensions::SelectStatisticArguments> statistic_;
  std::optional<extensions::SelectExecutionsArguments> executions_;
  std::optional<extensions::SelectGroupArguments> group_;
  std::optional<extensions::SelectMeasureArguments> measure_;
  std::optional<extensions::SelectBaselineArguments> baseline_;
  std::optional<extensions::SelectFleetArguments> fleet_;
  bool wants_all_values_ = false;
};

}  // namespace etlens
