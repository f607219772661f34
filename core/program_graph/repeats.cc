// SPDX-License-Identifier: Apache-2.0
#include "core/program_graph/repeats.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/program_graph/program_graph.h"

namespace etlens {
namespace {

constexpr uint32_t kFewest = 3;    // fewer are shown one by one
constexpr uint32_t kShortest = 4;  // so are runs of fewer nodes
constexpr int kMostPeriods = 128;  // that are tried from one token on
constexpr uint64_t kBase = 0x9E3779B97F4A7C15ull;

class RepeatFinder {
 public:
  explicit RepeatFinder(std::span<const uint32_t> tokens)
      : tokens_(tokens), next_(tokens.size(), kNone), hashes_(1, 0), powers_(1, 1) {
    std::unordered_map<uint32_t, uint32_t> last;
    for (size_t i = tokens.size(); i > 0; --i) {
      go_on();
      const auto [at, is_new] = last.try_emplace(tokens[i - 1], static_cast<uint32_t>(i - 1));
      if (!is_new) next_[i - 1] = std::exchange(at->second, static_cast<uint32_t>(i - 1));
    }
    for (const uint32_t token : tokens) {
      hashes_.push_back(hashes_.back() * kBase + token + 1);
      powers_.push_back(powers_.back() * kBase);
    }
  }

  std::vector<Repeat> find() const {
    std::vector<Repeat> found;
    for (uint32_t i = 0; i < tokens_.size();) {
      const Repeat best = best_from(i);
      if (best.times == 0) {
        ++i;
        continue;
      }
      found.push_back(best);
      i += best.count * best.times;
    }
    return found;
  }

 private:
  Repeat best_from(uint32_t i) const {
    Repeat best{i, 0, 0};
    uint32_t at = next_[i];
    for (int tried = 0; at != kNone && tried < kMostPeriods; ++tried, at = next_[at]) {
      go_on();
      const uint32_t count = at - i;
      if (count < kShortest) continue;
      const uint32_t times = times_of(i, count);
      if (times >= kFewest && times * count > best.times * best.count && is_equal(i, count, times))
        best = {i, count, times};
    }
    return best;
  }

  uint32_t times_of(uint32_t i, uint32_t count) const {
    const uint64_t first = hash(i, count);
    uint32_t times = 1;
    while (uint64_t{i} + uint64_t{times + 1} * count <= tokens_.size() &&
           hash(i + times * count, count) == first) {
      go_on();
      ++times;
    }
    return times;
  }

  // Equal hashes may be a coincidence.
  bool is_equal(uint32_t i, uint32_t count, uint32_t times) const {
    go_on(1 + size_t{count} * times / 64);
    for (uint32_t t = i; t < i + count * (times - 1); ++t)
      if (tokens_[t] != tokens_[t + count]) return false;
    return true;
  }

  uint64_t hash(uint32_t i, uint32_t count) const {
    return hashes_[i + count] - hashes_[i] * powers_[count];
  }

  std::span<const uint32_t> tokens_;
  std::vector<uint32_t> next_;  // the next equal token; kNone if there is none
  std::vector<uint64_t> hashes_;
  std::vector<uint64_t> powers_;
};

bool runs(GraphNodeKind kind) {
  using enum GraphNodeKind;
  return kind != Input && kind != Constant && kind != State && kind != Output;
}

// What a node does, as a number: equal for nodes that do the same with the same shapes.
class Signatures {
 public:
  explicit Signatures(const ProgramGraph& graph) : graph_(graph) {}

  // `inside`: the tokens of a group's nodes.
  uint32_t token_of(const GraphNode& node, std::span<const uint32_t> inside) {
    std::string text = std::to_string(static_cast<int>(node.kind)) + node.op;
    for (const uint32_t value : node.makes) append_type(value, text);
    text += '<';
    for (const GraphArgument& read : node.reads) append_type(read.value, text);
    for (const uint32_t token : inside) text += '|' + std::to_string(token);
    go_on(1 + text.size() / 64);
    return known_.try_emplace(std::move(text), static_cast<uint32_t>(known_.size())).first->second;
  }

 private:
  void append_type(uint32_t value, std::string& text) const {
    const GraphValue& row = graph_.values[value];
    ((text += ';') += row.shape) += row.dtype;
  }

  const ProgramGraph& graph_;
  std::unordered_map<std::string, uint32_t> known_;
};

}  // namespace

std::vector<Repeat> repeats_in(std::span<const uint32_t> tokens) {
  return RepeatFinder(tokens).find();
}

void find_repeats(ProgramGraph& graph) {
  // The nodes of each group, and those of none.
  std::vector<std::vector<uint32_t>> nodes(graph.nodes.size() + 1);
  const auto inside = [&](uint32_t group) -> std::vector<uint32_t>& {
    return nodes[group == kNone ? graph.nodes.size() : group];
  };
  for (uint32_t n = 0; n < graph.nodes.size(); ++n)
    if (runs(graph.nodes[n].kind)) inside(graph.nodes[n].group).push_back(n);
  Signatures signatures(graph);
  std::vector<uint32_t> tokens(graph.nodes.size());
  const auto tokens_of = [&](const std::vector<uint32_t>& rows) {
    std::vector<uint32_t> found;
    for (const uint32_t row : rows) found.push_back(tokens[row]);
    return found;
  };
  const auto fold = [&](const std::vector<uint32_t>& rows, const std::vector<uint32_t>& of_rows) {
    for (const Repeat& repeat : repeats_in(of_rows)) {
      const auto first = rows.begin() + repeat.first;
      graph.repeats.push_back(
          {{first, first + repeat.count * repeat.times}, repeat.count, repeat.times});
    }
  };
  // What is inside a group stands behind it.
  for (size_t n = graph.nodes.size(); n > 0; --n) {
    const std::vector<uint32_t> of_rows = tokens_of(nodes[n - 1]);
    fold(nodes[n - 1], of_rows);
    tokens[n - 1] = signatures.token_of(graph.nodes[n - 1], of_rows);
  }
  fold(nodes.back(), tokens_of(nodes.back()));
}

}  // namespace etlens
