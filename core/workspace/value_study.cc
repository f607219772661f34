// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/value_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/budget.h"
#include "core/base/controls.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/formats/etdump/etdump_reader.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/etrecord/reference_outputs.h"
#include "core/formats/scalar_decoder.h"
#include "core/workspace/choose_partners.h"

namespace etlens {
namespace {

constexpr size_t kFrontBytes = 64;
constexpr std::string_view kZipStart = "PK\x03\x04";

Result<ReferenceKind> kind_of(const FileSystem& files, const std::string& path) {
  const Result<Bytes> front = files.read_range(path, 0, kFrontBytes);
  if (!front) return front.error();
  if (looks_like_etdump(front->span())) return ReferenceKind::Dump;
  if (looks_like_bundled_program(front->span())) return ReferenceKind::BundledProgram;
  if (looks_like_etrecord(front->span())) return ReferenceKind::Record;
  if (front->text().starts_with(kZipStart)) return ReferenceKind::Arrays;
  return Error{ErrorCode::Unsupported,
               path +
                   " is nothing to compare values with; give an ETDump with its debug buffer, "
                   "a bundled program (.bpte), an ETRecord with reference outputs, or an .npz"};
}

// Values of one dump, with what made them.
struct DumpValues {
  std::shared_ptr<const ValueGraph> graph;
  std::string buffer;
  std::string problem;
  std::vector<LoggedValue> values;
};

Result<DumpValues> read_values(const FileSystem& files, const Study& study,
                               const std::string& wanted_buffer) {
  DumpValues result;
  const EventLog& log = *study.join->log;
  if (log.debug_values.empty()) {
    return Error{ErrorCode::Unsupported,
                 study.etdump_path +
                     " holds no values; run with the debug level kIntermediateOutputs or "
                     "kProgramOutputs and a debug buffer (ETDumpGen::set_debug_buffer)"};
  }
  result.graph = std::make_shared<const ValueGraph>(study.code());
  result.buffer = wanted_buffer;
  if (wanted_buffer.empty()) {
    FoundBuffer found = find_debug_buffer(files, study.etdump_path, log.debug_values);
    result.buffer = std::move(found.path);
    result.problem = std::move(found.reason);
  }
  std::optional<DebugBuffer> buffer;
  if (!result.buffer.empty()) {
    Result<DebugBuffer> opened = DebugBuffer::open(files, result.buffer);
    if (!opened) return std::move(opened).error();
    buffer = std::move(*opened);
    const BufferFit fit = fit_buffer(log.debug_values, buffer->size());
    if (!fit.fits()) result.problem = misfit_sentence(*buffer, fit);
  }
  LoggedValuesRequest request{*study.join, *result.graph, buffer ? &*buffer : nullptr, {}};
  if (!study.etrecord_path.empty()) {
    Result<OutputCounts> counts =
        read_output_counts(files, study.etrecord_path, study.code().method_name());
    if (!counts) return std::move(counts).error().about(study.etrecord_path);
    request.output_counts = std::move(*counts);
  }
  result.values = logged_values(request);
  return result;
}

// The study of a reference dump: with the record named, else with one beside it, else with that of
// the other side, else alone (which is enough where both ran the same program).
Result<std::shared_ptr<const Study>> load_reference_dump(const FileSystem& files,
                                                         const LoadRequest& load,
                                                         const ValuesRequest& request,
                                                         const CancelToken& cancel) {
  LoadRequest other = load;
  other.etdump = request.reference;
  other.pte.clear();
  other.measures.clear();
  other.values.reset();
  other.earlier.reset();
  other.leaves_out_record = false;  // the next candidate is tried
  other.recovers = false;           // its values, not its lines
  other.selection.block.clear();
  std::vector<std::string> records;
  if (!request.reference_etrecord.empty()) {
    records = {request.reference_etrecord};
  } else {
    DiscoveryOptions search;
    search.roots = {std::string(parent_path(request.reference))};
    const Result<std::string> beside =
        choose_record(files, find_artifacts(files, search), request.reference);
    if (beside && !beside->empty()) records.push_back(*beside);
    if (!load.etrecord.empty()) records.push_back(load.etrecord);
    records.emplace_back();
  }
  std::optional<Error> last;
  other.looks_at_others = false;
  for (const std::string& record : records) {
    other.etrecord = record;
    if (record.empty()) other.selection = {};
    Result<std::shared_ptr<const Study>> study = load_study(files, other, cancel);
    if (study) return study;
    last = std::move(study).error();
  }
  return *last;
}

class Loader {
 public:
  Loader(const FileSystem& files, const LoadRequest& load, const ValuesRequest& request,
         const CancelToken& cancel)
      : files_(files), load_(load), request_(request), cancel_(cancel) {}

