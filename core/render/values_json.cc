// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens values`.
#include "core/render/json_parts.h"
#include "core/render/values_report.h"

namespace etlens {
namespace {

class ValuesWriter {
 public:
  ValuesWriter(JsonWriter& json, const ValuesFacts& facts, bool with_histograms)
      : facts_(facts), with_histograms_(with_histograms), json_(json) {}

  void head() {
    json_.begin_object().field("schema", "etlens/values@1");
    write_nullable(json_, "debug_buffer", facts_.study().debug_buffer);
    if (facts_.has_reference()) test_cases();
    json_.key("values").begin_array();
  }
  void values() {
    for (size_t v = 0; v < facts_.size(); ++v) value(v);
  }
  void tail() {
    json_.end_array();
    if (facts_.has_reference()) origins();
    json_.end_object();
  }

 private:
  void test_cases() {
    json_.key("test_cases").begin_array();
    for (const std::optional<uint32_t>& row : facts_.study().test_cases) {
      if (row) json_.value(*row);
      else json_.null();
    }
    json_.end_array();
  }

  void value(size_t row) {
    const ValueFacts& value = facts_.value(row);
    json_.begin_object().field("block", facts_.study().join->selected().name);
    json_.field("execution", value.execution);
    write_nullable(json_, "event", value.event);
    json_.key("instruction_id");
    if (value.instruction) json_.value(value.instruction->value);
    else json_.null();
    json_.key("debug_handles").begin_array();
    for (const DebugHandle handle : value.handles) json_.value(handle.value);
    json_.end_array();
    json_.field("output", value.output).field("role", name_of(value.role));
    json_.field("dtype", value.dtype).key("shape").begin_array();
    for (const int64_t size : value.shape) json_.value(size);
    json_.end_array();
    statistics(value);
    if (with_histograms_) histogram(row);
    write_nullable(json_, "node", value.node);
    json_.key("module");
    if (value.module_path) json_.value(*value.module_path);
    else json_.null();
    json_.key("line");
    write_place(json_, facts_.code(), value.line);
    if (value.line.valid()) json_.field("confidence", name_of(value.confidence));
    if (value.comparison != nullptr) comparison(value);
    if (!value.problem.empty()) json_.field("problem", value.problem);
    json_.end_object();
  }

  void statistics(const ValueFacts& value) {
    json_.key("first").begin_array();
    for (const double number : value.first) json_.value(number);
    json_.end_array();
    if (!value.statistics) {
      for (const char* name : {"sum", "min", "max", "mean", "std", "zeros", "nan", "inf"})
        json_.key(name).null();
      return;
    }
    const ValueStatistics& row = *value.statistics;
    json_.field("sum", row.sum);
    const bool has_numbers = row.finite > 0;
    for (const auto& [name, number] :
         {std::pair("min", row.minimum), std::pair("max", row.maximum), std::pair("mean", row.mean),
          std::pair("std", row.deviation)}) {
      json_.key(name);
      if (has_numbers) json_.value(number);
      else json_.null();
    }
    json_.field("zeros", row.zeros).field("nan", row.nan).field("inf", row.inf());
    if (row.saturation) {
      json_.key("saturation").begin_object();
      json_.field("low", row.saturation->low).field("high", row.saturation->high).end_object();
    }
  }

  // Bins with elements: [smallest magnitude, count].
  void bins(std::string_view name, const std::array<uint64_t, Magnitudes::kBins>& counts) {
    json_.key(name).begin_array();
    for (size_t bin = 0; bin < counts.size(); ++bin) {
      if (counts[bin] == 0) continue;
      json_.begin_array().value(Magnitudes::lower_bound(bin)).value(counts[bin]).end_array();
    }
    json_.end_array();
  }

  void histogram(size_t row) {
    json_.key("histogram");
    const std::optional<Magnitudes> magnitudes = facts_.magnitudes(row);
    if (!magnitudes) {
      json_.null();
      return;
    }
    json_.begin_object();
    bins("negative", magnitudes->negative);
    bins("positive", magnitudes->positive);
    json_.end_object();
  }

  void comparison(const ValueFacts& value) {
    const ValueComparison& row = *value.comparison;
    if (!row.has_counterpart) return;
    json_.key("gap");
    if (!row.gap) {
      json_.null().field("gap_problem", row.problem);
      return;
    }
    const Gap& gap = *row.gap;
    json_.begin_object();
    for (const auto& [name, number] :
         {std::pair("mse", gap.mse), std::pair("l1", gap.l1), std::pair("l1_mean", gap.l1_mean),
          std::pair("max_abs", gap.max_abs), std::pair("snr", gap.snr),
          std::pair("cosine", gap.cosine), std::pair("psnr", gap.psnr)})
      json_.field(name, number);
    json_.field("shapes", name_of(gap.shapes)).key("worst").begin_array();
    for (const WorstElement& element : gap.worst) {
      json_.begin_object().field("index", element.index).field("value", element.value);
      json_.field("reference", element.reference).end_object();
    }
    json_.end_array().end_object().field("made", value.made);
  }

  void origins() {
    json_.key("origin").begin_array();
    for (const OriginFacts& row : facts_.origins()) {
      json_.begin_object().key("line");
      write_place(json_, facts_.code(), row.line);
      json_.field("node", row.node).field("op", row.op).key("module");
      if (row.module_path) json_.value(*row.module_path);
      else json_.null();
      json_.field("made", row.made).key("snr_before");
      if (row.snr_before) json_.value(*row.snr_before);
      else json_.null();
      json_.field("snr_after", row.snr_after).key("lines").begin_array();
      for (const LineId line : row.lines) write_place(json_, facts_.code(), line);
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  const ValuesFacts& facts_;
  bool with_histograms_;
  JsonWriter& json_;
};

}  // namespace

ValuesJson::ValuesJson(ValuesFacts first, bool with_histograms)
    : first_(std::move(first)), with_histograms_(with_histograms) {
  ValuesWriter(json_, first_, with_histograms_).head();
  add(first_);
}

void ValuesJson::add(const ValuesFacts& block) {
  ValuesWriter(json_, block, with_histograms_).values();
}

std::string ValuesJson::take() {
  ValuesWriter(json_, first_, with_histograms_).tail();
  return json_.take();
}

std::string gaps_json(std::span<const InspectorGapRow> rows, GapMetric metric) {
  JsonWriter json;
  json.begin_object().field("schema", "etlens/values@1").field("metric", name_of(metric));
  json.key("rows").begin_array();
  for (const InspectorGapRow& row : rows) {
    json.begin_object();
    for (const char* name : {"aot_debug_handle", "runtime_debug_handle"}) {
      json.key(name).begin_array();
      for (const DebugHandle handle : row.handles) json.value(handle.value);
      json.end_array();
    }
    json.key("runtime_ops").begin_array();
    for (const std::string& op : row.ops) json.value(op);
    json.end_array().key("gap").begin_array();
    for (const double gap : row.gap) json.value(gap);
    json.end_array();
    if (!row.note.empty()) json.field("note", row.note);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace etlens
