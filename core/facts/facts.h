// SPDX-License-Identifier: Apache-2.0
// Facts: what a person may want to know of one place, as values, before any word. The only reader
// of measures: surfaces read facts, and two of them that say different things about one place would
// have to ask two different questions.
//
// Built once per study, in the background; every answer is a look-up, or a sum over the few
// contributions of one place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/assert.h"
#include "core/base/perf_data.h"
#include "core/facts/classes.h"
#include "core/facts/cost.h"
#include "core/facts/fallbacks.h"
#include "core/facts/symbols.h"
#include "core/measure/histogram.h"
#include "core/measure/interval.h"
#include "core/measure/operators.h"
#include "core/workspace/study.h"

namespace etlens {

// A recorded line, and what it costs.
struct LineFacts {
  LineId id;
  FileId file;
  uint32_t number = 0;  // 1-based, as recorded
  std::string_view recorded_path;
  std::string_view function;
  std::string_view text;
  Cost self;
  Cost inclusive;          // with what it calls
  Amount delegated;        // of the self amount: inside delegate calls
  double occurrences = 0;  // of its own contributions, per sample
  uint64_t runs = 0;       // how often it runs in one execution, with the rounds of its loop
  Confidence confidence = Confidence::Exact;
  std::vector<std::string> where;       // labels of backends, "CPU" last; empty if all is CPU
  std::vector<ContributionId> own;      // the most costly first
  std::vector<ContributionId> through;  // likewise: that pass through it
  std::vector<LineId> fused_into;       // lines that do its work
  std::vector<LineId> fused_from;       // lines whose work it does
  std::vector<PartitionId> partitions;  // delegate calls that hold nodes of it
  // Level of the quantity at the line's most costly contribution, e.g. SNR in dB for `error`.
  // Nothing for quantities that only add up.
  std::optional<double> level;

  // It, or something that it calls, has a cost of its own.
  bool has_cost() const { return inclusive.amount > Amount() || !own.empty(); }
};

// A contribution: an event of the dump, or a row of another measure.
struct ContributionFacts {
  ContributionId id;
  std::string name;     // for people
  std::string remark;   // what else there is to say; "" for events
  std::string_view op;  // the node's operator; "" if it has no node
  Part part = Part::Framework;
  Cost self;
  Cost inclusive;               // with what it contains
  double occurrences = 0;       // per sample
  std::string_view backend;     // its id; "" outside of delegate calls
  std::string where;            // its label; "" likewise
  std::optional<double> level;  // as LineFacts has it
  PartitionId partition;
  ModuleId module;
  std::optional<std::string_view> module_path;
  LineId line;
  NodeId node;
  Confidence confidence = Confidence::Exact;
  uint32_t candidates = 1;  // possible lines, if inferred
  bool is_layout = false;

  bool has_place() const { return part == Part::Line || part == Part::OpaquePartition; }
};

// What only an event of the dump has.
struct EventFacts : ContributionFacts {
  std::string logged_name;  // as the dump has it
  std::optional<Instruction> instruction;
  int32_t chain = -1;
  bool is_rescaled = false;  // its time is a share of its call
  bool has_duration = true;  // false for cycles, counts, totals: no statistics of ticks
  DelegateUnit unit = DelegateUnit::Ticks;
  double reported = 0;  // what its backend logged, per sample, in `unit`; 0 for ticks
};

struct ModuleFacts {
  ModuleId id;
  std::string_view path;  // "" is the root
  std::string_view type;  // "" if no stack names the module itself
  ModuleId parent;
  uint32_t depth = 0;
  uint32_t calls = 0;
  Cost self;
  Cost inclusive;
  Amount delegated;  // of the inclusive amount
  LineId line;       // where most of it is spent; invalid if nowhere
};

struct PartitionFacts {
  PartitionId id;
  uint32_t number = 0;
  Instruction instruction;
  std::string_view backend;  // "" if nothing names it
  std::string label;         // of the backend
  std::string_view module_path;
  Cost total;
  Cost explained;  // on lines, or of a known node without a line
  Cost opaque;
  Cost overhead;           // not measured by the delegate
  double occurrences = 0;  // of the call, per sample
  // Beside the total: ticks that it took to set its delegate up, where the dump tells.
  std::optional<double> init;
  std::span<const NodeId> nodes;
  std::span<const LineId> lines;
  std::span<const ContributionId> events;  // inside it
  std::span<const NodeId> unreported;

  bool ran() const { return occurrences > 0 || opaque.amount > Amount(); }
};

// What calls a contribution, or what it calls.
struct CallFacts {
  ContributionId other;
  Cost inclusive;    // of the callee in these calls, with what it called
  double times = 0;  // per sample
};

// Contributions of one line, or of one module below it.
struct ModuleShare {
  ModuleId module;
  Cost cost;
};

// What Facts are made for. Only editors look for symbols, and ask about classes and attributes.
enum class FactsFor : uint8_t { Editors, Reports };

class Facts {
 public:
  // `measure`: a row of the study's measures; the first is time, where there is a dump.
  explicit Facts(std::shared_ptr<const Study> study, size_t measure = 0,
                 FactsFor use = FactsFor::Editors);

