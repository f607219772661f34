// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/payload.h"

#include "core/backend/payload_part.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/pte/pte_reader.h"
#include "tests/support/corpus.h"
#include "tests/support/payload_builder.h"
#include "tests/support/truth.h"

namespace etlens::payload_test {

using namespace etlens::test;
using K = XnnpackKind;
using T = XnnpackType;

namespace {

Result<XnnpackPayload> read(const std::string& bytes) {
  return read_xnnpack_payload({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

ErrorCode error_of(const PayloadBuilder& builder) {
  const Result<XnnpackPayload> payload = read(builder.build());
  return payload ? ErrorCode::Internal : payload.error().code;
}

PayloadBuilder example() {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t w = b.constant();
  const uint32_t a = b.value();
  const uint32_t y = b.output();
  b.node(K::FullyConnected, {x, w}, a, 7).node(K::Add, {a, a}, y, 9);
  return b;
}

}  // namespace

TEST_CASE("xnnpack payload: operators and values of every kind", "[payload]") {
  for (int code = 1; code < static_cast<int>(K::kCount); ++code) {
    const K kind = static_cast<K>(code);
    CAPTURE(name_of(kind));
    PayloadBuilder b;
    PayloadNode node;
    node.kind = kind;
    node.handle = 40;
    for (int i = 0; i < 5; ++i) node.inputs.push_back(b.input());
    node.outputs = {b.output(), b.output()};
    b.node(node);
    const XnnpackPayload payload = b.read();
    REQUIRE(payload.operators.size() == 1);
    const XnnpackOperator& op = payload.operators[0];
    CHECK(op.kind == kind);
    CHECK(op.debug_handle == 40);
    const size_t inputs =
        kind == K::Concatenate5 || kind == K::ScaledDotProductAttention ? 5
        : kind == K::Concatenate4                                       ? 4
        : kind == K::Concatenate3 || kind == K::FullyConnected || kind == K::Conv2d ||
                kind == K::DepthwiseConv2d || kind == K::ConvTranspose2d
            ? 3
        : kind == K::Concatenate2 || kind == K::Add || kind == K::Subtract || kind == K::Multiply ||
                kind == K::Div || kind == K::Minimum || kind == K::Maximum || kind == K::PReLU ||
                kind == K::BatchMatrixMultiply
            ? 2
            : 1;
    REQUIRE(payload.inputs_of(op).size() == inputs);
    for (size_t i = 0; i < inputs; ++i) CHECK(payload.inputs_of(op)[i] == i);
    REQUIRE(payload.outputs_of(op).size() == (kind == K::ArgMaxPooling2d ? 2 : 1));
    CHECK(payload.outputs_of(op)[0] == 5);
    CHECK(payload.values[5].producer == 0);
    CHECK(payload.values[5].is_output);
  }
  CHECK(name_of(K::ReciprocalSquareRoot) == "ReciprocalSquareRoot");
  CHECK(name_of(K::Unknown) == "Unknown");
}

TEST_CASE("xnnpack payload: header and bare FlatBuffer, both identifiers", "[payload]") {
  for (const std::string& bytes :
       {example().build(), example().bare("XN00"), example().bare("XN01")}) {
    const Result<XnnpackPayload> payload = read(bytes);
    if (!payload) FAIL(payload.error().message);
    CHECK(payload->operators.size() == 2);
  }
  // Inside another file a payload starts anywhere.
  for (size_t shift = 0; shift < 16; ++shift) {
    const std::string moved = std::string(shift, '.') + example().build();
    const auto* data = reinterpret_cast<const uint8_t*>(moved.data());
    CHECK(read_xnnpack_payload({data + shift, moved.size() - shift}));
  }
}

TEST_CASE("xnnpack payload: handles, activations and parameters", "[payload]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  PayloadNode none{K::Add, 65535, {x, x}, {b.value()}};
  PayloadNode zero{K::Add, 0, {x, x}, {b.value()}};
  PayloadNode clamped{K::Multiply, 5, {x, x}, {b.value()}, true};
  PayloadNode swaps{K::StaticTranspose, 6, {x}, {b.value()}};
  swaps.perm = {0, 2, 1};
  PayloadNode turns{K::StaticTranspose, 6, {x}, {b.value()}};
  turns.perm = {0, 2, 3, 1};
  PayloadNode plane{K::StaticConstantPad, 7, {x}, {b.value()}};
  plane.pre_paddings = {0, 1, 1, 0};
  PayloadNode channels{K::StaticConstantPad, 7, {x}, {b.value()}};
  channels.pre_paddings = {0, 1, 1, 1};
  PayloadNode point{K::Conv2d, 8, {x, b.constant(), b.constant()}, {b.value()}};
  point.kernel = 1;
  PayloadNode open{K::StaticReshape, 9, {x}, {b.value()}};
  open.new_shape = {0, 8};
  b.node(none)
      .node(zero)
      .node(clamped)
      .node(swaps)
      .node(turns)
      .node(plane)
      .node(channels)
      .node(point)
      .node(open);
  const XnnpackPayload payload = b.read();
  const std::vector<XnnpackOperator>& ops = payload.operators;
  CHECK(ops[0].debug_handle == kNoHandle);
  CHECK(ops[1].debug_handle == kNoHandle);
  CHECK_FALSE(ops[1].has_output_min_max);
  CHECK(ops[2].has_output_min_max);
  CHECK(ops[3].swaps_last_two);
  CHECK_FALSE(ops[4].swaps_last_two);
  CHECK(ops[5].pads_plane);
  CHECK_FALSE(ops[6].pads_plane);
  CHECK(ops[7].is_pointwise);
  CHECK(ops[7].kernel_height == 1);
  CHECK_FALSE(ops[8].is_fully_shaped);
}

TEST_CASE("xnnpack payload: values know who writes and reads them", "[payload]") {
  PayloadBuilder b;
  const uint32_t x = b.input(T::Qint8);
  const uint32_t half = b.scalar(T::Fp16);
  const uint32_t a = b.shaped(T::Bf16, {2, 3, 4});
  const uint32_t y = b.output();
  b.node(K::Convert, {x}, a).node(K::Multiply, {a, a}, y).node(K::Abs, {a}, b.value());
  const XnnpackPayload payload = b.read();
  CHECK(payload.values[x].type == T::Qint8);
  CHECK(payload.values[x].is_input);
  CHECK(payload.values[x].producer == kNone);
  CHECK(payload.values[half].is_constant);
  CHECK(payload.values[half].elements == 1);
  CHECK(payload.values[a].dimensions == 3);
  CHECK(payload.values[a].elements == 24);
  CHECK(payload.values[a].producer == 0);
  // An operator that reads a value twice is one reader.
  const auto readers = payload.readers_of(payload.values[a]);
  CHECK(std::vector<uint32_t>(readers.begin(), readers.end()) == std::vector<uint32_t>{1, 2});
  CHECK_FALSE(payload.values[a].is_private());
  CHECK(payload.values[x].is_private());
  CHECK_FALSE(payload.values[y].is_private());
}

TEST_CASE("xnnpack payload: operators of later releases are kept without operands", "[payload]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  b.unknown_node(3).node(K::Abs, {x}, b.output(), 4);
  const XnnpackPayload payload = b.read();
  REQUIRE(payload.operators.size() == 2);
  CHECK(payload.operators[0].kind == K::Unknown);
  CHECK(payload.operators[0].debug_handle == 3);
  CHECK(payload.inputs_of(payload.operators[0]).empty());
}

TEST_CASE("xnnpack payload: contradictions are errors", "[payload]") {
  CHECK(read("").error().code == ErrorCode::Unsupported);
  CHECK(read(std::string(100, 'x')).error().code == ErrorCode::Unsupported);
  CHECK(read(example().bare("XN77")).error().code == ErrorCode::Unsupported);

  PayloadBuilder itself;
  const uint32_t a = itself.value();
  itself.node(K::Abs, {a}, a);
  CHECK(error_of(itself) == ErrorCode::Corrupt);

  PayloadBuilder cycle;
  const uint32_t p = cycle.value();
  const uint32_t q = cycle.value();
  cycle.node(K::Abs, {p}, q).node(K::Abs, {q}, p);
  CHECK(error_of(cycle) == ErrorCode::Corrupt);

  PayloadBuilder twice;
  const uint32_t x = twice.input();
  const uint32_t y = twice.output();
  twice.node(K::Abs, {x}, y).node(K::Abs, {x}, y);
  CHECK(error_of(twice) == ErrorCode::Corrupt);

  PayloadBuilder missing;
  missing.node(K::Abs, {missing.input()}, 4711);
  CHECK(error_of(missing) == ErrorCode::Corrupt);

  PayloadBuilder deep;
  deep.node(K::Abs, {deep.shaped(T::Fp32, std::vector<uint32_t>(17, 1))}, deep.output());
  CHECK(error_of(deep) == ErrorCode::Corrupt);

  PayloadBuilder huge;
  const uint32_t vast = huge.shaped(T::Fp32, {0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu});
  huge.node(K::Abs, {vast}, huge.output());
  CHECK(huge.read().values[vast].elements == UINT64_MAX);
}

TEST_CASE("xnnpack payload: cut or flipped bytes never crash", "[payload]") {
  for (const std::string& bytes : {example().build(), example().bare()}) {
    for (size_t size = 0; size < bytes.size(); ++size) (void)read(bytes.substr(0, size));
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (const char flip : {'\x01', '\x10', '\x80', '\xFF'}) {
        std::string broken = bytes;
        broken[i] = static_cast<char>(broken[i] ^ flip);
        (void)read(broken);
      }
    }
  }
  std::string outside = example().build();
  outside[14] = '\xFF';  // the size of the FlatBuffer
  outside[15] = '\xFF';
  CHECK(read(outside).error().code == ErrorCode::Corrupt);
}

TEST_CASE("xnnpack payload: a record holds the same operators as the program", "[payload]") {
  size_t compared = 0;
  for (const TruthCase& truth : truth_cases()) {
    for (const std::string& path : truth.records) {
      CAPTURE(path);
      const Result<EtRecord> record =
          read_etrecord(real_file_system(), path, {}, payload_decoder(built_in_backends()));
      if (!record) FAIL(record.error().message);
      size_t next = 0;
      for (const TruthCall& call : truth.calls) {
        if (record->lowered.size() != truth.calls.size()) break;  // an early record
        const std::vector<uint8_t>& bytes = record->lowered[next++].payload;
        const Result<XnnpackPayload> own = read_xnnpack_payload(bytes);
        if (!own) FAIL(own.error().message);
        const XnnpackPayload other = payload_of(truth.pte, call.method, call.instruction);
        REQUIRE(own->operators.size() == other.operators.size());
        for (size_t o = 0; o < other.operators.size(); ++o) {
          REQUIRE(own->operators[o].kind == other.operators[o].kind);
          REQUIRE(own->operators[o].debug_handle == other.operators[o].debug_handle);
        }
        ++compared;
      }
    }
  }
  CHECK(compared > 0);
}

TEST_CASE("payload: real programs' payloads have operators", "[payload]") {
  size_t payloads = 0;
  for (const std::string& folder : case_folders()) {
    const std::string path = folder + "/model.pte";
    if (!real_file_system().stat(path)) continue;
    CAPTURE(path);
    const Result<EtProgram> program = read_program(real_file_system(), path);
    if (!program) FAIL(program.error().message);
    for (const ProgramMethod& method : program->methods) {
      for (const ProgramDelegate& delegate : method.delegates) {
        if (delegate.backend != "XnnpackBackend") continue;
        const Result<Bytes> bytes =
            real_file_system().read_range(path, delegate.offset, delegate.size);
        REQUIRE(bytes);
        const Result<XnnpackPayload> payload = read_xnnpack_payload(bytes->span());
        if (!payload) FAIL(payload.error().message);
        CHECK_FALSE(payload->operators.empty());
        ++payloads;
      }
    }
  }
  CHECK(payloads > 0);
}

}  // namespace etlens::payload_test
