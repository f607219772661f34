// SPDX-License-Identifier: Apache-2.0
#include "core/compare/match_lines.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/path.h"
#include "core/compare/recorded_text.h"
#include "core/workspace/anchored_source.h"

namespace etlens {
namespace {

// Of the nodes of a line, the least that must have gone to another line to call the two related.
constexpr double kRelatedShare = 0.2;

using Edge = std::pair<LineId, LineId>;  // before, after

// Where the lines of one code are in the texts of the other.
struct Anchored {
  LineId line;  // invalid: nowhere
  bool is_edited = false;
};

// The file of `other` that a file corresponds to: the one whose path ends alike, if no other ends
// as well; invalid for none.
FileId file_like(const Code& code, FileId file, const Code& other) {
  const std::string_view path = code.recorded_path(file);
  size_t best = 0;
  FileId found;
  for (size_t f = 0; f < other.files.size(); ++f) {
    const std::string_view candidate = other.recorded_path(FileId(f));
    if (candidate == path) return FileId(f);
    const size_t shared = common_suffix(path, candidate);
    if (shared == best) found = FileId();
    if (shared <= best) continue;
    best = shared;
    found = FileId(f);
  }
  return found;
}

std::vector<Anchored> anchor_in(const Code& code, const Code& other, const SourceTexts& texts) {
  std::vector<Anchored> anchored(code.lines.size());
  for (size_t f = 0; f < code.files.size(); ++f) {
    const FileId target = file_like(code, FileId(f), other);
    if (!target.valid()) continue;
    const RecordedText text = text_of_file(other, target, texts[target.value]);
    const std::vector<Anchor> anchors =
        anchor_lines(text.document, recorded_lines(code, FileId(f)));
    for (size_t i = 0; i < anchors.size(); ++i) {
      if (anchors[i].line == 0) continue;
      anchored[code.files[f].first_line + i] = {text.line_of[anchors[i].line - 1],
                                                anchors[i].edited};
    }
  }
  return anchored;
}

std::vector<size_t> nodes_of_lines(const Code& code) {
  std::vector<size_t> counts(code.lines.size());
  for (size_t n = 0; n < code.place_of_node.size(); ++n) {
    const Place* place = code.place_of(NodeId(n));
    if (place != nullptr && place->line.valid()) ++counts[place->line.value];
  }
  return counts;
}

class LineMatcher {
 public:
  LineMatcher(const Code& before, const Code& after) : before_(before), after_(after) {
    is_certain_before_.resize(before.lines.size());
    is_certain_after_.resize(after.lines.size());
  }

  void add_certain(LineId a, LineId b) {
    is_certain_before_[a.value] = is_certain_after_[b.value] = true;
    edges_.insert({a, b});
  }
  bool is_open(LineId a, LineId b) const {
    return !is_certain_before_[a.value] && !is_certain_after_[b.value];
  }
  void add(LineId a, LineId b) { edges_.insert({a, b}); }

  // Lines that no edge has reached.
  std::vector<bool> alone_before() const {
    std::vector<bool> alone(before_.lines.size(), true);
    for (const Edge& edge : edges_) alone[edge.first.value] = false;
    return alone;
  }
  std::vector<bool> alone_after() const {
    std::vector<bool> alone(after_.lines.size(), true);
    for (const Edge& edge : edges_) alone[edge.second.value] = false;
    return alone;
  }

  std::vector<LineGroup> groups() const;

