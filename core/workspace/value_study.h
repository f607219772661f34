// SPDX-License-Identifier: Apache-2.0
// ValueStudy: the values that a dump logged beside a Study's times, and what they are compared
// with. Bytes are read when a value is looked at; to compare, those of both sides are.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/formats/etrecord/quantization.h"
#include "core/measure/values/error_origin.h"
#include "core/measure/values/inspector_gap.h"
#include "core/workspace/load.h"

namespace etlens {

// Absolute paths; "" for none.
struct ValuesRequest {
  std::string debug_buffer;  // "": by name, beside the dump
  std::string reference;     // a dump, a bundled program, a record with outputs, or an .npz
  std::string reference_debug_buffer;
  std::string reference_etrecord;
};

enum class ReferenceKind { None, Dump, BundledProgram, Record, Arrays };

// What a value has in its reference.
struct ValueComparison {
  bool has_counterpart = false;
  std::optional<Gap> gap;
  std::string problem;  // why there is a counterpart but no gap: a sentence without its subject
};

struct ValueStudy {
  std::shared_ptr<const Study> study;
  std::shared_ptr<const ValueGraph> graph;
  std::string debug_buffer;    // "" if there is none
  std::string buffer_problem;  // why there is none, or why it does not fit
  std::vector<LoggedValue> values;
  Quantizations quantizations;

  ReferenceKind kind = ReferenceKind::None;
  std::vector<NpzArray> arrays;                     // of ReferenceKind::Arrays
  std::vector<std::string> notes;                   // about the reference, a sentence each
  std::vector<std::optional<uint32_t>> test_cases;  // of each execution, 0-based
  std::vector<ValueComparison> comparisons;              // one per value; empty without a reference
  std::vector<ErrorOrigin> origins;

  ValueSide side() const { return {values, *study->join, *graph}; }
  // Of the value's maker; nothing if it is not quantized per tensor, or the record does not say.
  std::optional<Quantization> quantization_of(const LoggedValue& value) const;
};

// `load`: of the study. Errors are one sentence: which file, what is wrong, what to do. A dump
// without values is an error too.
Result<ValueStudy> load_values(const FileSystem& files, std::shared_ptr<const Study> study,
                               const LoadRequest& load, const ValuesRequest& request,
                               const CancelToken& cancel = {});

}  // namespace etlens