  const Study& study() const { return *study_; }
  const std::shared_ptr<const Study>& shared_study() const { return study_; }
  // Of the measure: another than the join's where the measure is of something else.
  const Code& code() const { return *measure().landings->code; }
  const Join& join() const { return *study_->join; }
  const Measure& measure() const { return study_->measures[measure_]; }
  const Quantity& quantity() const { return measure().quantity; }
  // The contributions are the events of the dump: they may be asked for as such, and what is known
  // of events alone (metadata, fallbacks, symbols, handles) is not empty.
  bool has_events() const { return measure().landings == study_->join->landings; }
  // The contributions are the operators of an export that has not run (core/facts/export_facts.h).
  bool has_operators() const { return quantity().id == kOperatorsId; }
  const std::vector<SourceLocation>& sources() const { return study_->sources_of(code()); }
  // The row of the source file at `path` (absolute); invalid if the code has nothing there.
  FileId find_source(std::string_view path) const;
  size_t line_count() const { return code().lines.size(); }
  size_t contribution_count() const { return measure().self.size(); }

  Cost cost(const Total& total) const;
  Cost cost(Amount amount) const { return cost(Total{amount, {}}); }
  // Of distinct contributions: unlike cost(), it tells what ran for too short a time from nothing.
  Cost cost_of(std::span<const ContributionId> contributions) const;

  // No execution took a single tick: the platform has no clock that runs, and nothing was timed.
  bool clock_stands() const { return clock_stands_; }

  // What a clock could not tell from nothing, in ticks: of those of the contributions that ran, and
  // that are measured in time. 0 for none.
  double clock_step(std::span<const ContributionId> contributions) const;

  LineFacts line(LineId id) const;
  // Branches and loops that have operators on the line, or whose operator stands there; and the
  // buffers whose new value it computes. Empty for other measures than those of events.
  std::vector<const BodyRuns*> bodies_of(LineId id) const;
  std::span<const StateWrite> writes_of(LineId id) const;
  // Something lands on it: tables and reports list no other lines.
  bool is_listed(LineId id) const { return !measure().landings->lines[id.value].empty(); }
  ContributionFacts contribution(ContributionId id) const;
  // Only where has_events().
  EventFacts event(ContributionId id) const;
  // The labels of the backends that these events or operators run on, and "CPU" last; empty where
  // nothing is delegated.
  std::vector<std::string> where_ran(std::span<const ContributionId> events) const;
  // Contributions call each other, and inclusive costs are those of calls.
  bool has_calls() const { return !measure().calls.empty(); }
  // The most costly first.
  std::vector<CallFacts> callers_of(ContributionId id) const;
  std::vector<CallFacts> callees_of(ContributionId id) const;
  // The backend that it ran on or belongs to: its id; "" outside of delegate calls.
  std::string_view backend_id(ContributionId id) const;
  ModuleFacts module(ModuleId id) const;
  PartitionFacts partition(PartitionId id) const;

  // Over the samples used, of the number shown beside it. All zero for fewer than one sample.
  PerfData statistics(std::span<const ContributionId> contributions) const;
  Histogram histogram(std::span<const ContributionId> contributions) const;
  // 95 %; none for too few samples, and for minimum and maximum.
  std::optional<Interval> interval(std::span<const ContributionId> contributions) const;
  // Of contributions that occurred: not in an order of their own but by cost; ties in the order of
  // execution.
  const std::vector<ContributionId>& ranked() const { return ranked_; }
  // Lines with a cost of their own, the most costly first.
  const std::vector<LineId>& hot_lines() const { return hot_lines_; }
  // The cost of one line by module. Its own by the module that owns it; where it has none, what
  // runs through it by the modules that were called from there. The most costly first.
  std::vector<ModuleShare> by_module(const LineFacts& line) const;
  std::vector<DebugHandle> handles_of(const LineFacts& line) const;
  // What a backend attached to the event in the first execution; "" for nothing.
  std::string_view metadata(ContributionId id) const;

  // Both only of facts for editors.
  const ClassTable& classes() const {
    ETLENS_ASSERT(is_for_editors_);
    return classes_;
  }
  const std::vector<Symbol>& symbols() const {
    ETLENS_ASSERT(is_for_editors_);
    return symbols_;
  }
  const std::vector<FallbackGap>& fallback_gaps() const { return fallback_gaps_; }
  const std::vector<LineFallback>& line_fallbacks() const { return line_fallbacks_; }
  // Null if the line did not fall back.
  const LineFallback* fallback_of(LineId line) const;

 private:
  // How often the branch or the loop around all of the line ran in one execution; else 1.
  uint64_t rounds_of(LineId id) const;
  Cost cost_of(const Total& total, std::span<const ContributionId> contributions) const;
  void describe(ContributionId id, ContributionFacts& facts) const;
  void rank();
  void find_lines_of_modules();
  void collect_metadata();
  void collect_event_tables();
  void sort_calls();
  CallFacts call_facts(const Call& call, ContributionId other) const;

  std::shared_ptr<const Study> study_;
  size_t measure_;
  bool is_for_editors_;
  bool clock_stands_ = false;
  std::vector<ContributionId> ranked_;
  std::vector<LineId> hot_lines_;
  std::vector<std::vector<LineId>> fused_from_;  // per line
  std::vector<LineId> line_of_module_;
  std::vector<uint32_t> calls_by_caller_;   // rows of Measure::calls
  std::vector<std::string_view> metadata_;  // per event; empty if the dump holds none
  ClassTable classes_;
  std::vector<FallbackGap> fallback_gaps_;
  std::vector<LineFallback> line_fallbacks_;
  std::vector<Symbol> symbols_;
};

}  // namespace etlens