 private:
  const Code& before_;
  const Code& after_;
  std::set<Edge> edges_;
  std::vector<bool> is_certain_before_;
  std::vector<bool> is_certain_after_;
};

// What hangs together is a group.
std::vector<LineGroup> LineMatcher::groups() const {
  const size_t first_after = before_.lines.size();
  std::vector<size_t> root(first_after + after_.lines.size());
  std::iota(root.begin(), root.end(), size_t{0});
  const auto find = [&](size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const Edge& edge : edges_)
    root[find(first_after + edge.second.value)] = find(edge.first.value);
  std::vector<LineGroup> groups;
  std::map<size_t, size_t> group_of;
  std::vector<bool> has_edge(root.size());
  for (const Edge& edge : edges_)
    has_edge[edge.first.value] = has_edge[first_after + edge.second.value] = true;
  for (size_t i = 0; i < root.size(); ++i) {
    if (!has_edge[i]) continue;
    const auto [at, is_new] = group_of.try_emplace(find(i), groups.size());
    if (is_new) groups.emplace_back();
    LineGroup& group = groups[at->second];
    if (i < first_after) group.before.emplace_back(i);
    else group.after.emplace_back(i - first_after);
  }
  return groups;
}

// The same statement on both sides, in files of one name.
void add_unchanged(const std::vector<Anchored>& forward, const std::vector<Anchored>& backward,
                   LineMatcher& matcher) {
  for (size_t a = 0; a < forward.size(); ++a) {
    const LineId b = forward[a].line;
    if (!b.valid() || forward[a].is_edited) continue;
    if (backward[b.value].line == LineId(a) && !backward[b.value].is_edited)
      matcher.add_certain(LineId(a), b);
  }
}

// Nodes that only look at a tensor in another way, as edge programs call them. There are many of
// them, and any two are alike.
bool is_view(std::string_view op) {
  return op.find("_copy.") != op.npos || op.find("clone") != op.npos || op == "getitem";
}

// Where the nodes of lines went that are not certain. Views count where nothing else says anything.
enum class Voters { Work, Views };
void add_by_nodes(const Code& before, const Code& after, const std::vector<NodePair>& nodes,
                  Voters voters, LineMatcher& matcher) {
  const std::vector<bool> alone_before = matcher.alone_before();
  const std::vector<bool> alone_after = matcher.alone_after();
  std::map<Edge, size_t> votes;
  for (const NodePair& pair : nodes) {
    const Node& node = before.record->nodes[pair.before.value];
    const bool views = is_view(before.record->text(node.target));
    if (!pair.is_equal || views != (voters == Voters::Views)) continue;
    const LineId a = before.place_of(pair.before)->line;
    const LineId b = after.place_of(pair.after)->line;
    if (!a.valid() || !b.valid() || !matcher.is_open(a, b)) continue;
    if (!views || (alone_before[a.value] && alone_after[b.value])) ++votes[{a, b}];
  }
  const std::vector<size_t> of_before = nodes_of_lines(before);
  const std::vector<size_t> of_after = nodes_of_lines(after);
  for (const auto& [edge, count] : votes) {
    const size_t fewer = std::min(of_before[edge.first.value], of_after[edge.second.value]);
    if (static_cast<double>(count) >= kRelatedShare * static_cast<double>(fewer))
      matcher.add(edge.first, edge.second);
  }
}

// A function that moved to another file as it was: its text, if it stands only once on either side.
void add_moved_texts(const Code& before, const Code& after, LineMatcher& matcher) {
  using Text = std::pair<std::string_view, std::string_view>;  // of function and line
  const auto collect = [](const Code& code, const std::vector<bool>& alone) {
    std::map<Text, std::vector<LineId>> lines;
    for (size_t l = 0; l < code.lines.size(); ++l) {
      const std::string_view text = code.text(code.lines[l].text);
      if (alone[l] && !text.empty())
        lines[{code.text(code.lines[l].function), text}].emplace_back(l);
    }
    return lines;
  };
  const auto of_after = collect(after, matcher.alone_after());
  for (const auto& [text, lines] : collect(before, matcher.alone_before())) {
    const auto at = of_after.find(text);
    if (at != of_after.end() && lines.size() == 1 && at->second.size() == 1)
      matcher.add(lines.front(), at->second.front());
  }
}

// A function of which no line was found again was rewritten: all its lines together do what all of
// them did.
void add_rewritten(const Code& before, const Code& after, LineMatcher& matcher) {
  struct Function {
    std::vector<LineId> lines;
    bool is_alone = true;
  };
  using Key = std::pair<std::string_view, std::set<std::string_view>>;  // name, types that run it
  const auto collect = [](const Code& code, const std::vector<bool>& alone) {
    std::map<Key, Function> functions;
    for (size_t l = 0; l < code.lines.size(); ++l) {
      Key key{code.text(code.lines[l].function), {}};
      for (const StringId type : code.lines[l].owner_types) key.second.insert(code.text(type));
      Function& function = functions[key];
      function.lines.emplace_back(l);
      function.is_alone &= alone[l];
    }
    return functions;
  };
  const auto of_after = collect(after, matcher.alone_after());
  for (const auto& [key, function] : collect(before, matcher.alone_before())) {
    const auto at = of_after.find(key);
    if (at == of_after.end() || !function.is_alone || !at->second.is_alone) continue;
    // Without types the name is all there is: in files that correspond it will do.
    const FileId file = before.lines[function.lines.front().value].file;
    const FileId file_after = after.lines[at->second.lines.front().value].file;
    if (key.second.empty() && file_like(before, file, after) != file_after) continue;
    for (const LineId line : function.lines) matcher.add(line, at->second.lines.front());
    for (const LineId line : at->second.lines) matcher.add(function.lines.front(), line);
  }
}

// What only one direction says, or says of text that was edited.
void add_by_anchors(const std::vector<Anchored>& forward, const std::vector<Anchored>& backward,
                    LineMatcher& matcher) {
  const std::vector<bool> alone_before = matcher.alone_before();
  const std::vector<bool> alone_after = matcher.alone_after();
  for (size_t a = 0; a < forward.size(); ++a) {
    const LineId b = forward[a].line;
    if (b.valid() && alone_before[a] && alone_after[b.value]) matcher.add(LineId(a), b);
  }
  for (size_t b = 0; b < backward.size(); ++b) {
    const LineId a = backward[b].line;
    if (a.valid() && alone_before[a.value] && alone_after[b]) matcher.add(a, LineId(b));
  }
}

}  // namespace

std::vector<LineGroup> match_lines(const Code& before, const SourceTexts& texts_before,
                                   const Code& after, const SourceTexts& texts_after,
                                   const std::vector<NodePair>& nodes) {
  const std::vector<Anchored> forward = anchor_in(before, after, texts_after);
  const std::vector<Anchored> backward = anchor_in(after, before, texts_before);
  LineMatcher matcher(before, after);
  add_unchanged(forward, backward, matcher);
  add_by_nodes(before, after, nodes, Voters::Work, matcher);
  add_moved_texts(before, after, matcher);
  add_by_anchors(forward, backward, matcher);
  add_rewritten(before, after, matcher);
  add_by_nodes(before, after, nodes, Voters::Views, matcher);
  return matcher.groups();
}

}  // namespace etlens
