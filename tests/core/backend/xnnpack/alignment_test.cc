// SPDX-License-Identifier: Apache-2.0
// Events against operators: on real calls with known truth, and on small payloads that show one
// rule each.
#include "core/backend/xnnpack/alignment.h"

#include <map>

#include "tests/support/payload_builder.h"
#include "tests/support/truth.h"

namespace etlens::alignment_test {

using namespace etlens::test;
using K = XnnpackKind;
using T = XnnpackType;
using Part = XnnpackPart;

namespace {

// Names without numbers; those are added.
XnnpackAlignment align(const PayloadBuilder& builder, const std::vector<std::string>& names) {
  std::map<std::string, int> counts;
  std::vector<std::string> numbered;
  for (const std::string& name : names)
    numbered.push_back(name + " #" + std::to_string(++counts[name]));
  const std::vector<std::string_view> views(numbered.begin(), numbered.end());
  return align_xnnpack(builder.read(), views);
}

// The operator of each event, -1 where it is not certain.
std::vector<int> certain(const XnnpackAlignment& alignment) {
  std::vector<int> ops;
  for (const XnnpackMatch& match : alignment.events) {
    ops.push_back(match.is_certain ? static_cast<int>(match.origin.op) : -1);
  }
  return ops;
}

std::vector<std::pair<uint32_t, uint32_t>> absorbed(const XnnpackAlignment& alignment) {
  std::vector<std::pair<uint32_t, uint32_t>> rows;
  for (const XnnpackAbsorption& row : alignment.absorbed) rows.emplace_back(row.folded, row.by);
  return rows;
}

using Ops = std::vector<int>;
using Absorbed = std::vector<std::pair<uint32_t, uint32_t>>;

}  // namespace

TEST_CASE("xnnpack alignment: real calls, operator by operator", "[xnnpack]") {
  size_t calls = 0;
  size_t events = 0;
  size_t certain = 0;
  for (const TruthCase& truth : truth_cases()) {
    for (const std::vector<TruthCall>* names : {&truth.calls, &truth.old_calls}) {
      for (const TruthCall& call : *names) {
        CAPTURE(truth.name, call.method, call.instruction);
        const XnnpackPayload payload = payload_of(truth.pte, call.method, call.instruction);
        REQUIRE_FALSE(payload.operators.empty());
        const XnnpackAlignment alignment = align_xnnpack(payload, call.names());
        REQUIRE(alignment.events.size() == call.events.size());
        for (size_t e = 0; e < call.events.size(); ++e) {
          const TruthEvent& event = call.events[e];
          const XnnpackMatch& match = alignment.events[e];
          CAPTURE(event.name);
          if (!event.op) {
            CHECK((!match.is_certain || match.origin.part == Part::Inserted));
            continue;
          }
          ++events;
          certain += match.is_certain;
          if (match.is_certain) CHECK(match.origin.op == *event.op);
          const bool has_it =
              std::any_of(match.candidates.begin(), match.candidates.end(),
                          [&](const XnnpackOrigin& o) { return o.op == *event.op; });
          CHECK((!match.is_sound || has_it));
        }
        std::map<uint32_t, std::vector<uint32_t>> taken;
        for (const XnnpackAbsorption& row : alignment.absorbed) taken[row.folded].push_back(row.by);
        for (const TruthCall::Absorbed& row : call.absorbed) CHECK(taken[row.op] == row.by);
        ++calls;
      }
    }
  }
  CHECK(calls > 30);
  CHECK(static_cast<double>(certain) >= 0.99 * static_cast<double>(events));
}

TEST_CASE("xnnpack alignment: a call as predicted", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t a = b.value();
  const uint32_t c = b.value();
  b.node(K::FullyConnected, {x, b.constant()}, a)
      .node(K::Sigmoid, {a}, c)
      .node(K::Multiply, {a, c}, b.output());
  const auto now = align(b, {"Fully Connected (NC, F32) GEMM", "Sigmoid (NC)", "Multiply (ND)"});
  CHECK(now.is_as_predicted);
  CHECK(certain(now) == Ops{0, 1, 2});
  const auto before = align(
      b, {"Fully Connected (NC, F32) GEMM", "Unary Elementwise (NC)", "Binary Elementwise (ND)"});
  CHECK(certain(before) == Ops{0, 1, 2});
  CHECK(certain(align(b, {})) == Ops{});
}

TEST_CASE("xnnpack alignment: folded operators go to who took them over", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t padded = b.shaped(T::Fp32, {1, 8, 8, 4});
  const uint32_t conv = b.value();
  const uint32_t clamped = b.value();
  const uint32_t flat = b.value();
  PayloadNode pad{K::StaticConstantPad, 1, {x}, {padded}};
  pad.pre_paddings = {0, 1, 1, 0};
  b.node(pad).node(K::Conv2d, {padded, b.constant()}, conv);
  b.node(K::Clamp, {conv}, clamped).node(K::StaticReshape, {clamped}, flat);
  b.node(K::StaticReshape, {flat}, b.output());
  const auto alignment = align(b, {"Convolution (NHWC, F32) IGEMM", "Static Reshape (NC)"});
  CHECK(certain(alignment) == Ops{1, 4});
  CHECK(absorbed(alignment) == Absorbed{{0, 1}, {2, 1}, {3, 4}});
}

TEST_CASE("xnnpack alignment: a value with two readers is not folded", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t conv = b.value();
  b.node(K::Conv2d, {x, b.constant()}, conv)
      .node(K::Clamp, {conv}, b.output())
      .node(K::Abs, {conv}, b.output());
  const auto alignment = align(b, {"Convolution (NHWC, F32) IGEMM", "Clamp (NC)", "Abs (NC)"});
  CHECK(alignment.is_as_predicted);
  CHECK(certain(alignment) == Ops{0, 1, 2});
}

TEST_CASE("xnnpack alignment: quantizing while running is part of every product", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t q = b.value(T::Qdint8);
  b.node(K::Convert, {x}, q).node(K::FullyConnected, {q, b.constant(T::Qcint8)}, b.output());
  b.node(K::FullyConnected, {q, b.constant(T::Qcint8)}, b.output());
  const std::string linear = "Fully Connected (NC, QD8, F32, QC8W) GEMM";
  const auto inside = align(b, {linear, linear});
  CHECK(certain(inside) == Ops{1, 2});
  CHECK(absorbed(inside) == Absorbed{{0, 1}, {0, 2}});
  // Older libraries report it, under a name of its own.
  const auto apart = align(b, {"Convert (NC, F32, QD8)", linear, linear});
  CHECK(apart.is_as_predicted);
  CHECK(certain(apart) == Ops{0, 1, 2});
  CHECK(absorbed(apart).empty());
  // The other type is no dynamic quantization.
  CHECK_FALSE(align(b, {"Fully Connected (NC, F32) GEMM", "Fully Connected (NC, F32) GEMM"})
                  .is_as_predicted);
}

TEST_CASE("xnnpack alignment: a look-up table stands for its chain", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input(T::Qint8);
  const uint32_t wide = b.value();
  const uint32_t tanh = b.value();
  const uint32_t scaled = b.value();
  const uint32_t y = b.output(T::Qint8);
  b.node(K::Convert, {x}, wide)
      .node(K::Tanh, {wide}, tanh)
      .node(K::Multiply, {tanh, b.scalar()}, scaled);
  b.node(K::Convert, {scaled}, y);
  const auto table = align(b, {"Invalid Unary Op"});
  CHECK(certain(table) == Ops{3});
  CHECK(absorbed(table) == Absorbed{{0, 3}, {1, 3}, {2, 3}});
}

TEST_CASE("xnnpack alignment: arithmetic with an activation has two events", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t sum = b.value();
  PayloadNode add{K::Add, 5, {x, x}, {sum}, true};
  b.node(add).node(K::Abs, {sum}, b.output());
  const auto alignment = align(b, {"Add (ND)", "Clamp (NC)", "Abs (NC)"});
  CHECK(certain(alignment) == Ops{0, 0, 1});
  CHECK(alignment.events[0].origin.part == Part::Own);
  CHECK(alignment.events[1].origin.part == Part::Activation);
}

TEST_CASE("xnnpack alignment: bounds by a number may be called clamps", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t low = b.value();
  b.node(K::Minimum, {x, b.scalar()}, low).node(K::Maximum, {low, b.scalar()}, b.output());
  CHECK(certain(align(b, {"Minimum (ND)", "Maximum (ND)"})) == Ops{0, 1});
  // As clamps they merge.
  const auto merged = align(b, {"Clamp (NC)"});
  CHECK(certain(merged) == Ops{0});
  CHECK(absorbed(merged) == Absorbed{{1, 0}});
}

TEST_CASE("xnnpack alignment: types and kernels that contradict are no match", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  PayloadNode point{K::Conv2d, 1, {x, b.constant()}, {b.value()}};
  point.kernel = 1;
  b.node(point).node(K::Conv2d, {point.outputs[0], b.constant()}, b.output(), 2);
  CHECK(certain(align(b, {"Fully Connected (NC, F32) GEMM", "Convolution (NHWC, F32) IGEMM"})) ==
        Ops{0, 1});
  CHECK(certain(align(b, {"Convolution (NHWC, F32) GEMM", "Convolution (NHWC, F32) IGEMM"})) ==
        Ops{0, 1});
  CHECK(certain(align(b, {"Convolution (NHWC, F32) IGEMM", "Fully Connected (NC, F32) GEMM"})) ==
        Ops{-1, -1});
  CHECK(certain(align(b, {"Fully Connected (NC, QS8, QC8W) GEMM",
                          "Convolution (NHWC, F32) IGEMM"}))[0] == -1);
}

TEST_CASE("xnnpack alignment: a name that nobody knows is never certain", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t a = b.value();
  const uint32_t c = b.value();
  b.node(K::Abs, {x}, a).node(K::Softmax, {a}, c).node(K::Exp, {c}, b.output());
  const auto alignment = align(b, {"Abs (NC)", "Wobble (NC, F32)", "Exp (NC)"});
  CHECK_FALSE(alignment.is_as_predicted);
  CHECK(certain(alignment) == Ops{0, -1, 2});
  CHECK(alignment.events[1].origin.op == 1);
}

TEST_CASE("xnnpack alignment: numbers that do not count mean that something is missing",
          "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  b.node(K::Abs, {x}, b.output()).node(K::Abs, {x}, b.output()).node(K::Exp, {x}, b.output());
  const XnnpackPayload payload = b.read();
  const std::vector<std::string_view> names{"Abs (NC) #2", "Abs (NC) #1", "Exp (NC) #1"};
  CHECK(certain(align_xnnpack(payload, names)) == Ops{-1, -1, 2});
}

TEST_CASE("xnnpack alignment: independent equals that one is missing of stay open", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t last = b.value();
  for (int i = 0; i < 3; ++i) b.node(K::Abs, {x}, b.output());
  b.node(K::Softmax, {x}, last).node(K::Exp, {last}, b.output());
  const auto alignment = align(b, {"Abs (NC)", "Abs (NC)", "Softmax (NC, F32)", "Exp (NC)"});
  CHECK(certain(alignment) == Ops{-1, -1, 3, 4});
  CHECK_FALSE(alignment.events[0].is_sound);
}

namespace {

// Two attention-like products with quantized right sides: what XNNPACK replaces, it sorts in behind
// everything that does not need it.
PayloadBuilder products(bool transposed) {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t k = b.input(T::Qint8);
  const uint32_t wide[2] = {b.value(), b.value()};
  const uint32_t turned[2] = {b.value(), b.value()};
  const uint32_t act[3] = {b.value(), b.value(), b.value()};
  const uint32_t prod[2] = {b.value(), b.value()};
  b.node(K::Abs, {x}, act[0]);       // 0
  b.node(K::Convert, {k}, wide[0]);  // 1 replaced
  uint32_t right = wide[0];
  if (transposed) {
    PayloadNode turn{K::StaticTranspose, 1, {wide[0]}, {turned[0]}};
    turn.perm = {0, 2, 1, 3};
    b.node(turn);  // 2
    right = turned[0];
  }
  b.node(K::BatchMatrixMultiply, {act[0], right}, prod[0]);  // 2 or 3
  b.node(K::Exp, {act[0]}, act[1]);                          // 3 or 4
  b.node(K::Convert, {k}, wide[1]);                          // replaced
  b.node(K::BatchMatrixMultiply, {act[1], wide[1]}, prod[1]);
  b.node(K::Tanh, {x}, act[2]);
  b.node(K::Add, {prod[0], act[2]}, b.output());
  b.node(K::Subtract, {prod[1], act[2]}, b.output());
  return b;
}

const std::string kReplaced = "Convert (NC, QS8, QC8)";
const std::string kProduct = "Batch Matrix Multiply (NC, F32, QC8W) GEMM";

}  // namespace

TEST_CASE("xnnpack alignment: replaced conversions reorder the call", "[xnnpack]") {
  // In payload order: 0 abs, 1 convert, 2 product, 3 exp, 4 convert, 5 product, 6 tanh, 7 add, 8
  // subtract.
  const auto sorted =
      align(products(false), {"Abs (NC)", "Exp (NC)", "TanH (NC)", kReplaced, kReplaced, kProduct,
                              kProduct, "Add (ND)", "Subtract (ND)"});
  CHECK(sorted.is_as_predicted);
  CHECK(certain(sorted) == Ops{0, 3, 6, 1, 4, 2, 5, 7, 8});
  // A transpose in between moves bytes instead of floats.
  const auto turned = align(
      products(true), {"Abs (NC)", "Exp (NC)", "TanH (NC)", kReplaced, kReplaced,
                       "Transpose (ND, X8)", kProduct, kProduct, "Add (ND)", "Subtract (ND)"});
  CHECK(certain(turned) == Ops{0, 4, 7, 1, 5, 2, 3, 6, 8, 9});
  // A library that replaces nothing keeps the order.
  const std::string plain = "Batch Matrix Multiply (NC, F32) GEMM";
  const auto kept =
      align(products(false), {"Abs (NC)", "Convert (NC)", plain, "Exp (NC)", "Convert (NC)", plain,
                              "TanH (NC)", "Add (ND)", "Subtract (ND)"});
  CHECK(certain(kept) == Ops{0, 1, 2, 3, 4, 5, 6, 7, 8});
  // The replaced ones in the place of the others: explained by neither.
  const auto odd = align(products(false), {"Abs (NC)", kReplaced, plain, "Exp (NC)", kReplaced,
                                           plain, "TanH (NC)", "Add (ND)", "Subtract (ND)"});
  CHECK_FALSE(odd.is_as_predicted);
  for (size_t e = 0; e < odd.events.size(); ++e) {
    if (odd.events[e].is_certain) CHECK(odd.events[e].origin.op == e);
  }
}

TEST_CASE("xnnpack alignment: generic names cannot rule a reordering out", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t k = b.input(T::Qint8);
  const uint32_t wide = b.value();
  const uint32_t first = b.value();
  const uint32_t second = b.value();
  // Whether the conversion or what is independent of it runs first, the names are the same.
  b.node(K::Convert, {k}, wide).node(K::Abs, {x}, first).node(K::Exp, {first}, second);
  b.node(K::BatchMatrixMultiply, {second, wide}, b.output());
  const std::string unary = "Unary Elementwise (NC)";
  const auto alignment = align(b, {unary, unary, unary, "Batch Matrix Multiply (NC, F32) GEMM"});
  CHECK(certain(alignment) == Ops{-1, -1, -1, 3});
  CHECK(alignment.events[0].is_sound);
}

TEST_CASE("xnnpack alignment: 16-bit values that the processor cannot compute on", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input(T::Fp16);
  const uint32_t a = b.value(T::Fp16);
  const uint32_t flat = b.value(T::Fp16);
  b.node(K::Abs, {x}, a).node(K::StaticReshape, {a}, flat).node(K::Exp, {flat}, b.output(T::Fp16));
  b.node(K::Tanh, {x}, b.output(T::Fp16));
  const std::string convert = "Convert (NC)";
  const auto wide = align(
      b, {convert, "Abs (NC)", "Static Reshape (NC)", "Exp (NC)", "TanH (NC)", convert, convert});
  CHECK(wide.is_as_predicted);
  CHECK(certain(wide) == Ops{0, 0, 1, 2, 3, 2, 3});
  CHECK(wide.events[0].origin.part == Part::Inserted);
  CHECK(wide.events[1].origin.part == Part::Own);
  const auto native = align(b, {"Abs (NC)", "Static Reshape (NC)", "Exp (NC)", "TanH (NC)"});
  CHECK(certain(native) == Ops{0, 1, 2, 3});
}

TEST_CASE("xnnpack alignment: an operator of a later release keeps everything open", "[xnnpack]") {
  PayloadBuilder b;
  const uint32_t x = b.input();
  b.unknown_node(3).node(K::Abs, {x}, b.output(), 4);
  const auto alignment = align(b, {"Novel (NC)", "Abs (NC)"});
  CHECK_FALSE(alignment.is_as_predicted);
  for (const XnnpackMatch& match : alignment.events) CHECK_FALSE(match.is_certain);
}

}  // namespace etlens::alignment_test
