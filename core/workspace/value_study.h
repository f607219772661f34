// SPDX-License-Identifier: Apache-2.0
// ValueStudy: the values that a dump logged beside its times, and what they are compared with.
// Bytes are read when a value is looked at; to compare, those of both sides are.
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

enum class ReferenceKind { None, Dump, BundledProgram, Record, Arrays };

// What a value has in its reference.
struct ValueComparison {
  bool has_counterpart = false;
  std::optional<StoredTensor> reference;  // of a counterpart
  std::optional<Gap> gap;
  std::string problem;  // why there is a counterpart but no gap: a sentence without its subject
};

struct ValueStudy {
  std::shared_ptr<const Join> join;
  std::shared_ptr<const ValueGraph> graph;  // of the join's code
  std::string etdump_path;
  std::string debug_buffer;    // "" if there is none
  std::string buffer_problem;  // why there is none, or why it does not fit
  std::vector<LoggedValue> values;
  uint64_t bytes = 0;  // of all of them that can be read
  Quantizations quantizations;

  std::vector<std::string> misfits;  // of the candidates those that do not fit, a sentence each

  ReferenceKind kind = ReferenceKind::None;
  std::string reference;                            // the file; "" without one
  std::vector<NpzArray> arrays;                     // of ReferenceKind::Arrays
  std::vector<std::string> notes;                   // about the reference, a sentence each
  std::vector<std::optional<uint32_t>> test_cases;  // of each execution, 0-based
  std::vector<ValueComparison> comparisons;         // one per value; empty without a reference
  std::vector<ErrorOrigin> origins;

  ValueSide side() const { return {values, *join, *graph}; }
  // Of the value's maker; nothing if it is not quantized per tensor, or the record does not say.
  std::optional<Quantization> quantization_of(const LoggedValue& value) const;
};

// `load`: of the study. Errors are one sentence: which file, what is wrong, what to do. A dump
// without values is an error too. `files` must outlive the result.
Result<ValueStudy> load_values(const FileSystem& files, const Study& study, const LoadRequest& load,
                               const ValuesRequest& request, const CancelToken& cancel = {});

}  // namespace etlens
