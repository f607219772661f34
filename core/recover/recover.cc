// SPDX-License-Identifier: Apache-2.0
#include "core/recover/recover.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/recover/equal_calls.h"

namespace etlens {
namespace {

using namespace recover;

constexpr size_t kMaxSteps = 4'000'000;  // of one record
constexpr size_t kMaxRuns = 5'000;

// What was found of one module call.
struct CallState {
  bool has_source = false;
  size_t begin_frames = 0;  // recorded frames of the calls around it
  size_t own_frames = 0;    // 1 if it has a forward of the project
  CallLines lines;
};

class Recoverer {
 public:
  Recoverer(const EtRecord& record, GraphId graph, const std::vector<bool>& is_project_file,
            const ReadSource& read)
      : record_(record),
        read_(read),
        is_project_file_(is_project_file),
        sources_([this](std::string_view path) { return checked(path); }),
        graph_(record, graph, is_project_file),
        equal_calls_(graph_) {
    for (const Frame& frame : record.frames) {
      if (frame.file.value >= is_project_file.size() || !is_project_file[frame.file.value])
        continue;
      const std::string_view path = record.text(frame.file);
      sources_.spell(path);
      frames_of_file_[with_slashes(path)].push_back(&frame);
    }
  }

  Recovery run() {
    const std::vector<ModuleCall>& calls = graph_.calls();
    states_.resize(calls.size());
    name_files();
    for (uint32_t c = 0; c < calls.size(); ++c) solve(c);
    for (uint32_t c = 0; c < calls.size(); ++c) say(c);
    say_quantize_nodes();
    finish();
    return std::move(result_);
  }

 private:
  // A file is used only if every line that the record cites still reads the same.
  std::shared_ptr<const PythonSyntax> checked(std::string_view path) {
    std::shared_ptr<const PythonSyntax> syntax = read_(path);
    if (syntax == nullptr) return nullptr;
    const auto at = frames_of_file_.find(std::string(path));
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
    for (const ModuleCall& call : graph_.calls()) {
      const size_t dot = call.type.rfind('.');
      if (dot == std::string::npos || call.type.starts_with("torch.")) continue;
      const std::string module = call.type.substr(0, dot);
      for (const Unit& unit : call.units) {
        for (auto frame = unit.frames.rbegin(); frame != unit.frames.rend(); ++frame) {
          const std::string path = with_slashes(record_.text(frame->file));
          std::string tail = module;
          std::replace(tail.begin(), tail.end(), '.', '/');
          if (path.ends_with("/" + tail + ".py") || path.ends_with("/" + tail + "/__init__.py")) {
            sources_.name_file(path, module);
            break;
          }
        }
        if (!unit.frames.empty()) break;
      }
      if (module == "__main__" && !call.units.empty() && !call.units[0].frames.empty())
        sources_.name_main(std::string(record_.text(call.units[0].frames[0].file)));
    }
  }

  void solve(uint32_t c) {
    const ModuleCall& call = graph_.calls()[c];
    CallState& state = states_[c];
    state.lines.units.resize(call.units.size());
    const CallState* parent = call.parent == kNoCall ? nullptr : &states_[call.parent];
    state.begin_frames = parent == nullptr ? 0 : parent->begin_frames + parent->own_frames;
    if (call.units.empty() || call.type.starts_with("torch.")) return;
    Arena scratch;
    Interpreter finder(sources_, caches_, scratch, nullptr, nullptr);
    const Value cls = finder.class_of_type(call.type);
    const Value forward = finder.find_member(cls, "forward");
    if (forward == nullptr || !forward->is(ValueKind::Function)) return;
    // Its frames begin with the first one inside this forward.
    const PythonTree& tree = *forward->file->tree;
    const uint32_t first_line = tree[forward->node].line + 1;
    const auto last_line = static_cast<uint32_t>(
        tree.document->line_at(std::max<uint32_t>(tree[forward->node].end, 1) - 1) + 1);
    bool has_frames = false;
    size_t begin = SIZE_MAX;
    for (const Unit& unit : call.units) {
      if (unit.frames.empty()) continue;
      has_frames = true;
      for (size_t f = state.begin_frames; f < unit.frames.size(); ++f) {
        const KeptFrame& frame = unit.frames[f];
        if (record_.text(frame.file) == forward->file->recorded_path && frame.line >= first_line &&
            frame.line <= last_line) {
          begin = std::min(begin, f);
          break;
        }
      }
    }
    if (has_frames && begin == SIZE_MAX) return;
    if (has_frames) state.begin_frames = begin;
    state.own_frames = 1;
    state.has_source = true;
    Problem problem;
    problem.graph = &graph_;
    problem.call = c;
    problem.outer_frames = state.begin_frames;
    problem.forward = forward;
    set_arguments(call, parent, problem);
    if (result_.steps > kMaxSteps || result_.runs > kMaxRuns) {
      for (UnitLine& line : state.lines.units) line.why = Abstained::Limit;
      return;
    }
    std::optional<CallShape> shape = equal_calls_.shape_of(problem);
    const uint32_t equal = shape ? equal_calls_.find(*shape) : kNoCall;
    if (equal != kNoCall) {
      state.lines = equal_calls_.carry_over(equal, c, states_[equal].lines, *shape, arena_);
      return;
    }
    state.lines = search(sources_, caches_, problem, {});
    result_.steps += state.lines.steps;
    result_.runs += state.lines.runs;
    if (shape) equal_calls_.keep(std::move(*shape), c, state.lines);
  }

