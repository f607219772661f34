// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens partitions`.
#include "core/render/report_json.h"
#include "core/render/report_writer.h"
#include "core/facts/rollup.h"

namespace etlens {
namespace {

class PartitionsWriter {
 public:
  PartitionsWriter(const ProfileSnapshot& snapshot, TimeScale target)
      : profile_(snapshot.profile), out_(snapshot, target), json_(out_.json()) {}

  std::string run() {
    out_.head("etlens/partitions@1");
    out_.reconciliation();
    out_.time("delegated", profile_.delegated_ticks)
        .field("delegated_ticks", profile_.delegated_ticks);
    json_.field("delegated_share", profile_.share(profile_.delegated_ticks));
    json_.key("partitions").begin_array();
    const std::vector<PartitionDetail> details = partition_details(profile_);
    for (size_t p = 0; p < details.size(); ++p) {
      out_.partition(profile_.partitions[p]);
      detail(profile_.partitions[p], details[p]);
      json_.end_object();
    }
    json_.end_array().key("fallbacks").begin_array();
    for (const FallbackGap& row : fallback_gaps(profile_)) gap(row);
    json_.end_array().end_object();
    return json_.take();
  }

 private:
  void detail(const PartitionRow& row, const PartitionDetail& detail) {
    json_.field("share", profile_.share(row.total_ticks));
    out_.per_execution("occurrences", row.occurrences);
    json_.field("module", out_.module_path(row.module));
    json_.key("explained_by").begin_object();
    for (size_t c = 0; c < detail.line_ticks.size(); ++c) {
      json_.field(std::string(name_of(static_cast<Confidence>(c))) + "_ticks",
                  detail.line_ticks[c]);
    }
    json_.field("without_line_ticks", detail.unlined_ticks).end_object();
    json_.field("layout_ticks", detail.layout_ticks);
    json_.key("operators").begin_array();
    for (const EventId id : row.events) {
      const EventRow& event = profile_.events[id.value];
      json_.begin_object();
      out_.op(event);
      json_.field("part", name_of(event.part)).field("layout", event.layout).key("line");
      out_.place(event.line);
      json_.end_object();
    }
    json_.end_array().key("nodes").begin_array();
    for (const PartitionNode& node : detail.nodes) this->node(node);
    json_.end_array();
    neighbours("fed_by", detail.fed_by);
    neighbours("read_by", detail.read_by);
  }

  void node(const PartitionNode& row) {
    const Node& node = profile_.record->nodes[row.node.value];
    json_.begin_object().field("name", profile_.record->text(node.name));
    json_.field("op", profile_.record->text(node.target)).key("debug_handle");
    if (profile_.record->is_set(node.debug_handle)) json_.value(node.debug_handle);
    else json_.null();
    json_.field("fate", name_of(row.fate));
    out_.nullable("event", row.event.valid() ? profile_.event_name(profile_.events[row.event.value])
                                             : std::string());
    json_.end_object();
  }

  void neighbours(std::string_view name, const std::vector<Neighbour>& neighbours) {
    json_.key(name).begin_array();
    for (const Neighbour& row : neighbours) {
      json_.begin_object();
      if (row.partition.valid()) {
        json_.field("partition", profile_.partitions[row.partition.value].number);
      } else {
        const Node& node = profile_.record->nodes[row.node.value];
        json_.field("name", profile_.record->text(node.name))
            .field("op", profile_.record->text(node.target));
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void gap(const FallbackGap& gap) {
    json_.begin_object().field("before", profile_.partitions[gap.before.value].number);
    json_.field("after", profile_.partitions[gap.after.value].number);
    out_.time("self", gap.sum.self_ticks).field("self_ticks", gap.sum.self_ticks);
    json_.field("share", profile_.share(gap.sum.self_ticks)).key("operators").begin_array();
    for (const EventId id : gap.events) {
      json_.begin_object();
      out_.op(profile_.events[id.value]);
      json_.key("line");
      out_.place(profile_.events[id.value].line);
      json_.end_object();
    }
    json_.end_array().end_object();
  }

  const Profile& profile_;
  ReportWriter out_;
  JsonWriter& json_;
};

}  // namespace

std::string partitions_json(const ProfileSnapshot& snapshot, TimeScale target) {
  return PartitionsWriter(snapshot, target).run();
}

}  // namespace etlens
