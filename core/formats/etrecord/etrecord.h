// SPDX-License-Identifier: Apache-2.0
// EtRecord: an ETRecord as tables, with nothing left of its file format.
//
// Graphs hold operator nodes. A node names its stack of Python frames, its stack of modules and its
// debug handle; the maps lead from runtime ids (instruction, delegate debug id) to debug handles.
// Handles are numbered per method: never mix those of two methods.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/load_report.h"
#include "core/base/string_pool.h"
#include "core/formats/runtime_ids.h"

namespace etlens {

using GraphId = Id<struct GraphTag>;
using NodeId = Id<struct NodeTag>;
using FrameId = Id<struct FrameTag>;
using StackId = Id<struct StackTag>;
using ModuleStackId = Id<struct ModuleStackTag>;
using LoweredId = Id<struct LoweredTag>;

enum class GraphKind : uint8_t {
  Edge,      // the edge dialect program of a method
  Branch,    // a control-flow submodule of another graph
  Lowered,   // the original module inside a delegate call of an edge program
  Exported,  // the ATen program of torch.export
  Extra,     // a further program that the user had recorded
};

// What a graph is given: an input of the model, or what the model holds.
enum class GraphInputKind : uint8_t { User, Parameter, Buffer, Constant, Other };

struct GraphInput {
  GraphInputKind kind = GraphInputKind::Other;
  StringId name;    // of the value
  StringId target;  // dotted path of what the model holds: "layers.0.weight"; else ""
};

// State of the model, or an input, that the graph gives another value.
struct GraphMutation {
  StringId value;   // its new value
  StringId target;  // dotted path of the buffer, or the input's name
};

struct TensorShape {
  StringId name;   // of the value
  StringId shape;  // "[1, 64] float32"
};

struct Graph {
  GraphKind kind = GraphKind::Edge;
  StringId name = kEmptyString;   // method for Edge; member name for Exported and Extra; else ""
  GraphId parent;                 // of Branch and Lowered
  NodeId parent_node;             // the cond, map, … or the delegate call in `parent`
  std::vector<NodeId> nodes;      // in graph order (topological)
  std::vector<StringId> outputs;  // names of the values that the graph returns
  // Of Edge graphs alone, empty for others:
  std::vector<GraphInput> inputs;        // in order
  std::vector<GraphMutation> mutations;  // in the order of `outputs`, in front of what is returned
  std::vector<StringId> module_paths;    // of all modules, called or not; "" is the root
  std::vector<TensorShape> tensors;      // in the record's order
};

enum class TargetKind : uint8_t {
  EdgeOperator,   // executorch.exir.dialects.…ops.aten.addmm.default, kept as aten.addmm.default
  TorchOperator,  // torch.ops.aten.sym_size.int, kept as aten.sym_size.int
  Function,       // a Python function: _operator.mul, executorch.exir.memory.view
};

struct Node {
  GraphId graph;
  StringId name = kEmptyString;    // FX name; before release 1.0 that of the first output
  StringId target = kEmptyString;  // operator, without the namespaces of edge and torch.ops
  TargetKind target_kind = TargetKind::Function;
  DebugHandle debug_handle = kNoHandle;
  StringId stack_trace;        // the recorded text; invalid if the node has none
  StringId module_stack_text;  // likewise
  StackId stack;
  ModuleStackId modules;
  LoweredId lowered;  // what a delegate call runs
  StringId shape;     // of the first output, "[1, 64] float32"; invalid if unknown
  // The Python function that was called and which call it was, "mul_10;method_descriptor.mul";
  // invalid if unknown or not of an Edge graph. Nodes of one call have one text.
  StringId torch_fn;
  // The oldest ATen node that this one comes from, as the record wrote it from the name to the
  // graph's id (see origin_target); likewise.
  StringId origin;
  // The node of the exported program that this one comes from; invalid if it is none or one of
  // several, and of other graphs than those of an edge program.
  StringId exported_name;
  // The record lost the frame of the line: `stack` has frames that were found again.
  bool is_recovered = false;
  uint32_t first_constant = 0;  // into EtRecord::constants
  uint32_t end_constant = 0;
  uint32_t first_input = 0;   // into EtRecord::values
  uint32_t first_output = 0;  // into EtRecord::values, right behind the inputs
  uint32_t end_output = 0;
};

// An argument of a node that is whole numbers: sizes, dimensions, bounds.
struct ConstantArgument {
  StringId name;
  uint32_t first = 0;  // into EtRecord::constant_values
  uint32_t count = 0;
};

struct Frame {
  StringId file;  // recorded path
  StringId function;
  StringId text;            // of the source line, stripped; "" if it was not recorded
  uint32_t line = 0;        // 1-based
  uint32_t mark_begin = 0;  // bytes of `text` that the traceback's marks cover
  uint32_t mark_end = 0;
  bool is_recovered = false;  // not of the record: found again in the sources

