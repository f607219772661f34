// SPDX-License-Identifier: Apache-2.0
// EtProgram: an ExecuTorch program (.pte) as tables, with nothing left of its file format: the
// instructions of its methods, the values that they work on, where the planner put them, and where
// in the file every constant and payload lies. Weights themselves are never read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/id.h"
#include "core/base/load_report.h"
#include "core/formats/runtime_ids.h"

namespace etlens {

// A part of a file.
struct ByteRange {
  uint64_t offset = 0;
  uint64_t size = 0;

  uint64_t end() const { return offset + size; }
  friend auto operator<=>(const ByteRange&, const ByteRange&) = default;
};

enum class InstructionKind : uint8_t { Kernel, Delegate, Move, JumpFalse, Free, Unknown };

struct ProgramInstruction {
  InstructionKind kind = InstructionKind::Unknown;
  // Kernel: into ProgramMethod::operators. Delegate: into ProgramMethod::delegates. JumpFalse: the
  // instruction to go on with if the condition is false; at most one past the last.
  uint32_t target = 0;
  // Into ProgramMethod::arguments. Kernel: in the order of its schema, what it writes last.
  // Delegate: inputs, then outputs. Move: from, to. JumpFalse: the condition. Free: the value.
  uint32_t first_argument = 0;
  uint32_t argument_count = 0;
};

// An option that the model was lowered with. What is long or no text is left out.
struct CompileSpec {
  std::string key;
  std::string value;
};

struct ProgramDelegate {
  std::string backend;
  uint64_t offset = 0;  // of its payload, from the program's first byte
  uint64_t size = 0;
  std::vector<CompileSpec> specs = {};

  // The value of the first one with that key, or "".
  std::string_view spec(std::string_view key) const;
};

enum class ValueKind : uint8_t { Other, Null, Int, Bool, Double, Tensor, TensorList, IntList };

struct ProgramValue {
  ValueKind kind = ValueKind::Other;
  // Tensor: into ProgramMethod::tensors. Lists: into ::elements. Int, Bool, Double: into ::numbers.
  uint32_t first = 0;
  uint32_t count = 0;  // of the list's elements
};

// What is known of a shape at export. The sizes of a bound tensor are upper bounds.
enum class ShapeDynamism : uint8_t { Static, Bound, Unbound };

struct ProgramTensor {
  uint32_t value = 0;   // into ProgramMethod::values
  int scalar_type = 0;  // core/formats/scalar_type.h
  ShapeDynamism dynamism = ShapeDynamism::Static;
  bool is_planned = false;       // has memory_id and offset
  bool is_external = false;      // its data are in another file, under its name
  uint32_t memory_id = 0;        // of the buffer that holds it, from 1 on
  uint64_t offset = 0;           // in the buffer
  uint32_t data_buffer = 0;      // of its data in the file; 0: none
  uint32_t mutable_segment = 0;  // of the initial data of a planned tensor
  uint32_t first_size = 0;       // into ProgramMethod::sizes
  uint32_t dimensions = 0;
  uint64_t bytes = 0;  // of its elements, not rounded; 0 if its sizes cannot be
  std::string name;    // "" unless the exporter kept it

  // Data that never change.
  bool is_constant() const { return !is_planned && (data_buffer > 0 || is_external); }
};

struct ProgramMethod {
  std::string name;
  std::vector<std::string> operators;  // aten::addmm.out
  std::vector<ProgramDelegate> delegates;
  // Of the first chain: an instruction id is an index.
  std::vector<ProgramInstruction> instructions;
  std::vector<ProgramValue> values;
  std::vector<ProgramTensor> tensors;  // in the order of values
  std::vector<int32_t> sizes;
  std::vector<uint32_t> elements;  // of lists: values, kNone for what is missing
  // Of integers and booleans; of doubles the bits. What an instruction computes is an example here.
  std::vector<int64_t> numbers;
  std::vector<uint32_t> arguments;     // values
  std::vector<uint32_t> inputs;        // values
  std::vector<uint32_t> outputs;       // values
  std::vector<uint64_t> buffer_sizes;  // by memory id; [0] is a placeholder

  const ProgramInstruction* find(Instruction instruction) const;
  // The kernel's operator, or "".
  std::string_view operator_of(const ProgramInstruction& instruction) const;
  // What a delegate instruction calls, or null.
  const ProgramDelegate* delegate_of(const ProgramInstruction& instruction) const;
  std::span<const uint32_t> arguments_of(const ProgramInstruction& instruction) const {
    return std::span(arguments).subspan(instruction.first_argument, instruction.argument_count);
  }
  // The tensor that a value is, or null.
  const ProgramTensor* tensor_of(uint32_t value) const;
  std::span<const int32_t> sizes_of(const ProgramTensor& tensor) const {
    return std::span(sizes).subspan(tensor.first_size, tensor.dimensions);
  }
  // The elements of a list; empty for other values.
  std::span<const uint32_t> elements_of(uint32_t value) const {
    if (!is_list(value)) return {};
    return std::span(elements).subspan(values[value].first, values[value].count);
  }
  bool is_list(uint32_t value) const {
    return values[value].kind == ValueKind::TensorList || values[value].kind == ValueKind::IntList;
  }
  // The tensors behind a value: itself, or what the list holds. Appends indices of tensors.
  void append_tensors_of(uint32_t value, std::vector<uint32_t>& out) const;
};

// "[1, 64] float32", as records write it.
std::string shape_text(const ProgramMethod& method, const ProgramTensor& tensor);

struct NamedData {
  std::string key;
  ByteRange range;  // in the file
};

struct EtProgram {
  std::string path;
  // Where the program begins in that file: inside a bundled program not at its front. Every range
  // counts from there.
  uint64_t file_offset = 0;
  std::vector<ProgramMethod> methods;  // in the file's order
  uint64_t file_bytes = 0;             // of the program
  uint64_t table_bytes = 0;            // of the FlatBuffer at the front, its header included
  std::vector<ByteRange> segments;     // in the file
  // By data buffer. What follows up to the next one may be padding: a tensor says how much it
  // needs.
  std::vector<ByteRange> constants;
  std::vector<std::vector<ByteRange>> mutable_data;  // by segment and data buffer
  std::vector<NamedData> named_data;
  LoadReport report;

  const ProgramMethod* find(std::string_view method) const;
  // Where the tensor's data or initial data lie; size 0 if they are not in this file.
  ByteRange data_of(const ProgramTensor& tensor) const;
};

}  // namespace etlens
