// SPDX-License-Identifier: Apache-2.0
// Every edge of every real program, against a second enumeration: the instructions are run on a
// model of the planned memory that remembers who wrote each address last. It knows nothing of
// lifetimes and views.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "core/backend/payload_part.h"
#include "core/base/budget.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/program_code.h"
#include "core/program_graph/program_graph.h"
#include "test_paths.h"

namespace etlens::edges_test {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> real_programs() {
  std::vector<fs::path> roots{fs::path(ETLENS_TEST_DATA), fs::path(ETLENS_EXAMPLES)};
  if (const char* corpus = std::getenv("ETLENS_CORPUS")) {
    roots.emplace_back(corpus);
    const fs::path cases = fs::path(corpus) / ".." / "cases";
    if (fs::exists(cases)) roots.push_back(cases);
  }
  std::vector<std::string> found;
  for (const fs::path& root : roots)
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (entry.path().extension() == ".pte") found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

ProgramGraph graph_of(const EtProgram& program, const ProgramMethod& method) {
  const ReadPayload payload = [&](const ProgramDelegate& delegate) {
    return read_payload_part(real_file_system(), program, delegate, built_in_backends());
  };
  return graph_of_program(method, code_of_program(nullptr, method, {}), built_in_backends(),
                          payload);
}

struct Occurrence {
  uint32_t argument = 0;
  uint32_t element = kNone;
  uint32_t value = 0;
  auto operator<=>(const Occurrence&) const = default;
};

// Lists expanded.
std::vector<Occurrence> occurrences(const ProgramMethod& method, std::span<const uint32_t> values) {
  std::vector<Occurrence> found;
  for (uint32_t a = 0; a < values.size(); ++a) {
    const ProgramValue& row = method.values[values[a]];
    if (row.kind != ValueKind::TensorList && row.kind != ValueKind::IntList) {
      found.push_back({a, kNone, values[a]});
      continue;
    }
    for (uint32_t e = 0; e < row.count; ++e)
      if (method.elements[row.first + e] != kNone)
        found.push_back({a, e, method.elements[row.first + e]});
  }
  return found;
}

bool is_number(const ProgramMethod& method, uint32_t value) {
  const ValueKind kind = method.values[value].kind;
  return kind == ValueKind::Int || kind == ValueKind::Bool || kind == ValueKind::Double;
}

// Runs a method's instructions on what is known of its memory.
class Machine {
 public:
  Machine(const EtProgram& program, const ProgramMethod& method, const ProgramGraph& graph)
      : program_(program), method_(method), graph_(graph) {
    for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
      const GraphNode& node = graph.nodes[n];
      if (node.instruction != kNone) node_of_[node.instruction] = n;
      if (node.group == kNone && node.instruction == kNone)
        for (const uint32_t value : node.makes) source_of_[value] = n;
    }
    for (const GraphEdge& edge : graph.edges)
      if (graph.nodes[edge.to].group == kNone)
        edges_[{edge.to, edge.at.argument, edge.at.element, edge.at.value}].insert(edge.from);
    for (uint32_t i = 0; i < method.instructions.size(); ++i)
      if (method.instructions[i].kind == InstructionKind::Kernel)
        for (const uint32_t a : outputs_of_kernel(i))
          note_number(method.arguments_of(method.instructions[i])[a]);
    for (const uint32_t value : method.inputs) note_number(value);
  }

  // One way through the program; jumps that depend on data go where the generator says.
  void run(std::mt19937& random) {
    owner_.clear();
    views_.clear();
    written_.clear();
    for (const Occurrence& input : occurrences(method_, method_.inputs)) write(input.value, kNone);
    const size_t end = method_.instructions.size();
    size_t steps = 0;
    for (uint32_t i = 0; i < end && steps < 4 * end + 64; ++steps) i = step(i, random);
    uint32_t outputs = 0;
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n)
      if (graph_.nodes[n].kind == GraphNodeKind::Output) {
        outputs = n;
        break;
      }
    for (const Occurrence& read : occurrences(method_, method_.outputs))
      check_read(outputs + read.argument, read, kNone);
  }

  bool is_straight() const {
    return std::ranges::none_of(method_.instructions, [](const ProgramInstruction& row) {
      return row.kind == InstructionKind::JumpFalse;
    });
  }
  // Edges that no run has met.
  size_t unmet() const {
    size_t count = 0;
    for (const auto& [at, makers] : edges_)
      for (const uint32_t maker : makers) count += met_.contains({at, maker}) ? 0 : 1;
    return count;
  }
  size_t met() const { return met_.size(); }

 private:
  using At = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;  // node, argument, element, value
  using Place = std::pair<uint32_t, uint64_t>;

  void note_number(uint32_t value) {
    if (is_number(method_, value)) computed_.insert(value);
  }