  friend bool operator==(const Frame&, const Frame&) = default;
};

// A distinct stack trace: frames outermost first.
struct Stack {
  uint32_t first_frame = 0;  // into EtRecord::stack_frames
  uint32_t frame_count = 0;
  bool indented = false;
};

struct Module {
  StringId key;   // tells calls of one module apart
  StringId path;  // dotted, normal form; "" is the root
  StringId raw_path;
  StringId type;
};

struct ModuleStack {
  uint32_t first_module = 0;  // into EtRecord::modules, outermost first
  uint32_t module_count = 0;
};

struct LoweredModule {
  StringId backend;  // its id, as the exporter wrote it
  GraphId graph;     // its original module; invalid if that could not be read
  NodeId call;       // the delegate call node
  // The part of processed_bytes that describes operators; may be empty.
  std::vector<uint8_t> payload;
};

struct InstructionHandles {
  Instruction instruction;
  uint32_t first = 0;  // into MethodMap::handles
  uint32_t count = 0;
};

struct DelegateHandles {
  StringId id;  // the delegate debug id as text; integers in decimal
  uint32_t first = 0;
  uint32_t count = 0;
};

struct DelegateEntry {
  Instruction instruction;
  StringId backend;
  std::vector<DelegateHandles> ids;  // empty for backends without a map of their own
};

// The record's maps for one method.
struct MethodMap {
  StringId method;
  std::vector<InstructionHandles> instructions;  // ascending
  std::vector<DelegateEntry> delegates;          // ascending by instruction
  std::vector<DebugHandle> handles;

  const InstructionHandles* find(Instruction instruction) const;
  const DelegateEntry* find_delegate(Instruction instruction) const;
  std::span<const DebugHandle> handles_of(const InstructionHandles& row) const {
    return std::span(handles).subspan(row.first, row.count);
  }
  std::span<const DebugHandle> handles_of(const DelegateHandles& row) const {
    return std::span(handles).subspan(row.first, row.count);
  }
};

struct RecordMethod {
  StringId name;
  GraphId edge;  // invalid if the record maps the method but holds no graph of it (up to 1.1)
};

// Releases that write the same layout; the layout is all that a record says about its release.
enum class RecordLayout {
  UpTo03,  // no constants beside the graph
  From04,  // 0.4 to 0.6
  From07,  // 0.7: representative inputs
  From10,  // 1.0, 1.1: instruction_id_to_num_outs_map
  From12,  // one edge program per method
  From13,  // 1.3 and later: schema 5.4
};

// What stands before the operator in Node::origin.
inline constexpr std::string_view kOriginTarget = R"(\"target\": \")";

struct EtRecord {
  StringPool strings;
  std::vector<Graph> graphs;
  std::vector<Node> nodes;
  std::vector<StringId> values;  // names of tensors and symbols: each node's inputs, then outputs
  std::vector<ConstantArgument> constants;  // of nodes of Edge graphs
  std::vector<int64_t> constant_values;
  std::vector<Frame> frames;  // distinct
  std::vector<FrameId> stack_frames;
  std::vector<Stack> stacks;  // distinct
  std::vector<Module> modules;
  std::vector<ModuleStack> module_stacks;  // distinct
  std::vector<LoweredModule> lowered;      // in the order of their calls
  std::vector<RecordMethod> methods;       // in the record's order
  std::vector<MethodMap> maps;
  RecordLayout layout = RecordLayout::From13;
  // schema_version of the edge programs; 0 where none is stated, -1 in 0.2 and 0.3.
  int64_t schema_major = 0;
  int64_t schema_minor = 0;
  uint64_t graph_bytes = 0;  // of the members that were read
  LoadReport report;

  std::string_view text(StringId id) const { return strings[id]; }
  const MethodMap* map_of(StringId method) const;
  std::span<const FrameId> frames_of(StackId stack) const;
  std::span<const Module> modules_of(ModuleStackId stack) const;
  std::span<const StringId> inputs_of(const Node& node) const {
    return std::span(values).subspan(node.first_input, node.first_output - node.first_input);
  }
  std::span<const StringId> outputs_of(const Node& node) const {
    return std::span(values).subspan(node.first_output, node.end_output - node.first_output);
  }
  std::span<const ConstantArgument> constants_of(const Node& node) const {
    return std::span(constants).subspan(node.first_constant,
                                        node.end_constant - node.first_constant);
  }
  std::span<const int64_t> values_of(const ConstantArgument& constant) const {
    return std::span(constant_values).subspan(constant.first, constant.count);
  }
  // The operator of Node::origin, "aten.linear.default"; "" if there is none.
  std::string_view origin_target(const Node& node) const;
  // A handle of 0 means "unset" from release 1.0 on, and is a handle before.
  bool is_set(DebugHandle handle) const {
    return handle != kNoHandle && (handle != 0 || layout < RecordLayout::From10);
  }
};

}  // namespace etlens
