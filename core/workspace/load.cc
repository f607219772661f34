// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/load.h"
#include "core/workspace/control_state.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/backend/payload_part.h"
#include "core/base/budget.h"
#include "core/base/optional_part.h"
#include "core/base/text.h"
#include "core/join/attribution.h"
#include "core/join/no_execution.h"
#include "core/join/program_fit.h"
#include "core/join/unfinished.h"
#include "core/workspace/export_study.h"
#include "core/workspace/other_blocks.h"
#include "core/workspace/profile_measure.h"
#include "core/workspace/read_artifacts.h"
#include "core/workspace/record_delegation.h"
#include "core/workspace/value_study.h"

namespace etlens {
namespace {

// Why the program is not the one that ran; nullopt if it is.
std::optional<std::string> other_program(const Artifacts& artifacts, const MethodFit& fit,
                                         BlockId block) {
  const std::string_view name = artifacts.record->text(fit.method.name);
  const ProgramMethod* method = artifacts.program->find(name);
  if (method == nullptr) return "it has no method " + std::string(name);
  return program_difference(*method, *artifacts.log, artifacts.trees, artifacts.blocks[block.value],
                            artifacts.record.get());
}

// "12.3 ms"; cycles as they are.
std::string duration_text(Ticks ticks, TimeScale clock) {
  if (clock == TimeScale::Cycles) return fmt::format("{} cycles", ticks.value);
  const double ms = static_cast<double>(ticks.value) / scale_factor(clock, TimeScale::Milliseconds);
  return ms < 1000 ? fmt::format("{:.3g} ms", ms) : fmt::format("{:.0f} ms", ms);
}

// What the dump does not log of the block, and runs of it that are in no block.
void note_runs(const Artifacts& artifacts, BlockId id, LoadReport& report) {
  const Block& block = artifacts.blocks[id.value];
  if (!logs_instructions(*artifacts.log, artifacts.trees, block)) {
    report.add(Oddity::DumpMethodOnly,
               fmt::format("block {}, {}", block.name, counted(block.runs.size(), "execution")));
  }
  const BrokenRuns broken = find_broken_runs(*artifacts.log, artifacts.trees, artifacts.blocks);
  report.add(Oddity::ExecutionBrokeOff, broken.first, broken.count);
}

void note_time(const Join& join, const TimeMeasure& time, LoadReport& report) {
  for (size_t e = 0; e < join.events.size(); ++e) {
    const bool is_known =
        join.events[e].unit == DelegateUnit::Cycles || join.events[e].unit == DelegateUnit::Counter;
    if (time.logged.is_rescaled[e] && !is_known)
      report.add(Oddity::DelegateRescaled, join.logged_name(ContributionId(e)));
  }
  const Samples& samples = time.measure.samples;
  const bool stands =
      !samples.totals.empty() && std::all_of(samples.totals.begin(), samples.totals.end(),
                                             [](Amount total) { return total == Amount(); });
  if (stands && report.find(Oddity::DumpClockStands) == nullptr)
    report.add(Oddity::DumpClockStands, "every execution took 0 ticks");
  if (samples.odd.empty()) return;
  const uint32_t first = samples.odd.front();
  report.add(Oddity::ExecutionFarOff,
             fmt::format("execution {} took {}", first + 1,
                         duration_text(Ticks(samples.totals[first].value), join.clock)),
             samples.odd.size());
}

std::vector<SourceLocation> sources_of(const FileSystem& files, const LoadRequest& request,
                                       const Code& code, const RecordRecovery* recovery,
                                       LoadReport& report, const CancelToken& cancel) {
  SourceSearch search = source_search_of(request);
  if (recovery != nullptr) search.known = recovery->sources;
  return find_sources(request.source_files ? *request.source_files : files, code, search, report,
                      cancel);
}

// Those of measures whose code is another than the join's.
void find_more_sources(const FileSystem& files, const LoadRequest& request, Study& study,
                       const CancelToken& cancel) {
  for (const Measure& measure : study.measures) {
    const std::shared_ptr<const Code>& code = measure.landings->code;
    const bool is_known = std::any_of(study.more_sources.begin(), study.more_sources.end(),
                                      [&](const CodeSources& row) { return row.code == code; });
    if (code.get() == &study.code() || is_known) continue;
    study.more_sources.push_back(
        {code, sources_of(files, request, *code, study.recovery.get(), study.report, cancel)});
  }
}

// For work on artifacts that an earlier load read; where this one did, nothing is granted twice.
void grant_artifacts(const Artifacts& artifacts, const LoadRequest& request) {
  const auto grant = [](const std::string& path, uint64_t bytes) {
    if (!path.empty()) grant_reading(path, bytes, bytes);
  };
  grant(request.etdump, artifacts.log->file_bytes);
  if (artifacts.record) grant(request.etrecord, artifacts.record->graph_bytes);
  if (artifacts.program) grant(request.pte, artifacts.program->table_bytes);
  set_error_subject(names_of(request));
}

// Values that cannot be read or compared are no reason to show no times. Error: Cancelled.
Result<void> read_values(const FileSystem& files, const LoadRequest& request,
                         const CancelToken& cancel, Study& study) {
  if (!request.values || study.join->log->debug_values.empty()) return {};
  ValuesRequest wanted = *request.values;
  const auto load = [&] {
    return within_budget(
        cancel, [&] { return load_values(files, study, request, wanted, cancel); },
        BudgetShare::Half);
  };
  Result<ValueStudy> values = load();
  if (!values && !wanted.reference.empty() && values.error().code != ErrorCode::Cancelled) {
    study.report.add(Oddity::ValuesReferenceUnfit, values.error().message);
    wanted.reference.clear();
    values = load();
  }
  if (!values) {
    if (values.error().code == ErrorCode::Cancelled) return values.error();
    study.report.add(Oddity::ValuesUnreadable, values.error().message);
    return {};
  }
  if (!values->buffer_problem.empty())
    study.report.add(Oddity::ValuesUnreadable, values->buffer_problem);
  for (const std::string& misfit : values->misfits)
    study.report.add(Oddity::ValuesReferenceUnfit, misfit);
  if (values->bytes > wanted.most_bytes)
    study.report.add(Oddity::ValuesLarge, fmt::format("{} bytes of values", values->bytes));
  study.values = std::make_shared<const ValueStudy>(std::move(*values));
  return {};
}

// The same, with executions that did not come to their end as what they are.
Artifacts without_unfinished(Artifacts artifacts) {
  const std::vector<BlockId> unfinished =
      unfinished_blocks(*artifacts.log, artifacts.trees, artifacts.blocks, artifacts.record.get(),
                        artifacts.program.get(), artifacts.backends);
  if (unfinished.empty()) return artifacts;
  std::vector<Block> blocks = artifacts.blocks;
  for (const BlockId id : unfinished) blocks[id.value].is_execution = false;
  artifacts.blocks = std::move(blocks);
  return artifacts;
}

// Those of the registry, and that of a Python profile. `input`: of the study.
void add_measures(const FileSystem& files, const LoadRequest& request, const Backends& backends,
                  MeasureInput input, Study& study, const CancelToken& cancel) {
  if (study.values) input.origins = study.values->origins;
  input.read_payload = [&](const ProgramDelegate& delegate) {
    return read_payload_part(files, *input.program, delegate, backends);
  };
  for (const MeasureRow& row : request.measures) {
    set_error_subject(fmt::format("the measure {} of {}", row.id, names_of(request)));
    auto measure = optional_part(&study.report, Oddity::MeasureExpensive, cancel,
                                 [&] { return row.build(input); });
    if (measure && *measure) study.measures.push_back(**std::move(measure));
  }
  set_error_subject(names_of(request));
  if (request.profile.empty()) return;
  const Result<void> profile = within_budget(
      cancel, [&] { return add_profile(files, request.profile, study); }, BudgetShare::Half);
  if (!profile) study.report.add(Oddity::ProfileUnreadable, profile.error().message);
}

Result<std::shared_ptr<const Study>> study_without_run(const FileSystem& files,
                                                       const Artifacts& artifacts,
                                                       const LoadRequest& request,
                                                       const CancelToken& cancel) {
  Result<ExportStudy> exported = study_of_export(files, artifacts, request, cancel);
  if (!exported) return std::move(exported).error();
  Study& study = *exported->study;
  study.sources =
      sources_of(files, request, study.code(), study.recovery.get(), study.report, cancel);
  MeasureInput input(*study.join, exported->program);
  input.method = exported->method;
  add_measures(files, request, artifacts.backends, std::move(input), study, cancel);
  find_more_sources(files, request, study, cancel);
  if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "loading was cancelled"};
  return std::shared_ptr<const Study>(std::move(exported->study));
}

Result<std::shared_ptr<const Study>> join_study(const FileSystem& files, const Artifacts& read,
                                                const LoadRequest& request,
                                                const CancelToken& cancel) {
  grant_artifacts(read, request);
  if (request.etdump.empty()) return study_without_run(files, read, request, cancel);
  const Artifacts artifacts = without_unfinished(read);
  if (std::optional<Error> other = check_record_of_run(artifacts, request)) return *other;
  Result<Selection> selection =
      select_block(*artifacts.log, artifacts.trees, artifacts.blocks, artifacts.record.get(),
                   request.selection, artifacts.backends);
  if (!selection) return std::move(selection).error().about(request.etdump);
  if (selection->fit && selection->fit->verdict() == PairVerdict::Mismatch)
    return Error{ErrorCode::Mismatch, mismatch_sentence(request, *selection->fit)};
  const bool is_fit = selection->fit && selection->fit->verdict() != PairVerdict::Unknown;
  JoinedBlock joined = join_block(files, artifacts, request, selection->block,
                                  is_fit ? selection->fit : std::nullopt);
  note_runs(artifacts, selection->block, joined.report);
  Result<TimeMeasure> time = measure_time(joined.join, request.time);
  if (!time) return std::move(time).error();
  if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "loading was cancelled"};

