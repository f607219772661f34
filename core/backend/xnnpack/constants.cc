// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/constants.h"

#include "core/backend/xnnpack/payload.h"

namespace etlens {
namespace {

bool is_weighted(XnnpackKind kind) {
  return kind == XnnpackKind::FullyConnected || kind == XnnpackKind::Conv2d ||
         kind == XnnpackKind::DepthwiseConv2d || kind == XnnpackKind::ConvTranspose2d;
}

std::string_view role_of(XnnpackKind kind, size_t input) {
  if (!is_weighted(kind) || input == 0) return "constant";
  return input == 1 ? "filter" : "bias";
}

}  // namespace

std::vector<PayloadConstant> list_xnnpack_constants(std::span<const uint8_t> bytes) {
  std::vector<PayloadConstant> constants;
  const Result<XnnpackPayload> payload = read_xnnpack_payload(bytes);
  if (!payload || payload->constants.empty()) return constants;
  for (const XnnpackConstant& constant : payload->constants)
    constants.push_back({constant.offset, constant.size, constant.key, kNone, {}, {}, kNone});
  for (uint32_t o = 0; o < payload->operators.size(); ++o) {
    const XnnpackOperator& op = payload->operators[o];
    const std::span<const uint32_t> inputs = payload->inputs_of(op);
    for (size_t i = 0; i < inputs.size(); ++i) {
      const XnnpackValue& value = payload->values[inputs[i]];
      if (!value.is_constant || value.constant >= constants.size()) continue;
      PayloadConstant& row = constants[value.constant];
      if (row.op_row != kNone) continue;
      row.op_row = o;
      row.op = name_of(op.kind);
      row.role = role_of(op.kind, i);
      row.debug_handle = op.debug_handle;
    }
  }
  for (size_t c = 2; c < constants.size(); ++c) {
    const PayloadConstant& before = constants[c - 1];
    if (constants[c].op_row != kNone || before.op_row == kNone) continue;
    constants[c].op_row = before.op_row;
    constants[c].op = before.op;
    constants[c].role = before.role.ends_with(" scales") ? before.role : before.role + " scales";
    constants[c].debug_handle = before.debug_handle;
  }
  constants.erase(constants.begin());
  return constants;
}

}  // namespace etlens
