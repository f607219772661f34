// SPDX-License-Identifier: Apache-2.0
#include "core/recover/search.h"

#include <algorithm>
#include <queue>

namespace etlens::recover {
namespace {

constexpr double kMargin = 1;
constexpr double kWideMargin = 4;  // where the best one is doubtful itself
constexpr double kDoubtful = 2;
constexpr double kMaxCost = 24;
constexpr double kSlack = 0.75;  // that a run may cost more than the best open one before it waits
constexpr size_t kMaxUnexplained = 6;
constexpr size_t kMaxKept = 400;  // explanations
constexpr size_t kMaxOpen = 20'000;

// A choice taken, and the ones before it.
struct Step {
  uint32_t before = kNone;
  uint32_t pick = 0;
};

struct Open {
  double cost = 0;
  size_t depth = 0;  // units used, deeper ones first among equals
  uint32_t step = kNone;
  uint64_t number = 0;
};

struct IsLater {
  bool operator()(const Open& a, const Open& b) const {
    if (a.cost != b.cost) return a.cost > b.cost;
    if (a.depth != b.depth) return a.depth < b.depth;
    return a.number > b.number;
  }
};

struct Explanation {
  double cost = 0;
  std::vector<SaidUnit> placements;
};

class Searcher : public Choices {
 public:
  Searcher(PythonSources& sources, Caches& caches, const Problem& problem,
           const SearchLimits& limits, CallLines& lines)
      : sources_(sources), caches_(caches), problem_(problem), limits_(limits), lines_(lines) {}

  // False if a limit was hit.
  bool run() {
    open_.push({});
    while (!open_.empty()) {
      const Open next = open_.top();
      if (next.cost > bound()) break;
      open_.pop();
      if (lines_.runs >= limits_.runs || lines_.steps >= limits_.steps || open_.size() > kMaxOpen ||
          explanations_.size() >= kMaxKept) {
        return false;
      }
      run_one(next);
    }
    return true;
  }

  std::vector<Explanation>& explanations() { return explanations_; }
  const std::vector<Statement>& furthest() const { return furthest_; }
  size_t furthest_position() const { return furthest_position_; }
  double best() const { return best_; }
  double bound() const {
    if (best_ < 0) return kMaxCost;
    const bool is_doubtful = best_ >= kDoubtful || !problem_.unexplained.empty();
    return best_ + (is_doubtful ? kWideMargin : kMargin);
  }

  size_t choose(std::span<const double> costs) override {
    size_t pick = 0;
    if (replayed_ < replay_.size()) {
      pick = replay_[replayed_++];
      if (pick >= costs.size()) return SIZE_MAX;
    } else {
      for (size_t i = 1; i < costs.size(); ++i) {
        if (costs[i] < costs[pick]) pick = i;
      }
      for (size_t i = 0; i < costs.size(); ++i) {
        if (i == pick || cost_ + costs[i] > bound()) continue;
        steps_.push_back({step_, static_cast<uint32_t>(i)});
        open_.push({cost_ + costs[i], interpreter_->position(),
                    static_cast<uint32_t>(steps_.size() - 1), ++number_});
      }
    }
    steps_.push_back({step_, static_cast<uint32_t>(pick)});
    step_ = static_cast<uint32_t>(steps_.size() - 1);
    cost_ += costs[pick];
    return goes_on() ? pick : SIZE_MAX;
  }

  bool pay(double cost) override {
    cost_ += cost;
    return goes_on();
  }

 private:
  bool goes_on() {
    if (cost_ > bound()) return false;
    if (replayed_ < replay_.size()) return true;
    if (!open_.empty() && cost_ > open_.top().cost + kSlack && cost_ > start_cost_ + kSlack) {
      // Others are better: this one waits.
      open_.push({cost_, interpreter_->position(), step_, ++number_});
      waits_ = true;
      return false;
    }
    return true;
  }

  void run_one(const Open& from) {
    replay_.clear();
    for (uint32_t s = from.step; s != kNone; s = steps_[s].before)
      replay_.push_back(steps_[s].pick);
    std::reverse(replay_.begin(), replay_.end());
    replayed_ = 0;
    cost_ = 0;
    start_cost_ = from.cost;
    step_ = kNone;
    waits_ = false;
    auto arena = std::make_unique<Arena>();
    Interpreter interpreter(sources_, caches_, *arena, &problem_, this);
    interpreter_ = &interpreter;
    const bool is_complete = interpreter.run();
    interpreter_ = nullptr;
    ++lines_.runs;
    lines_.steps += interpreter.steps();
    if (is_complete && cost_ <= bound()) {
      if (best_ < 0 || cost_ < best_) best_ = cost_;
      explanations_.push_back({cost_, interpreter.take_placements()});
      lines_.arenas.push_back(std::move(arena));
    } else if (!waits_ && interpreter.position() >= furthest_position_) {
      if (interpreter.position() > furthest_position_ || furthest_.empty())
        furthest_ = interpreter.trouble();
      furthest_position_ = interpreter.position();
    }
  }

