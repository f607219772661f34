// SPDX-License-Identifier: Apache-2.0
// What `etlens values` prints: values and where error begins, as tables, in words and as JSON.
#pragma once

#include <span>
#include <string>

#include "core/base/json_writer.h"
#include "core/facts/value_facts.h"
#include "core/render/table_printer.h"
#include "core/render/tables.h"

namespace etlens {

// In the order in which they were logged; for people without the inputs of delegate calls.
Table values_table(const ValuesFacts& facts, TableStyle style);
// Where error begins; for people the first kMaxOrigins.
Table origins_table(const ValuesFacts& facts, TableStyle style);
inline constexpr size_t kMaxOrigins = 10;

// All of it for people: origins, the first NaN and infinity, the values.
std::string values_text(const ValuesFacts& facts, TablePrinter& printer);

// Of the first value with a NaN or an infinity: "the first NaN is made here: 3 of 64 elements of
// aten_div_tensor".
std::string odd_value_sentence(const ValueFacts& value);

// "SNR 38 dB", "exact".
std::string snr_text(double snr);

// etlens/values@1, the values of block after block, none of which is kept but the first: what is
// about the reference is of that. `with_histograms`: bins of powers of two too, which reads every
// value again.
class ValuesJson {
 public:
  ValuesJson(ValuesFacts first, bool with_histograms);
  void add(const ValuesFacts& block);
  // All of it. Nothing may be added after that.
  std::string take();

 private:
  ValuesFacts first_;
  bool with_histograms_;
  JsonWriter json_;
};

// The Inspector's table of numeric gaps.
Table gaps_table(std::span<const InspectorGapRow> rows, GapMetric metric);
std::string gaps_json(std::span<const InspectorGapRow> rows, GapMetric metric);

}  // namespace etlens