  auto study = std::make_shared<Study>();
  study->etdump_path = request.etdump;
  if (artifacts.record) study->etrecord_path = request.etrecord;
  if (joined.uses_program) study->pte_path = request.pte;
  study->fit = std::move(selection->fit);
  study->run = artifacts.run;
  study->report.append(artifacts.report);
  study->report.append(joined.report);
  study->report.append(artifacts.log->report);
  if (artifacts.record) study->report.append(artifacts.record->report);
  if (artifacts.program) study->report.append(artifacts.program->report);
  study->report.append(joined.join.report);
  note_time(joined.join, *time, study->report);
  study->recovery = artifacts.recovery;
  study->etrecord_stamp = artifacts.record_stamp;
  study->sources =
      sources_of(files, request, joined.join.code(), study->recovery.get(), study->report, cancel);
  add_control_and_state(artifacts, joined, selection->block, *study);
  study->join = std::make_shared<const Join>(std::move(joined.join));
  if (request.finds_reasons && study->fit && is_fit) {
    study->delegation = delegation_of(files, request.etrecord, artifacts.record, study->fit->method,
                                      joined.ran, study->report, cancel);
  }
  study->measures.push_back(std::move(time->measure));
  study->logged = std::move(time->logged);
  study->cold = time->cold;
  study->cold.delegates = delegate_inits(*study->join, joined.ran);
  if (request.looks_at_others)
    study->others = other_blocks(files, artifacts, request, selection->block, cancel);
  const EtProgram* ran = joined.uses_program ? artifacts.program.get() : nullptr;
  if (Result<void> values = read_values(files, request, cancel, *study); !values)
    return std::move(values).error();
  add_measures(files, request, artifacts.backends, MeasureInput(*study->join, ran), *study, cancel);
  find_more_sources(files, request, *study, cancel);
  return std::shared_ptr<const Study>(std::move(study));
}

