// SPDX-License-Identifier: Apache-2.0
#include "tests/support/payload_builder.h"

#include <flatbuffers/flatbuffers.h>

#include <catch2/catch.hpp>

#include "core/backend/xnnpack/schema/xnnpack_generated.h"
#include "tests/support/little_endian.h"

namespace etlens::test {
namespace {

namespace xs = xnnpack_schema;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using K = XnnpackKind;

std::string bytes_of(const FlatBufferBuilder& builder) {
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

void pad(std::string& out, size_t alignment) {
  while (out.size() % alignment != 0) out += '\0';
}

uint32_t at(const std::vector<uint32_t>& ids, size_t i) {
  return i < ids.size() ? ids[i] : PayloadBuilder::kAbsent;
}

// The content of an operator, by the shape of its kind. Long: a row per kind.
Offset<void> content(FlatBufferBuilder& b, const PayloadNode& n) {
  const std::vector<uint32_t>& in = n.inputs;
  const uint32_t out = at(n.outputs, 0);
  switch (n.kind) {
    case K::Add:
    case K::Subtract:
    case K::Multiply:
    case K::Div:
    case K::Minimum:
    case K::Maximum:
    case K::PReLU:
    case K::BatchMatrixMultiply:
      return xs::CreateBinary(b, at(in, 0), at(in, 1), out).Union();
    case K::FullyConnected:
      return xs::CreateFullyConnected(b, at(in, 0), at(in, 1), at(in, 2), out).Union();
    case K::Conv2d:
    case K::DepthwiseConv2d:
    case K::ConvTranspose2d:
      return xs::CreateConvolution(b, 0, 0, 0, 0, n.kernel, n.kernel, 1, 1, 1, 1, 1, 1, 1, 0, 0,
                                   at(in, 0), at(in, 1), at(in, 2), out)
          .Union();
    case K::AvgPooling2d:
    case K::MaxPooling2d:
      return xs::CreatePooling(b, 0, 0, 0, 0, 2, 2, 2, 2, 1, 1, at(in, 0), out).Union();
    case K::ArgMaxPooling2d:
      return xs::CreateArgMaxPooling(b, 0, 0, 0, 0, 2, 2, at(in, 0), out, at(n.outputs, 1)).Union();
    case K::Concatenate2:
    case K::Concatenate3:
    case K::Concatenate4:
    case K::Concatenate5:
      return xs::CreateConcatenation(b, 0, at(in, 0), at(in, 1), in.size() > 2 ? in[2] : 0,
                                     in.size() > 3 ? in[3] : 0, out, 0, in.size() > 4 ? in[4] : 0)
          .Union();
    case K::StaticTranspose:
      return xs::CreateStaticTranspose(b, static_cast<uint32_t>(n.perm.size()),
                                       b.CreateVector(n.perm), at(in, 0), out)
          .Union();
    case K::StaticResizeBilinear2D:
      return xs::CreateResizeBilinear(b, 4, 4, at(in, 0), out).Union();
    case K::StaticConstantPad: {
      const auto pre = b.CreateVector(n.pre_paddings);
      const auto post = b.CreateVector(n.pre_paddings);
      return xs::CreateConstantPad(b, pre, post, 0, at(in, 0), out).Union();
    }
    case K::StaticReshape: {
      const auto shape = b.CreateVector(n.new_shape);
      return xs::CreateStaticReshape(b, static_cast<uint32_t>(n.new_shape.size()), shape, at(in, 0),
                                     out)
          .Union();
    }
    case K::StaticSlice:
      return xs::CreateStaticSlice(b, 0, 0, 0, at(in, 0), out).Union();
    case K::ScaledDotProductAttention:
      return xs::CreateAttention(b, at(in, 0), at(in, 1), at(in, 2), at(in, 3), at(in, 4), out)
          .Union();
    case K::LeakyReLU:
    case K::ELU:
      return xs::CreateParametricUnary(b, 0.1f, at(in, 0), out).Union();
    default:
      return xs::CreateUnary(b, at(in, 0), out).Union();
  }
}

}  // namespace

PayloadBuilder& PayloadBuilder::node(PayloadNode node) {
  nodes_.push_back(std::move(node));
  return *this;
}

PayloadBuilder& PayloadBuilder::node(XnnpackKind kind, std::vector<uint32_t> inputs,
                                     uint32_t output, uint32_t handle) {
  PayloadNode row;
  row.kind = kind;
  row.handle = handle;
  row.inputs = std::move(inputs);
  row.outputs = {output};
  return node(std::move(row));
}

PayloadBuilder& PayloadBuilder::unknown_node(uint32_t handle) {
  PayloadNode row;
  row.kind = K::kCount;
  row.handle = handle;
  return node(std::move(row));
}

uint32_t PayloadBuilder::add(XnnpackType type, bool is_constant, uint32_t flags,
                             std::vector<uint32_t> dims) {
  values_.push_back({type, is_constant, flags, std::move(dims)});
  return static_cast<uint32_t>(values_.size() - 1);
}

std::string PayloadBuilder::bare(const char* identifier) const {
  FlatBufferBuilder b;
  std::vector<Offset<xs::Value>> values;
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
  for (uint32_t id = 0; id < values_.size(); ++id) {
    const Value& v = values_[id];
    const auto dims = b.CreateVector(v.dims);
    const auto tensor =
        xs::CreateTensorValue(b, static_cast<int16_t>(v.type), static_cast<uint32_t>(v.dims.size()),
                              dims, v.is_constant ? id + 1 : 0, kAbsent, v.flags, id);
    const bool is_quantized = v.type == XnnpackType::Qint8 || v.type == XnnpackType::Qdint8;
    values.push_back(is_quantized
                         ? xs::CreateValue(b, xs::ValueUnion_QuantizedTensorValue,
                                           xs::CreateQuantizedTensorValue(b, tensor).Union())
                         : xs::CreateValue(b, xs::ValueUnion_TensorValue, tensor.Union()));
    if (v.flags == 1) inputs.push_back(id);
    if (v.flags == 2) outputs.push_back(id);
  }
  std::vector<Offset<xs::Node>> nodes;
  for (const PayloadNode& n : nodes_) {
    const auto table = content(b, n);
    const auto clamp =
        n.has_output_min_max ? xs::CreateOutputMinMax(b, 0, 6) : Offset<xs::OutputMinMax>();
    nodes.push_back(xs::CreateNode(b, static_cast<xs::Operator>(n.kind), table, n.handle, clamp));
  }
  const auto version = b.CreateString("0");
  const auto node_list = b.CreateVector(nodes);
  const auto value_list = b.CreateVector(values);
  const auto input_list = b.CreateVector(inputs);
  const auto output_list = b.CreateVector(outputs);
  b.Finish(xs::CreateGraph(b, version, node_list, value_list, 0, input_list, output_list),
           identifier);
  return bytes_of(b);
}

std::string PayloadBuilder::build() const {
  const std::string table = bare();
  std::string out;
  put(out, 0, 4);
  out += "XH00";
  put(out, 30, 2);
  put(out, 32, 4);
  put(out, table.size(), 4);
  put(out, 32 + table.size(), 4);
  put(out, 16, 8);
  pad(out, 32);
  return out + table + std::string(16, 'w');
}

XnnpackPayload PayloadBuilder::read() const {
  const std::string bytes = build();
  Result<XnnpackPayload> payload =
      read_xnnpack_payload({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  if (!payload) FAIL(payload.error().message);
  return std::move(*payload);
}

}  // namespace etlens::test
