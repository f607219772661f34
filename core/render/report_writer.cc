// SPDX-License-Identifier: Apache-2.0
#include "core/render/report_writer.h"

#include "core/base/fields_json.h"
#include "core/render/findings.h"

namespace etlens {

HeadView head_view(const Facts& facts, const Headline& headline, const Scale& scale) {
  return head_view(facts, headline, scale, finding_texts(headline, facts, std::nullopt));
}

ReportView report_view(const Facts& facts, const Headline& headline, const Scale& scale) {
  return {head_view(facts, headline, scale), reconciliation_view(headline)};
}

ReportWriter::ReportWriter(const Facts& facts, TimeScale target)
    : facts_(facts), headline_(etlens::headline(facts)), scale_(facts, target) {}

void ReportWriter::head(std::string_view schema) {
  json_.begin_object().field("schema", schema);
  write_members(json_, head_view(facts_, headline_, scale_));
}

void ReportWriter::reconciliation() {
  json_.key("reconciliation");
  write_json(json_, reconciliation_view(headline_));
}

JsonWriter& ReportWriter::cost(std::string_view name, const Cost& cost) {
  json_.field(name, scale_.of(cost));
  return json_.field(std::string(name) + "_ticks", cost.amount.value);
}

void ReportWriter::partition_numbers(std::span<const PartitionId> partitions) {
  json_.key("partitions");
  write_json(json_, call_numbers(facts_, partitions));
}

}  // namespace etlens
