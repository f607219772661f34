// SPDX-License-Identifier: Apache-2.0
// The measures that there are, one row each. A further measure is a file that builds a Measure and
// a row here; nothing else in the core or in the surfaces names it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/formats/pte/program.h"
#include "core/join/join.h"
#include "core/measure/file_bytes.h"
#include "core/measure/measure.h"
#include "core/measure/values/error_origin.h"

namespace etlens {

// What a measure is made from.
struct MeasureInput {
  MeasureInput(const Join& of, const EtProgram* ran = nullptr) : join(of), program(ran) {}

  const Join& join;
  const EtProgram* program;  // the program that ran, or will; null without one
  // Its method, where the code has no record that names it; null otherwise.
  const ProgramMethod* method = nullptr;
  // The part of a delegate's payload that describes operators; null without a program.
  PayloadReader read_payload;
  std::span<const ErrorOrigin> origins;  // of values that were compared; empty without a reference
};

struct MeasureRow {
  std::string_view id;     // stable: what settings and options name
  std::string_view label;  // for people
  // nullopt: the artifacts say nothing about it.
  std::optional<Measure> (*build)(const MeasureInput& input) = nullptr;
};

// The measures beside time, which every study has (core/measure/time.h).
using MeasureRows = std::vector<MeasureRow>;
const MeasureRows& built_in_measures();

}  // namespace etlens
