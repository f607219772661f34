// SPDX-License-Identifier: Apache-2.0
#include "core/backend/xnnpack/reports.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens {
namespace {

using K = XnnpackKind;

constexpr size_t kMaxLookUpChain = 10;  // XNNPACK's own limit
constexpr int kMaxWalk = 16;

bool is_unary(XnnpackKind kind) {
  switch (kind) {
    case K::Sigmoid:
    case K::Clamp:
    case K::Floor:
    case K::Convert:
    case K::SquareRoot:
    case K::Ceiling:
    case K::Hardswish:
    case K::LeakyReLU:
    case K::Negate:
    case K::Square:
    case K::ELU:
    case K::Abs:
    case K::ReciprocalSquareRoot:
    case K::Log:
    case K::Gelu:
    case K::Tanh:
    case K::Exp:
    case K::Sin:
    case K::Cos:
      return true;
    default:
      return false;
  }
}

// Operators that clamp their own result.
bool can_clamp(XnnpackKind kind) {
  return kind == K::Clamp || kind == K::Conv2d || kind == K::DepthwiseConv2d ||
         kind == K::ConvTranspose2d || kind == K::FullyConnected || kind == K::AvgPooling2d ||
         kind == K::MaxPooling2d;
}

bool is_convolution(XnnpackKind kind) { return kind == K::Conv2d || kind == K::DepthwiseConv2d; }
bool is_product(XnnpackKind kind) {
  return kind == K::BatchMatrixMultiply || kind == K::FullyConnected;
}
bool is_byte_wide(XnnpackType type) {
  return type == XnnpackType::Qint8 || type == XnnpackType::Quint8;
}

class ReportPrediction {
 public:
  ReportPrediction(const XnnpackPayload& payload, const LibraryVariant& variant)
      : payload_(payload), variant_(variant), reports_(payload.operators.size()) {}

  // In the order in which the library works: what an earlier step folded is out of the later ones.
  std::vector<XnnpackReport> run() {
    for_each(&ReportPrediction::dynamic_convert);
    for_each(&ReportPrediction::constant_pad);
    for_each(&ReportPrediction::copy);
    for_each(&ReportPrediction::look_up_chain);
    for_each(&ReportPrediction::square_of_itself);
    for_each(&ReportPrediction::minimum_or_maximum);
    for_each(&ReportPrediction::clamp);
    for_each(&ReportPrediction::reshape);
    for_each(&ReportPrediction::transpose);
    for_each(&ReportPrediction::square_before_mean);
    for_each(&ReportPrediction::second_event);
    for (uint32_t o = static_cast<uint32_t>(reports_.size()); o-- > 0;) unread(o);
    return std::move(reports_);
  }

 private:
  const XnnpackOperator& op(uint32_t o) const { return payload_.operators[o]; }
  const XnnpackValue& value(uint32_t row) const { return payload_.values[row]; }
  bool has_shape(uint32_t o, size_t inputs) const {
    return op(o).input_count >= inputs && op(o).output_count == 1;
  }
  const XnnpackValue& input(uint32_t o, size_t i = 0) const {
    return value(payload_.inputs_of(op(o))[i]);
  }
  const XnnpackValue& output(uint32_t o) const { return value(payload_.outputs_of(op(o))[0]); }
  uint32_t only_reader(const XnnpackValue& v) const { return payload_.readers_of(v)[0]; }

  void for_each(void (ReportPrediction::*rule)(uint32_t)) {
    for (uint32_t o = 0; o < reports_.size(); ++o) {
      if (!reports_[o].is_folded()) (this->*rule)(o);
    }
  }

  void fold(uint32_t o, std::vector<uint32_t> absorbers) {
    reports_[o].fold_cost = 0;
    reports_[o].event_cost = kDeviation;
    reports_[o].absorbers = std::move(absorbers);
  }
  void may_fold(uint32_t o, uint8_t cost, uint32_t absorber) {
    reports_[o].fold_cost = std::min(reports_[o].fold_cost, cost);
    if (reports_[o].absorbers.empty() && absorber != kNone) reports_[o].absorbers = {absorber};
  }

  // Quantizing while running is done by the products that read the result.
  void dynamic_convert(uint32_t o) {
    if (op(o).kind != K::Convert || !has_shape(o, 1) || output(o).type != XnnpackType::Qdint8)
      return;
    const std::span<const uint32_t> readers = payload_.readers_of(output(o));
    fold(o, {readers.begin(), readers.end()});
    if (!variant_.reports_dynamic_converts) return;
    reports_[o].fold_cost = kViolation;
    reports_[o].event_cost = 0;
    reports_[o].names = XnnpackNameSet::DynamicConvert;
  }

