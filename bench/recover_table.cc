// SPDX-License-Identifier: Apache-2.0
// Prints, for models that were exported both ways, how many nodes that lost a helper's line get it
// back and how many of these are right. Arguments: folders with model.etrecord and truth.json
// (the strict twin's frames) whose parent, or themselves, hold `sources/`. With --mutations the
// sources are changed one place at a time (a statement dropped, two swapped, an operator exchanged,
// a function renamed, a helper doubled behind an open flag): that costs lines, but none may be
// wrong.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "core/base/file_system.h"
#include "core/base/text.h"
#include "core/code/library_frame.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/recover/recover.h"
#include "core/source/python/python_tree.h"

namespace {

using namespace etlens;
namespace dom = simdjson::dom;

struct Row {
  size_t lost = 0, placed = 0, right = 0, helper = 0, chains = 0, right_chains = 0, extra_wrong = 0;
  double seconds = 0, load = 0;
  size_t runs = 0, steps = 0;
};

struct Line {
  std::string file, function;
  uint64_t line = 0;
  friend bool operator==(const Line&, const Line&) = default;
};

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A changed text, and where its lines were before.
struct Mutation {
  std::string path;  // recorded
  std::string text;
  std::string what;
  std::map<uint64_t, uint64_t> moved;  // line now -> line before; 0: there was none
};

bool is_simple_line(const PythonTree& tree, uint32_t node) {
  const PythonKind kind = tree[node].kind;
  if (kind != PythonKind::ExpressionStatement && kind != PythonKind::ReturnStatement) return false;
  return tree.text(node).find('\n') == std::string_view::npos;
}

std::vector<Mutation> mutations_of(const std::string& path, const std::string& text) {
  std::vector<Mutation> made;
  const auto document = std::make_shared<const Document>(text);
  const std::shared_ptr<const PythonTree> parsed = parse_python_tree(document);
  if (parsed == nullptr) return made;
  const PythonTree& tree = *parsed;
  const auto add = [&](std::string what, size_t begin, size_t end,
                       std::string_view by) -> Mutation& {
    Mutation mutation{path, text, std::move(what), {}};
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
      // A second helper that does the same, chosen by a flag that nobody knows.
      const size_t start = document->line_start(node.line);
      const size_t stop = std::min<size_t>(text.size(), node.end);
      std::string indent = text.substr(start, node.begin - start);
      if (indent.find_first_not_of(' ') != std::string::npos) continue;
      if (!indent.empty()) continue;  // functions of a file alone
      const std::string function(tree.text(name));
      Mutation mutation{path, text, "doubled", {}};
      std::string copy = text.substr(start, stop - start);
      copy.insert(copy.find(function) + function.size(), "_first");
      std::string original = text.substr(start, stop - start);
      original.insert(original.find(function) + function.size(), "_second");
      const std::string chooser = "\n\n\n" + copy + "\n\n\n" + original + "\n\n\n" + function +
                                  " = " + function + "_first if open_flag() else " + function +
                                  "_second\n";
      const uint64_t before = document->line_count();
      mutation.text += chooser;
      for (uint64_t l = before; l < before + 400; ++l) mutation.moved[l] = 0;
      made.push_back(std::move(mutation));
    }
    if (!is_simple_line(tree, n)) continue;
    add("dropped", node.begin, node.end, "pass").moved[node.line + 1] = 0;
    const uint32_t next = node.next;
    if (next == kNone || !is_simple_line(tree, next) || tree[next].line != node.line + 1) continue;
    Mutation swapped{path, text, "swapped", {}};
    const std::string first(tree.text(n));
    const std::string second(tree.text(next));
    swapped.text.replace(tree[next].begin, second.size(), first);
    swapped.text.replace(node.begin, first.size(), second);
    swapped.moved[node.line + 1] = node.line + 2;
    swapped.moved[node.line + 2] = node.line + 1;
    made.push_back(std::move(swapped));
  }
  return made;
}

