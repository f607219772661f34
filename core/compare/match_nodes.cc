// SPDX-License-Identifier: Apache-2.0
#include "core/compare/match_nodes.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/string_pool.h"

namespace etlens {
namespace {

// Sequences are aligned in time proportional to the product of their lengths; longer ones are not.
constexpr size_t kMaxAligned = 10'000'000;
// Of a module's nodes, so many must have gone to the same module.
constexpr double kRenamedShare = 0.6;
// A node that belongs to more modules than these, on both sides together, says of none of them
// where it went.
constexpr size_t kMaxOwnerPairs = 1024;

// Texts of one record by their ids in the pool of both: each is looked at once.
class SharedTexts {
 public:
  SharedTexts(const EtRecord& record, StringPool& pool) : record_(record), pool_(pool) {}
  StringId of(StringId id) {
    const auto [at, is_new] = known_.try_emplace(id);
    if (is_new) at->second = pool_.intern(record_.text(id));
    return at->second;
  }

 private:
  const EtRecord& record_;
  StringPool& pool_;
  std::unordered_map<StringId, StringId> known_;
};

// Texts are those of the pool of both records.
struct NodeRow {
  NodeId id;
  StringId module;  // path of the deepest; "" is the root
  StringId op;
  StringId shape;
  std::vector<StringId> inputs;  // their shapes; invalid where it is not known
};

// Of every node of the method, in graph order.
std::vector<NodeRow> rows_of(const Code& code, StringPool& pool) {
  std::vector<NodeRow> rows;
  if (code.record == nullptr) return rows;
  const EtRecord& record = *code.record;
  SharedTexts texts(record, pool);
  std::vector<StringId> modules;
  for (const CodeModule& module : code.modules) modules.push_back(pool.intern(module.path));
  std::unordered_map<StringId, StringId> shape_of;  // by the value's name
  for (size_t n = 0; n < record.nodes.size(); ++n) {
    go_on();
    const Place* place = code.place_of(NodeId(n));
    if (place == nullptr) continue;
    const Node& node = record.nodes[n];
    NodeRow row{NodeId(n), kEmptyString, texts.of(node.target), texts.of(node.shape), {}};
    if (place->module.valid()) row.module = modules[place->module.value];
    for (const StringId input : record.inputs_of(node)) {
      const auto at = shape_of.find(input);
      row.inputs.push_back(at == shape_of.end() ? StringId() : at->second);
    }
    for (const StringId output : record.outputs_of(node)) shape_of[output] = row.shape;
    rows.push_back(std::move(row));
  }
  return rows;
}

// Rows of `before` and `after` that are paired: kNone for none.
struct Pairing {
  std::vector<uint32_t> after_of;
  std::vector<uint32_t> before_of;

  Pairing(size_t before, size_t after) : after_of(before, kNone), before_of(after, kNone) {}
  void add(size_t before, size_t after) {
    after_of[before] = static_cast<uint32_t>(after);
    before_of[after] = static_cast<uint32_t>(before);
  }
};

// Pairs rows with equal keys that are still alone, the k-th with the k-th.
template <typename KeyOf>
void pair_in_order(const std::vector<NodeRow>& before, const std::vector<NodeRow>& after,
                   const KeyOf& key_of, Pairing& pairing) {
  using Key = decltype(key_of(before.front()));
  std::map<Key, std::vector<size_t>> waiting;
  for (size_t b = after.size(); b > 0; --b) {
    if (pairing.before_of[b - 1] == kNone) waiting[key_of(after[b - 1])].push_back(b - 1);
  }
  for (size_t a = 0; a < before.size(); ++a) {
    if (pairing.after_of[a] != kNone) continue;
    const auto at = waiting.find(key_of(before[a]));
    if (at == waiting.end() || at->second.empty()) continue;
    pairing.add(a, at->second.back());
    at->second.pop_back();
  }
}

// The longest common subsequence of operators and shapes.
void pair_by_sequence(const std::vector<NodeRow>& before, const std::vector<size_t>& a,
                      const std::vector<NodeRow>& after, const std::vector<size_t>& b,
                      Pairing& pairing) {
  if (a.empty() || b.empty() || a.size() > kMaxAligned / b.size()) return;
  const auto is_same = [&](size_t i, size_t j) {
    const NodeRow& x = before[a[i]];
    const NodeRow& y = after[b[j]];
    return x.op == y.op && x.shape == y.shape;
  };
  const size_t width = b.size() + 1;
  std::vector<uint32_t> longest((a.size() + 1) * width, 0);  // of what is left behind i and j
  for (size_t i = a.size(); i > 0; --i) {
    go_on(1 + b.size() / 64);
    for (size_t j = b.size(); j > 0; --j) {
      uint32_t& cell = longest[(i - 1) * width + j - 1];
      cell = is_same(i - 1, j - 1)
                 ? longest[i * width + j] + 1
                 : std::max(longest[i * width + j - 1], longest[(i - 1) * width + j]);
    }
  }
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (is_same(i, j)) pairing.add(a[i++], b[j++]);
    else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) ++i;
    else ++j;
  }
}

