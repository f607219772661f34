// SPDX-License-Identifier: Apache-2.0
// What logged values are compared with, and which value has which counterpart. A counterpart is
// found by what made the value, never by its numbers; only which test case ran is decided by
// comparing, because dumps do not say.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/formats/bundled_program/bundled_program.h"
#include "core/formats/npz/npz.h"
#include "core/measure/values/logged_values.h"

namespace etlens {

struct Counterparts {
  std::vector<std::optional<StoredTensor>> of_value;  // one per logged value
  // Of expected outputs: the test case of each execution, 0-based; nothing where none fits.
  std::vector<std::optional<uint32_t>> test_cases;

  size_t count() const;
};

// An array of a reference .npz: named h<handle>_<handle>…[__j].
struct HandleArray {
  std::vector<DebugHandle> handles;
  std::optional<uint32_t> element;       // of several values that one operator made
  const StoredTensor* tensor = nullptr;  // of the arrays
};
// Arrays with other names are left out.
std::vector<HandleArray> arrays_by_handle(std::span<const NpzArray> arrays);

// Values by the debug handle of the node that made them.
Counterparts match_arrays(std::span<const LoggedValue> values, const Join& join,
                          const ValueGraph& graph, std::span<const HandleArray> arrays);

// One test case: what the method is expected to return.
using ExpectedOutputs = std::vector<std::optional<StoredTensor>>;
std::vector<ExpectedOutputs> expected_outputs(const BundledMethod& method);

// What the method returned, by position; of the cases the one that is nearest.
Counterparts match_outputs(std::span<const LoggedValue> values,
                           std::span<const ExpectedOutputs> cases);
// The same, for tensors whose types and shapes are those of the values: cases that follow each
// other in `tensors` without a mark between them.
Counterparts match_outputs(std::span<const LoggedValue> values, std::span<const Bytes> tensors);

// Values of another dump: of the same program by instruction, of another by the module, the line
// and the operator that made them.
struct ValueSide {
  std::span<const LoggedValue> values;
  const Join& join;
  const ValueGraph& graph;
};
Counterparts match_values(const ValueSide& side, const ValueSide& reference);

}  // namespace etlens