  Result<ValueStudy> run(const Study& study) {
    Result<DumpValues> values = read_values(files_, study, request_.debug_buffer);
    if (!values) return std::move(values).error();
    result_.join = study.join;
    result_.etdump_path = study.etdump_path;
    result_.graph = std::move(values->graph);
    result_.debug_buffer = std::move(values->buffer);
    result_.buffer_problem = std::move(values->problem);
    result_.values = std::move(values->values);
    for (const LoggedValue& value : result_.values) {
      if (value.tensor) result_.bytes += value.tensor->byte_size();
    }
    if (Result<void> read = read_scales(study.etrecord_path); !read) return std::move(read).error();
    if (result_.bytes > request_.most_bytes) return std::move(result_);
    // Values may lie over each other in the buffer; it is as large as it is.
    const Result<FileStamp> buffer = files_.stat(result_.debug_buffer);
    const uint64_t there = buffer ? std::min(buffer->size, result_.bytes) : 0;
    grant_reading(result_.debug_buffer, there, there);
    if (!request_.reference.empty()) {
      if (Result<void> compared = compare(request_.reference); !compared)
        return std::move(compared).error();
    } else if (Result<void> tried = try_candidates(); !tried) {
      return std::move(tried).error();
    }
    return std::move(result_);
  }

 private:
  Result<void> read_scales(const std::string& record) {
    if (record.empty()) return {};
    Result<Quantizations> found = read_quantizations(files_, record, code().method_name());
    if (!found) return Error(found.error()).about(record);
    result_.quantizations = std::move(*found);
    return {};
  }

  const Code& code() const { return result_.join->code(); }

  // The first that fits: nobody named it, so all of it has to.
  Result<void> try_candidates() {
    if (result_.bytes == 0) return {};
    for (const std::string& path : request_.candidates) {
      is_meant_ = true;
      Result<void> compared = compare(path);
      const ValueComparison* odd = nullptr;  // that its value's own bytes are no reason for
      for (size_t v = 0; v < result_.comparisons.size() && odd == nullptr; ++v) {
        const ValueComparison& row = result_.comparisons[v];
        if (result_.values[v].tensor && row.has_counterpart && !row.gap) odd = &row;
      }
      if (compared && odd == nullptr) return {};
      if (!compared && compared.error().code == ErrorCode::Cancelled) return compared;
      if (is_meant_) {
        result_.misfits.push_back(compared
                                      ? fmt::format("{} does not fit the values of {}: a value {}",
                                                    path, result_.etdump_path, odd->problem)
                                      : std::move(compared).error().message);
      }
      forget_reference();
    }
    return {};
  }

  void forget_reference() {
    result_.kind = ReferenceKind::None;
    result_.reference.clear();
    result_.arrays.clear();
    result_.notes.clear();
    result_.test_cases.clear();
    result_.comparisons.clear();
    result_.origins.clear();
  }

  Result<void> compare(const std::string& reference) {
    const Result<ReferenceKind> kind = kind_of(files_, reference);
    if (!kind) return kind.error();
    result_.kind = *kind;
    result_.reference = reference;
    Result<Counterparts> counterparts = find_counterparts();
    if (!counterparts) return std::move(counterparts).error();
    result_.test_cases = std::move(counterparts->test_cases);
    if (counterparts->count() == 0) {
      return Error{ErrorCode::Unsupported,
                   fmt::format("no value of {} has a counterpart in {}; {}", result_.etdump_path,
                               result_.reference, advice())};
    }
    return compare_all(*counterparts);
  }

  std::string advice() const {
    switch (result_.kind) {
      case ReferenceKind::Dump:
        return worded("give the ETRecord of each side{reference_record}");
      case ReferenceKind::Arrays:
        return "its arrays must be named h<debug handle>, and the dump's ETRecord be given";
      default:
        return "log what the method returns (kProgramOutputs), and give the outputs of this model";
    }
  }

  Result<Counterparts> find_counterparts() {
    switch (result_.kind) {
      case ReferenceKind::Dump:
        return of_dump();
      case ReferenceKind::BundledProgram:
        return of_bundled_program();
      case ReferenceKind::Record:
        return of_record();
      default:
        return of_arrays();
    }
  }

  Result<Counterparts> of_dump() {
    const Result<std::shared_ptr<const Study>> other =
        load_reference_dump(files_, load_, request_, cancel_);
    if (!other) return other.error();
    const Result<DumpValues> values = read_values(files_, **other, request_.reference_debug_buffer);
    if (!values) return values.error();
    if (!values->problem.empty()) result_.notes.push_back(values->problem);
    return match_values(result_.side(), {values->values, *(*other)->join, *values->graph});
  }