  void constant_pad(uint32_t o) {
    if (op(o).kind != K::StaticConstantPad || !op(o).pads_plane || !has_shape(o, 1)) return;
    const XnnpackValue& padded = output(o);
    if (!padded.is_private() || !is_convolution(op(only_reader(padded)).kind)) return;
    const bool is_sure = padded.type == XnnpackType::Fp32 || is_byte_wide(padded.type);
    if (is_sure) fold(o, {only_reader(padded)});
    else may_fold(o, kDeviation, only_reader(padded));
  }

  // Into what stands before it, else into what stands behind.
  void copy(uint32_t o) {
    if (op(o).kind != K::Copy || !has_shape(o, 1)) return;
    const uint32_t before = input(o).producer;
    if (input(o).is_private() && before != kNone && !reports_[before].is_folded()) {
      fold(o, {before});
    } else if (output(o).is_private()) {
      fold(o, {only_reader(output(o))});
    }
  }

  bool is_scalar(const XnnpackValue& v) const { return v.is_constant && v.elements == 1; }

  // One value in, one out, element by element; `chain` are operators whose values count as the
  // same.
  bool is_pure(uint32_t o, const std::vector<uint32_t>& chain) const {
    if (!has_shape(o, 1) || reports_[o].is_folded()) return false;
    if (is_unary(op(o).kind)) return output(o).type != XnnpackType::Qdint8;
    if (!(is_arithmetic(op(o).kind) || op(o).kind == K::PReLU) || !has_shape(o, 2)) return false;
    if (is_scalar(input(o, 0)) != is_scalar(input(o, 1))) return true;
    go_on(1 + chain.size() / 16);
    const auto is_of_chain = [&](const XnnpackValue& v) {
      const bool starts = !chain.empty() && &v == &input(chain.front());
      return starts || (v.producer != kNone &&
                        std::find(chain.begin(), chain.end(), v.producer) != chain.end());
    };
    return is_of_chain(input(o, 0)) && is_of_chain(input(o, 1));
  }

  const XnnpackValue& chained_input(uint32_t o) const {
    return op(o).input_count > 1 && is_scalar(input(o, 0)) ? input(o, 1) : input(o, 0);
  }

  // A chain between two 8-bit values becomes one table.
  void look_up_chain(uint32_t o) {
    if (reports_[o].names == XnnpackNameSet::LookUp) return;
    if (!is_pure(o, {}) || !is_byte_wide(chained_input(o).type)) return;
    std::vector<uint32_t> chain{o};
    while (output(chain.back()).is_private() && chain.size() < kMaxLookUpChain) {
      const uint32_t next = only_reader(output(chain.back()));
      if (!is_pure(next, chain)) break;
      chain.push_back(next);
    }
    while (chain.size() > 1 && !is_byte_wide(output(chain.back()).type)) chain.pop_back();
    if (chain.size() < 2) return;
    for (size_t i = 0; i + 1 < chain.size(); ++i) fold(chain[i], {chain.back()});
    reports_[chain.back()].names = XnnpackNameSet::LookUp;
  }

  void square_of_itself(uint32_t o) {
    if (op(o).kind != K::Multiply || !has_shape(o, 2) ||
        reports_[o].names != XnnpackNameSet::OfKind)
      return;
    const std::span<const uint32_t> inputs = payload_.inputs_of(op(o));
    if (inputs[0] == inputs[1]) reports_[o].names = XnnpackNameSet::SquareOfItself;
  }

  void minimum_or_maximum(uint32_t o) {
    const bool is_bound = op(o).kind == K::Minimum || op(o).kind == K::Maximum;
    if (!is_bound || !variant_.clamps_by_scalars || !has_shape(o, 2)) return;
    if (is_scalar(input(o, 0)) == is_scalar(input(o, 1)) ||
        reports_[o].names != XnnpackNameSet::OfKind)
      return;
    reports_[o].names = XnnpackNameSet::ClampOfScalar;
  }

  bool is_clamp(uint32_t o) const {
    const XnnpackNameSet names = reports_[o].names;
    return (op(o).kind == K::Clamp && names == XnnpackNameSet::OfKind) ||
           names == XnnpackNameSet::ClampOfScalar;
  }

  void clamp(uint32_t o) {
    if (!is_clamp(o) || !has_shape(o, 1)) return;
    const XnnpackValue& from = chained_input(o);
    if (!from.is_private() || from.producer == kNone) return;
    const uint32_t before = from.producer;
    if (reports_[before].names == XnnpackNameSet::LookUp) return;
    const bool clamps = can_clamp(op(before).kind) || is_clamp(before) ||
                        (is_arithmetic(op(before).kind) && op(before).has_output_min_max);
    if (clamps) fold(o, {before});
  }