Row measure(const std::string& folder, bool is_verbose, const Mutation* mutation = nullptr,
            std::map<std::string, std::string>* texts = nullptr) {
  Row row;
  const FileSystem& files = real_file_system();
  const auto begin = std::chrono::steady_clock::now();
  const Result<EtRecord> record = read_etrecord(files, folder + "/model.etrecord");
  row.load = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!record) {
    fmt::print("{}: {}\n", folder, record.error().message);
    return row;
  }
  std::vector<bool> is_project(record->strings.size(), false);
  for (const Frame& frame : record->frames)
    is_project[frame.file.value] = !is_library_file(record->text(frame.file), {});
  std::string sources = folder + "/sources";
  if (!files.stat(sources)) sources = folder + "/../sources";
  const SourceReader read = [&](std::string_view path) -> std::shared_ptr<const Document> {
    for (const std::string_view root : {"/home/user/", "/work/"}) {
      if (!path.starts_with(root)) continue;
      if (mutation != nullptr && path == mutation->path)
        return std::make_shared<const Document>(mutation->text);
      const Result<Bytes> bytes = files.read(sources + "/" + std::string(path.substr(root.size())));
      if (!bytes) continue;
      if (texts != nullptr) texts->emplace(path, text_of(*bytes));
      return std::make_shared<const Document>(text_of(*bytes));
    }
    return nullptr;
  };
  const auto start = std::chrono::steady_clock::now();
  const Recovery recovery = recover_lines(*record, record->methods.front().edge, is_project, read);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  row.runs = recovery.runs;
  row.steps = recovery.steps;
  std::map<std::string, const RecoveredNode*, std::less<>> by_name;
  for (const RecoveredNode& node : recovery.nodes)
    by_name[std::string(record->text(record->nodes[node.node.value].name))] = &node;
  std::set<std::string, std::less<>> in_record;
  for (const NodeId id : record->graphs[record->methods.front().edge.value].nodes)
    in_record.emplace(record->text(record->nodes[id.value].name));
  dom::parser parser;
  dom::element truth;
  if (parser.load(folder + "/truth.json").get(truth)) return row;
  std::vector<Line> table;
  dom::array entries;
  if (truth["files_frames"].get(entries)) return row;
  for (const dom::element entry : entries) {
    Line line;
    line.file = std::string(entry.at(0).get_c_str().value());
    line.line = entry.at(1).get_uint64().value();
    line.function = std::string(entry.at(2).get_c_str().value());
    table.push_back(line);
  }
  const auto frames = [&](dom::element node, const char* key) {
    std::vector<Line> lines;
    dom::array list;
    if (node[key].get(list)) return lines;
    for (const dom::element index : list) {
      const Line& line = table[index.get_uint64().value()];
      if (!is_library_file(line.file, {}) && line.file.find("export") == std::string::npos)
        lines.push_back(line);
    }
    return lines;
  };
  dom::array nodes;
  if (truth["edge"].get(nodes)) return row;
  for (const dom::element node : nodes) {
    const std::string name(node["name"].get_c_str().value());
    if (!in_record.contains(name)) continue;  // getitem nodes are not
    const std::vector<Line> own = frames(node, "own");
    std::vector<Line> all = frames(node, "frames");
    if (all.empty()) all = frames(node, "full");
    if (all.empty()) continue;
    const bool is_lost = own.empty() || !(own.back() == all.back());
    const bool is_helper = all != own;
    row.lost += is_lost;
    row.helper += is_helper;
    const auto at = by_name.find(name);
    if (at == by_name.end()) {
      if (is_verbose && is_lost)
        fmt::print("  nothing: {} {}:{}\n", name, all.back().file, all.back().line);
      continue;
    }
    std::vector<Line> said;
    for (uint32_t f = 0; f < at->second->frame_count; ++f) {
      const RecoveredFrame& frame = recovery.frames[at->second->first_frame + f];
      said.push_back({recovery.files[frame.file], frame.function, frame.line});
      if (mutation != nullptr && said.back().file == mutation->path) {
        const auto moved = mutation->moved.find(said.back().line);
        if (moved != mutation->moved.end()) said.back().line = moved->second;
      }
    }
    const bool is_right =
        said.back().file == all.back().file && said.back().line == all.back().line;
    row.placed += is_lost;
    row.right += is_lost && is_right;
    row.extra_wrong += !is_lost && !is_right;
    if (is_helper && at->second->is_chain) {
      ++row.chains;
      row.right_chains += said == all;
      if (is_verbose && said != all) fmt::print("  chain differs: {} \n", name);
    }
    if (is_verbose && !is_right)
      fmt::print("  WRONG: {} said {}:{}, is {}:{}\n", name, said.back().file, said.back().line,
                 all.back().file, all.back().line);
  }
  if (is_verbose) {
    for (const UnrecoveredCall& call : recovery.unrecovered)
      fmt::print("  {} ({}): {} nodes, {} {}:{}\n", call.module, call.type, call.nodes,
                 static_cast<int>(call.why), call.file, call.line);
  }
  return row;
}

