// SPDX-License-Identifier: Apache-2.0
// LoadStatus: what the session shows and says while loads start, end and fail. The client hears of
// each once, and quietly. Who cannot be told to ask again is answered when there is an answer.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/load_progress.h"
#include "server/publisher.h"
#include "server/workers.h"

namespace etlens {

class LoadStatus {
 public:
  // `shown`: another study is.
  LoadStatus(ServerBase& base, Publisher& publisher, Workers& workers, std::function<void()> shown)
      : base_(base),
        session_(base.session),
        publisher_(publisher),
        workers_(workers),
        shown_(std::move(shown)),
        study_progress_(base, "load"),
        fleet_progress_(base, "fleet") {}

  // Of the workers.
  Workers::Handlers handlers();

  // Keeps a request until the first study is there, or the source was looked at in the background,
  // for a client that would show nothing until the next edit. False if there is nothing to wait
  // for.
  bool hold(const lsp::DocumentUri& uri, const std::function<void()>& answer);
  void answer_held();
  // The user does not want to wait for what has this progress.
  void cancel(const lsp::ProgressToken& token);
  void end_progress();
  // Somebody says that a file or folder changed.
  void policy_may_differ(const std::string& path);
  // Of what is shown, in the background: with each load, and where the policy is another.
  void check_budgets();

 private:
  void load_started(const std::string& etdump);
  void publish(std::shared_ptr<const OpenStudy> study);
  void load_unchanged();
  void load_abandoned();
  void load_failed(const Error& error);
  void nothing_found();
  void source_looked_at(const lsp::DocumentUri& uri, bool differs);
  void prepare_texts(size_t first);

  // waiting.cc
  bool is_exported_again(const Error& error) const;
  void wait_for_run(std::string details);
  bool is_growing(const Error& error) const;
  void wait_for_rest(const Error& error);
  void stop_waiting();

  // other_models.cc
  struct Look;
  void look_for_other_models();
  void show_other_models(Look& look);

  // runs.cc
  void keep_run(const std::shared_ptr<const OpenStudy>& open);

  // fleet.cc
  void fleet_started(const std::string& path);
  void show_fleet(const FleetLoader::FleetResult& fleet);

  ServerBase& base_;
  Session& session_;
  Publisher& publisher_;
  Workers& workers_;
  std::function<void()> shown_;
  LoadProgress study_progress_;
  LoadProgress fleet_progress_;
  std::vector<std::function<void()>> held_;
  Timer held_timer_;
  Timer texts_timer_;
  Timer budgets_timer_;    // until the policy that changed is looked at
  Timer receiving_timer_;  // while a file is cut off that may still be copied
};

}  // namespace etlens
