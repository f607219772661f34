// SPDX-License-Identifier: Apache-2.0
// PayloadBuilder: writes the payload of an XNNPACK delegate as real bytes, so that a test goes
// through the reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/backend/xnnpack/payload.h"

namespace etlens::test {

struct PayloadNode {
  XnnpackKind kind = XnnpackKind::Unknown;
  uint32_t handle = 65535;
  std::vector<uint32_t> inputs;  // value ids
  std::vector<uint32_t> outputs;
  bool has_output_min_max = false;
  uint32_t kernel = 3;                    // of convolutions, height and width
  std::vector<uint32_t> perm;             // StaticTranspose
  std::vector<uint32_t> pre_paddings;     // StaticConstantPad, both sides alike
  std::vector<uint32_t> new_shape{1, 8};  // StaticReshape
};

class PayloadBuilder {
 public:
  static constexpr uint32_t kAbsent = 0xFFFFFFFFu;

  // Each gives the new value's id.
  uint32_t input(XnnpackType type = XnnpackType::Fp32) { return add(type, false, 1, {1, 8}); }
  uint32_t value(XnnpackType type = XnnpackType::Fp32) { return add(type, false, 0, {1, 8}); }
  uint32_t output(XnnpackType type = XnnpackType::Fp32) { return add(type, false, 2, {1, 8}); }
  uint32_t constant(XnnpackType type = XnnpackType::Fp32) { return add(type, true, 0, {8, 8}); }
  uint32_t scalar(XnnpackType type = XnnpackType::Fp32) { return add(type, true, 0, {1}); }
  uint32_t shaped(XnnpackType type, std::vector<uint32_t> dims) {
    return add(type, false, 0, std::move(dims));
  }

  PayloadBuilder& node(PayloadNode node);
  PayloadBuilder& node(XnnpackKind kind, std::vector<uint32_t> inputs, uint32_t output,
                       uint32_t handle = 65535);
  // A node with a kind code of a later release.
  PayloadBuilder& unknown_node(uint32_t handle);

  // The FlatBuffer alone, as release 0.1 wrote it.
  std::string bare(const char* identifier = "XN01") const;
  // With the header and weights behind.
  std::string build() const;
  XnnpackPayload read() const;

 private:
  struct Value {
    XnnpackType type;
    bool is_constant;
    uint32_t flags;
    std::vector<uint32_t> dims;
  };
  uint32_t add(XnnpackType type, bool is_constant, uint32_t flags, std::vector<uint32_t> dims);

  std::vector<Value> values_;
  std::vector<PayloadNode> nodes_;
};

}  // namespace etlens::test
