// SPDX-License-Identifier: Apache-2.0
// What `etlens values` prints: values and where error begins, as tables and in words.
#pragma once

#include <span>
#include <string>

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

// The Inspector's table of numeric gaps.
Table gaps_table(std::span<const InspectorGapRow> rows, GapMetric metric);

}  // namespace etlens
