// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens fleet`.
#include "core/base/json_writer.h"
#include "core/render/fleet_table.h"

namespace etlens {
namespace {

class FleetJson {
 public:
  FleetJson(const Fleet& fleet, TimeScale target)
      : fleet_(fleet),
        target_(target),
        factor_(scale_factor(*parse_time_scale(fleet.tick), target)) {}

  std::string fleet() {
    head("etlens/fleet@1");
    json_.key("quantiles").begin_array();
    for (const double q : kFleetQuantiles) json_.value(q);
    json_.end_array().key("quantile_error");
    if (fleet_.quantile_error < 0) json_.null();
    else json_.value(fleet_.quantile_error);
    json_.key("places").begin_array();
    for (const FleetPlace& row : fleet_.places) {
      json_.begin_object();
      place(row.place);
      cell(row.all);
      json_.field("share", fleet_.share(row.all.quantiles[0])).key("groups").begin_array();
      for (size_t g = 0; g < row.groups.size(); ++g) {
        if (row.groups[g].dumps == 0) continue;
        json_.begin_object().key("group");
        group(fleet_.groups[g]);
        cell(row.groups[g]);
        json_.end_object();
      }
      json_.end_array().end_object();
    }
    json_.end_array();
    broken();
    json_.end_object();
    return json_.take();
  }

  std::string trend(const Trend& trend) {
    head("etlens/fleet-trend@1");
    json_.key("builds").begin_array();
    for (size_t b = 0; b < trend.builds.size(); ++b)
      json_.begin_object()
          .field("build", trend.builds[b])
          .field("dumps", trend.dumps[b])
          .end_object();
    json_.end_array().field("level", kTrendLevel).field("tested", trend.tested);
    json_.field("sampled_dumps", fleet_.kept.size());
    machine(trend);
    json_.key("places").begin_array();
    for (const TrendPlace& row : trend.places) {
      json_.begin_object();
      place(row.place->place);
      change(trend, row);
      json_.key("medians").begin_array();
      for (const double median : row.medians) {
        if (median < 0) json_.null();
        else json_.value(median / factor_);
      }
      json_.end_array().end_object();
    }
    json_.end_array();
    broken();
    json_.end_object();
    return json_.take();
  }

 private:
  void change(const Trend& trend, const TrendChange& row) {
    json_.key("changed_with");
    if (row.first) json_.value(trend.builds[*row.first]).field("change", row.change);
    else json_.null().key("change").null();
    json_.field("p", row.p);
  }

  void machine(const Trend& trend) {
    json_.key("machine");
    if (trend.machine.lines == 0) {
      json_.null();
      return;
    }
    json_.begin_object().field("lines", trend.machine.lines);
    change(trend, trend.machine);
    json_.key("levels").begin_array();
    for (const double level : trend.machine.medians) {
      if (level > 0) json_.value(level);
      else json_.null();
    }
    json_.end_array().end_object();
  }

  void head(std::string_view schema) {
    json_.begin_object().field("schema", schema).field("time_unit", name_of(target_));
    json_.field("program", fleet_.program).field("statistic", fleet_.statistic);
    json_.field("dumps", fleet_.dumps).field("repeated", fleet_.repeated);
    json_.key("group_by");
    group(fleet_.group_by);
  }

  void group(const std::vector<std::string>& values) {
    json_.begin_array();
    for (const std::string& value : values) json_.value(value);
    json_.end_array();
  }

  void place(const RowPlace& place) {
    json_.field("kind", name_of(place.kind)).field("place", place.key);
    if (place.kind != PlaceKind::Line) return;
    json_.field("recorded_path", place.file).field("line", place.line);
    json_.field("function", place.function).field("text", place.text);
  }

  void named(std::string_view name, const std::vector<NamedValue>& values) {
    json_.key(name).begin_array();
    for (const NamedValue& value : values)
      json_.begin_object()
          .field("dump", value.dump)
          .field("value", value.value / factor_)
          .end_object();
    json_.end_array();
  }

  void cell(const FleetCell& cell) {
    json_.field("dumps", cell.dumps);
    constexpr std::array<std::string_view, kFleetQuantiles.size()> kNames{"p50", "p90", "p95",
                                                                          "p99"};
    for (size_t q = 0; q < kNames.size(); ++q) json_.field(kNames[q], cell.quantiles[q] / factor_);
    json_.field("hottest", cell.hottest).field("outliers", cell.outliers);
    named("slow", cell.slow);
    named("fast", cell.fast);
  }

  void broken() {
    json_.key("broken").begin_array();
    for (size_t r = 0; r < kBrokenReasons; ++r) {
      const BrokenDumps& broken = fleet_.broken[r];
      if (broken.count == 0) continue;
      json_.begin_object().field("reason", name_of(static_cast<BrokenReason>(r)));
      json_.field("count", broken.count).key("named").begin_array();
      for (const BrokenDump& dump : broken.named)
        json_.begin_object().field("dump", dump.name).field("message", dump.sentence).end_object();
      json_.end_array().end_object();
    }
    json_.end_array();
    const LeftOutRecords& records = fleet_.records_left_out;
    json_.key("records_left_out").begin_object().field("count", records.count);
    json_.key("named").begin_array();
    for (const std::string& sentence : records.named) json_.value(sentence);
    json_.end_array().end_object();
  }

  const Fleet& fleet_;
  TimeScale target_;
  double factor_;
  JsonWriter json_;
};

}  // namespace

std::string fleet_json(const Fleet& fleet, TimeScale target) {
  return FleetJson(fleet, target).fleet();
}

std::string trend_json(const Fleet& fleet, const Trend& trend, TimeScale target) {
  return FleetJson(fleet, target).trend(trend);
}

}  // namespace etlens
