// SPDX-License-Identifier: Apache-2.0
#include "core/render/diff_json.h"

#include <span>
#include <string_view>

#include "core/base/fields_json.h"
#include "core/render/json_parts.h"
#include "core/view/report_view.h"

namespace etlens {
namespace {

class DiffWriter {
 public:
  DiffWriter(const Comparison& comparison, TimeScale target)
      : comparison_(comparison),
        before_(*comparison.before->code),
        after_(*comparison.after->code),
        target_(target),
        factor_(scale_factor(comparison.scale, target)) {}

  std::string run() {
    json_.begin_object().field("schema", "etlens/diff@1").field("time_unit", name_of(target_));
    json_.key("dumps").begin_object();
    json_.field("base", comparison_.before->dumps.size());
    json_.field("new", comparison_.after->dumps.size()).end_object();
    machine();
    total();
    cold_start();
    json_.key("lines").begin_array();
    for (const LineChange& row : comparison_.lines) {
      if (has_time(row.change)) line(row);
    }
    json_.end_array().key("modules").begin_array();
    for (const ModuleChange& row : comparison_.modules) module(row);
    json_.end_array().key("operators").begin_array();
    for (const OperatorChange& row : comparison_.operators) {
      if (has_time(row.change)) op(row);
    }
    json_.end_array().key("partitions").begin_array();
    for (const PartitionChange& row : comparison_.partitions) partition(row);
    json_.end_array().key("parts").begin_array();
    for (const PartChange& row : comparison_.parts) {
      json_.begin_object().field("part", name_of(row.part));
      change_of(row.change);
      json_.end_object();
    }
    json_.end_array();
    reconciliation();
    json_.field("score", comparison_.score).end_object();
    return json_.take();
  }

 private:
  static bool has_time(const Change& change) {
    return change.before.ticks != Amount() || change.after.ticks != Amount();
  }

  void machine() {
    const Machine& machine = comparison_.machine;
    json_.key("machine");
    if (!machine.is_known) {
      json_.null();
      return;
    }
    json_.begin_object().field("factor", machine.factor).field("low", machine.low);
    json_.field("high", machine.high).field("places", machine.places).end_object();
  }

  void total() {
    json_.key("total").begin_object();
    change_of(comparison_.total);
    json_.end_object();
  }

  // Of one dump each: without a verdict.
  void cold_start() {
    json_.key("cold_start").begin_object().key("base");
    write_json(json_, cold_start_view(comparison_.before->cold_start(), factor_));
    json_.key("new");
    write_json(json_, cold_start_view(comparison_.after->cold_start(), factor_));
    json_.end_object();
  }

  // The verdict of a change, and its numbers; null where there are none.
  void judged_of(const Change& change) {
    const Judged& judged = change.judged;
    const bool has_numbers = judged.verdict != Verdict::Gone && judged.verdict != Verdict::New &&
                             judged.reason != Reason::Nothing;
    const auto number = [&](std::string_view name, double value) {
      json_.key(name);
      if (has_numbers) json_.value(value);
      else json_.null();
    };
    number("change", judged.change);
    number("low", judged.low);
    number("high", judged.high);
    number("p", judged.p);
    json_.field("verdict", name_of(judged.verdict)).field("likely", judged.is_likely);
    json_.key("reason");
    if (judged.reason == Reason::None) json_.null();
    else json_.value(name_of(judged.reason));
    json_.key("needs_dumps");
    if (judged.needs_dumps) json_.value(*judged.needs_dumps);
    else json_.null();
    if (!change.inside) return;
    json_.key("inside").begin_object().field("low", change.inside->low);
    json_.field("high", change.inside->high).end_object();
  }

  void change_of(const Change& change) {
    json_.field("before", change.before.value / factor_);
    json_.field("after", change.after.value / factor_);
    json_.field("before_ticks", change.before.ticks.value);
    json_.field("after_ticks", change.after.ticks.value);
    judged_of(change);
  }

  void place(const Code& code, LineId id) {
    const CodeLine& line = code.lines[id.value];
    json_.field("recorded_path", code.recorded_path(line.file)).field("line", line.number);
    json_.field("function", code.text(line.function)).field("text", code.text(line.text));
  }

