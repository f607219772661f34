// SPDX-License-Identifier: Apache-2.0
// Which calls share an alignment, and that it is the one that each would have got alone.
#include "core/backend/xnnpack/known_alignments.h"

#include "tests/support/payload_builder.h"
#include "tests/support/truth.h"

namespace etlens::known_alignments_test {

using namespace etlens::test;
using K = XnnpackKind;

namespace {

using Names = std::vector<std::string_view>;
const Names kNames{"Fully Connected (NC, F32) GEMM #1", "Sigmoid (NC) #1"};

// A layer of a model: its handles tell it from others.
XnnpackPayload layer(uint32_t first_handle, K second = K::Sigmoid) {
  PayloadBuilder b;
  const uint32_t x = b.input();
  const uint32_t a = b.value();
  b.node(K::FullyConnected, {x, b.constant()}, a, first_handle)
      .node(second, {a}, b.output(), first_handle + 1);
  return b.read();
}

std::string described(const XnnpackAlignment& alignment) {
  std::string text = alignment.is_as_predicted ? "as predicted" : "otherwise";
  const auto add = [&](uint32_t number) { text += ' ' + std::to_string(number); };
  for (const XnnpackMatch& match : alignment.events) {
    text += match.is_certain ? " certain" : match.is_sound ? " sound" : " likely";
    add(match.origin.op);
    add(static_cast<uint32_t>(match.origin.part));
    for (const XnnpackOrigin& origin : match.candidates) {
      add(origin.op);
      add(static_cast<uint32_t>(origin.part));
    }
  }
  for (const XnnpackAbsorption& row : alignment.absorbed) {
    add(row.folded);
    add(row.by);
  }
  return text;
}

}  // namespace

TEST_CASE("xnnpack: layers that differ in handles are aligned once", "[xnnpack]") {
  KnownAlignments known;
  const auto first = known.align(layer(1), kNames);
  CHECK(known.align(layer(7), kNames) == first);
  CHECK(known.align(layer(7, K::Tanh), kNames) != first);
  CHECK(known.align(layer(7), Names{kNames[0]}) != first);
  CHECK(known.align(layer(7), Names{kNames[0], "Sigmoid (NC) #2"}) != first);
}

TEST_CASE("xnnpack: without payloads, calls of equal operators and names are aligned once",
          "[xnnpack]") {
  const std::vector<Names> layer{{"linear"}, {"sigmoid"}};
  KnownAlignments known;
  const auto first = known.align_handles(layer, kNames);
  REQUIRE(first->size() == 2);
  REQUIRE(!(*first)[0].empty());
  CHECK((*first)[0].front().handle == 0);
  REQUIRE(!(*first)[1].empty());
  CHECK((*first)[1].front().handle == 1);
  CHECK(known.align_handles(std::vector<Names>{{"linear"}, {"sigmoid"}}, kNames) == first);
  CHECK(known.align_handles(std::vector<Names>{{"linear", "sigmoid"}}, kNames) != first);
  CHECK(known.align_handles(std::vector<Names>{{"linear"}, {"tanh"}}, kNames) != first);
  CHECK(known.align_handles(layer, Names{kNames[0], "Sigmoid (NC) #2"}) != first);
}

TEST_CASE("xnnpack: what has very long names is not kept", "[xnnpack]") {
  const std::string long_name(300'000, 'x');
  const Names names{kNames[0], long_name};
  KnownAlignments known;
  CHECK(known.align(layer(1), names) != known.align(layer(1), names));
  const std::vector<Names> handles{{"linear"}};
  CHECK(known.align_handles(handles, names) != known.align_handles(handles, names));
}

TEST_CASE("xnnpack: calls of one backend share what they keep", "[xnnpack]") {
  std::shared_ptr<CallMemory> memory;
  DelegateCall call;
  CHECK(KnownAlignments::of(call) != KnownAlignments::of(call));
  call.memory = &memory;
  CHECK(KnownAlignments::of(call) == KnownAlignments::of(call));
}

TEST_CASE("xnnpack: a kept alignment is the one of the call alone", "[xnnpack]") {
  KnownAlignments known;
  size_t calls = 0;
  for (const TruthCase& truth : truth_cases()) {
    for (const TruthCall& call : truth.calls) {
      CAPTURE(truth.name, call.method, call.instruction);
      const XnnpackPayload payload = payload_of(truth.pte, call.method, call.instruction);
      const std::string alone = described(align_xnnpack(payload, call.names()));
      CHECK(described(*known.align(payload, call.names())) == alone);
      CHECK(described(*known.align(payload, call.names())) == alone);
      ++calls;
    }
  }
  CHECK(calls > 15);
}

}  // namespace etlens::known_alignments_test
