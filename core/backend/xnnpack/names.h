// SPDX-License-Identifier: Apache-2.0
// Names as data: what XNNPACK calls its operators while it runs, and what graphs call the nodes
// that they were made from. Gathered from the dumps of several releases and from the library's own
// list.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend/alignment/alignment.h"
#include "core/backend/xnnpack/event_name.h"
#include "core/backend/xnnpack/payload.h"

namespace etlens {

// Operators of one set may be called the same. Most sets are kinds; the others are kinds in a
// special situation, which predict_reports finds out.
enum class XnnpackNameSet : uint8_t {
  OfKind = 0,      // that of the kind
  SquareOfItself,  // Multiply with one value twice
  LookUp,          // the last operator of a chain that became a look-up table
  ClampOfScalar,   // Minimum or Maximum with a constant number, in libraries that make it a clamp
  Replaced,        // Convert that became one to channelwise quantized values
  DynamicConvert,  // Convert to values quantized while running, in libraries that report it
};

struct XnnpackName {
  std::string_view name;  // as EventName::base
  uint8_t cost = 0;
};
// The names of an operator; empty for kinds that no release reports.
std::span<const XnnpackName> names_of(XnnpackKind kind, XnnpackNameSet special);

// Types in an event's name that fit an operator.
enum class XnnpackTypeRule : uint8_t {
  Any,
  Float,      // F32, F16, PF32, …
  HalfFloat,  // what is no quantized type: 16-bit operators may run in F32
  Quantized,  // QS8, QU8, QC8, S8, …
  Dynamic,    // QD8, QDU8, QP8
  Bytes1,     // X8
  Bytes2,     // X16, or X32 where the library fell back to 32 bits
  Bytes4,     // X32
};
// `type` is the input's, `kind` the operator's.
XnnpackTypeRule type_rule(XnnpackKind kind, XnnpackType type);

// What it costs that an operator reports under this name: kImpossible if it is not among its names,
// a violation if types or kernel contradict it.
uint8_t xnnpack_name_cost(XnnpackKind kind, XnnpackNameSet special, XnnpackTypeRule rule,
                          bool is_pointwise, const EventName& name);

// True if the name's base is in no row.
bool is_unknown_xnnpack_name(const EventName& name);
// An unknown name may be any operator's.
inline constexpr uint8_t kUnknownNameCost = 3;

// True for names of releases up to 0.5 or so that stand for many operators.
bool is_generic_xnnpack_name(const EventName& name);
// True for the look-up tables that some libraries make of chains of quantized operators.
bool is_xnnpack_look_up(const EventName& name);
// "Convert (NC, QS8, QC8)" and the like: a Convert that XNNPACK put in the place of another.
bool is_replaced_convert(const EventName& name);
// "Convert (NC, F32, QD8)" and the like.
bool is_dynamic_convert(const EventName& name);

// True if the name tells of values that are quantized, statically or while running.
bool names_quantized_values(const EventName& name);

// An operator of a graph (base name), and a kind that it may become.
struct NodeKind {
  std::string_view node;
  XnnpackKind kind;
};

enum class NodeFit : uint8_t {
  None,
  Weak,  // only where no other node fits: copies that may have become a transpose or a conversion
  Good,
};
// Is a node with this operator (base name, as base_operator_of_target gives it) one that operators
// of this kind are made from? `input` and `output` are the operator's value types: they tell a
// quantizing Convert from a dequantizing one.
NodeFit node_fit(XnnpackKind kind, XnnpackType input, XnnpackType output,
                 std::string_view base_operator);
// The names that an operator made from such a node may report under; used where the payload is not
// at hand.
std::span<const NodeKind> kinds_of_node(std::string_view base_operator);
// Nodes whose work an operator before them does: a fused activation, a folded normalisation, the
// quantizing of a result.
bool is_folded_backward(std::string_view base_operator);
// Nodes whose work an operator behind them does: dequantizing, the transpose of a weight.
bool is_folded_forward(std::string_view base_operator);

}  // namespace etlens