void mutate(const std::string& folder, Row& sum, size_t& runs, bool is_verbose) {
  std::map<std::string, std::string> texts;
  measure(folder, false, nullptr, &texts);
  std::map<std::string, Row> kinds;
  for (const auto& [path, text] : texts) {
    for (const Mutation& mutation : mutations_of(path, text)) {
      const Row row = measure(folder, false, &mutation);
      const size_t wrong = row.placed - row.right + row.extra_wrong;
      if (wrong > 0 && is_verbose) {
        std::string line = "?";
        for (size_t i = 0; i < text.size(); ++i) {
          if (text[i] == mutation.text[i]) continue;
          line = std::to_string(
              std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(i), '\n') + 1);
          break;
        }
        fmt::print("  {}: {} at {}:{}: {} wrong of {}\n", folder, mutation.what, path, line, wrong,
                   row.placed);
        measure(folder, true, &mutation);
      }
      ++runs;
      Row& kind = kinds[mutation.what];
      for (Row* into : {&sum, &kind}) {
        into->lost += row.lost;
        into->placed += row.placed;
        into->right += row.right;
        into->extra_wrong += row.extra_wrong;
        into->seconds += row.seconds;
        into->runs += 1;
        into->load = std::max(into->load, row.seconds);
      }
    }
  }
  for (const auto& [what, row] : kinds) {
    fmt::print("  {:<10} {:>4} texts {:>7} lost {:>7} placed {:>4} wrong, {:.0f} ms at most\n",
               what, row.runs, row.lost, row.placed, row.placed - row.right + row.extra_wrong,
               row.load * 1000);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_verbose = std::getenv("ETLENS_VERBOSE") != nullptr;
  if (argc > 1 && std::string_view(argv[1]) == "--mutations") {
    Row sum;
    size_t runs = 0;
    for (int i = 2; i < argc; ++i) {
      fmt::print("{}\n", argv[i]);
      mutate(argv[i], sum, runs, is_verbose);
    }
    const size_t wrong = sum.placed - sum.right + sum.extra_wrong;
    fmt::print("{} texts, {} lost, {} placed, {} wrong, {:.1f} s\n", runs, sum.lost, sum.placed,
               wrong, sum.seconds);
    return wrong == 0 ? 0 : 1;
  }
  fmt::print("{:<34}{:>6}{:>8}{:>7}{:>7}{:>8}{:>8}{:>9}{:>9}{:>6}{:>9}\n", "model", "lost",
             "placed", "right", "wrong", "helper", "chains", "ms", "load ms", "runs", "steps");
  Row sum;
  for (int i = 1; i < argc; ++i) {
    const Row row = measure(argv[i], is_verbose);
    std::string name(argv[i]);
    if (const size_t at = name.find("helpers/"); at != std::string::npos) name.erase(0, at + 8);
    fmt::print("{:<34}{:>6}{:>8}{:>7}{:>7}{:>8}{:>8}{:>9.1f}{:>9.1f}{:>6}{:>9}\n", name, row.lost,
               row.placed, row.right, row.placed - row.right + row.extra_wrong, row.helper,
               row.right_chains, row.seconds * 1000, row.load * 1000, row.runs, row.steps);
    sum.lost += row.lost;
    sum.placed += row.placed;
    sum.right += row.right;
    sum.extra_wrong += row.extra_wrong;
    sum.helper += row.helper;
    sum.chains += row.chains;
    sum.right_chains += row.right_chains;
  }
  fmt::print("{:<34}{:>6}{:>8}{:>7}{:>7}{:>8}{:>8} of {} said\n", "all", sum.lost, sum.placed,
             sum.right, sum.placed - sum.right + sum.extra_wrong, sum.helper, sum.right_chains,
             sum.chains);
  return sum.placed == sum.right && sum.extra_wrong == 0 ? 0 : 1;
}