  void set_arguments(const ModuleCall& call, const CallState* parent, Problem& problem) {
    const auto tensors = [&](const std::vector<uint32_t>& values) {
      for (const uint32_t value : values)
        problem.arguments.positional.push_back(arena_.tensor(TensorState::Known, {value}));
      problem.has_arguments = true;
    };
    if (parent == nullptr) {
      const PythonTree& tree = *problem.forward->file->tree;
      const uint32_t parameters = tree.child(problem.forward->node, PythonField::Parameters);
      size_t count = 0;
      bool is_plain = true;
      for (uint32_t p = parameters == kNone ? kNone : tree[parameters].first_child; p != kNone;
           p = tree[p].next) {
        ++count;
        is_plain &= tree[p].kind != PythonKind::ListSplatPattern &&
                    tree[p].kind != PythonKind::DictionarySplatPattern;
      }
      if (is_plain && count == graph_.user_inputs().size() + 1) tensors(graph_.user_inputs());
      return;
    }
    if (!parent->has_source) {
      // Behind a container of torch: what the call reads and the model does not hold.
      std::vector<uint32_t> read;
      for (const uint32_t input : graph_.calls()[call.parent].units[call.unit].inputs) {
        if (!graph_.is_held(input)) read.push_back(input);
      }
      if (read.size() == 1) {
        tensors(read);
        problem.arguments.has_more = true;
      }
      return;
    }
    const UnitLine& line = parent->lines.units[call.unit];
    if (line.why != Abstained::No || !line.has_arguments) return;
    problem.arguments = line.arguments;
    problem.has_arguments = true;
  }

  // The unit of the nearest call around `c` that has source, and its chain; null if nothing is
  // known. What stands between is torch's: it adds no frame.
  const UnitLine* said_around(uint32_t c, uint32_t unit, uint32_t& owner) const {
    while (c != kNoCall && !states_[c].has_source) {
      unit = graph_.calls()[c].unit;
      c = graph_.calls()[c].parent;
    }
    if (c == kNoCall) return nullptr;
    owner = c;
    return &states_[c].lines.units[unit];
  }

  // The chains of all calls around joined; false if one is not sure.
  bool outer_chain(uint32_t c, std::vector<SaidFrame>& chain) const {
    std::vector<const UnitLine*> lines;
    while (graph_.calls()[c].parent != kNoCall) {
      uint32_t owner = kNoCall;
      const UnitLine* line = said_around(graph_.calls()[c].parent, graph_.calls()[c].unit, owner);
      // What has no source and is not torch's may have frames that nobody knows.
      for (uint32_t between = graph_.calls()[c].parent; between != owner;
           between = graph_.calls()[between].parent) {
        if (!graph_.calls()[between].type.starts_with("torch.")) return false;
      }
      if (line == nullptr) return true;
      if (line->why != Abstained::No || !line->is_chain) return false;
      lines.push_back(line);
      c = owner;
    }
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
      chain.insert(chain.end(), (*line)->chain.begin(), (*line)->chain.end());
    return true;
  }

  // Whether a unit of a call without source may have the line of the call around it: all that
  // stands between is torch's, or the record shows that no frame of the project does.
  bool stands_below(uint32_t c, uint32_t owner, const UnitLine& line, const Unit& unit) const {
    bool is_torch = true;
    for (uint32_t at = c; at != owner; at = graph_.calls()[at].parent)
      is_torch &= graph_.calls()[at].type.starts_with("torch.");
    if (unit.frames.empty()) return is_torch;
    if (!line.is_chain) return is_torch;
    const auto forwards = static_cast<size_t>(
        std::count_if(line.chain.begin(), line.chain.end(),
                      [](const SaidFrame& frame) { return frame.function == "forward"; }));
    return unit.frames.size() == states_[owner].begin_frames + forwards;
  }

  // The functions named forward of a whole stack are the frames that the record kept.
  bool holds_kept_frames(const std::vector<SaidFrame>& chain, const Unit& unit) const {
    if (unit.frames.empty()) return true;
    size_t at = 0;
    for (const SaidFrame& frame : chain) {
      if (frame.function != "forward") continue;
      if (at >= unit.frames.size()) return false;
      const KeptFrame& kept = unit.frames[at++];
      if (kept.line != frame.line || record_.text(kept.file) != frame.file->recorded_path)
        return false;
    }
    return at == unit.frames.size();
  }

