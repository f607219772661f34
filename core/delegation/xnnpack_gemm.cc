// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/xnnpack_gemm.h"

#include <fmt/format.h>

#include <optional>

namespace etlens {
namespace {

enum class Precision : uint8_t { Float, Static, Dynamic };

struct Gemm {
  StringId activation;
  StringId weight;
  StringId bias;  // invalid if there is none
};

Gemm parts_of(const RuleNode& node) {
  const std::span<const StringId> inputs = node.inputs();
  const auto at = [&](size_t i) { return i < inputs.size() ? inputs[i] : StringId(); };
  if (node.op() == "addmm.default") return {at(1), at(2), at(0)};
  if (node.op() == "mm.default") return {at(0), at(1), {}};
  return {at(0), at(1), at(2)};
}

// The node that makes the value, if it is a dequantize node; else invalid.
NodeId dequantize_of(const RuleGraph& graph, StringId value) {
  const NodeId maker = graph.maker_of(value);
  return maker.valid() && is_dequantize_node(RuleNode(graph, maker).op()) ? maker : NodeId();
}

StringId first_input(const RuleGraph& graph, NodeId node) {
  const std::span<const StringId> inputs = RuleNode(graph, node).inputs();
  return inputs.empty() ? StringId() : inputs.front();
}

// Scale and zero point are computed while the model runs.
bool is_dynamic(const RuleNode& dequantize) {
  const std::string_view op = dequantize.op();
  return op.ends_with(".tensor") || op.find("per_token") != std::string_view::npos ||
         op.find("affine") != std::string_view::npos;
}

Precision precision_of(const RuleGraph& graph, const Gemm& gemm) {
  if (!dequantize_of(graph, gemm.weight).valid()) return Precision::Float;
  const NodeId activation = dequantize_of(graph, gemm.activation);
  return activation.valid() && is_dynamic(RuleNode(graph, activation)) ? Precision::Dynamic
                                                                       : Precision::Static;
}

RuleVerdict refuse_computed(const RuleNode& node, std::string_view part) {
  return RuleVerdict::refused(
      part == "weight" ? "computed_weight" : "computed_bias",
      fmt::format("XNNPACK takes {} only with a constant {}.", operator_of(node), part),
      part == "weight" ? "Write matmul of three dimensions, which becomes bmm: XNNPACK takes that."
                       : "Add the bias after the operator.");
}

RuleVerdict refuse_turned(const RuleNode& node) {
  return RuleVerdict::refused(
      "computed_weight",
      fmt::format("XNNPACK takes {} with a transposed weight only of a torch.nn.Linear module.",
                  operator_of(node)),
      "Export with to_edge_transform_and_lower, which keeps linear whole.");
}

// False if the record says of which module the node is, and that is none.
bool may_be_linear_module(const RuleNode& node) {
  const EtRecord& record = node.graph().record();
  // Earlier exports also told a linear by the function that was called.
  if (record.layout < RecordLayout::From13 || !node.row().modules.valid()) return true;
  const std::span<const Module> modules = record.modules_of(node.row().modules);
  return modules.empty() || record.text(modules.back().type).ends_with("Linear");
}

std::optional<RuleVerdict> check_weight(const RuleNode& node, const Gemm& gemm,
                                        Precision precision) {
  const RuleGraph& graph = node.graph();
  const NodeId dequantize = dequantize_of(graph, gemm.weight);
  const StringId weight = dequantize.valid() ? first_input(graph, dequantize) : gemm.weight;
  // The weight of addmm and mm stands behind the transpose of a Linear.
  const NodeId maker = graph.maker_of(weight);
  StringId stored = weight;
  const bool may_be_turned = node.op() == "addmm.default" || node.op() == "mm.default";
  if (maker.valid() && may_be_turned) {
    const RuleNode turn(graph, maker);
    const bool is_turned = turn.op() == "permute_copy.default" || turn.op() == "t_copy.default";
    if (is_turned && !may_be_linear_module(node)) return refuse_turned(node);
    if (is_turned) stored = first_input(graph, maker);
    if (const NodeId inner = dequantize_of(graph, stored); inner.valid())
      stored = first_input(graph, inner);
  }
  if (!graph.is_constant(stored)) return refuse_computed(node, "weight");
  if (precision == Precision::Dynamic && dequantize.valid() &&
      RuleNode(graph, dequantize).op().starts_with("dequantize_per_tensor")) {
    return RuleVerdict::refused(
        "dynamic_per_tensor",
        "XNNPACK takes dynamic quantization only with weights that are quantized "
        "per channel.",
        "Choose is_per_channel=True in the quantizer's configuration.");
  }
  return std::nullopt;
}

std::optional<RuleVerdict> check_result(const RuleNode& node) {
  const RuleGraph& graph = node.graph();
  const auto refused = [] {
    return RuleVerdict::refused(
        "result_not_quantized",
        "XNNPACK takes a quantized operator only if its result is quantized "
        "again, and used nowhere else.",
        "Quantize what follows, too, or leave this layer in float.");
  };
  if (node.outputs().empty()) return std::nullopt;
  std::span<const NodeId> users = graph.readers_of(node.outputs()[0]);
  if (users.size() != 1) return refused();
  const RuleNode user(graph, users[0]);
  if (user.op() == "relu.default" || user.op() == "hardtanh.default") {
    if (user.outputs().empty()) return std::nullopt;
    users = graph.readers_of(user.outputs()[0]);
    if (users.size() != 1) return refused();
  }
  const std::string_view op = RuleNode(graph, users[0]).op();
  if (op.starts_with("quantize_")) return std::nullopt;
  // In a Linear of addmm a reshape may stand in between.
  if (op == "view_copy.default") return std::nullopt;
  return refused();
}

std::optional<RuleVerdict> check_parts(const RuleNode& node, const Gemm& gemm,
                                       Precision precision) {
  const RuleGraph& graph = node.graph();
  // A bias that is one of the other inputs is not looked at.
  if (gemm.bias.valid() && gemm.bias != gemm.activation && gemm.bias != gemm.weight) {
    const NodeId dequantize = dequantize_of(graph, gemm.bias);
    const StringId bias = dequantize.valid() ? first_input(graph, dequantize) : gemm.bias;
    if (!graph.is_constant(bias)) return refuse_computed(node, "bias");
  }
  if (std::optional<RuleVerdict> wrong = check_weight(node, gemm, precision)) return wrong;
  if (precision == Precision::Float) return std::nullopt;
  if (!dequantize_of(graph, gemm.activation).valid()) {
    return RuleVerdict::refused(
        "weight_only_quantization",
        "XNNPACK takes a quantized weight only with a quantized activation.",
        "Quantize activations statically or dynamically, too.");
  }
  return precision == Precision::Static ? check_result(node) : std::nullopt;
}

bool is_depthwise(const RuleNode& node, const TensorType& weight) {
  const int64_t groups = node.integer("groups").value_or(1);
  return groups > 1 && weight.rank() > 1 && weight.sizes[1] == 1;
}

}  // namespace

RuleVerdict check_xnnpack_gemm(const RuleNode& node, Release) {
  const Gemm gemm = parts_of(node);
  return check_parts(node, gemm, precision_of(node.graph(), gemm)).value_or(RuleVerdict::taken());
}

RuleVerdict check_xnnpack_convolution(const RuleNode& node, Release release) {
  const Gemm gemm = parts_of(node);
  const Precision precision = precision_of(node.graph(), gemm);
  if (std::optional<RuleVerdict> wrong = check_parts(node, gemm, precision))
    return *std::move(wrong);
  const TensorType* weight = node.graph().type_of(gemm.weight);
  if (weight == nullptr) return RuleVerdict::taken();
  if (weight->rank() > 4) {
    return RuleVerdict::refused("convolution_rank",
                                "XNNPACK takes convolutions of 1 and 2 dimensions, "
                                "and this one has 3.");
  }
  const bool is_dynamic = precision == Precision::Dynamic;
  if (is_dynamic && (release < 7 || weight->rank() != 4 || is_depthwise(node, *weight))) {
    return RuleVerdict::refused(
        "dynamic_convolution",
        "XNNPACK takes dynamic quantization only for standard 2-D convolutions.",
        "Quantize this convolution statically.");
  }
  if (!node.flag("transposed", false)) return RuleVerdict::taken();
  const std::vector<int64_t> output_padding = node.integers("output_padding");
  bool has_output_padding = false;
  for (const int64_t pad : output_padding) has_output_padding |= pad != 0;
  if (release < 6 || (release < 13 && has_output_padding)) {
    return RuleVerdict::refused("transposed_convolution",
                                release < 6
                                    ? "XNNPACK takes no transposed convolution before 0.6."
                                    : "XNNPACK takes a transposed convolution before 1.3 only "
                                      "without output_padding.",
                                "Use a later release of ExecuTorch.");
  }
  const NodeId dequantize = dequantize_of(node.graph(), gemm.weight);
  const bool is_per_channel =
      dequantize.valid() &&
      RuleNode(node.graph(), dequantize).op().starts_with("dequantize_per_channel");
  if (is_per_channel && node.integer("groups").value_or(1) > 1) {
    return RuleVerdict::refused(
        "transposed_convolution",
        "XNNPACK takes a transposed convolution with weights that are quantized "
        "per channel only in one group.",
        "Quantize its weight per tensor.");
  }
  return RuleVerdict::taken();
}

}  // namespace etlens
