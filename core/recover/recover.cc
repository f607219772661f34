// SPDX-License-Identifier: Apache-2.0
#include "core/recover/recover.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/recover/solver.h"

namespace etlens {
namespace {

using namespace recover;

class Recoverer {
 public:
  Recoverer(const EtRecord& record, GraphId graph, const std::vector<bool>& is_project_file,
            const ReadSource& read)
      : record_(record),
        read_(read),
        sources_([this](std::string_view path) { return checked(path); }),
        graph_(record, graph, is_project_file) {
    std::unordered_map<StringId, std::vector<const Frame*>*> of_file;
    for (const Frame& frame : record.frames) {
      go_on();
      if (frame.file.value >= is_project_file.size() || !is_project_file[frame.file.value])
        continue;
      std::vector<const Frame*>*& frames = of_file[frame.file];
      if (frames == nullptr) {
        const std::string_view path = record.text(frame.file);
        sources_.spell(path);
        frames = &frames_of_file_[with_slashes(path)];
      }
      frames->push_back(&frame);
    }
  }

  Recovery run() {
    name_files();
    CallSolver solver(graph_, sources_, chains_);
    states_ = solver.run();
    result_.runs = solver.runs();
    result_.steps = solver.steps();
    said_.resize(record_.nodes.size());
    outer_.resize(states_.size());
    for (uint32_t c = 0; c < states_.size(); ++c) say(c);
    say_quantize_nodes();
    finish();
    return std::move(result_);
  }

 private:
  // What is said of a node, or of all that a call's units are called from.
  struct Said {
    uint32_t chain = Chains::kEmpty;
    bool is_chain = false;  // it is sure as a whole
    bool is_placed = false;
  };
  // The unit of the nearest call around a unit that has source. What stands between is torch's: it
  // adds no frame.
  struct Around {
    uint32_t call = kNoCall;  // no unit without one
    uint32_t unit = 0;
  };

  // A file is used only if every line that the record cites still reads the same.
  std::shared_ptr<const PythonSyntax> checked(std::string_view path) {
    std::shared_ptr<const PythonSyntax> syntax = read_(path);
    if (syntax == nullptr) return nullptr;
    const auto at = frames_of_file_.find(path);
    if (at == frames_of_file_.end()) return syntax;
    const Document& document = syntax->document();
    for (const Frame* frame : at->second) {
      go_on();
      const std::string_view text = record_.text(frame->text);
      if (text.empty()) continue;
      if (frame->line == 0 || frame->line > document.line_count()) return nullptr;
      if (trim(document.line(frame->line - 1)) != trim(text)) return nullptr;
    }
    return syntax;
  }

  // Class names against the files of their forward frames: where dotted names start.
  void name_files() {
    std::map<std::string_view, bool> is_named;  // by type
    for (const ModuleCall& call : graph_.calls()) {
      const size_t dot = call.type.rfind('.');
      if (dot == std::string_view::npos || call.type.starts_with("torch.")) continue;
      bool& is_done = is_named[call.type];
      if (!is_done) is_done = name_files_of(call, call.type.substr(0, dot));
    }
  }

  // `module`: the Python module of the call's class. True if its file is known now.
  bool name_files_of(const ModuleCall& call, std::string_view module) {
    std::string tail = "/" + std::string(module);
    std::replace(tail.begin(), tail.end(), '.', '/');
    bool is_named = false;
    const auto unit = std::find_if(call.units.begin(), call.units.end(),
                                   [](const SourceCall& one) { return !one.frames.empty(); });
    if (unit != call.units.end()) {
      for (auto frame = unit->frames.rbegin(); frame != unit->frames.rend(); ++frame) {
        const std::string path = with_slashes(record_.text(frame->file));
        if (!path.ends_with(tail + ".py") && !path.ends_with(tail + "/__init__.py")) continue;
        sources_.name_file(path, module);
        is_named = true;
        break;
      }
    }
    if (module == "__main__" && !call.units.empty() && !call.units[0].frames.empty()) {
      sources_.name_main(std::string(record_.text(call.units[0].frames[0].file)));
      is_named = true;
    }
    return is_named;
  }

