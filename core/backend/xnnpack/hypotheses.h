// SPDX-License-Identifier: Apache-2.0
// What a call's events should look like, in every way that XNNPACK is known to treat a payload: as
// it stands, or with nodes that XNNPACK adds itself and sorts in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend/alignment/alignment.h"
#include "core/backend/xnnpack/event_name.h"
#include "core/backend/xnnpack/payload.h"
#include "core/backend/xnnpack/reports.h"

namespace etlens {

// Which part of an operator's work an event is.
enum class XnnpackPart : uint8_t {
  Own,         // the operator itself
  Activation,  // the clamp that was folded into it at export
  Conversion,  // its result back to 16 bits
  Inserted,    // a conversion that XNNPACK put in front of it or behind it
};

struct XnnpackOrigin {
  uint32_t op = kNone;  // of the payload
  XnnpackPart part = XnnpackPart::Own;
  friend auto operator<=>(const XnnpackOrigin&, const XnnpackOrigin&) = default;
};

// An order of operators to align the events with.
struct XnnpackHypothesis {
  AlignmentProblem problem;
  std::vector<XnnpackOrigin> origins;     // per operator of the problem
  std::vector<XnnpackPart> second_parts;  // what its second event is, if it may have one

  // Whose an event is if the problem's alignment gives it to `candidate`.
  XnnpackOrigin origin_of(const OperatorCandidate& candidate) const;
};

class XnnpackHypotheses {
 public:
  // `payload` and `names` must outlive the object.
  XnnpackHypotheses(const XnnpackPayload& payload, std::span<const EventName> names);

  // Payload order, as nearly all calls run.
  XnnpackHypothesis in_payload_order(const std::vector<XnnpackReport>& reports) const;

  // With dequantizing Convert operators replaced and sorted in behind everything that does not need
  // them. Several where it is open which are replaced; none if none can be.
  std::vector<XnnpackHypothesis> with_replaced_converts(
      const std::vector<XnnpackReport>& reports) const;

  // With 16-bit values converted to 32 bits and back where the processor cannot compute on them;
  // none if there are no such values.
  std::vector<XnnpackHypothesis> with_wide_values(const std::vector<XnnpackReport>& reports) const;

 private:
  const XnnpackPayload& payload_;
  std::span<const EventName> names_;
};

}  // namespace etlens
