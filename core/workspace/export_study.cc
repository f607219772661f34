// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/export_study.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/delegation/delegation.h"
#include "core/join/program_code.h"
#include "core/measure/operators.h"
#include "core/workspace/delegated_code.h"
#include "core/workspace/load_program.h"
#include "core/workspace/record_delegation.h"
#include "core/workspace/record_method.h"

namespace etlens {
namespace {

// What of the artifacts is shown.
struct Export {
  std::shared_ptr<const EtRecord> record;  // null without one, or if it has no such method
  std::optional<RecordMethod> method;      // of the record, with an edge program
  std::shared_ptr<const EtProgram> program;
  const ProgramMethod* planned = nullptr;  // the same method of the program
};

Error nothing_to_show(const Artifacts& artifacts) {
  const ReportRow* why = artifacts.report.find(Oddity::ProgramUnreadable);
  return {ErrorCode::Corrupt,
          why == nullptr ? "there is no ETDump, ETRecord or program to show" : why->first};
}

// The program that the record is of; null without one. Error: they do not belong together, and the
// program was named or is the newest.
Result<std::shared_ptr<const EtProgram>> program_of(const Artifacts& artifacts,
                                                    const LoadRequest& request,
                                                    LoadReport& report) {
  if (!artifacts.program || !artifacts.record) return artifacts.program;
  const std::optional<std::string> why = record_difference(*artifacts.record, *artifacts.program);
  if (!why) return artifacts.program;
  std::string problem =
      fmt::format("{} and {} do not belong together ({})", request.pte, request.etrecord, *why);
  if (!request.leaves_out_program) {
    return Error{ErrorCode::Mismatch,
                 problem + "; give the ETRecord of the export that made the program"};
  }
  report.add(Oddity::ProgramDiffers, std::move(problem));
  return std::shared_ptr<const EtProgram>();
}

Result<Export> choose(const Artifacts& artifacts, const LoadRequest& request, LoadReport& report) {
  Export chosen;
  Result<std::shared_ptr<const EtProgram>> program = program_of(artifacts, request, report);
  if (!program) return std::move(program).error();
  chosen.program = std::move(*program);
  const std::string& name = request.selection.method;
  if (artifacts.record) {
    const Result<RecordMethod> method = choose_method(*artifacts.record, request.etrecord, name);
    if (!method && !chosen.program) return method.error();
    if (method) {
      chosen.record = artifacts.record;
      chosen.method = *method;
      if (chosen.program) chosen.planned = chosen.program->find(chosen.record->text(method->name));
      return chosen;
    }
  }
  if (!chosen.program) return nothing_to_show(artifacts);
  const Result<size_t> method = choose_method(*chosen.program, name);
  if (!method) return method.error();
  chosen.planned = &chosen.program->methods[*method];
  return chosen;
}

Measure operators_of(const std::shared_ptr<const Code>& code, const Delegation& delegation) {
  std::vector<PlacedOperator> operators;
  const bool has_reasons = delegation.lowering == Lowering::Delegated;
  for (const NodeDelegation& row : delegation.nodes) {
    const bool says_why = has_reasons && !row.is_delegated();
    operators.push_back({row.node, row.is_delegated() ? PartitionId(row.call) : PartitionId(),
                         says_why ? sentences_of(row.reason) : std::string()});
  }
  return measure_operators(code, operators);
}

// What a join is where nothing ran: the code, and no event.
std::shared_ptr<const Join> empty_join(const Artifacts& artifacts,
                                       std::shared_ptr<const EtRecord> record,
                                       std::shared_ptr<const Code> code) {
  auto landings = std::make_shared<Landings>();
  landings->code = std::move(code);
  index_landings(*landings, {});
  Join join;
  join.log = artifacts.log;
  join.record = std::move(record);
  join.landings = std::move(landings);
  join.backends = std::make_shared<const Backends>(artifacts.backends);
  join.blocks = {Block()};
  join.block = BlockId(0);
  return std::make_shared<const Join>(std::move(join));
}

// Of a program alone, whose operators nothing names.
Measure no_time(const std::shared_ptr<const Landings>& landings) {
  Quantity time;
  time.id = time.label = kTimeId;
  Measure measure = measure_once(time, landings, {});
  measure.samples = {};  // not even an execution that took no time
  return measure;
}

}  // namespace

Result<ExportStudy> study_of_export(const FileSystem& files, const Artifacts& artifacts,
                                    const LoadRequest& request, const CancelToken& cancel) {
  auto study = std::make_shared<Study>();
  study->report.append(artifacts.report);
  Result<Export> chosen = choose(artifacts, request, study->report);
  if (!chosen) return std::move(chosen).error();
  if (artifacts.record) study->report.append(artifacts.record->report);
  if (chosen->program) study->report.append(chosen->program->report);
  std::shared_ptr<const Code> code;
  if (chosen->record) {
    study->delegation = delegation_of(files, request.etrecord, chosen->record, *chosen->method,
                                      chosen->planned, study->report, cancel);
    code = code_of_delegation(*study->delegation, request.library_frames);
  } else {
    code = code_of_program(nullptr, *chosen->planned, {});
  }
  study->join = empty_join(artifacts, chosen->record, code);
  if (study->delegation) {
    study->etrecord_path = request.etrecord;
    study->etrecord_stamp = artifacts.record_stamp;
    study->recovery = artifacts.recovery;
    study->measures.push_back(operators_of(code, *study->delegation));
  } else {
    study->measures.push_back(no_time(study->join->landings));
  }
  if (chosen->program) study->pte_path = request.pte;
  return ExportStudy{std::move(study), chosen->program.get(),
                     chosen->record ? nullptr : chosen->planned};
}

}  // namespace etlens