  Around around(uint32_t c, uint32_t unit) const {
    while (c != kNoCall && !states_[c].has_source) {
      unit = graph_.calls()[c].unit;
      c = graph_.calls()[c].parent;
    }
    return {c, unit};
  }

  const UnitLine& line_of(const Around& at) const {
    return states_[at.call].solved->lines.units[at.unit];
  }

  bool is_torch_between(uint32_t c, uint32_t owner) const {
    for (; c != owner; c = graph_.calls()[c].parent) {
      if (!graph_.calls()[c].type.starts_with("torch.")) return false;
    }
    return true;
  }

  // The chains of all calls around one joined.
  Said outer_chain(uint32_t c) {
    const ModuleCall& call = graph_.calls()[c];
    if (call.parent == kNoCall) return {Chains::kEmpty, true, true};
    const Around at = around(call.parent, call.unit);
    // What has no source and is not torch's may have unknown frames.
    if (!is_torch_between(call.parent, at.call)) return {};
    if (at.call == kNoCall) return {Chains::kEmpty, true, true};
    const UnitLine& line = line_of(at);
    const Said& outer = outer_[at.call];  // parents come first
    if (line.why != Abstained::No || !line.is_chain || !outer.is_chain) return {};
    const uint32_t chain = states_[at.call].solved->chains[at.unit];
    return {chains_.joined(outer.chain, chain), true, true};
  }

  // A class of the project whose forward did not run: what did is not known.
  bool is_replaced_between(uint32_t c, uint32_t owner) const {
    for (; c != owner; c = graph_.calls()[c].parent) {
      if (states_[c].is_replaced) return true;
    }
    return false;
  }

  // Whether a unit of a call without source may have the line of the call around it: all that
  // stands between is torch's, or the record shows that no frame of the project does.
  bool stands_below(uint32_t c, uint32_t owner, const UnitLine& line,
                    const SourceCall& unit) const {
    if (unit.frames.empty() || !line.is_chain) return is_torch_between(c, owner);
    const auto forwards = static_cast<size_t>(
        std::count_if(line.chain.begin(), line.chain.end(),
                      [](const PredictedFrame& frame) { return frame.function == "forward"; }));
    return unit.frames.size() == states_[owner].begin_frames + forwards;
  }

  // The functions named forward of a whole stack are the frames that the record kept.
  bool holds_kept_frames(uint32_t chain, const SourceCall& unit) {
    if (unit.frames.empty()) return true;
    const auto [at, is_new] = holds_kept_.try_emplace({chain, unit.frames.data()}, false);
    if (!is_new) return at->second;
    size_t kept_count = 0;
    for (const PredictedFrame& frame : chains_.frames_of(chain)) {
      if (frame.function != "forward") continue;
      if (kept_count >= unit.frames.size()) return false;
      const KeptFrame& kept = unit.frames[kept_count++];
      if (kept.line != frame.line || record_.text(kept.file) != frame.file->recorded_path)
        return false;
    }
    return at->second = kept_count == unit.frames.size();
  }

  void say(uint32_t c) {
    const ModuleCall& call = graph_.calls()[c];
    if (states_[c].has_source) outer_[c] = outer_chain(c);
    for (uint32_t u = 0; u < call.units.size(); ++u) {
      const SourceCall& unit = call.units[u];
      if (unit.child != kNoCall) continue;
      go_on();
      const Around at = around(c, u);
      const UnitLine* line = at.call == kNoCall ? nullptr : &line_of(at);
      if (line == nullptr || line->why != Abstained::No) {
        note(at.call == kNoCall ? c : at.call, line, unit.nodes);
        continue;
      }
      if (c != at.call &&
          (is_replaced_between(c, at.call) || !stands_below(c, at.call, *line, unit)))
        continue;
      Said said{states_[at.call].solved->chains[at.unit], false, true};
      if (line->is_chain && outer_[at.call].is_chain) {
        const uint32_t whole = chains_.joined(outer_[at.call].chain, said.chain);
        said.is_chain = holds_kept_frames(whole, unit);
        if (said.is_chain) said.chain = whole;
      }
      if (!said.is_chain) said.chain = chains_.last_of(said.chain);
      for (const NodeId node : unit.nodes) said_[node.value] = said;
    }
  }

