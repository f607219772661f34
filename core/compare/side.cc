// SPDX-License-Identifier: Apache-2.0
#include "core/compare/side.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/base/controls.h"
#include "core/base/text.h"
#include "core/compare/dump_amounts.h"

namespace etlens {
namespace {

// The same method of the same record, as far as lines and modules can tell.
bool is_same_code(const Code& a, const Code& b) {
  if (a.record != b.record || a.method_name() != b.method_name()) return false;
  return a.lines.size() == b.lines.size() && a.modules.size() == b.modules.size() &&
         a.places.size() == b.places.size() && a.partitions.size() == b.partitions.size();
}

// Adds the dumps of one program, each once it has been read.
class SideBuilder {
 public:
  // `samples`: to be kept of each dump.
  explicit SideBuilder(size_t samples) : samples_(samples) {}

  Result<void> add(const Study& study) {
    const Join& join = *study.join;
    if (side_.code == nullptr) begin(study);
    else if (!is_same_code(*side_.code, join.code()))
      return Error{ErrorCode::Unsupported,
                   study.etdump_path +
                       " is not of the program that the other dumps of its side "
                       "are of; compare it as a side of its own"};
    if (study.clock() != side_.clock)
      return Error{ErrorCode::Unsupported,
                   study.etdump_path + " counts in another unit than the other dumps of its side"};
    add_amounts(study);
    return {};
  }

  size_t dump_count() const { return side_.dumps.size(); }
  // The group that the next dump's executions are to correspond to; `given`: of the other side.
  std::optional<ChosenGroup> like(const std::optional<ChosenGroup>& given) const {
    return side_.dumps.empty() ? given : side_.group;
  }
  // The dump's numbers are of executions that did the same work as those before it.
  Result<void> check_work(const Study& study) const {
    if (side_.dumps.empty()) return {};
    return check_groups(side_.group, chosen_group(study.time()), side_.dumps.front().path,
                        study.etdump_path);
  }

  // Executions count only where there is nothing better, another process: `only` is the study of
  // the one dump, null if there are more.
  Side finish(const Study* only) && {
    if (only == nullptr) return std::move(side_);
    for (const std::vector<float>& of_events : influences_of(only->time())) {
      std::vector<float>& row = side_.influences.emplace_back(side_.operations.size());
      for (size_t e = 0; e < of_events.size(); ++e) row[row_of_[e]] += of_events[e];
    }
    return std::move(side_);
  }

 private:
  void begin(const Study& study) {
    side_.code = study.join->landings->code;
    side_.landings.code = side_.code;
    side_.sources = study.sources;
    side_.clock = study.clock();
    side_.group = chosen_group(study.time());
    side_.etrecord_path = study.etrecord_path;
    side_.pte_path = study.pte_path;
    if (study.recovery != nullptr) {
      for (const UnrecoveredCall& call : study.recovery->unrecovered)
        side_.unrecovered.push_back(call.module);
      std::sort(side_.unrecovered.begin(), side_.unrecovered.end());
    }
  }

  size_t find_or_add(const Join& join, ContributionId id, const std::string& key) {
    const auto [at, is_new] = rows_.try_emplace(key, side_.operations.size());
    if (!is_new) return at->second;
    const Landing& landing = (*join.landings)[id];
    Operation operation;
    operation.kernel = kernel_name(join.readable_name(id));
    if (landing.node.valid())
      operation.op = join.record->text(join.record->nodes[landing.node.value].target);
    if (const std::string_view backend = join.backend_id(id); !backend.empty())
      operation.backend = join.backends->label(backend);
    operation.chain = join.event(id).key.chain;
    operation.instruction = join.event(id).key.instruction;
    side_.operations.push_back(std::move(operation));
    side_.landings.rows.push_back(landing);
    return at->second;
  }

  void add_amounts(const Study& study) {
    const Measure& measure = study.time();
    const std::vector<std::string> keys = operation_keys(*study.join);
    DumpAmounts dump;
    dump.path = study.etdump_path;
    dump.executions = measure.sample_count();
    dump.total = measure.total.total;
    dump.cold = study.cold;
    row_of_.assign(keys.size(), 0);
    for (size_t e = 0; e < keys.size(); ++e) {
      const size_t row = row_of_[e] = find_or_add(*study.join, ContributionId(e), keys[e]);
      if (row >= dump.self.size()) {
        dump.self.resize(row + 1);
        dump.clock_error.resize(row + 1);
      }
      dump.self[row] += measure.self[e];
      dump.clock_error[row] +=
          static_cast<float>(clock_error(measure, study.logged, ContributionId(e)));
    }
    side_.dumps.push_back(std::move(dump));
    keep_samples(measure);
    for (DumpAmounts& each : side_.dumps) {
      each.self.resize(side_.operations.size());
      each.clock_error.resize(side_.operations.size());
    }
  }