  uint32_t step(uint32_t i, std::mt19937& random) {
    const ProgramInstruction& row = method_.instructions[i];
    const std::span<const uint32_t> arguments = method_.arguments_of(row);
    const std::set<uint32_t> outputs = outputs_of(i);
    for (const Occurrence& read : occurrences(method_, arguments))
      if (!outputs.contains(read.argument)) check_read(node_of_.at(i), read, i);
    for (const uint32_t also : also_read(i))
      for (const Occurrence& read : occurrences(method_, arguments))
        // The first time around a loop nothing is in it yet.
        if (read.argument == also &&
            (written_.contains(read.value) || source_of_.contains(read.value)))
          check_read(node_of_.at(i), read, i);
    for (const Occurrence& out : occurrences(method_, arguments))
      if (outputs.contains(out.argument)) write(out.value, i);
    if (row.kind != InstructionKind::JumpFalse || arguments.empty()) return i + 1;
    const ProgramValue& condition = method_.values[arguments[0]];
    const bool is_literal = condition.kind == ValueKind::Bool && !computed_.contains(arguments[0]);
    const bool jumps = is_literal ? method_.numbers[condition.first] == 0 : (random() & 1) != 0;
    return jumps ? row.target : i + 1;
  }

  // aten::copy_ of loops: its first argument is what it returns.
  bool is_in_place(uint32_t i) const {
    const std::span<const uint32_t> arguments = method_.arguments_of(method_.instructions[i]);
    const std::string_view op = method_.operator_of(method_.instructions[i]);
    return op.starts_with("aten::") && op.substr(0, op.find('.')).ends_with('_') &&
           arguments.front() == arguments.back();
  }

  // Arguments that are written and read: a part of them stays.
  std::vector<uint32_t> also_read(uint32_t i) const {
    const std::string_view op = method_.operator_of(method_.instructions[i]);
    if (op.starts_with("executorch_prim::et_copy_index")) return {0};
    if (op.starts_with("llama::update_cache")) return {1};
    if (is_in_place(i)) return {0};
    return {};
  }

  std::set<uint32_t> outputs_of(uint32_t i) {
    const ProgramInstruction& row = method_.instructions[i];
    if (row.kind == InstructionKind::Move) return {1};
    if (row.kind == InstructionKind::Delegate) return outputs_of_call(i);
    return outputs_of_kernel(i);
  }

  std::set<uint32_t> outputs_of_kernel(uint32_t i) const {
    const ProgramInstruction& row = method_.instructions[i];
    const std::span<const uint32_t> arguments = method_.arguments_of(row);
    const std::string_view op = method_.operator_of(row);
    if (row.kind != InstructionKind::Kernel || arguments.empty()) return {};
    if (op.starts_with("executorch_prim::et_copy_index")) return {0};
    const auto last = static_cast<uint32_t>(arguments.size() - 1);
    std::set<uint32_t> outputs{last};
    if (op.starts_with("llama::update_cache")) outputs.insert(1);
    if (is_in_place(i)) outputs.insert(0);
    if (op.starts_with("executorch_prim::") || last == 0) return outputs;
    const std::vector<Occurrence> returned = occurrences(method_, arguments.subspan(last));
    std::vector<uint32_t> in_front;
    std::vector<uint32_t> at_end;
    for (const Occurrence& use : occurrences(method_, arguments.subspan(last - 1, 1)))
      in_front.push_back(use.value);
    for (const Occurrence& use : returned) at_end.push_back(use.value);
    if (in_front == at_end) {
      outputs.insert(last - 1);
      return outputs;
    }
    if (returned.empty() || returned.front().element == kNone || returned.size() > last)
      return outputs;
    for (size_t e = 0; e < returned.size(); ++e) {
      const auto at = static_cast<uint32_t>(last - returned.size() + e);
      if (arguments[at] == returned[e].value) outputs.insert(at);
    }
    return outputs;
  }

  // As many as the payload says; without one those that nothing has written so far.
  std::set<uint32_t> outputs_of_call(uint32_t i) {
    const ProgramInstruction& row = method_.instructions[i];
    const std::span<const uint32_t> arguments = method_.arguments_of(row);
    const ProgramDelegate& delegate = *method_.delegate_of(row);
    const Backend& backend = built_in_backends().find(delegate.backend);
    std::optional<PayloadGraph> payload;
    if (backend.read_graph != nullptr)
      payload = backend.read_graph(
          read_payload_part(real_file_system(), program_, delegate, built_in_backends()));
    std::set<uint32_t> outputs;
    for (auto a = static_cast<uint32_t>(arguments.size()); a > 0; --a) {
      const ProgramTensor* tensor = method_.tensor_of(arguments[a - 1]);
      if (payload && outputs.size() == payload->outputs.size()) break;
      if (!payload) {
        const bool is_known = tensor == nullptr || tensor->is_constant() ||
                              made_by_.contains(arguments[a - 1]) ||
                              source_of_.contains(arguments[a - 1]);
        if (is_known &&
            !(made_by_.contains(arguments[a - 1]) && made_by_.at(arguments[a - 1]) == i))
          break;
      }
      outputs.insert(a - 1);
    }
    for (const uint32_t a : outputs) made_by_.try_emplace(arguments[a], i);
    return outputs;
  }