  void note(uint32_t c, const UnitLine* line, std::span<const NodeId> nodes) {
    NotRecovered why = NotRecovered::NoSource;
    if (line != nullptr) {
      switch (line->why) {
        case Abstained::Ambiguous:
          why = NotRecovered::Ambiguous;
          break;
        case Abstained::Limit:
          why = NotRecovered::Limit;
          break;
        case Abstained::NoSource:
          why = NotRecovered::NoSource;
          break;
        default:
          why = NotRecovered::Unexplained;
          break;
      }
    }
    const ModuleCall& call = graph_.calls()[c];
    const auto [at, is_new] = unrecovered_.try_emplace({c, why});
    UnrecoveredCall& row = at->second;
    row.nodes.insert(row.nodes.end(), nodes.begin(), nodes.end());
    if (is_new) {
      row.module = call.path;
      row.type = call.type;
      row.why = why;
    }
    if (why != NotRecovered::Unexplained || line == nullptr) return;
    const std::vector<Statement>& unexplained = states_[c].solved->lines.unexplained;
    if (line->near.file != nullptr) {
      row.file = line->near.file->recorded_path;
      row.line = line->near.line;
    } else if (!unexplained.empty()) {
      row.file = unexplained.back().file->recorded_path;
      row.line = (*unexplained.back().file->tree)[unexplained.back().node].line + 1;
    }
  }

  // The nodes around a quantize node whose line it may have: its producer, or its consumers.
  std::vector<NodeId> nodes_around(
      const Node& node, const std::unordered_map<uint32_t, std::vector<NodeId>>& consumers) const {
    std::vector<NodeId> around;
    if (record_.text(node.target).find("dequantize") != std::string_view::npos) {
      for (const StringId output : record_.outputs_of(node)) {
        const auto at = consumers.find(output.value);
        if (at != consumers.end()) around = at->second;
      }
    } else if (!record_.inputs_of(node).empty()) {
      const NodeId producer = graph_.producer(record_.inputs_of(node).front());
      if (producer.valid()) around = {producer};
    }
    return around;
  }

  // Wherever in their lines the calls stand.
  bool is_same_stack(uint32_t a, uint32_t b) const {
    return a == b || chains_.frames_of(a) == chains_.frames_of(b);
  }

  // What is said of all of them, if that is one thing and the record gives them the same frames.
  Said agreed(const Node& node, const std::vector<NodeId>& around) const {
    Said result;
    const std::span<const KeptFrame> frames = graph_.frames_of(node);
    for (const NodeId other : around) {
      go_on();
      const Said& said = said_[other.value];
      if (!said.is_placed || (result.is_placed && !is_same_stack(said.chain, result.chain)))
        return {};
      if (!std::ranges::equal(graph_.frames_of(record_.nodes[other.value]), frames)) return {};
      result = said;
    }
    return result;
  }

  // A quantize node is its producer's, a dequantize node its consumer's, where the record gives
  // both the same frames.
  void say_quantize_nodes() {
    if (graph_.quantize_nodes().empty()) return;
    std::unordered_map<uint32_t, std::vector<NodeId>> consumers;
    for (const NodeId id : graph_.graph().nodes) {
      for (const StringId input : record_.inputs_of(record_.nodes[id.value]))
        consumers[input.value].push_back(id);
    }
    for (bool changes = true; changes;) {
      changes = false;
      for (const NodeId id : graph_.quantize_nodes()) {
        go_on();
        const Node& node = record_.nodes[id.value];
        if (said_[id.value].is_placed || !node.stack.valid()) continue;
        said_[id.value] = agreed(node, nodes_around(node, consumers));
        changes |= said_[id.value].is_placed;
      }
    }
  }

