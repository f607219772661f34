// SPDX-License-Identifier: Apache-2.0
// Facts about the values that a dump logged: what each is like, how far it is from its reference,
// and where error begins.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/measure/values/value_statistics.h"
#include "core/workspace/value_study.h"

namespace etlens {

struct ValueFacts {
  uint32_t execution = 0;
  std::string event;  // that logged it, or the delegate's id; "" for what the method returned
  std::optional<Instruction> instruction;
  std::vector<DebugHandle> handles;  // of the instruction
  uint32_t output = 0;               // which of the event's values
  ValueRole role = ValueRole::Output;
  std::string_view dtype;
  std::span<const int64_t> shape;
  bool is_number = false;    // a number of its own, no tensor
  std::string_view node;     // that made it; "" if nothing tells
  uint32_t node_output = 0;  // which of its values
  std::string_view op;       // of that node
  LineId line;
  Confidence confidence = Confidence::Exact;
  std::optional<std::string_view> module_path;
  std::optional<ValueStatistics> statistics;
  std::vector<double> first;  // at most kFirstValues, in the order of indices
  std::string problem;        // why there are no statistics, a sentence without its subject
  const ValueComparison* comparison = nullptr;  // null without a reference
  double made = 0;                              // share of the final error that was made here

  static constexpr size_t kFirstValues = 8;
};

struct OriginFacts {
  std::string_view node;  // whose value first shows the error
  std::string_view op;    // the heaviest operator that can have made it
  std::optional<std::string_view> module_path;
  LineId line;                       // of that operator
  std::span<const LineId> lines;     // of all that can have made it
  double made = 0;                   // share of the final error
  std::optional<double> snr_before;  // dB; nothing if nothing before is in error
  double snr_after = 0;
};

class ValuesFacts {
 public:
  explicit ValuesFacts(std::shared_ptr<const ValueStudy> study);

  // The measure is made of compared values: there is none before they are.
  static bool has_measure(std::string_view id);

  const ValueStudy& study() const { return *study_; }
  const Code& code() const { return study_->join->code(); }
  size_t size() const { return study_->values.size(); }
  bool has_reference() const { return study_->kind != ReferenceKind::None; }

  // Rows: values that the line's nodes made, in the order in which they were logged.
  std::span<const size_t> rows_of(LineId line) const;
  uint64_t bytes(size_t row) const;  // of the value, to be read

  // Reads the value's bytes for its statistics, at the first call.
  const ValueFacts& value(size_t row) const;
  // Reads the value's bytes. Nothing if they cannot be read.
  std::optional<Magnitudes> magnitudes(size_t row) const;
  // The same of its counterpart; nothing without one.
  std::optional<Magnitudes> reference_magnitudes(size_t row) const;
  // Rows: values that a node or the method made, in the order in which they were made.
  std::vector<size_t> made_rows() const;

  // The lowest SNR of all values, dB; nothing without a reference.
  std::optional<double> worst_snr() const;
  // Where error begins: what made most of it first.
  std::vector<OriginFacts> origins() const;
  // The first value with a NaN, or with an infinity, that its reference (if there is one) has not
  // at the same place. Reads values up to it.
  std::optional<size_t> first_nan() const;
  std::optional<size_t> first_inf() const;

 private:
  ValueFacts describe(const LoggedValue& value, size_t row) const;
  double made_at(size_t row) const;
  std::optional<std::string_view> module_of(NodeId node) const;

  std::shared_ptr<const ValueStudy> study_;
  std::unordered_map<LineId, std::vector<size_t>> rows_;
  std::unordered_map<uint64_t, double> made_;  // by the value's maker
  mutable std::vector<std::optional<ValueFacts>> values_;
};

}  // namespace etlens
