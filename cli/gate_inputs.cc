// SPDX-License-Identifier: Apache-2.0
#include "cli/gate_inputs.h"

#include <algorithm>

#include "cli/program_inputs.h"
#include "cli/record_inputs.h"
#include "cli/sides.h"
#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens::cli {
namespace {

class Gatherer {
 public:
  Gatherer(const GateOptions& options, const GateNeeds& needs)
      : options_(options), common_(options.common), needs_(needs) {}

  Result<Evidence> gather() {
    std::vector<const std::string*> named{&common_.etrecord, &common_.pte};
    for (const std::string& dump : options_.etdumps) named.push_back(&dump);
    if (Result<void> there = check_named(named); !there) return std::move(there).error();
    for (const std::string& folder : common_.paths) {
      if (const Result<FileStamp> stamp = real_file_system().stat(folder); !stamp)
        return stamp.error();
    }
    for (Result<void> (Gatherer::*part)() :
         {&Gatherer::take_record, &Gatherer::take_program, &Gatherer::take_times}) {
      if (Result<void> taken = (this->*part)(); !taken) return std::move(taken).error();
    }
    return std::move(evidence_);
  }

 private:
  // The record first: the program and the dumps have to fit it.
  Result<void> take_record() {
    if (!needs_.delegation && !needs_.calls) return {};
    Result<LoadRequest> request = find_record(common_);
    if (!request && request.error().code != ErrorCode::NotFound) return request.error();
    if (!request) return leave_out_record(request.error().message);
    // A program alone names no operators of the edge program, and its kernels are no share of them.
    const std::string no_record =
        "no ETRecord fits " + request->pte + "; give the one of its export with --etrecord";
    if (request->etrecord.empty()) return leave_out_record(no_record);
    const bool was_found = request->leaves_out_record && !request->leaves_out_program;
    request->leaves_out_record = false;  // a damaged one is an error
    const Result<LoadedDelegation> loaded = load_delegation(real_file_system(), *request);
    if (!loaded && was_found && loaded.error().code == ErrorCode::Mismatch)
      return leave_out_record(no_record);
    if (!loaded) return loaded.error();
    evidence_.delegation = delegation_evidence(loaded->delegation, *loaded->code);
    evidence_.calls = calls_of_record(loaded->delegation, *loaded->code);
    common_.etrecord = loaded->etrecord;
    common_.pte = loaded->pte;
    fits_record_ = true;
    return {};
  }

  Result<void> leave_out_record(const std::string& why) {
    evidence_.delegation = Known<DelegationEvidence>::unknown(why);
    evidence_.calls = Known<std::vector<CallStart>>::unknown(why);
    return {};
  }

  Result<void> take_program() {
    const bool counts_calls = needs_.calls && !evidence_.calls.value;
    if (!needs_.program && !counts_calls) return {};
    const Result<LoadRequest> request = find_program(common_);
    if (!request && request.error().code != ErrorCode::NotFound) return request.error();
    std::string why;
    if (!request) why = request.error().message;
    else if (fits_record_ && common_.pte.empty())
      why = "no .pte program fits " + common_.etrecord + "; give the one of its export with --pte";
    if (!why.empty()) {
      evidence_.memory = Known<MemoryEvidence>::unknown(why);
      evidence_.size = Known<SizeEvidence>::unknown(why);
      return {};
    }
    const Result<ProgramInputs> inputs = load_found_program(*request, common_);
    if (!inputs) return inputs.error();
    const std::shared_ptr<const EtProgram>& program = inputs->loaded.program;
    if (counts_calls) evidence_.calls = calls_of_program(program->methods[inputs->method]);
    if (!needs_.program) return {};
    evidence_.memory =
        memory_evidence(MemoryFacts(program, inputs->method, inputs->codes[inputs->method]));
    evidence_.size = size_evidence(SizeFacts(real_file_system(), program, inputs->codes));
    return {};
  }

  // In a base that lies inside the folder.
  bool is_of_base(const std::string& dump) const {
    return std::ranges::any_of(options_.base, [&](const std::string& named) {
      const std::string base = absolute_path(current_folder(), named);
      const bool is_around = std::ranges::any_of(
          common_.paths, [&](const std::string& folder) { return is_below(base, folder); });
      return !is_around && names_dump(base, dump);
    });
  }

  // The dumps of the folder, without those of a base.
  Result<std::vector<std::string>> find_dumps() const {
    std::vector<std::string> dumps;
    if (!options_.etdumps.empty()) {
      for (const std::string& dump : options_.etdumps)
        dumps.push_back(absolute_path(current_folder(), dump));
      return dumps;
    }
    Result<SideFiles> found = find_side_files(real_file_system(), common_.paths);
    if (!found) return std::move(found).error();
    for (std::string& dump : found->dumps)
      if (!is_of_base(dump)) dumps.push_back(std::move(dump));
    return dumps;
  }

  void leave_out_times(const std::string& why) {
    evidence_.cold_start = Known<double>::unknown(why);
    evidence_.time = Known<TimeEvidence>::unknown(why);
  }

  Result<ResolvedSide> new_side(std::vector<std::string> dumps) const {
    SideOptions side;
    side.etdumps = std::move(dumps);
    side.etrecord = common_.etrecord;
    side.pte = common_.pte;
    Result<ResolvedSide> resolved = resolve_side(common_, side, "new");
    if (resolved) resolved->request.leaves_out_others = options_.etdumps.empty();
    return resolved;
  }