Result<std::shared_ptr<const Study>> study_of_profile(const FileSystem& files,
                                                      const LoadRequest& request,
                                                      const CancelToken& cancel) {
  const std::shared_ptr<Study> study = study_without_dump(request.backends);
  study->etdump_path = request.profile;
  if (Result<void> profile = add_profile(files, request.profile, *study); !profile)
    return std::move(profile).error();
  find_more_sources(files, request, *study, cancel);
  if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "loading was cancelled"};
  return std::shared_ptr<const Study>(study);
}

// The request without a record that nobody named, where that may be what `why` is about.
std::optional<LoadRequest> without_record(const LoadRequest& request, const Error& why) {
  const bool may_be_record =
      is_of_another(why.code) || why.code == ErrorCode::Corrupt || why.code == ErrorCode::Io;
  if (!request.leaves_out_record || request.etrecord.empty() || !may_be_record) return std::nullopt;
  LoadRequest alone = request;
  alone.etrecord.clear();
  alone.earlier.reset();
  return alone;
}

// What artifacts call things may have lines: a sentence has one.
Result<std::shared_ptr<const Study>> in_one_line(Result<std::shared_ptr<const Study>> study) {
  if (study) return study;
  Error error = std::move(study).error();
  std::replace(error.message.begin(), error.message.end(), '\n', ' ');
  return error;
}

}  // namespace

