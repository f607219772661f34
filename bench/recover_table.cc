// SPDX-License-Identifier: Apache-2.0
// Prints, for models that were exported both ways, how many nodes that lost a helper's line get it
// back and how many of these are right. Arguments: folders with model.etrecord and truth.json
// (the strict twin's frames) whose parent, or themselves, hold `sources/`.
#include <fmt/format.h>
#include <simdjson.h>

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

Row measure(const std::string& folder, bool is_verbose) {
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
      const Result<Bytes> bytes = files.read(sources + "/" + std::string(path.substr(root.size())));
      if (bytes) return std::make_shared<const Document>(text_of(*bytes));
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

}  // namespace

int main(int argc, char** argv) {
  const bool is_verbose = std::getenv("ETLENS_VERBOSE") != nullptr;
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