  Result<Counterparts> of_bundled_program() {
    const Result<BundledProgram> program = read_bundled_program(files_, result_.reference, cancel_);
    if (!program) return Error(program.error()).about(result_.reference);
    std::vector<ExpectedOutputs> cases;
    const std::string_view method = code().method_name();
    for (const BundledMethod& row : program->methods) {
      if (!method.empty() && row.name != method) continue;
      std::vector<ExpectedOutputs> more = expected_outputs(row);
      std::move(more.begin(), more.end(), std::back_inserter(cases));
    }
    return match_outputs(result_.values, cases);
  }

  Result<Counterparts> of_record() {
    Result<std::vector<Bytes>> tensors = read_reference_outputs(files_, result_.reference);
    if (!tensors) return std::move(tensors).error().about(result_.reference);
    if (tensors->empty()) {
      is_meant_ = false;
      return Error{ErrorCode::Unsupported,
                   result_.reference +
                       " carries no reference outputs; make it with a bundled "
                       "program, or give the .bpte itself"};
    }
    return match_outputs(result_.values, *tensors);
  }

  Result<Counterparts> of_arrays() {
    Result<Npz> npz = read_npz(files_, result_.reference);
    if (!npz) return std::move(npz).error().about(result_.reference);
    for (const NpzSkipped& skipped : npz->skipped)
      result_.notes.push_back(result_.reference + ": " + skipped.name + " " + skipped.reason);
    result_.arrays = std::move(npz->arrays);
    is_meant_ = !arrays_by_handle(result_.arrays).empty();
    return match_arrays(result_.values, *result_.join, *result_.graph,
                        arrays_by_handle(result_.arrays));
  }

  Result<void> compare_all(const Counterparts& counterparts) {
    std::vector<std::optional<Gap>> gaps(result_.values.size());
    result_.comparisons.resize(result_.values.size());
    for (size_t v = 0; v < result_.values.size(); ++v) {
      if (cancel_.cancelled()) return Error{ErrorCode::Cancelled, "comparing was cancelled"};
      if (!counterparts.of_value[v]) continue;
      ValueComparison& row = result_.comparisons[v];
      row.has_counterpart = true;
      row.reference = counterparts.of_value[v];
      const LoggedValue& value = result_.values[v];
      if (!value.tensor) {
        row.problem =
            value.problem.empty() ? "was logged, but there is no debug buffer" : value.problem;
        continue;
      }
      const StoredTensor& reference = *counterparts.of_value[v];
      Result<Gap> gap = compare_tensors(*value.tensor, reference, options_for(value, reference));
      if (gap) gaps[v] = row.gap = std::move(*gap);
      else row.problem = std::move(gap).error().message;
    }
    // What the method returns alone does not tell where inside an error began.
    bool knows_inside = false;
    for (size_t v = 0; v < gaps.size(); ++v)
      knows_inside |= gaps[v] && result_.values[v].role == ValueRole::Output;
    if (knows_inside)
      result_.origins = find_error_origins(*result_.join, *result_.graph, result_.values, gaps);
    return {};
  }

  // Integers that stand for real values are compared as such with real ones.
  GapOptions options_for(const LoggedValue& value, const StoredTensor& reference) const {
    GapOptions options;
    if (is_floating(value.scalar_type) == is_floating(reference.scalar_type)) return options;
    const std::optional<Quantization> quantization = result_.quantization_of(value);
    if (is_floating(value.scalar_type)) options.reference = quantization;
    else options.value = quantization;
    return options;
  }

  const FileSystem& files_;
  const LoadRequest& load_;
  const ValuesRequest& request_;
  const CancelToken& cancel_;
  ValueStudy result_;
  bool is_meant_ = true;  // the file at hand holds what a reference holds
};

}  // namespace

std::optional<Quantization> ValueStudy::quantization_of(const LoggedValue& value) const {
  if (!value.made_by.node.valid() || quantizations.empty()) return std::nullopt;
  const EtRecord& record = *join->record;
  const std::span<const StringId> outputs =
      record.outputs_of(record.nodes[value.made_by.node.value]);
  if (value.made_by.output >= outputs.size()) return std::nullopt;
  const auto at = quantizations.find(std::string(record.text(outputs[value.made_by.output])));
  return at == quantizations.end() ? std::nullopt : std::optional(at->second);
}

Result<ValueStudy> load_values(const FileSystem& files, const Study& study, const LoadRequest& load,
                               const ValuesRequest& request, const CancelToken& cancel) {
  return Loader(files, load, request, cancel).run(study);
}

}  // namespace etlens
