// SPDX-License-Identifier: Apache-2.0
// The payload of an XNNPACK delegate as tables: the operators that the backend serialized at
// export, in the order in which the runtime defines them, and the values that flow between them.
//
// The payload names values by id; here they are rows. Whatever refers to a row that is not there,
// or reads a value before it is produced, is an error: nothing behind this reader checks again.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/id.h"
#include "core/base/result.h"
#include "core/formats/runtime_ids.h"

namespace etlens {

inline constexpr std::string_view kXnnpackBackend = "XnnpackBackend";

// Codes of the format; kinds of later releases become Unknown.
enum class XnnpackKind : uint8_t {
  Unknown = 0,
  Add = 1,
  FullyConnected,
  Softmax,
  Sigmoid,
  StaticTranspose,
  Clamp,
  Conv2d,
  Div,
  StaticResizeBilinear2D,
  StaticConstantPad,
  AvgPooling2d,
  Minimum,
  DepthwiseConv2d,
  MaxPooling2d,
  Multiply,
  Subtract,
  Floor,
  Convert,
  GlobalAvgPooling2d,
  StaticReshape,
  ArgMaxPooling2d,
  SquareRoot,
  Ceiling,
  Hardswish,
  LeakyReLU,
  Maximum,
  Negate,
  Square,
  ELU,
  Abs,
  PReLU,
  Concatenate2,
  Concatenate3,
  Concatenate4,
  StaticSlice,
  ScaledDotProductAttention,
  BatchMatrixMultiply,
  Concatenate5,
  ConvTranspose2d,
  ReciprocalSquareRoot,
  Log,
  Gelu,
  Tanh,
  Exp,
  Sin,
  Copy,
  Cos,
  kCount,
};
// "Add", "StaticTranspose", …; "Unknown".
std::string_view name_of(XnnpackKind kind);
// Of two tensors, element by element.
bool is_arithmetic(XnnpackKind kind);

// Codes of the format; others become Unknown.
enum class XnnpackType : uint8_t {
  Unknown = 0,
  Fp32 = 1,
  Fp16,
  Qint8,
  Quint8,
  Qint32,
  Qcint8,
  Qcint32,
  Qcint4,
  Qdint8,  // quantized while running
  Qbint4,
  Qpint8,
  Int32,
  Pfp32,
  Bf16,
  kCount,
};

inline constexpr uint32_t kXnnpackSizes = 6;  // that XNNPACK itself takes

struct XnnpackValue {
  XnnpackType type = XnnpackType::Unknown;
  uint32_t dimensions = 0;
  std::array<uint32_t, kXnnpackSizes> sizes{};  // the first ones, as many as there are
  uint32_t external = 0;  // what orders inputs, and outputs, as a call's arguments
  bool is_constant = false;
  uint32_t constant = 0;   // into XnnpackPayload::constants, if is_constant; may be missing there
  bool is_input = false;   // of the payload
  bool is_output = false;  // likewise
  uint64_t elements = 0;   // saturates
  uint32_t producer = kNone;  // operator; kNone for inputs, constants and what is unknown
  uint32_t first_reader = 0;  // into XnnpackPayload::readers
  uint32_t reader_count = 0;  // distinct operators

  // Exactly one operator reads it and nothing outside does.
  bool is_private() const { return reader_count == 1 && !is_output; }
};

struct XnnpackOperator {
  XnnpackKind kind = XnnpackKind::Unknown;
  bool has_output_min_max = false;  // Clamp: its bounds; else an activation folded in at export
  bool pads_plane = false;  // StaticConstantPad: zeros around height and width of four dimensions
  bool swaps_last_two = false;   // StaticTranspose: only the last two dimensions change places
  bool is_fully_shaped = false;  // StaticReshape: no dimension is left open
  bool is_pointwise = false;     // convolution: 1x1, every element in its place
  DebugHandle debug_handle = kNoHandle;  // kNoHandle: the exporter knew none
  uint32_t kernel_height = 0;            // of convolutions
  uint32_t kernel_width = 0;
  uint32_t first_operand = 0;  // into XnnpackPayload::operands: inputs, then outputs
  uint32_t input_count = 0;
  uint32_t output_count = 0;
};

// Weights of the payload: a range of it, or named data of the program.
struct XnnpackConstant {
  uint64_t offset = 0;  // from the payload's start
  uint64_t size = 0;
  std::string key;  // of the program's named data; "" if they are in the payload
};

struct XnnpackPayload {
  std::vector<XnnpackOperator> operators;
  std::vector<XnnpackValue> values;
  std::vector<uint32_t> operands;          // rows of values
  std::vector<uint32_t> readers;           // rows of operators, ascending for each value
  std::vector<XnnpackConstant> constants;  // the first is reserved

  std::span<const uint32_t> inputs_of(const XnnpackOperator& op) const {
    return std::span(operands).subspan(op.first_operand, op.input_count);
  }
  std::span<const uint32_t> outputs_of(const XnnpackOperator& op) const {
    return std::span(operands).subspan(op.first_operand + op.input_count, op.output_count);
  }
  std::span<const uint32_t> readers_of(const XnnpackValue& value) const {
    return std::span(readers).subspan(value.first_reader, value.reader_count);
  }
  // The operator that produces the value at `row`, or kNone.
  uint32_t producer_of(uint32_t row) const { return values[row].producer; }
};

// `bytes` start with a header (XH00) or are a bare FlatBuffer (XN00, XN01); what follows the
// operators is not looked at and may be missing. Errors: Unsupported for other identifiers, Corrupt
// otherwise.
Result<XnnpackPayload> read_xnnpack_payload(std::span<const uint8_t> bytes);

// How many bytes from the payload's start describe operators: the rest are weights. `front` is the
// start of the payload, `size` all of it; without a header that is the whole payload.
uint64_t xnnpack_operator_bytes(std::span<const uint8_t> front, uint64_t size);
inline constexpr size_t kXnnpackFrontBytes = 30;

}  // namespace etlens
