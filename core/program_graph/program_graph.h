// SPDX-License-Identifier: Apache-2.0
// ProgramGraph: one method as a graph, of a program, of a record, or of both. Nodes are what makes
// and reads values: inputs, constants, instructions, the operators inside delegate calls, outputs.
// An edge leads from the maker of a value to one argument of a reader.
//
// Of a program nodes are its instructions; the record tells their names, lines and modules. Of a
// record alone they are the nodes of the edge program. What a delegate call runs are the operators
// of its payload, or else the nodes that the record has inside the call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/code/code.h"
#include "core/formats/pte/program.h"

namespace etlens {

enum class GraphNodeKind : uint8_t {
  Input,         // of the method
  Constant,      // data that never change
  State,         // data that outlive an execution, or whose origin nothing tells
  Kernel,        // an operator outside of delegate calls
  DelegateCall,  // a group: the operators inside have it as `group`
  ControlFlow,   // of a record: cond, map, …; a group as well
  Operator,      // inside a delegate call
  Move,
  Jump,
  Free,
  Unknown,
  Output,  // of the method
};

// "input", "constant", "state", "kernel", "delegate_call", "control_flow", "operator", "move",
// "jump", "free", "unknown", "output".
std::string_view name_of(GraphNodeKind kind);

struct GraphValue {
  uint32_t number = kNone;  // in the table of the program, or of the payload; kNone of a record
  bool is_inside = false;   // of a delegate call
  std::string name;         // in the record, or that the exporter kept; "" if there is none
  std::string shape;        // "[1, 64]"; "" for what is no tensor, or if it is not known
  std::string dtype;        // "float32"; likewise
  std::string literal;      // of a number that the program holds: "-1", "True"
  bool is_bound = false;    // the sizes are upper bounds
};

// What a node reads, in the order of its arguments.
struct GraphArgument {
  uint32_t value = 0;        // row of values
  uint32_t argument = 0;     // its position
  uint32_t element = kNone;  // in the list that the argument is
};

struct GraphNode {
  GraphNodeKind kind = GraphNodeKind::Unknown;
  uint32_t group = kNone;        // the node that contains it
  uint32_t instruction = kNone;  // of the program
  uint32_t target = kNone;       // of a jump: the instruction to go on with
  uint32_t number = 0;           // of a delegate call, from 1 on
  std::string op;                // the operator, or the backend's id of a delegate call
  std::string name;              // of the record's node, of an input, of a constant
  LineId line;                   // invalid if nothing tells
  ModuleId module;               // likewise
  std::vector<GraphArgument> reads;
  std::vector<uint32_t> makes;  // rows of values

  bool is_group() const {
    return kind == GraphNodeKind::DelegateCall || kind == GraphNodeKind::ControlFlow;
  }
};

struct GraphEdge {
  uint32_t from = 0;  // rows of nodes
  uint32_t to = 0;
  GraphArgument at;  // of the reader
};

// Nodes that come again and again: `times` runs of `count` nodes, one behind the other, that do the
// same with the same shapes. Layers of a transformer are.
struct GraphRepeat {
  std::vector<uint32_t> nodes;  // of all runs
  uint32_t count = 0;
  uint32_t times = 0;
};

struct ProgramGraph {
  std::string method;
  std::shared_ptr<const Code> code;  // of lines and modules
  // Sources, then what runs, in its order (what is inside a group right behind it), then outputs.
  std::vector<GraphNode> nodes;
  std::vector<GraphValue> values;
  std::vector<GraphEdge> edges;  // by reader, in the order of its arguments
  std::vector<GraphRepeat> repeats;
};

// The part of a delegate's payload that describes operators; empty if there is none.
using ReadPayload = std::function<std::vector<uint8_t>(const ProgramDelegate&)>;

// `code`: code_of_program of the method. Inside a load: what it takes is held to its budget.
ProgramGraph graph_of_program(const ProgramMethod& method, std::shared_ptr<const Code> code,
                              const Backends& backends, const ReadPayload& payload);
// `code` has a record and a method of it.
ProgramGraph graph_of_record(std::shared_ptr<const Code> code);

// Fills `repeats`.
void find_repeats(ProgramGraph& graph);

}  // namespace etlens