// Rows that are alone and whose module the other side does not have.
std::vector<size_t> in_renamed_modules(const std::vector<NodeRow>& rows,
                                       const std::vector<uint32_t>& partner, const Code& other,
                                       StringPool& pool) {
  std::unordered_set<StringId> paths;
  for (const CodeModule& module : other.modules) paths.insert(pool.intern(module.path));
  std::vector<size_t> alone;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (partner[i] == kNone && !paths.contains(rows[i].module)) alone.push_back(i);
  }
  return alone;
}

// Between modules of both codes, how many of the pairs of nodes they own.
using Votes = std::map<std::pair<ModuleId, ModuleId>, size_t>;

Votes count_votes(const Code& before, const Code& after, const std::vector<NodePair>& nodes) {
  Votes votes;
  for (const NodePair& pair : nodes) {
    const auto& from = before.place_of(pair.before)->owners;
    const auto& to = after.place_of(pair.after)->owners;
    if (from.size() * to.size() > kMaxOwnerPairs) continue;
    for (const ModuleId a : from) {
      for (const ModuleId b : to) {
        if (before.modules[a.value].depth == after.modules[b.value].depth) ++votes[{a, b}];
      }
    }
  }
  return votes;
}

std::vector<size_t> nodes_of_modules(const Code& code) {
  std::vector<size_t> counts(code.modules.size());
  for (size_t n = 0; n < code.place_of_node.size(); ++n) {
    const Place* place = code.place_of(NodeId(n));
    if (place == nullptr) continue;
    for (const ModuleId owner : place->owners) ++counts[owner.value];
  }
  return counts;
}

}  // namespace

std::vector<NodePair> match_nodes(const Code& before, const Code& after) {
  StringPool pool;
  const std::vector<NodeRow> a = rows_of(before, pool);
  const std::vector<NodeRow> b = rows_of(after, pool);
  if (a.empty() || b.empty()) return {};
  Pairing pairing(a.size(), b.size());
  pair_in_order(
      a, b, [](const NodeRow& row) { return std::tuple(row.module, row.op, row.shape); }, pairing);
  pair_in_order(
      a, b, [](const NodeRow& row) { return std::tuple(row.module, row.op); }, pairing);
  pair_by_sequence(a, in_renamed_modules(a, pairing.after_of, after, pool), b,
                   in_renamed_modules(b, pairing.before_of, before, pool), pairing);
  std::vector<NodePair> pairs;
  for (size_t i = 0; i < a.size(); ++i) {
    if (pairing.after_of[i] == kNone) continue;
    const NodeRow& other = b[pairing.after_of[i]];
    const bool is_equal =
        a[i].op == other.op && a[i].shape == other.shape && a[i].inputs == other.inputs;
    pairs.push_back({a[i].id, other.id, is_equal});
  }
  return pairs;
}

std::vector<ModulePair> match_modules(const Code& before, const Code& after,
                                      const std::vector<NodePair>& nodes) {
  std::unordered_map<std::string_view, ModuleId> by_path;
  for (size_t m = 0; m < after.modules.size(); ++m)
    by_path.emplace(after.modules[m].path, ModuleId(m));
  std::vector<ModuleId> after_of(before.modules.size());
  std::vector<bool> is_taken(after.modules.size());
  for (size_t m = 0; m < before.modules.size(); ++m) {
    const auto at = by_path.find(before.modules[m].path);
    if (at == by_path.end()) continue;
    after_of[m] = at->second;
    is_taken[at->second.value] = true;
  }
  const std::vector<size_t> sizes_before = nodes_of_modules(before);
  const std::vector<size_t> sizes_after = nodes_of_modules(after);
  for (const auto& [pair, count] : count_votes(before, after, nodes)) {
    const auto& [a, b] = pair;
    const auto larger = static_cast<double>(std::max(sizes_before[a.value], sizes_after[b.value]));
    const bool is_most = static_cast<double>(count) >= kRenamedShare * larger;
    if (!is_most || after_of[a.value].valid() || is_taken[b.value]) continue;
    after_of[a.value] = b;
    is_taken[b.value] = true;
  }
  std::vector<ModulePair> pairs;
  for (size_t m = 0; m < after_of.size(); ++m) {
    if (after_of[m].valid()) pairs.push_back({ModuleId(m), after_of[m]});
  }
  return pairs;
}

}  // namespace etlens
