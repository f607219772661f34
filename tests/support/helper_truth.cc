// SPDX-License-Identifier: Apache-2.0
#include "tests/support/helper_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "core/base/file_system.h"
#include "core/base/text.h"
#include "core/code/library_frame.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/source/python/python_syntax.h"
#include "core/source/python/python_tree.h"
#include "test_paths.h"  // where the data lies

namespace etlens::test {
namespace {

constexpr std::string_view kRecordedRoot = "/home/user/";

struct TrueFrame {
  std::string file;
  uint64_t line = 0;
  std::string function;
  friend bool operator==(const TrueFrame&, const TrueFrame&) = default;
};

struct TrueNode {
  size_t own = 0;  // frames that the record kept
  bool is_lost = false;
  std::vector<TrueFrame> frames;
};

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}

std::map<std::string, TrueNode> read_truth(const std::string& path) {
  std::map<std::string, TrueNode> truth;
  for (const std::string& row : split(text_of_file(path), '\n')) {
    const std::vector<std::string> cells = split(row, '\t');
    if (cells.size() != 4) continue;
    TrueNode& node = truth[cells[0]];
    node.own = std::stoul(cells[1]);
    node.is_lost = cells[2] == "1";
    for (const std::string& frame : split(cells[3], ';')) {
      const std::vector<std::string> parts = split(frame, ':');
      if (parts.size() == 3) node.frames.push_back({parts[0], std::stoul(parts[1]), parts[2]});
    }
  }
  return truth;
}

bool is_simple_line(const PythonTree& tree, uint32_t node) {
  const PythonKind kind = tree[node].kind;
  if (kind != PythonKind::ExpressionStatement && kind != PythonKind::ReturnStatement) return false;
  return tree.text(node).find('\n') == std::string_view::npos;
}

// A second helper that does the same; an unknown flag chooses between them. Only functions of a file get one.
std::optional<HelperMutation> doubled(const std::string& path, const std::string& text,
                                      const Document& document, const PythonNode& node,
                                      const std::string& function) {
  const size_t start = document.line_start(node.line);
  if (start != node.begin) return std::nullopt;
  HelperMutation mutation{path, text, "doubled", {}};
  const std::string original = text.substr(start, std::min<size_t>(text.size(), node.end) - start);
  const size_t name = original.find(function) + function.size();
  std::string copy = original;
  copy.insert(name, "_first");
  std::string other = original;
  other.insert(name, "_second");
  mutation.text += "\n\n\n" + copy + "\n\n\n" + other + "\n\n\n" + function + " = " + function +
                   "_first if open_flag() else " + function + "_second\n";
  const uint64_t before = document.line_count();
  for (uint64_t l = before; l < before + 400; ++l) mutation.moved[l] = 0;
  return mutation;
}

// The statement of a line and that of the next one, in each other's place.
std::optional<HelperMutation> swapped(const std::string& path, const std::string& text,
                                      const PythonTree& tree, uint32_t n) {
  const PythonNode& node = tree[n];
  const uint32_t next = node.next;
  if (next == kNone || !is_simple_line(tree, next) || tree[next].line != node.line + 1)
    return std::nullopt;
  HelperMutation mutation{path, text, "swapped", {}};
  const std::string first(tree.text(n));
  const std::string second(tree.text(next));
  mutation.text.replace(tree[next].begin, second.size(), first);
  mutation.text.replace(node.begin, first.size(), second);
  mutation.moved[node.line + 1] = node.line + 2;
  mutation.moved[node.line + 2] = node.line + 1;
  return mutation;
}

std::vector<HelperMutation> mutations_of(const std::string& path, const std::string& text) {
  std::vector<HelperMutation> made;
  const auto document = std::make_shared<const Document>(text);
  const std::shared_ptr<const PythonTree> parsed = PythonSyntax::parse(document)->tree();
  if (parsed == nullptr) return made;
  const PythonTree& tree = *parsed;
  const auto add = [&](std::string what, size_t begin, size_t end,
                       std::string_view by) -> HelperMutation& {
    HelperMutation mutation{path, text, std::move(what), {}};
    mutation.text.replace(begin, end - begin, by);
    made.push_back(std::move(mutation));
    return made.back();
  };
  static const std::map<std::string_view, std::string_view> kOperators{
      {"+", "-"}, {"-", "+"}, {"*", "/"}, {"/", "*"}};
  static const std::map<std::string_view, std::string_view> kNames{
      {"sigmoid", "tanh"}, {"tanh", "sigmoid"}, {"relu", "tanh"},      {"sin", "cos"},
      {"cos", "sin"},      {"mean", "sum"},     {"sum", "mean"},       {"maximum", "minimum"},
      {"exp", "log1p"},    {"cat", "stack"},    {"view", "transpose"}, {"transpose", "permute"}};
  for (uint32_t n = 0; n < tree.nodes.size(); ++n) {
    const PythonNode& node = tree[n];
    if (node.kind == PythonKind::Token) {
      const auto at = kOperators.find(tree.text(n));
      if (at != kOperators.end()) add("operator", node.begin, node.end, at->second);
    }
    if (node.kind == PythonKind::Identifier && node.field == PythonField::Attribute) {
      const auto at = kNames.find(tree.text(n));
      if (at != kNames.end()) add("name", node.begin, node.end, at->second);
    }
    if (node.kind == PythonKind::FunctionDefinition) {
      const uint32_t name = tree.child(n, PythonField::Name);
      if (name == kNone || tree.text(name).starts_with("__")) continue;
      add("renamed", tree[name].begin, tree[name].end, "renamed_helper");
      if (tree.text(name) == "forward") continue;
      if (auto mutation = doubled(path, text, *document, node, std::string(tree.text(name))))
        made.push_back(std::move(*mutation));
    }
    if (!is_simple_line(tree, n)) continue;
    add("dropped", node.begin, node.end, "pass").moved[node.line + 1] = 0;
    if (auto mutation = swapped(path, text, tree, n)) made.push_back(std::move(*mutation));
  }
  return made;
}

std::string source_path(const std::string& folder, std::string_view recorded) {
  if (!recorded.starts_with(kRecordedRoot)) return {};
  return folder + "/sources/" + std::string(recorded.substr(kRecordedRoot.size()));
}

// Of the processor: the machine may be busy.
double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// What recovery says of a node; lines of a mutated file by their numbers before the mutation.
std::vector<TrueFrame> frames_of(const Recovery& recovery, const RecoveredNode& node,
                                 const HelperMutation* mutation) {
  std::vector<TrueFrame> said;
  for (uint32_t f = 0; f < node.frame_count; ++f) {
    const RecoveredFrame& frame = recovery.frames[node.first_frame + f];
    uint64_t line = frame.line;
    if (mutation != nullptr && recovery.files[frame.file] == mutation->path) {
      const auto moved = mutation->moved.find(line);
      if (moved != mutation->moved.end()) line = moved->second;
    }
    said.push_back({recovery.files[frame.file], line, frame.function});
  }
  return said;
}

void score_node(const std::string& name, const TrueNode& node, const RecoveredNode& recovered,
                const std::vector<TrueFrame>& said, HelperScore& score) {
  const TrueFrame& is = node.frames.back();
  const bool is_right = said.back().file == is.file && said.back().line == is.line;
  score.placed += node.is_lost;
  score.right += node.is_lost && is_right;
  score.harmed += !node.is_lost && !is_right;
  if (!is_right)
    score.notes.push_back(fmt::format("wrong: {} said {}:{}, is {}:{}", name, said.back().file,
                                      said.back().line, is.file, is.line));
  if (node.frames.size() <= node.own) return;
  if (!recovered.is_chain) return score.notes.push_back("line alone: " + name);
  ++score.chains;
  score.right_chains += said == node.frames;
  if (said == node.frames) return;
  std::string stack = "stack: " + name + " said";
  for (const TrueFrame& frame : said) stack += fmt::format(" {}:{}", frame.function, frame.line);
  stack += ", is";
  for (const TrueFrame& frame : node.frames)
    stack += fmt::format(" {}:{}", frame.function, frame.line);
  score.notes.push_back(stack);
}

}  // namespace

