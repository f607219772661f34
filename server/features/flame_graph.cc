// SPDX-License-Identifier: Apache-2.0
// etlens/flameGraph: the frames of core/render/flame_graph.h, with the places that they lead to.
#include "core/render/flame_graph.h"

#include <map>

#include "server/features/features.h"

namespace etlens {
namespace {

constexpr double kNarrowest = 1e-4;  // of the picture, which pages can widen

class FlameItems {
 public:
  explicit FlameItems(Session& session) : session_(session), facts_(*session.facts()) {}

  extensions::FlameFrameItem item(const FlameFrame& frame) {
    extensions::FlameFrameItem item;
    item.kind = name_of(frame.kind);
    item.parent = frame.parent;
    item.left = frame.left;
    item.width = frame.width;
    item.name = frame.name;
    item.words = frame.words;
    item.time = amount_value(session_, facts_, frame.cost.value);
    item.share = frame.cost.share;
    item.heat = static_cast<uint32_t>(frame.heat);
    item.found = frame.found;
    if (frame.kind == FlameKind::Module) item.module = frame.module;
    if (frame.line.valid()) item.place = place(frame.line);
    return item;
  }

  std::vector<extensions::SourceLine> take_places() { return std::move(places_); }

 private:
  uint32_t place(LineId line) {
    const auto [at, is_new] = known_.try_emplace(line, static_cast<uint32_t>(places_.size()));
    if (is_new) places_.push_back(source_line(session_, facts_, line));
    return at->second;
  }

  Session& session_;
  const Facts& facts_;
  std::map<LineId, uint32_t> known_;
  std::vector<extensions::SourceLine> places_;
};

}  // namespace

Result<extensions::FlameGraphResult> draw_flame_graph(Session& session,
                                                      const extensions::FlameGraphParams& params) {
  const std::string order = params.order.value_or("cost");
  if (order != "cost" && order != "execution") {
    return Error{ErrorCode::InvalidParams,
                 "/order: \"" + order + "\" is not known; \"cost\" and \"execution\" are"};
  }
  extensions::FlameGraphResult result;
  result.generation = session.generation();
  if (session.study() == nullptr) return result;
  const Facts& facts = *session.facts();
  const std::string filter = params.filter.value_or("");
  FlameOptions options;
  options.tree.order = order == "cost" ? CostOrder::Cost : CostOrder::Execution;
  options.tree.folds_repeated = params.fold.value_or(true);
  options.tree.filter = filter;
  options.unit = session.config.show.unit;
  options.narrowest = kNarrowest;
  const FlameGraph graph = flame_graph(facts, options);
  FlameItems items(session);
  result.title = graph.title;
  for (const FlameFrame& frame : graph.frames) result.frames.push_back(items.item(frame));
  result.found = amount_value(session, facts, graph.found.value);
  result.found_share = graph.found.share;
  result.places = items.take_places();
  return result;
}

}  // namespace etlens