  Result<void> take_times() {
    if (!needs_.cold_start && !needs_.time) return {};
    const Result<std::vector<std::string>> dumps = find_dumps();
    if (!dumps) return dumps.error();
    if (dumps->empty()) {
      leave_out_times("no ETDump below " + join(common_.paths, ", ") + "; give one with --etdump");
      return {};
    }
    const Result<ResolvedSide> fresh = new_side(*dumps);
    if (!fresh) return fresh.error();
    if (needs_.time && !options_.base.empty()) return compare_with_base(*fresh);
    evidence_.time = Known<TimeEvidence>::unknown(
        "no base is named; name its ETDumps with --base, or with base below [artifacts]");
    if (!needs_.cold_start) return {};
    const Result<Side> side = load_side(fresh->files(), fresh->request);
    if (!side && options_.etdumps.empty()) {
      const ErrorCode code = side.error().code;
      // All that were found are of other programs, or logged values, which takes time of its own.
      if (code == ErrorCode::InvalidParams)
        leave_out_times("every ETDump below " + join(common_.paths, ", ") +
                        " is of another program or logged values; give one with --etdump");
      else if (is_of_another(code)) leave_out_times(side.error().message);
      else return side.error();
      return {};
    }
    if (!side) return side.error();
    evidence_.cold_start = cold_start_evidence(*side);
    return {};
  }

  Result<void> compare_with_base(const ResolvedSide& fresh) {
    SideOptions side;
    side.paths = options_.base;
    CommonOptions common = common_;
    common.etrecord = common.pte = "";
    const Result<ResolvedSide> base = resolve_side(common, side, "base");
    if (!base) return base.error();
    const Result<BothSides> sides = load_both_sides(*base, fresh);
    if (!sides) return sides.error();
    CompareOptions how;
    how.judge.threshold = needs_.threshold;
    const Result<Comparison> comparison = compare(sides->base, sides->fresh, how);
    if (!comparison) return comparison.error();
    evidence_.time = time_evidence(*comparison);
    evidence_.cold_start = cold_start_evidence(*sides->fresh);
    return {};
  }

  const GateOptions& options_;
  CommonOptions common_;
  const GateNeeds& needs_;
  bool fits_record_ = false;  // `common_` names a record, and the program that fits it or none
  Evidence evidence_;
};

}  // namespace

Result<GatePlaces> gate_places(const GateOptions& options) {
  GatePlaces places;
  for (const std::string& path : options.common.paths) {
    std::string absolute = absolute_path(current_folder(), path);
    const Result<FileStamp> stamp = real_file_system().stat(absolute);
    const bool is_new = !stamp && options.is_init && absolute.ends_with(".toml");
    if (!stamp && !is_new) return stamp.error();
    const bool is_folder = stamp && stamp->is_directory;
    std::string& place = is_folder ? places.folder : places.policy;
    if (!place.empty()) {
      return Error{ErrorCode::InvalidParams, place + " and " + absolute + " are two " +
                                                 (is_folder ? "folders" : "policies") +
                                                 "; name one of them"};
    }
    place = std::move(absolute);
  }
  return places;
}

Result<std::string> choose_policy(const GatePlaces& places) {
  if (!places.policy.empty()) return places.policy;
  std::string found;
  if (!places.folder.empty()) found = find_policy(real_file_system(), places.folder);
  if (found.empty()) found = find_policy(real_file_system(), current_folder());
  if (!found.empty()) return found;
  const std::string here = places.folder.empty() ? current_folder() : places.folder;
  return Error{ErrorCode::NotFound,
               "no etlens.toml in " + here +
                   " or above it in its repository; write one with etlens gate --init"};
}

void use_artifacts(const PolicyArtifacts& artifacts, const std::string& policy,
                   const std::string& folder, GateOptions& options) {
  CommonOptions& common = options.common;
  const std::string around(parent_path(policy));
  common.paths = {!folder.empty() ? folder : artifacts.folder.empty() ? around : artifacts.folder};
  if (folder.empty()) {  // one that is named has its own
    if (common.etrecord.empty()) common.etrecord = artifacts.etrecord;
    if (common.pte.empty()) common.pte = artifacts.pte;
    if (options.etdumps.empty()) options.etdumps = artifacts.etdump;
  }
  if (common.selection.method.empty()) common.selection.method = artifacts.method;
  if (options.base.empty()) options.base = artifacts.base;
  if (options.tick_unit.empty()) options.tick_unit = artifacts.tick_unit;
  if (!options.tick_unit.empty()) common.source_scale = options.tick_unit;
  if (!common.roots.empty()) return;
  // Sources lie next to the policy more often than next to the artifacts.
  common.roots = {around};
  if (!is_below(around, common.paths.front())) common.roots.push_back(common.paths.front());
}

GateNeeds needs_of(const Policy& policy) {
  GateNeeds needs;
  const auto has = [&](Budget budget) { return policy.find(budget) != nullptr; };
  needs.delegation = has(Budget::CpuOperators) || has(Budget::CpuNodes) || has(Budget::Delegated);
  needs.calls = has(Budget::DelegateCalls);
  needs.program = has(Budget::PeakMemory) || has(Budget::FileSize);
  needs.cold_start = has(Budget::ColdStart);
  for (const Budget budget : {Budget::SlowerTotal, Budget::SlowerLines}) {
    const BudgetRow* row = policy.find(budget);
    if (row == nullptr) continue;
    needs.time = true;
    needs.threshold = std::min(needs.threshold, row->limit);
  }
  return needs;
}

Result<Evidence> gather_evidence(const GateOptions& options, const GateNeeds& needs) {
  return Gatherer(options, needs).gather();
}

}  // namespace etlens::cli