  void say(uint32_t c) {
    const ModuleCall& call = graph_.calls()[c];
    for (uint32_t u = 0; u < call.units.size(); ++u) {
      const Unit& unit = call.units[u];
      if (unit.child != kNoCall) continue;
      uint32_t owner = kNoCall;
      const UnitLine* line = said_around(c, u, owner);
      if (line == nullptr || line->why != Abstained::No) {
        note(owner == kNoCall ? c : owner, line, unit.nodes);
        continue;
      }
      if (c != owner && !stands_below(c, owner, *line, unit)) continue;
      std::vector<SaidFrame> chain;
      bool is_chain = line->is_chain && outer_chain(owner, chain);
      if (is_chain) {
        chain.insert(chain.end(), line->chain.begin(), line->chain.end());
        is_chain = holds_kept_frames(chain, unit);
      }
      if (!is_chain) chain.assign(1, line->chain.back());
      for (const NodeId node : unit.nodes) said_[node] = {chain, is_chain};
    }
  }

  void note(uint32_t c, const UnitLine* line, const std::vector<NodeId>& nodes) {
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
    auto& row = unrecovered_[{c, why}];
    row.module = call.path;
    row.type = call.type;
    row.why = why;
    row.nodes.insert(row.nodes.end(), nodes.begin(), nodes.end());
    const std::vector<Statement>& unexplained = states_[c].lines.unexplained;
    if (why == NotRecovered::Unexplained && line != nullptr && line->near.file != nullptr) {
      row.file = line->near.file->recorded_path;
      row.line = line->near.line;
    } else if (why == NotRecovered::Unexplained && !unexplained.empty()) {
      row.file = unexplained.back().file->recorded_path;
      row.line = (*unexplained.back().file->tree)[unexplained.back().node].line + 1;
    }
  }

  // A quantize node is its producer's, a dequantize node its consumer's, where the record gives
  // both the same frames.
  void say_quantize_nodes() {
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
        if (said_.contains(id) || !node.stack.valid()) continue;
        const bool is_dequantize =
            record_.text(node.target).find("dequantize") != std::string::npos;
        std::vector<NodeId> around;
        if (is_dequantize) {
          for (const StringId output : record_.outputs_of(node)) {
            const auto at = consumers.find(output.value);
            if (at != consumers.end()) around = at->second;
          }
        } else if (!record_.inputs_of(node).empty()) {
          const NodeId producer = graph_.producer(record_.inputs_of(node).front().value);
          if (producer.valid()) around = {producer};
        }
        const Said* said = nullptr;
        bool agrees = !around.empty();
        for (const NodeId other : around) {
          const auto at = said_.find(other);
          if (at == said_.end() ||
              graph_.frames_of(record_.nodes[other.value]) != graph_.frames_of(node)) {
            agrees = false;
            break;
          }
          if (said != nullptr && !(said->chain == at->second.chain)) agrees = false;
          said = &at->second;
        }
        if (!agrees || said == nullptr) continue;
        const Said copy = *said;
        said_[id] = copy;
        changes = true;
      }
    }
  }

  static uint32_t column_of(const SaidFrame& frame) {
    const Document& document = *frame.file->tree->document;
    if (frame.line == 0 || frame.line > document.line_count()) return 0;
    const std::string_view line = document.line(frame.line - 1);
    const size_t begin = document.line_start(frame.line - 1) + line.find_first_not_of(" \t");
    return frame.site > begin ? frame.site - static_cast<uint32_t>(begin) : 0;
  }

  void finish() {
    std::unordered_map<const SourceFile*, uint32_t> numbers;
    for (const auto& [node, said] : said_) {
      go_on();
      RecoveredNode row;
      row.node = node;
      row.first_frame = static_cast<uint32_t>(result_.frames.size());
      row.frame_count = static_cast<uint32_t>(said.chain.size());
      row.is_chain = said.is_chain;
      for (const SaidFrame& frame : said.chain) {
        const auto [at, is_new] =
            numbers.try_emplace(frame.file, static_cast<uint32_t>(result_.files.size()));
        if (is_new) result_.files.push_back(frame.file->recorded_path);
        result_.frames.push_back(
            {at->second, frame.line, std::string(frame.function), column_of(frame)});
      }
      result_.nodes.push_back(row);
    }
    for (auto& [key, row] : unrecovered_) result_.unrecovered.push_back(std::move(row));
  }

  struct Said {
    std::vector<SaidFrame> chain;
    bool is_chain = false;
  };

  const EtRecord& record_;
  const ReadSource& read_;
  const std::vector<bool>& is_project_file_;
  std::map<std::string, std::vector<const Frame*>> frames_of_file_;
  PythonSources sources_;
  Caches caches_;
  GraphUnits graph_;
  EqualCalls equal_calls_;
  Arena arena_;
  std::vector<CallState> states_;
  std::map<NodeId, Said> said_;
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