  // Evenly from the executions that count.
  void keep_samples(const Measure& measure) {
    const std::vector<uint32_t>& used = measure.samples.used;
    const size_t count = std::min(samples_, used.size());
    for (size_t i = 0; i < count; ++i) {
      std::vector<float>& row = side_.samples.emplace_back(side_.operations.size());
      for (size_t e = 0; e < row_of_.size(); ++e) {
        const int64_t ticks = measure.series.at(e, used[i * used.size() / count]);
        if (ticks != Series::kAbsent) row[row_of_[e]] += static_cast<float>(ticks);
      }
    }
  }

  Side side_;
  size_t samples_;
  std::unordered_map<std::string, size_t> rows_;
  std::vector<size_t> row_of_;  // of the contributions of the dump that came last
};

// The study of the group that did the same work as the chosen one of `like`; if there is none, of
// that which the load names.
Result<std::shared_ptr<const Study>> study_like(const FileSystem& files, const Artifacts& artifacts,
                                                LoadRequest load,
                                                const std::optional<ChosenGroup>& like,
                                                const CancelToken& cancel) {
  const bool has_partner = like && like->chosen;
  if (has_partner) load.time.group.clear();
  Result<std::shared_ptr<const Study>> study = build_study(files, artifacts, load, cancel);
  if (!study || !has_partner || !load.time.executions.empty()) return study;
  const ChosenGroup own = chosen_group((*study)->time());
  const std::optional<size_t> partner = partner_of(like->all, *like->chosen, own.all);
  if (!partner || partner == own.chosen) return study;
  load.time.group = own.all[*partner].name;
  return build_study(files, artifacts, load, cancel);
}

// Reads the dumps of a side, one after the other, each with the record and the program of the first.
class DumpReader {
 public:
  DumpReader(const FileSystem& files, const SideRequest& request, const CancelToken& cancel)
      : files_(files),
        request_(request),
        cancel_(cancel),
        load_(request.load),
        builder_(samples_of(request)) {
    load_.measures = {};              // time alone is compared
    load_.leaves_out_record = false;  // load_side leaves it out of all dumps or of none
    load_.looks_at_others = false;
  }

  // Errors: what is wrong with a dump that may not be left out.
  Result<void> read(const std::string& path) {
    load_.etdump = path;
    const Result<Artifacts> artifacts = load_next();
    if (!artifacts) return artifacts.error();
    // Values that were logged cost time of their own.
    if (request_.leaves_out_others && !artifacts->log->debug_values.empty()) return leave_out();
    const auto study = study_like(files_, *artifacts, load_, builder_.like(request_.like), cancel_);
    if (!study && is_of_another(study.error().code) && request_.leaves_out_others) {
      if (!first_error_) first_error_ = study.error();
      return leave_out();
    }
    if (!study) return study.error();
    const Result<void> same_work = builder_.check_work(**study);
    if (!same_work && request_.leaves_out_others) return leave_out();
    if (!same_work) return same_work.error();
    Result<void> added = builder_.add(**study);
    if (added) only_ = builder_.dump_count() == 1 ? *study : nullptr;
    return added;
  }

  Result<Side> finish() && {
    Side side = std::move(builder_).finish(only_.get());
    side.left_out = std::move(left_out_);
    if (side.dumps.empty())
      return first_error_ ? std::move(*first_error_)
                          : Error{ErrorCode::InvalidParams, "a side of a comparison has no dump"};
    side.texts = read_recorded_texts(load_.source_files ? *load_.source_files : files_, *side.code,
                                     side.sources, cancel_);
    return side;
  }

 private:
  static size_t samples_of(const SideRequest& request) {
    if (!request.keeps_samples) return 0;
    return std::max<size_t>(kMaxSamples / std::max<size_t>(request.dumps.size(), 1), 1);
  }

  Result<Artifacts> load_next() {
    LoadRequest own = load_;
    if (shared_) own.etrecord = own.pte = "";
    Result<Artifacts> artifacts = load_artifacts(files_, own, cancel_);
    if (!artifacts) return artifacts;
    if (!shared_)
      shared_ = Artifacts{.record = artifacts->record,
                          .recovery = artifacts->recovery,
                          .program = artifacts->program};
    artifacts->record = shared_->record;
    artifacts->recovery = shared_->recovery;
    artifacts->program = shared_->program;
    return artifacts;
  }

  Result<void> leave_out() {
    left_out_.push_back(load_.etdump);
    return {};
  }

