// SPDX-License-Identifier: Apache-2.0
#include "server/load_progress.h"

namespace etlens {

void LoadProgress::begin(std::string what) {
  end();
  if (!base_.session.client.progress) return;
  shown_ = std::make_shared<Shown>();
  shown_->token = "etlens/" + kind_ + "/" + std::to_string(++count_);
  shown_->what = std::move(what);
  delay_ = base_.loop.after(base_.timing.progress_after, [this] { create(); });
}

// The token may be used only once the client has agreed to it.
void LoadProgress::create() {
  base_.connection.request<lsp::Json>(
      "window/workDoneProgress/create", lsp::WorkDoneProgressParams{shown_->token},
      [this, shown = shown_](const Result<lsp::Json>& answer) {
        if (!answer || shown->ended) return;
        shown->begun = true;
        lsp::WorkDoneProgressBegin value;
        value.title = "etlens";
        value.cancellable = true;
        value.message = "reading " + shown->what;
        if (shown->percentage > 0) value.percentage = shown->percentage;
        base_.connection.notify("$/progress", lsp::ProgressParams{shown->token, value});
      });
}

void LoadProgress::report(double part) {
  const auto percentage = static_cast<uint32_t>(part * 100);
  if (!shown_ || percentage <= shown_->percentage) return;
  shown_->percentage = percentage;
  if (!shown_->begun) return;
  lsp::WorkDoneProgressReport value;
  value.percentage = percentage;
  base_.connection.notify("$/progress", lsp::ProgressParams{shown_->token, value});
}

void LoadProgress::end() {
  delay_.cancel();
  if (!shown_) return;
  shown_->ended = true;
  if (shown_->begun) {
    base_.connection.notify("$/progress",
                            lsp::ProgressParams{shown_->token, lsp::WorkDoneProgressEnd{}});
  }
  shown_.reset();
}

bool LoadProgress::is_current(const lsp::ProgressToken& token) const {
  const auto* text = std::get_if<std::string>(&token);
  return shown_ && text != nullptr && *text == shown_->token;
}

}  // namespace etlens