size_t Study::first_measure() const {
  const auto at = std::find_if(measures.begin(), measures.end(),
                               [](const Measure& measure) { return !measure.self.empty(); });
  return at == measures.end() ? 0 : static_cast<size_t>(at - measures.begin());
}

const std::string& Study::shown_path() const {
  if (!etdump_path.empty()) return etdump_path;
  return pte_path.empty() ? etrecord_path : pte_path;
}

const std::vector<SourceLocation>& Study::sources_of(const Code& of) const {
  const auto at = std::find_if(more_sources.begin(), more_sources.end(),
                               [&](const CodeSources& row) { return row.code.get() == &of; });
  return at == more_sources.end() ? sources : at->files;
}

std::optional<Error> check_record_of_run(const Artifacts& artifacts, const LoadRequest& request) {
  if (!artifacts.record || !artifacts.run || artifacts.run->record != HashVerdict::Differs)
    return std::nullopt;
  return Error{ErrorCode::Mismatch,
               other_record_sentence(*artifacts.run, request.etdump, request.etrecord)};
}

std::string mismatch_sentence(const LoadRequest& request, const MethodFit& fit) {
  return fmt::format(
      "{} and {} do not belong together (score {:.2f}; {}); give the ETRecord of the export that "
      "made the program that was run",
      request.etdump, request.etrecord, fit.score, join(fit.reasons, "; "));
}

Result<Artifacts> load_artifacts(const FileSystem& files, const LoadRequest& request,
                                 const CancelToken& cancel) {
  const auto load = [&](const LoadRequest& wanted) {
    return within_budget(cancel, [&] { return read_artifacts(files, wanted, cancel); });
  };
  Result<Artifacts> artifacts = load(request);
  if (artifacts) return artifacts;
  const std::optional<LoadRequest> alone = without_record(request, artifacts.error());
  if (!alone) return artifacts;
  Result<Artifacts> rest = load(*alone);
  if (!rest) return artifacts;
  rest->report.add(Oddity::RecordLeftOut, artifacts.error().message);
  return rest;
}

Result<std::shared_ptr<const EtRecord>> load_record(const FileSystem& files,
                                                    const std::string& path,
                                                    const Backends& backends,
                                                    const CancelToken& cancel) {
  return within_budget(cancel, [&]() -> Result<std::shared_ptr<const EtRecord>> {
    Result<EtRecord> record = read_record(files, path, backends, cancel);
    if (!record) return std::move(record).error();
    return std::make_shared<const EtRecord>(std::move(*record));
  });
}

