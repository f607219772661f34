// SPDX-License-Identifier: Apache-2.0
// Server: what the user chooses by command: the dump, the method, the statistic, the executions,
// the measure. A choice stands above the settings until it is null again. Clients without lists of
// their own are asked in a message.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "server/features/features.h"
#include "server/server.h"

namespace etlens {
namespace {

constexpr size_t kMaxOffered = 9;

// nullopt for null: the default again.
template <typename Arguments>
Result<std::optional<Arguments>> read_choice(const lsp::Json& argument) {
  if (argument.is_null()) return std::optional<Arguments>();
  Result<Arguments> arguments = lsp::decode<Arguments>(argument);
  if (!arguments) return arguments.error();
  return std::optional<Arguments>(std::move(*arguments));
}

}  // namespace

Result<lsp::Json> Server::select_profile(const lsp::Json& argument) {
  auto chosen = read_choice<extensions::SelectProfileArguments>(argument);
  if (!chosen) return chosen.error();
  chosen_profile_ = std::move(*chosen);
  configure_loader();
  return lsp::Json();
}

Result<lsp::Json> Server::select_method(const lsp::Json& argument) {
  auto chosen = read_choice<extensions::SelectMethodArguments>(argument);
  if (!chosen) return chosen.error();
  chosen_method_ = std::move(*chosen);
  configure_loader();
  return lsp::Json();
}

Result<lsp::Json> Server::select_statistic(const lsp::Json& argument) {
  const auto chosen = read_choice<extensions::SelectStatisticArguments>(argument);
  if (!chosen) return chosen.error();
  std::optional<Statistic> statistic;
  if (*chosen) {
    statistic = parse_statistic((*chosen)->statistic);
    if (!statistic) {
      return Error{
          ErrorCode::InvalidParams,
          fmt::format("{} is not a statistic; there are typical, mean, median, min and max",
                      (*chosen)->statistic)};
    }
  }
  chosen_statistic_ = statistic;
  configure_loader();
  return lsp::Json();
}

Result<lsp::Json> Server::select_executions(const lsp::Json& argument) {
  const auto chosen = read_choice<extensions::SelectExecutionsArguments>(argument);
  if (!chosen) return chosen.error();
  if (*chosen && session_.study() != nullptr) {
    const std::optional<Error> problem =
        check_executions(*session_.time_facts(), (*chosen)->executions);
    if (problem) return *problem;
  }
  chosen_executions_.reset();
  if (*chosen) chosen_executions_ = (*chosen)->executions;
  configure_loader();
  return lsp::Json();
}

// What there is depends on the study, so a measure is only refused while there is one.
Result<lsp::Json> Server::select_measure(const lsp::Json& argument) {
  auto chosen = read_choice<extensions::SelectMeasureArguments>(argument);
  if (!chosen) return chosen.error();
  const OpenStudy* open = session_.study();
  chosen_measure_.reset();
  if (*chosen) chosen_measure_ = (*chosen)->measure;
  if (*chosen && open != nullptr && open->find((*chosen)->measure) == nullptr &&
      !wants_all_values()) {
    chosen_measure_.reset();
    std::vector<std::string> there;
    for (const OpenMeasure& row : open->measures) there.emplace_back(row.facts.quantity().id);
    return Error{ErrorCode::InvalidParams, fmt::format("there is no measure {} here; there is: {}",
                                                       (*chosen)->measure, join(there, ", "))};
  }
  show_measure();
  configure_loader();
  return lsp::Json();
}

void Server::offer_measures() {
  std::vector<Offer> offers;
  if (session_.study() != nullptr) {
    for (const OpenMeasure& row : session_.study()->measures) {
      const Quantity& quantity = row.facts.quantity();
      offers.push_back({std::string(quantity.label), [this, id = std::string(quantity.id)] {
                          chosen_measure_ = id;
                          show_measure();
                        }});
    }
  }
  offer("Which measure should etlens show?", std::move(offers));
}

Result<lsp::Json> Server::select_baseline(const lsp::Json& argument) {
  auto chosen = read_choice<extensions::SelectBaselineArguments>(argument);
  if (!chosen) return chosen.error();
  chosen_baseline_.reset();
  if (*chosen) {
    chosen_baseline_ = BaselineSettings{
        std::move((*chosen)->paths), (*chosen)->etrecord.value_or(""), (*chosen)->pte.value_or("")};
  }
  configure_loader();
  return lsp::Json();
}

// The user asked for it, so it may ask back.
void Server::offer(std::string question, std::vector<Offer> offers) {
  if (offers.empty()) {
    tell(lsp::MessageType::Info, session_.message);
    return;
  }
  if (offers.size() > kMaxOffered) offers.resize(kMaxOffered);
  lsp::ShowMessageRequestParams params;
  params.message = std::move(question);
  for (const Offer& offer : offers) params.actions.push_back({offer.title});
  connection_.request<std::optional<lsp::MessageActionItem>>(
      "window/showMessageRequest", params,
      [this,
       offers = std::move(offers)](const Result<std::optional<lsp::MessageActionItem>>& answer) {
        if (!answer || !*answer || state_ != State::Running) return;
        const auto chosen = std::find_if(offers.begin(), offers.end(), [&](const Offer& offer) {
          return shown_text(offer.title) == shown_text((*answer)->title);
        });
        if (chosen == offers.end()) return;
        chosen->choose();
        configure_loader();
      });
}

void Server::offer_profiles() {
  std::vector<Offer> offers{{"Newest", [this] { chosen_profile_.reset(); }}};
  for (const FoundArtifact* dump : dumps_by_age(loader_->found())) {
    offers.push_back({short_path(session_.roots, dump->path), [this, path = dump->path] {
                        chosen_profile_ = {path, std::nullopt, std::nullopt};
                      }});
  }
  offer("Which dump should etlens show?", std::move(offers));
}

void Server::offer_methods() {
  const extensions::ProfilesResult known =
      list_profiles(session_, loader_->found(), dump_totals_, false);
  std::vector<Offer> offers;
  for (const extensions::MethodItem& method : known.methods) {
    offers.push_back({method.name, [this, name = method.name] {
                        chosen_method_ = {name, std::nullopt};
                      }});
  }
  for (const extensions::BlockItem& block : known.blocks) {
    offers.push_back({block.name, [this, name = block.name] {
                        chosen_method_ = {std::nullopt, name};
                      }});
  }
  offer("Which method, or which block of executions, should etlens show?", std::move(offers));
}

void Server::offer_statistics() {
  const extensions::ProfilesResult known =
      list_profiles(session_, loader_->found(), dump_totals_, false);
  std::vector<Offer> offers;
  for (const extensions::StatisticItem& statistic : known.statistics) {
    offers.push_back({statistic.name, [this, name = statistic.name] {
                        chosen_statistic_ = parse_statistic(name);
                      }});
  }
  offer("Which statistic of the executions should etlens show?", std::move(offers));
}

void Server::offer_baselines() {
  std::vector<Offer> offers{{"None", [this] { chosen_baseline_.emplace(); }}};
  const std::string shown =
      session_.study() == nullptr ? "" : session_.study()->study().etdump_path;
  for (const FoundArtifact* dump : dumps_by_age(loader_->found())) {
    if (dump->path == shown) continue;
    offers.push_back({short_path(session_.roots, dump->path), [this, path = dump->path] {
                        chosen_baseline_ = BaselineSettings{{path}, {}, {}};
                      }});
  }
  offer("With which dump should etlens compare the shown one?", std::move(offers));
}

// Kinds only where there are some, and single executions only where they are odd.
void Server::offer_executions() {
  std::vector<Offer> offers;
  const auto add = [&](std::string title, std::string executions) {
    offers.push_back({std::move(title), [this, executions = std::move(executions)] {
                        chosen_executions_ = executions;
                      }});
  };
  if (session_.study() != nullptr) {
    const Headline& head = session_.study()->time().headline;
    offers.push_back({"As in the settings", [this] { chosen_executions_.reset(); }});
    add(fmt::format("All {}", head.samples), "all");
    if (!head.kinds.empty()) {
      add("The fast ones", "fast");
      add("The slow ones", "slow");
    }
    for (const OddSample& odd : head.odd) {
      add(fmt::format("Execution {}", odd.sample + 1), std::to_string(odd.sample + 1));
    }
  }
  offer("Which executions should etlens show?", std::move(offers));
}

}  // namespace etlens