  void write(uint32_t value, uint32_t by) {
    made_by_.try_emplace(value, by);
    written_.insert(value);
    // A view has the bytes of its base, which stay as they are.
    const bool is_view =
        by != kNone &&
        method_.operator_of(method_.instructions[by]).starts_with("executorch_prim::et_view");
    if (is_view) {
      views_[value] = node_of_.at(by);
      return;
    }
    owner_[place_of(value)] = by == kNone ? source_of_.at(value) : node_of_.at(by);
  }

  // Addresses of planned tensors; others are a place of their own.
  Place place_of(uint32_t value) const {
    const ProgramTensor* tensor = method_.tensor_of(value);
    if (tensor == nullptr || !tensor->is_planned) return {kNone, value};
    return {tensor->memory_id, tensor->offset};
  }

  void check_read(uint32_t node, const Occurrence& read, uint32_t instruction) {
    const At at{node, read.argument, read.element, read.value};
    const auto edges = edges_.find(at);
    const ProgramTensor* tensor = method_.tensor_of(read.value);
    const auto owner = owner_.find(place_of(read.value));
    if (edges == edges_.end()) {
      // Numbers that nothing computes are literals, and so is what is neither.
      const bool is_literal = tensor == nullptr && owner == owner_.end();
      if (!is_literal && !is_scratch(instruction, read.value))
        FAIL_CHECK(program_.path << ": no edge to instruction " << instruction << ", argument "
                                 << read.argument << ", value " << read.value);
      return;
    }
    if (tensor != nullptr && tensor->is_constant()) {
      const bool is_right = edges->second == std::set<uint32_t>{source_of_.at(read.value)};
      if (!is_right) FAIL_CHECK(program_.path << ": constant " << read.value);
      met_.insert({at, source_of_.at(read.value)});
      return;
    }
    uint32_t from = kNone;
    const auto view = views_.find(read.value);
    if (view != views_.end()) from = view->second;
    else if (owner != owner_.end()) from = owner->second;
    else if (const auto state = source_of_.find(read.value); state != source_of_.end())
      from = state->second;
    else return;  // a number before the first time around a loop
    met_.insert({at, from});
    if (!edges->second.contains(from) || (is_straight() && edges->second.size() != 1)) {
      FAIL_CHECK(program_.path << ": instruction " << instruction << " reads value " << read.value
                               << " from node " << from << " (instruction "
                               << graph_.nodes[from].instruction << "), the edge says "
                               << graph_.nodes[*edges->second.begin()].instruction);
    }
  }

  // Cortex-M's kernels have working memory that only they name.
  bool is_scratch(uint32_t instruction, uint32_t value) const {
    if (instruction == kNone) return false;
    const std::string_view op = method_.operator_of(method_.instructions[instruction]);
    if (!op.starts_with("cortex_m::")) return false;
    for (uint32_t i = 0; i < method_.instructions.size(); ++i)
      for (const Occurrence& use :
           occurrences(method_, method_.arguments_of(method_.instructions[i])))
        if (use.value == value && i != instruction) return false;
    return true;
  }

  const EtProgram& program_;
  const ProgramMethod& method_;
  const ProgramGraph& graph_;
  std::map<uint32_t, uint32_t> node_of_;    // by instruction
  std::map<uint32_t, uint32_t> source_of_;  // nodes of inputs, constants and state, by value
  std::map<At, std::set<uint32_t>> edges_;
  std::set<uint32_t> computed_;           // numbers
  std::map<uint32_t, uint32_t> made_by_;  // the first instruction that wrote a value
  std::map<Place, uint32_t> owner_;       // the node that wrote a place last
  std::map<uint32_t, uint32_t> views_;    // the node that made a view, by value
  std::set<uint32_t> written_;            // values, in this run
  std::set<std::pair<At, uint32_t>> met_;
};

}  // namespace

TEST_CASE("graph: every edge of every real program leads from who wrote it last", "[graph]") {
  size_t programs = 0;
  size_t edges = 0;
  std::mt19937 random(1);
  for (const std::string& path : real_programs()) {
    const Result<EtProgram> program = read_program(real_file_system(), path);
    if (!program) continue;
    ++programs;
    for (const ProgramMethod& method : program->methods) {
      const ProgramGraph graph = graph_of(*program, method);
      Machine machine(*program, method, graph);
      const int runs = machine.is_straight() ? 1 : 64;
      for (int r = 0; r < runs; ++r) machine.run(random);
      INFO(path << " " << method.name);
      CHECK(machine.unmet() == 0);
      edges += machine.met();
    }
  }
  CHECK(programs >= 25);
  CHECK(edges >= 1000);
  WARN(programs << " programs, " << edges << " edges");
}

}  // namespace etlens::edges_test