std::vector<bool> project_files(const EtRecord& record) {
  std::vector<bool> is_project(record.strings.size(), false);
  for (const Frame& frame : record.frames)
    is_project[frame.file.value] = !is_library_file(record.text(frame.file), {});
  return is_project;
}

ReadSource helper_sources(const std::string& folder) {
  return [folder](std::string_view path) -> std::shared_ptr<const PythonSyntax> {
    const std::string real = source_path(folder, path);
    if (real.empty() || !std::filesystem::is_regular_file(real)) return nullptr;
    return PythonSyntax::parse(std::make_shared<const Document>(text_of_file(real)));
  };
}

std::vector<std::string> helper_files(const std::string& folder) {
  const std::string sources = folder + "/sources/";
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources)) {
    if (entry.path().extension() == ".py")
      paths.push_back(std::string(kRecordedRoot) + entry.path().string().substr(sources.size()));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> helper_cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(ETLENS_TEST_DATA "/helpers")) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

HelperScore score_helpers(const std::string& folder, const HelperMutation* mutation) {
  HelperScore score;
  const auto begin = std::clock();
  const Result<EtRecord> record = read_etrecord(real_file_system(), folder + "/model.etrecord");
  score.reading_seconds = seconds_since(begin);
  if (!record) {
    score.notes.push_back(record.error().message);
    return score;
  }
  const std::vector<bool> is_project = project_files(*record);
  const ReadSource sources = helper_sources(folder);
  const ReadSource read = [&](std::string_view path) -> std::shared_ptr<const PythonSyntax> {
    if (mutation != nullptr && path == mutation->path)
      return PythonSyntax::parse(std::make_shared<const Document>(mutation->text));
    return sources(path);
  };
  const GraphId graph = record->methods.front().edge;
  const auto start = std::clock();
  const Recovery recovery = recover_lines(*record, graph, is_project, read);
  score.seconds = seconds_since(start);
  score.runs = recovery.runs;
  score.steps = recovery.steps;
  std::map<NodeId, const RecoveredNode*> said_of;
  for (const RecoveredNode& node : recovery.nodes) said_of[node.node] = &node;
  const std::map<std::string, TrueNode> truth = read_truth(folder + "/truth.tsv");
  for (const NodeId id : record->graphs[graph.value].nodes) {
    const std::string name(record->text(record->nodes[id.value].name));
    const auto real = truth.find(name);
    if (real == truth.end() || real->second.frames.empty()) continue;
    const TrueNode& node = real->second;
    score.lost += node.is_lost;
    const auto at = said_of.find(id);
    if (at == said_of.end()) {
      if (node.is_lost) score.notes.push_back("nothing: " + name);
      continue;
    }
    score_node(name, node, *at->second, frames_of(recovery, *at->second, mutation), score);
  }
  for (const UnrecoveredCall& call : recovery.unrecovered) {
    score.notes.push_back(fmt::format("{} ({}): {} nodes, {} {}:{}", call.module, call.type,
                                      call.nodes.size(), name_of(call.why), call.file, call.line));
  }
  return score;
}

std::vector<HelperMutation> helper_mutations(const std::string& folder) {
  std::vector<HelperMutation> made;
  for (const std::string& recorded : helper_files(folder)) {
    const std::string path = source_path(folder, recorded);
    for (HelperMutation& mutation : mutations_of(recorded, text_of_file(path)))
      made.push_back(std::move(mutation));
  }
  return made;
}

}  // namespace etlens::test
