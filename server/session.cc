// SPDX-License-Identifier: Apache-2.0
#include "server/session.h"

namespace etlens {

void Session::publish(std::shared_ptr<const LoadedProfile> profile) {
  profile_ = std::move(profile);
  ++generation_;
  hovers_.clear();
  edge_program_.reset();
  sources.set_profile(profile_);
}

void Session::clear() { publish(nullptr); }

void Session::set_config(Config new_config) {
  config = std::move(new_config);
  hovers_.clear();
  edge_program_.reset();
  sources.set_options({config.show.threshold, config.show.unit});
}

HoverOptions Session::hover_options() {
  return {config.show.unit, [this](LineId line) { return sources.current_line(line); }, client.hover_images};
}

lsp::MarkupContent Session::markup(const HoverInfo& hover) const {
  if (client.markdown_hover) return {"markdown", to_markdown(hover)};
  return {"plaintext", to_plain_text(hover)};
}

const EdgeProgram& Session::edge_program() {
  if (!edge_program_) edge_program_ = etlens::edge_program(profile_->prepared, config.show.unit);
  return *edge_program_;
}

// Every hint carries its hover, so a viewport asks for dozens at once, and again after every
// keystroke. The text depends on the line's own anchor, and where it names other lines on theirs.
const std::string& Session::line_hover_text(const SourceView& view, LineId line) {
  const PreparedProfile& prepared = profile_->prepared;
  const Anchor& anchor = view.anchor_of(prepared.profile(), line);
  const bool names_lines =
      !prepared.profile().lines[line.value].fused_into.empty() || !prepared.fused_from[line.value].empty();
  const auto [at, is_new] = hovers_.try_emplace(line);
  CachedHover& cached = at->second;
  if (is_new || names_lines || cached.anchor != anchor) {
    cached.anchor = anchor;
    cached.text = markup(line_hover(prepared, line, anchor, hover_options())).value;
  }
  return cached.text;
}

}  // namespace etlens