  PythonSources& sources_;
  Caches& caches_;
  const Problem& problem_;
  SearchLimits limits_;
  CallLines& lines_;
  Interpreter* interpreter_ = nullptr;
  std::priority_queue<Open, std::vector<Open>, IsLater> open_;
  std::vector<Step> steps_;
  std::vector<size_t> replay_;
  size_t replayed_ = 0;
  uint32_t step_ = kNone;
  double cost_ = 0;
  double start_cost_ = 0;
  bool waits_ = false;
  uint64_t number_ = 0;
  double best_ = -1;
  std::vector<Explanation> explanations_;
  std::vector<Statement> furthest_;
  size_t furthest_position_ = 0;
};

bool is_same_shape(const Arguments& a, const Arguments& b) {
  return a.has_more == b.has_more && a.positional.size() == b.positional.size() &&
         std::equal(a.named.begin(), a.named.end(), b.named.begin(), b.named.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

// One argument that explanations do not agree on: either of both.
Value either(Arena& arena, Value a, Value b) {
  if (is_same_value(a, b)) return a;
  const Value open = arena.unknown();
  const auto add = [&](Value value) {
    if (!value->is(ValueKind::None) && !value->is(ValueKind::Instance)) return false;
    open->items.push_back(value);
    return true;
  };
  const bool is_open = a->is(ValueKind::Unknown) && !a->items.empty() && a->values.empty();
  bool is_known = true;
  if (is_open) {
    for (const Value value : a->items) is_known = add(value) && is_known;
  } else {
    is_known = add(a);
  }
  const bool has_other = std::any_of(open->items.begin(), open->items.end(),
                                     [&](Value known) { return is_same_value(known, b); });
  if (!has_other) is_known = add(b) && is_known;
  if (!is_known) open->items.clear();
  return open;
}

// What the arguments of a child are, if not all explanations say the same.
void join(Arena& arena, Arguments& arguments, const Arguments& others) {
  for (size_t i = 0; i < arguments.positional.size(); ++i)
    arguments.positional[i] = either(arena, arguments.positional[i], others.positional[i]);
  for (size_t i = 0; i < arguments.named.size(); ++i) {
    Value& value = arguments.named[i].second;
    value = either(arena, value, others.named[i].second);
  }
}

// Takes what it says out of the explanations.
void agree(std::vector<Explanation>& all, double bound, CallLines& lines) {
  for (size_t u = 0; u < lines.units.size(); ++u) {
    UnitLine& line = lines.units[u];
    SaidUnit* first = nullptr;
    bool same_line = true;
    bool same_chain = true;
    bool has_arguments = true;
    for (Explanation& explanation : all) {
      if (explanation.cost > bound) continue;
      SaidUnit& placement = explanation.placements[u];
      if (!placement.is_said || placement.chain.empty()) {
        line.why = Abstained::Unexplained;
        if (!placement.chain.empty()) line.near = placement.chain.back();
        first = nullptr;
        break;
      }
      if (first == nullptr) {
        first = &placement;
        continue;
      }
      same_line = same_line && is_same_line(*first, placement);
      same_chain = same_chain && first->chain == placement.chain;
      has_arguments = has_arguments && is_same_shape(first->arguments, placement.arguments);
      if (has_arguments) join(*lines.arenas.front(), first->arguments, placement.arguments);
    }
    if (first == nullptr) continue;
    if (!same_line) {
      line.why = Abstained::Ambiguous;
      continue;
    }
    line.why = Abstained::No;
    line.is_chain = same_chain;
    line.chain = same_chain ? std::move(first->chain) : std::vector{first->chain.back()};
    line.has_arguments = has_arguments;
    if (has_arguments) line.arguments = std::move(first->arguments);
  }
}

}  // namespace

CallLines search(PythonSources& sources, Caches& caches, Problem problem,
                 const SearchLimits& limits) {
  CallLines lines;
  const size_t count = problem.graph->calls()[problem.call].units.size();
  lines.units.resize(count);
  for (size_t attempt = 0; attempt <= kMaxUnexplained; ++attempt) {
    Searcher searcher(sources, caches, problem, limits, lines);
    const bool is_whole = searcher.run();
    if (!is_whole) {
      for (UnitLine& line : lines.units) line.why = Abstained::Limit;
      break;
    }
    if (!searcher.explanations().empty()) {
      agree(searcher.explanations(), searcher.bound(), lines);
      const bool is_used =
          std::any_of(lines.units.begin(), lines.units.end(), [](const auto& line) {
            return !line.arguments.positional.empty() || !line.arguments.named.empty();
          });
      if (!is_used) lines.arenas.clear();
      break;
    }
    for (UnitLine& line : lines.units) line.why = Abstained::NoExplanation;
    // The statement at which the furthest run stopped; then the one that called it.
    Statement next;
    for (auto at = searcher.furthest().rbegin(); at != searcher.furthest().rend(); ++at) {
      if (at->node != kNone && !problem.unexplained.contains(*at)) {
        next = *at;
        break;
      }
    }
    if (next.file == nullptr) break;
    problem.unexplained.insert(next);
    lines.unexplained.push_back(next);
    lines.arenas.clear();
  }
  return lines;
}

}  // namespace etlens::recover