  const FileSystem& files_;
  const SideRequest& request_;
  const CancelToken& cancel_;
  LoadRequest load_;
  SideBuilder builder_;
  std::optional<Artifacts> shared_;  // the record and the program, read once
  std::vector<std::string> left_out_;
  std::optional<Error> first_error_;
  std::shared_ptr<const Study> only_;  // null with more than one dump
};

Result<Side> load_dumps(const FileSystem& files, const SideRequest& request,
                        const std::function<void(size_t)>& progress, const CancelToken& cancel) {
  // Sums of fractions depend on their order, and the same dumps are to give the same numbers.
  std::vector<std::string> dumps = request.dumps;
  std::sort(dumps.begin(), dumps.end());
  DumpReader reader(files, request, cancel);
  for (size_t i = 0; i < dumps.size(); ++i) {
    if (progress) progress(i);
    if (const Result<void> read = reader.read(dumps[i]); !read) return read.error();
  }
  return std::move(reader).finish();
}

// A module of both sides has lines on the forward that calls its helpers in `a` alone.
bool lost_more(const Side& a, const Side& b) {
  std::unordered_set<std::string_view> in_b;
  for (const CodeModule& module : b.code->modules) in_b.insert(module.path);
  return std::any_of(a.unrecovered.begin(), a.unrecovered.end(), [&](const std::string& module) {
    return in_b.contains(module) &&
           !std::binary_search(b.unrecovered.begin(), b.unrecovered.end(), module);
  });
}

}  // namespace

Side side_of(const Study& study, SourceTexts texts) {
  SideBuilder builder(kMaxSamples);
  (void)builder.add(study);  // the first dump always fits
  Side side = std::move(builder).finish(&study);
  texts.resize(side.code->files.size());
  side.texts = std::move(texts);
  return side;
}

Result<void> check_groups(const ChosenGroup& a, const ChosenGroup& b, std::string_view name_of_a,
                          std::string_view name_of_b) {
  if (can_compare(a, b)) return {};
  const bool is_of_a = a.get() != nullptr;
  const ChosenGroup& of = is_of_a ? a : b;
  const ChosenGroup& other = is_of_a ? b : a;
  const auto [name, other_name] =
      is_of_a ? std::pair(name_of_a, name_of_b) : std::pair(name_of_b, name_of_a);
  std::vector<std::string> names;
  for (const GroupEvidence& group : other.all) names.push_back(group.name);
  const std::string there = names.empty() ? "nothing distinguishes its executions"
                                          : fmt::format("it has {}", join(names, ", "));
  return Error{ErrorCode::Unsupported,
               fmt::format("{} has executions of several amounts of work, and {} is shown; {} has "
                           "no group of the same work ({}); choose the executions to compare{}",
                           name, of.get()->name, other_name, there, words_of(Control::Executions))};
}

bool has_recovered_lines(const Side& side) {
  const std::vector<CodeLine>& lines = side.code->lines;
  return std::any_of(lines.begin(), lines.end(),
                     [](const CodeLine& line) { return line.is_recovered; });
}

bool differ_in_recovery(const Side& a, const Side& b) {
  const auto lost_all = [](const Side& side) {
    return side.code->record && !has_recovered_lines(side) &&
           side.code->record->report.find(Oddity::RecordNonStrict) != nullptr;
  };
  if (has_recovered_lines(a) != has_recovered_lines(b)) return lost_all(a) || lost_all(b);
  return has_recovered_lines(a) && (lost_more(a, b) || lost_more(b, a));
}

size_t Side::executions() const {
  size_t count = 0;
  for (const DumpAmounts& dump : dumps) count += dump.executions;
  return count;
}

ColdStart Side::cold_start() const {
  std::vector<ColdStart> known;
  for (const DumpAmounts& dump : dumps) {
    if (dump.cold.loads > 0) known.push_back(dump.cold);
  }
  if (known.empty()) return {};
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) / 2);
  std::nth_element(known.begin(), middle, known.end(),
                   [](const ColdStart& a, const ColdStart& b) { return a.total() < b.total(); });
  return *middle;
}

Amount Side::measured() const {
  Amount sum;
  for (const DumpAmounts& dump : dumps) sum += dump.total;
  return sum;
}

namespace {

Result<Side> load_own_or_other(const FileSystem& files, const SideRequest& request,
                               const std::function<void(size_t)>& progress,
                               const CancelToken& cancel) {
  if (request.other && request.load.etrecord.empty() && !request.other->etrecord.empty()) {
    SideRequest like = request;
    like.load.etrecord = request.other->etrecord;
    like.load.pte = request.other->pte;
    like.load.roots.insert(like.load.roots.end(), request.other->roots.begin(),
                           request.other->roots.end());
    like.leaves_out_others = false;
    Result<Side> side = load_dumps(files, like, progress, cancel);
    if (side || side.error().code == ErrorCode::Cancelled) return side;
  }
  return load_dumps(files, request, progress, cancel);
}

// A record that nobody named, and that is one of no dump of the side. Of several dumps some may be
// of its program: without the record nothing would tell them from the others.
bool can_do_without(const FileSystem& files, const SideRequest& request, const Error& why,
                    const CancelToken& cancel) {
  const LoadRequest& load = request.load;
  if (!load.leaves_out_record || load.etrecord.empty() || why.code == ErrorCode::Cancelled ||
      why.code == ErrorCode::InvalidParams) {
    return false;
  }
  return request.dumps.size() == 1 || !load_record(files, load.etrecord, load.backends, cancel);
}

}  // namespace

Result<Side> load_side(const FileSystem& files, const SideRequest& request,
                       const std::function<void(size_t)>& progress, const CancelToken& cancel) {
  Result<Side> side = load_own_or_other(files, request, progress, cancel);
  if (side || !can_do_without(files, request, side.error(), cancel)) return side;
  SideRequest alone = request;
  alone.load.etrecord.clear();
  alone.load.pte.clear();
  Result<Side> without = load_own_or_other(files, alone, progress, cancel);
  if (!without) return side;
  without->record_problem = side.error().message;
  return without;
}

}  // namespace etlens
