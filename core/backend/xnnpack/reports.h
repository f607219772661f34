// SPDX-License-Identifier: Apache-2.0
// What becomes of a payload's operators while they run, predicted from the data flow alone: which
// report an event of their own, which are folded into another, which report two.
#pragma once

#include <cstdint>
#include <vector>

#include "core/backend/xnnpack/names.h"
#include "core/backend/xnnpack/payload.h"

namespace etlens {

// What libraries do differently, each for a whole call and visible in its events' names.
struct LibraryVariant {
  // Quantizing while running is an event of its own, not part of the product.
  bool reports_dynamic_converts = false;
  // Minimum and Maximum with a number become clamps.
  bool clamps_by_scalars = false;

  friend bool operator==(const LibraryVariant&, const LibraryVariant&) = default;
};

// What an operator is predicted to report.
struct XnnpackReport {
  uint8_t fold_cost = kViolation;  // of reporting nothing; 0: folded, so far as one can tell
  uint8_t event_cost = 0;          // of reporting although folded
  XnnpackNameSet names = XnnpackNameSet::OfKind;
  bool has_clamp = false;           // a second event: the activation that was folded in at export
  bool has_convert = false;         // a second event: back to 16 bits
  std::vector<uint32_t> absorbers;  // operators whose events have its work if it is folded

  bool is_folded() const { return fold_cost == 0; }
};

// One per operator.
std::vector<XnnpackReport> predict_reports(const XnnpackPayload& payload,
                                           const LibraryVariant& variant);

// The operators that finally do the work of a folded one, following chains of folding: ascending,
// empty if nothing takes it over.
std::vector<uint32_t> final_absorbers(const std::vector<XnnpackReport>& reports, uint32_t op);

// The Converts that dequantize an operand of a matrix product, through transposes and reshapes:
// some libraries replace them, which puts the operators into another order. With `right_only` only
// those that reach the product's second operand.
std::vector<uint32_t> replaceable_converts(const XnnpackPayload& payload, bool right_only);

}  // namespace etlens
