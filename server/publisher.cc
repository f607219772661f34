// SPDX-License-Identifier: Apache-2.0
#include "server/publisher.h"

#include <algorithm>

#include "core/base/shown_text.h"
#include "server/extensions/methods.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr size_t kMaxOffered = 9;

// A message on the screen has room for a line: paths in the open folders are said as from there.
std::string from_roots(std::string text, const std::vector<std::string>& roots) {
  for (const std::string& root : roots) {
    const std::string prefix = root + '/';
    for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
      if (at == 0 || text[at - 1] == ' ') text.erase(at, prefix.size());
    }
  }
  return text;
}

// Clients make a link of [text](address), also of a name in a file: a blank keeps it text.
std::string without_links(std::string message) {
  for (size_t at = message.find("]("); at != std::string::npos; at = message.find("](", at))
    message.insert(at + 1, " ");
  return message;
}

}  // namespace

void Publisher::log_or_show(lsp::MessageType type, const std::string& message) {
  if (type == lsp::MessageType::Log) base_.log.info(message);
  else base_.log.warning(message);
  if (!base_.is_running()) return;
  if (type == lsp::MessageType::Log) {
    base_.connection.notify("window/logMessage",
                            lsp::MessageParams{lsp::MessageType::Info, message});
  } else {
    base_.connection.notify("window/showMessage", lsp::MessageParams{type, without_links(message)});
  }
}

void Publisher::show_problem(const std::string& sentence) {
  const bool is_said = base_.session.client.profile_changed || !is_new(sentence);
  if (is_said) log_or_show(lsp::MessageType::Log, sentence);
  else log_or_show(lsp::MessageType::Warning, from_roots(sentence, base_.session.roots));
}

void Publisher::ask(Question question, std::function<void()> done) {
  std::vector<Question::Offer>& offers = question.offers;
  if (offers.empty()) return log_or_show(lsp::MessageType::Info, base_.session.message);
  if (offers.size() > kMaxOffered) offers.resize(kMaxOffered);
  lsp::ShowMessageRequestParams params;
  params.message = std::move(question.text);
  for (const Question::Offer& offer : offers) params.actions.push_back({offer.title});
  base_.connection.request<std::optional<lsp::MessageActionItem>>(
      "window/showMessageRequest", params,
      [this, offers = std::move(offers),
       done = std::move(done)](const Result<std::optional<lsp::MessageActionItem>>& answer) {
        if (!answer || !*answer || !base_.is_running()) return;
        const auto chosen = std::ranges::find_if(offers, [&](const Question::Offer& offer) {
          return shown_text(offer.title) == shown_text((*answer)->title);
        });
        if (chosen == offers.end()) return;
        chosen->choose();
        done();
      });
}

void Publisher::show(const lsp::Location& location) {
  if (!base_.session.client.show_document) return;
  lsp::ShowDocumentParams params;
  params.uri = location.uri;
  params.selection = lsp::Range{location.range.start, location.range.start};
  base_.connection.request<lsp::ShowDocumentResult>("window/showDocument", params, nullptr);
}

void Publisher::refresh() {
  if (refresh_pause_.pending()) {
    refreshes_again_ = true;
    return;
  }
  const ClientCapabilities& client = base_.session.client;
  if (client.hint_refresh) base_.connection.request_without_params("workspace/inlayHint/refresh");
  if (client.lens_refresh) base_.connection.request_without_params("workspace/codeLens/refresh");
  if (base_.timing.refresh_merge.count() == 0) return;
  refresh_pause_ = base_.loop.after(base_.timing.refresh_merge, [this] {
    if (std::exchange(refreshes_again_, false)) refresh();
  });
}

void Publisher::study_changed() {
  refresh();
  publish_diagnostics();
  notify_profile_changed();
}

void Publisher::notify_profile_changed() {
  if (!base_.session.client.profile_changed) return;
  base_.connection.notify(extensions::kProfileChanged,
                          extensions::ProfileChangedParams{base_.session.generation()});
}

void Publisher::notify_profiles_changed() {
  if (base_.session.client.profile_changed && base_.is_running())
    base_.connection.notify(extensions::kProfilesChanged,
                            extensions::ProfileChangedParams{base_.session.generation()});
}

void Publisher::publish_diagnostics() {
  for (const auto& [uri, document] : base_.session.documents.all()) publish_diagnostics(uri);
}

// Says nothing about documents that never had a diagnostic.
void Publisher::publish_diagnostics(const lsp::DocumentUri& uri) {
  lsp::PublishDiagnosticsParams params;
  params.uri = uri;
  params.diagnostics = diagnostics(base_.session, uri);
  if (params.diagnostics.empty()) {
    if (diagnosed_.erase(uri) == 0) return;
  } else {
    diagnosed_.insert(uri);
  }
  const OpenDocument* document = base_.session.documents.find(uri);
  if (base_.session.client.diagnostics_version && document != nullptr)
    params.version = document->version;
  base_.connection.notify("textDocument/publishDiagnostics", params);
}

void Publisher::withdraw_diagnostics(const lsp::DocumentUri& uri) {
  if (diagnosed_.erase(uri) == 0) return;
  base_.connection.notify("textDocument/publishDiagnostics",
                          lsp::PublishDiagnosticsParams{uri, std::nullopt, {}});
}

}  // namespace etlens