  static uint32_t column_of(const PredictedFrame& frame) {
    const Document& document = *frame.file->tree->document;
    if (frame.line == 0 || frame.line > document.line_count()) return 0;
    const std::string_view line = document.line(frame.line - 1);
    const size_t begin = document.line_start(frame.line - 1) + line.find_first_not_of(" \t");
    return frame.site > begin ? frame.site - static_cast<uint32_t>(begin) : 0;
  }

  // Nodes with one chain have the same frames.
  void finish() {
    std::unordered_map<const SourceFile*, uint32_t> numbers;
    std::vector<RecoveredNode> rows(chains_.size());  // by chain
    for (size_t n = 0; n < said_.size(); ++n) {
      go_on();
      const Said& said = said_[n];
      if (!said.is_placed) continue;
      RecoveredNode& row = rows[said.chain];
      if (row.frame_count == 0) {
        row.first_frame = static_cast<uint32_t>(result_.frames.size());
        for (const PredictedFrame& frame : chains_.frames_of(said.chain)) {
          const auto [at, is_new] =
              numbers.try_emplace(frame.file, static_cast<uint32_t>(result_.files.size()));
          if (is_new) result_.files.push_back(frame.file->recorded_path);
          result_.frames.push_back(
              {at->second, frame.line, std::string(frame.function), column_of(frame)});
          ++row.frame_count;
        }
      }
      result_.nodes.push_back({NodeId(n), row.first_frame, row.frame_count, said.is_chain});
    }
    for (auto& [key, row] : unrecovered_) result_.unrecovered.push_back(std::move(row));
  }

  const EtRecord& record_;
  const ReadSource& read_;
  std::map<std::string, std::vector<const Frame*>, std::less<>> frames_of_file_;
  PythonSources sources_;
  GraphUnits graph_;
  Chains chains_;
  std::vector<CallState> states_;
  std::vector<Said> outer_;  // by call: of those with source
  std::vector<Said> said_;   // by NodeId
  std::map<std::pair<uint32_t, const KeptFrame*>, bool> holds_kept_;  // by chain
  std::map<std::pair<uint32_t, NotRecovered>, UnrecoveredCall> unrecovered_;
  Recovery result_;
};

// A record that kept a frame of a helper lost none.
bool has_helper_frames(const EtRecord& record, const std::vector<bool>& is_project_file) {
  return std::any_of(record.frames.begin(), record.frames.end(), [&](const Frame& frame) {
    const std::string_view function = record.text(frame.function);
    return frame.file.value < is_project_file.size() && is_project_file[frame.file.value] &&
           function != "forward" && !function.starts_with('<');
  });
}

}  // namespace

std::string_view name_of(NotRecovered why) {
  switch (why) {
    case NotRecovered::Ambiguous:
      return "ambiguous";
    case NotRecovered::Unexplained:
      return "unexplained";
    case NotRecovered::Limit:
      return "limit";
    case NotRecovered::NoSource:
      return "no source";
  }
  return "no source";
}

Recovery recover_lines(const EtRecord& record, GraphId graph,
                       const std::vector<bool>& is_project_file, const ReadSource& read) {
  if (has_helper_frames(record, is_project_file)) return {};
  if (std::any_of(record.graphs[graph.value].nodes.begin(), record.graphs[graph.value].nodes.end(),
                  [&](NodeId node) { return record.nodes[node.value].lowered.valid(); })) {
    return {};  // what a delegate runs is hidden from the order of calls
  }
  return Recoverer(record, graph, is_project_file, read).run();
}

}  // namespace etlens