  // The first of the lines, with the cost of all of them; the others beside it.
  void side_of_line(std::string_view name, const Code& code, std::span<const LineId> lines,
                    const SideCost& cost) {
    json_.key(name);
    if (lines.empty()) {
      json_.null();
      return;
    }
    json_.begin_object();
    place(code, lines.front());
    json_.field("self", cost.value / factor_).field("self_ticks", cost.ticks.value);
    json_.field("disturbance_ticks", cost.disturbance.value).field("share", cost.share);
    json_.key("with").begin_array();
    for (const LineId line : lines.subspan(1)) {
      json_.begin_object();
      place(code, line);
      json_.end_object();
    }
    json_.end_array().end_object();
  }

  void names(std::string_view name, const std::vector<std::string>& values) {
    json_.key(name).begin_array();
    for (const std::string& value : values) json_.value(value);
    json_.end_array();
  }

  void line(const LineChange& row) {
    json_.begin_object();
    side_of_line("before", before_, row.before, row.change.before);
    side_of_line("after", after_, row.after, row.change.after);
    judged_of(row.change);
    names("kernels_before", row.kernels_before);
    names("kernels_after", row.kernels_after);
    json_.end_object();
  }

  void module_path(std::string_view name, const Code& code, ModuleId id) {
    json_.key(name);
    if (id.valid()) json_.value(code.modules[id.value].path);
    else json_.null();
  }

  void module(const ModuleChange& row) {
    json_.begin_object();
    module_path("before_path", before_, row.before);
    module_path("after_path", after_, row.after);
    change_of(row.change);
    json_.end_object();
  }

  void line_number(std::string_view name, const Code& code, LineId id) {
    json_.key(name);
    if (!id.valid()) {
      json_.null();
      return;
    }
    const CodeLine& line = code.lines[id.value];
    json_.begin_object().field("recorded_path", code.recorded_path(line.file));
    json_.field("line", line.number).end_object();
  }

  void op(const OperatorChange& row) {
    json_.begin_object().field("op", row.op).field("number", row.number);
    line_number("before_line", before_, row.line_before);
    line_number("after_line", after_, row.line_after);
    module_path("before_module", before_, row.module_before);
    module_path("after_module", after_, row.module_after);
    change_of(row.change);
    names("kernels_before", row.kernels_before);
    names("kernels_after", row.kernels_after);
    json_.end_object();
  }

  void partition_number(std::string_view name, const Code& code, PartitionId id) {
    json_.key(name);
    if (id.valid()) json_.value(code.partitions[id.value].number);
    else json_.null();
  }

  void partition(const PartitionChange& row) {
    json_.begin_object();
    partition_number("before_id", before_, row.before);
    partition_number("after_id", after_, row.after);
    change_of(row.change);
    json_.end_object();
  }

  // Of each side: lines + parts + disturbance = measured.
  void reconciliation() {
    json_.key("reconciliation").begin_object();
    const auto side = [&](std::string_view name, const Side& measured, const SideCost& total,
                          auto cost_of) {
      Amount lines;
      for (const LineChange& row : comparison_.lines) lines += cost_of(row.change).ticks;
      json_.key(name).begin_object().field("lines_ticks", lines.value);
      for (const PartChange& row : comparison_.parts) {
        json_.field(std::string(name_of(row.part)) + "_ticks", cost_of(row.change).ticks.value);
      }
      json_.field("disturbance_ticks", total.disturbance.value);
      json_.field("total_ticks", measured.measured().value);
      json_.field("executions", measured.executions()).end_object();
    };
    side("base", *comparison_.before, comparison_.total.before,
         [](const Change& change) { return change.before; });
    side("new", *comparison_.after, comparison_.total.after,
         [](const Change& change) { return change.after; });
    json_.end_object();
  }

  const Comparison& comparison_;
  const Code& before_;
  const Code& after_;
  TimeScale target_;
  double factor_;
  JsonWriter json_;
};

}  // namespace

std::string diff_json(const Comparison& comparison, TimeScale target) {
  return DiffWriter(comparison, target).run();
}

}  // namespace etlens