  void reshape(uint32_t o) {
    if (op(o).kind != K::StaticReshape || !has_shape(o, 1)) return;
    if (!output(o).is_private()) return may_fold(o, 3, kNone);
    const uint32_t reader = only_reader(output(o));
    if (op(reader).kind != K::StaticReshape) return may_fold(o, 3, reader);
    if (op(reader).is_fully_shaped) fold(o, {reader});
    else may_fold(o, kDeviation, reader);
  }

  void transpose(uint32_t o) {
    if (op(o).kind != K::StaticTranspose || !op(o).swaps_last_two || !has_shape(o, 1)) return;
    if (!output(o).is_private()) return;
    const uint32_t reader = only_reader(output(o));
    const bool is_right = is_product(op(reader).kind) && op(reader).input_count >= 2 &&
                          &input(reader, 1) == &output(o);
    if (is_right) fold(o, {reader});
  }

  void square_before_mean(uint32_t o) {
    const bool squares =
        op(o).kind == K::Square || reports_[o].names == XnnpackNameSet::SquareOfItself;
    if (!squares || !has_shape(o, 1) || !output(o).is_private()) return;
    const uint32_t reader = only_reader(output(o));
    if (op(reader).kind == K::GlobalAvgPooling2d) may_fold(o, kDeviation, reader);
  }

  void second_event(uint32_t o) {
    if (op(o).output_count != 1) return;
    const XnnpackType type = output(o).type;
    reports_[o].has_clamp = is_arithmetic(op(o).kind) && op(o).has_output_min_max &&
                            type != XnnpackType::Fp16 &&
                            reports_[o].names != XnnpackNameSet::LookUp;
    reports_[o].has_convert = op(o).kind == K::FullyConnected && type == XnnpackType::Bf16;
  }

  // What nobody reads is not computed.
  void unread(uint32_t o) {
    if (op(o).output_count != 1 || output(o).is_output || reports_[o].is_folded()) return;
    const std::span<const uint32_t> readers = payload_.readers_of(output(o));
    const bool is_dead = std::all_of(readers.begin(), readers.end(), [&](uint32_t reader) {
      return reports_[reader].is_folded() && reports_[reader].absorbers.empty();
    });
    if (is_dead) fold(o, {});
  }

  const XnnpackPayload& payload_;
  const LibraryVariant& variant_;
  std::vector<XnnpackReport> reports_;
};

}  // namespace

std::vector<XnnpackReport> predict_reports(const XnnpackPayload& payload,
                                           const LibraryVariant& variant) {
  return ReportPrediction(payload, variant).run();
}

std::vector<uint32_t> final_absorbers(const std::vector<XnnpackReport>& reports, uint32_t op) {
  std::vector<uint32_t> done;
  std::vector<uint32_t> open = reports[op].absorbers;
  for (int steps = 0; !open.empty() && steps < kMaxWalk * kMaxWalk; ++steps) {
    const uint32_t next = open.back();
    open.pop_back();
    if (reports[next].is_folded())
      open.insert(open.end(), reports[next].absorbers.begin(), reports[next].absorbers.end());
    else done.push_back(next);
  }
  std::sort(done.begin(), done.end());
  done.erase(std::unique(done.begin(), done.end()), done.end());
  return done;
}

std::vector<uint32_t> replaceable_converts(const XnnpackPayload& payload, bool right_only) {
  std::vector<uint32_t> found;
  for (const XnnpackOperator& product : payload.operators) {
    if (product.kind != K::BatchMatrixMultiply && product.kind != K::FullyConnected) continue;
    const std::span<const uint32_t> inputs = payload.inputs_of(product);
    for (size_t i = right_only ? 1 : 0; i < std::min<size_t>(inputs.size(), 2); ++i) {
      uint32_t at = payload.producer_of(inputs[i]);
      for (int step = 0; at != kNone && step < kMaxWalk; ++step) {
        const XnnpackOperator& op = payload.operators[at];
        if (op.input_count == 0) break;
        const XnnpackValue& source = payload.values[payload.inputs_of(op)[0]];
        if (op.kind == K::Convert && is_byte_wide(source.type)) found.push_back(at);
        if (op.kind != K::StaticTranspose && op.kind != K::StaticReshape) break;
        at = source.producer;
      }
    }
  }
  return found;
}

}  // namespace etlens
