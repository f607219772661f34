// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/rules.h"

#include "core/code/operator_name.h"
#include "core/delegation/arm.h"
#include "core/delegation/coreml.h"
#include "core/delegation/openvino.h"
#include "core/delegation/qnn.h"
#include "core/delegation/vulkan.h"
#include "core/delegation/whole_graph.h"
#include "core/delegation/xnnpack.h"

namespace etlens {
namespace {

const BackendRules kRules[]{
    {"XnnpackBackend", "XNNPACK", judge_xnnpack},
    {"CoreMLBackend", "Core ML", judge_coreml},
    {"VulkanBackend", "Vulkan", judge_vulkan},
    {"EthosUBackend", "Ethos-U", judge_ethos_u},
    {"VgfBackend", "VGF", judge_vgf},
    {"ArmBackend", "Ethos-U", judge_ethos_u},
    {"QnnBackend", "QNN", judge_qnn},
    {"OpenvinoBackend", "OpenVINO", judge_openvino},
    {"NativeBackend", "Native", judge_native},
    {"CudaBackend", "CUDA", judge_cuda},
    {"MetalBackend", "Metal", judge_metal},
};

constexpr Release kReleases[]{15, 14, 13, 12, 11, 10, 7, 6, 5, 4, 3, 2, 1};

int strictness(RuleAnswer answer) {
  switch (answer) {
    case RuleAnswer::Refused:
      return 3;
    case RuleAnswer::OnlyTogether:
      return 2;
    case RuleAnswer::Unknown:
      return 1;
    case RuleAnswer::Taken:
      break;
  }
  return 0;
}

RuleVerdict judge_by(const BackendRules& rules, const RuleNode& node, const ExportFacts& facts,
                     bool wants_strict) {
  RuleVerdict found;
  bool is_first = true;
  for (const Release release : kReleases) {
    if (release < facts.releases.first || release > facts.releases.last) continue;
    RuleVerdict verdict = rules.judge(node, release, facts);
    const int more = strictness(verdict.answer) - strictness(found.answer);
    if (is_first || (wants_strict ? more > 0 : more < 0)) found = std::move(verdict);
    is_first = false;
  }
  return found;
}

}  // namespace

const BackendRules* find_rules(std::string_view backend) {
  for (const BackendRules& rules : kRules)
    if (rules.id == backend) return &rules;
  return nullptr;
}

RuleVerdict judge_left_out(const BackendRules& rules, const RuleNode& node,
                           const ExportFacts& facts) {
  return judge_by(rules, node, facts, true);
}

RuleVerdict judge_at_best(const BackendRules& rules, const RuleNode& node,
                          const ExportFacts& facts) {
  return judge_by(rules, node, facts, false);
}

Releases releases_of(const EtRecord& record) {
  switch (record.layout) {
    case RecordLayout::UpTo03:
      return {1, 3};
    case RecordLayout::From04:
      return {4, 6};
    case RecordLayout::From07:
      return {7, 7};
    case RecordLayout::From10:
      return {10, 11};
    case RecordLayout::From12:
      return {12, 12};
    case RecordLayout::From13:
      break;
  }
  return {13, kNewestRules};
}

std::string operator_of(const RuleNode& node) {
  return std::string(base_operator_of_target(node.target()));
}

}  // namespace etlens
