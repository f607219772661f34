// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens partitions`.
#include "core/facts/delegation.h"
#include "core/render/report_json.h"
#include "core/render/report_writer.h"

namespace etlens {
namespace {

class PartitionsWriter {
 public:
  PartitionsWriter(const Facts& facts, TimeScale target)
      : facts_(facts), out_(facts, target), json_(out_.json()) {}

  std::string run(const RowChoice& rows) {
    out_.head("etlens/partitions@2");
    out_.reconciliation();
    const Cost& delegated = out_.headline().in_delegates;
    out_.cost("delegated", delegated).field("delegated_share", delegated.share);
    json_.key("partitions").begin_array();
    const std::vector<PartitionDetail> details = partition_details(facts_);
    for (const size_t p : chosen_rows(rows, details.size())) partition(PartitionId(p), details[p]);
    json_.end_array().key("fallbacks").begin_array();
    for (const FallbackGap& row : facts_.fallback_gaps()) gap(row);
    json_.end_array().end_object();
    return json_.take();
  }

 private:
  void partition(PartitionId id, const PartitionDetail& detail) {
    const PartitionFacts row = facts_.partition(id);
    json_.begin_object();
    out_.partition(row);
    json_.field("disturbance_ticks", row.total.disturbance.value);
    json_.field("share", row.total.share).field("occurrences", row.occurrences);
    json_.field("module", row.module_path).key("explained_by").begin_object();
    for (size_t c = 0; c < detail.on_lines.size(); ++c) {
      const std::string_view word = name_of(static_cast<Confidence>(c));
      json_.field(std::string(word) + "_ticks", detail.on_lines[c].value);
    }
    json_.field("without_line_ticks", detail.without_line.value).end_object();
    json_.field("layout_ticks", detail.layout.value).key("operators").begin_array();
    for (const ContributionId event : row.events) operator_inside(facts_.event(event));
    json_.end_array().key("nodes").begin_array();
    for (const PartitionNode& node : detail.nodes) this->node(node);
    json_.end_array();
    neighbours("fed_by", detail.fed_by);
    neighbours("read_by", detail.read_by);
    json_.end_object();
  }

  void operator_inside(const EventFacts& event) {
    json_.begin_object();
    out_.op(event.id);
    json_.field("part", name_of(event.part)).field("layout", event.is_layout).key("line");
    out_.place(event.line);
    json_.end_object();
  }

  void node(const PartitionNode& row) {
    const EtRecord& record = *facts_.join().record;
    const Node& node = record.nodes[row.node.value];
    json_.begin_object().field("name", record.text(node.name));
    json_.field("op", record.text(node.target)).key("debug_handle");
    if (record.is_set(node.debug_handle)) json_.value(node.debug_handle.value);
    else json_.null();
    json_.field("fate", name_of(row.fate));
    out_.nullable("event",
                  row.event.valid() ? facts_.join().logged_name(row.event) : std::string());
    json_.end_object();
  }

  void neighbours(std::string_view name, const std::vector<Neighbour>& neighbours) {
    json_.key(name).begin_array();
    for (const Neighbour& row : neighbours) {
      json_.begin_object();
      if (row.partition.valid()) {
        json_.field("partition", facts_.code().partitions[row.partition.value].number);
      } else {
        const EtRecord& record = *facts_.join().record;
        const Node& node = record.nodes[row.node.value];
        json_.field("name", record.text(node.name)).field("op", record.text(node.target));
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void gap(const FallbackGap& gap) {
    const std::vector<Partition>& partitions = facts_.code().partitions;
    json_.begin_object().field("before", partitions[gap.before.value].number);
    json_.field("after", partitions[gap.after.value].number);
    const Cost cost = facts_.cost_of(gap.events);
    out_.cost("self", cost).field("disturbance_ticks", cost.disturbance.value);
    json_.field("share", cost.share).key("operators").begin_array();
    for (const ContributionId id : gap.events) {
      const EventFacts event = facts_.event(id);
      json_.begin_object();
      out_.op(event.id);
      json_.key("line");
      out_.place(event.line);
      json_.end_object();
    }
    json_.end_array().end_object();
  }

  const Facts& facts_;
  ReportWriter out_;
  JsonWriter& json_;
};

}  // namespace

std::string partitions_json(const Facts& facts, TimeScale target, const RowChoice& rows) {
  return PartitionsWriter(facts, target).run(rows);
}

}  // namespace etlens
