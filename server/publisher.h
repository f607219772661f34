// SPDX-License-Identifier: Apache-2.0
// Publisher: what the client hears without having asked: messages, diagnostics, and that it should
// look again.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "server/once_per_session.h"
#include "server/server_base.h"

namespace etlens {

// What a client without lists of its own is asked, and what each answer does.
struct Question {
  struct Offer {
    std::string title;
    std::function<void()> choose;
  };
  std::string text;
  std::vector<Offer> offers;
};

class Publisher {
 public:
  explicit Publisher(ServerBase& base) : base_(base) {}

  // Log: the client's log and ours; everything else is a message on the screen as well.
  void log_or_show(lsp::MessageType type, const std::string& message);
  // Once, and not on the screen of clients that say it themselves: they know from the status.
  void show_problem(const std::string& sentence);
  // The user asked for it, so it may ask back. `done` comes after what the user chose.
  void ask(Question question, std::function<void()> done);
  void show(const lsp::Location& location);
  // It was not said in this session yet; now it was.
  bool is_new(std::string_view sentence) { return said_.is_new(sentence); }

  // Asks the client to look at hints and lenses again. At once, and then not again for a moment:
  // what comes meanwhile becomes one request at its end. Because of an edit, which the client knows
  // of, only if what was answered at once is not what a thorough look says.
  void refresh();
  // Hints, lenses, diagnostics and status are others now.
  void study_changed();
  // To clients that show more than hints.
  void notify_profile_changed();
  void notify_profiles_changed();

  // Of all open documents; of one.
  void publish_diagnostics();
  void publish_diagnostics(const lsp::DocumentUri& uri);
  void withdraw_diagnostics(const lsp::DocumentUri& uri);

 private:
  ServerBase& base_;
  Timer refresh_pause_;
  bool refreshes_again_ = false;
  OncePerSession said_;
  std::unordered_set<lsp::DocumentUri> diagnosed_;  // documents with diagnostics of ours
};

}  // namespace etlens