namespace {

// The program that ran names the backends of its delegate calls, and its kernels.
void use_program_alone(const Artifacts& artifacts, BlockId block, JoinedBlock& joined,
                       AttributionRequest& attribution) {
  attribution.program_method = method_of_block(*artifacts.program, *artifacts.log, artifacts.trees,
                                               artifacts.blocks[block.value]);
  joined.ran = attribution.program_method;
  joined.uses_program = joined.ran != nullptr;
  if (joined.uses_program) {
    attribution.program = artifacts.program;
  } else if (!fits_any_method(*artifacts.program, *artifacts.log, artifacts.trees,
                              artifacts.blocks[block.value], nullptr)) {
    joined.report.add(Oddity::ProgramDiffers,
                      artifacts.program->path + ": none of its methods ran what the dump logged");
  }
}

}  // namespace

JoinedBlock join_block(const FileSystem& files, const Artifacts& artifacts,
                       const LoadRequest& request, BlockId block,
                       const std::optional<MethodFit>& fit) {
  JoinedBlock joined;
  AttributionRequest attribution;
  attribution.log = artifacts.log;
  attribution.record = artifacts.record;
  attribution.trees = artifacts.trees;
  attribution.blocks = artifacts.blocks;
  attribution.block = block;
  if (fit) attribution.method = fit->method;
  attribution.library_frames = request.library_frames;
  attribution.clock = request.time_scale;
  attribution.backends = artifacts.backends;
  const auto read_payload = [&](const ProgramDelegate& delegate) {
    return read_payload_part(files, *artifacts.program, delegate, artifacts.backends);
  };
  if (artifacts.program && fit) {
    if (const std::optional<std::string> why = other_program(artifacts, *fit, block)) {
      joined.report.add(Oddity::ProgramDiffers, artifacts.program->path + ": " + *why);
    } else {
      joined.uses_program = true;
      joined.ran = artifacts.program->find(artifacts.record->text(fit->method.name));
      attribution.program = artifacts.program;
      attribution.read_payload = read_payload;
    }
  }
  if (artifacts.program && !artifacts.record) {
    use_program_alone(artifacts, block, joined, attribution);
    attribution.read_payload = read_payload;
  }
  joined.join = attribute(std::move(attribution));
  return joined;
}

Result<std::shared_ptr<const Study>> build_study(const FileSystem& files,
                                                 const Artifacts& artifacts,
                                                 const LoadRequest& request,
                                                 const CancelToken& cancel) {
  const auto build = [&](const Artifacts& used, const LoadRequest& wanted) {
    return in_one_line(
        within_budget(cancel, [&] { return join_study(files, used, wanted, cancel); }));
  };
  Result<std::shared_ptr<const Study>> study = build(artifacts, request);
  if (study || !artifacts.record) return study;
  const std::optional<LoadRequest> alone = without_record(request, study.error());
  if (!alone) return study;
  Artifacts rest = artifacts;
  rest.record.reset();
  rest.recovery.reset();
  rest.report.add(Oddity::RecordLeftOut, study.error().message);
  Result<std::shared_ptr<const Study>> without = build(rest, *alone);
  return without ? without : study;
}

Result<std::shared_ptr<const Study>> load_study(const FileSystem& files, const LoadRequest& request,
                                                const CancelToken& cancel) {
  const auto load = [&](const LoadRequest& wanted, const std::string& left_out) {
    return in_one_line(within_budget(cancel, [&]() -> Result<std::shared_ptr<const Study>> {
      const bool has_export = !wanted.etrecord.empty() || !wanted.pte.empty();
      if (wanted.etdump.empty() && !has_export) return study_of_profile(files, wanted, cancel);
      Result<Artifacts> artifacts = read_artifacts(files, wanted, cancel);
      if (!artifacts) return std::move(artifacts).error();
      if (!left_out.empty()) artifacts->report.add(Oddity::RecordLeftOut, left_out);
      return join_study(files, *artifacts, wanted, cancel);
    }));
  };
  Result<std::shared_ptr<const Study>> study = load(request, "");
  if (study) return study;
  const std::optional<LoadRequest> alone = without_record(request, study.error());
  if (!alone) return study;
  Result<std::shared_ptr<const Study>> without = load(*alone, study.error().message);
  return without ? without : study;
}

}  // namespace etlens
