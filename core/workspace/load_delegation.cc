// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/load_delegation.h"

#include "core/backend/payload_part.h"
#include "core/base/budget.h"
#include "core/delegation/program_record.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/program_code.h"
#include "core/workspace/choose_export.h"
#include "core/workspace/delegated_code.h"
#include "core/workspace/load_program.h"
#include "core/workspace/read_artifacts.h"
#include "core/workspace/record_method.h"
#include "core/workspace/recovered_record.h"

namespace etlens {
namespace {

std::vector<std::optional<std::vector<CallOperator>>> operators_of_calls(
    const FileSystem& files, const LoadRequest& request, const EtProgram& program,
    const ProgramMethod& method) {
  std::vector<std::optional<std::vector<CallOperator>>> calls;
  for (const ProgramDelegate& delegate : method.delegates) {
    go_on();
    std::optional<std::vector<CallOperator>>& operators = calls.emplace_back();
    const Backend& backend = request.backends.find(delegate.backend);
    if (backend.read_graph == nullptr) continue;
    const std::vector<uint8_t> part = read_payload_part(files, program, delegate, request.backends);
    const std::optional<PayloadGraph> graph = backend.read_graph(part);
    if (!graph) continue;
    operators.emplace();
    for (const PayloadOperator& op : graph->operators)
      operators->push_back({op.op, op.debug_handle});
  }
  return calls;
}

Result<LoadedDelegation> read_program_alone(const FileSystem& files, const LoadRequest& request,
                                            const CancelToken& cancel) {
  set_error_subject(request.pte);
  Result<EtProgram> program = read_program(files, request.pte, cancel);
  if (!program) return std::move(program).error().about(request.pte);
  const Result<size_t> row = choose_method(*program, request.selection.method);
  if (!row) return row.error();
  const ProgramMethod& method = program->methods[*row];
  ProgramRecord built =
      record_of_program(method, operators_of_calls(files, request, *program, method));
  LoadedDelegation loaded{{}, request.pte, nullptr, {}, {}};
  const NodeArguments none;
  const auto shared = std::make_shared<const EtRecord>(std::move(built.record));
  loaded.delegation = find_delegation({shared, built.method, none, &method});
  for (NodeDelegation& node : loaded.delegation.nodes)
    node.instruction = built.instructions[node.node.value];
  loaded.cuts = find_cuts(loaded.delegation);
  return loaded;
}

// The program of the record's export, null without one. Error: it cannot be read, or is of another
// export, and somebody named it.
Result<std::shared_ptr<const EtProgram>> program_of(const FileSystem& files,
                                                    const LoadRequest& request,
                                                    const EtRecord& record,
                                                    const CancelToken& cancel) {
  std::shared_ptr<const EtProgram> none;
  if (request.pte.empty()) return none;
  set_error_subject(request.pte);
  Result<EtProgram> found = read_program(files, request.pte, cancel);
  if (!found && request.leaves_out_program) return none;
  if (!found) return std::move(found).error().about(request.pte);
  const std::optional<std::string> why = record_difference(record, *found);
  if (why && request.leaves_out_program) return none;
  if (why) {
    return Error{ErrorCode::Mismatch,
                 request.pte + " and " + request.etrecord + " do not belong together (" + *why +
                     "); give the ETRecord of the export that made the program"};
  }
  return std::make_shared<const EtProgram>(std::move(*found));
}

Result<LoadedDelegation> read(const FileSystem& files, const LoadRequest& request,
                              const CancelToken& cancel) {
  if (request.etrecord.empty()) return read_program_alone(files, request, cancel);
  LoadedDelegation loaded{request.etrecord, {}, nullptr, {}, {}};
  Result<EtRecord> read =
      read_record(files, request.etrecord, request.backends, cancel, EdgeGraphs::AsPartitioned);
  if (!read) return std::move(read).error();
  EtRecord& record = *read;
  const Result<RecordMethod> method =
      choose_method(record, request.etrecord, request.selection.method);
  if (!method) return method.error();
  const auto program = program_of(files, request, record, cancel);
  if (!program) return program.error();
  if (*program) loaded.pte = request.pte;
  set_error_subject(request.etrecord);
  Result<NodeArguments> arguments =
      read_node_arguments(files, request.etrecord, record.text(method->name));
  if (!arguments) return std::move(arguments).error().about(request.etrecord);
  if (const auto recovery = recovery_of(request, request.source_files)) {
    const auto recovered = recover_record(files, *recovery, record, cancel);
    if (!recovered) return recovered.error();
  }
  const auto shared = std::make_shared<const EtRecord>(std::move(record));
  const ProgramMethod* planned = *program ? (*program)->find(shared->text(method->name)) : nullptr;
  loaded.delegation = find_delegation({shared, *method, *arguments, planned});
  loaded.code = code_of_delegation(loaded.delegation, request.library_frames);
  loaded.cuts = find_cuts(loaded.delegation);
  return loaded;
}

}  // namespace

Result<LoadedDelegation> load_delegation(const FileSystem& files, const LoadRequest& request,
                                         const CancelToken& cancel) {
  const auto load = [&](const LoadRequest& wanted) {
    return within_budget(cancel, [&] { return read(files, wanted, cancel); });
  };
  Result<LoadedDelegation> loaded = load(request);
  const bool may_be_alone = request.leaves_out_record && !request.pte.empty();
  if (loaded || !may_be_alone || loaded.error().code == ErrorCode::Cancelled) return loaded;
  LoadRequest alone = request;
  alone.etrecord.clear();
  Result<LoadedDelegation> without = load(alone);
  return without ? std::move(without) : std::move(loaded);
}

Result<ResolvedRecord> resolve_record(const FileSystem& files,
                                      const std::vector<FoundArtifact>& found,
                                      const StudyWish& wish, const CancelToken& cancel) {
  ResolvedRecord resolved{{wish}, 0};
  LoadRequest& request = resolved.request;
  for (const FoundArtifact& artifact : found)
    resolved.records += artifact.kind == FileKind::EtRecord ? 1 : 0;
  resolved.programs = programs_by_age(found).size();
  if (!choose_export(files, found, request, cancel))
    return Error{ErrorCode::NotFound, "no ETRecord and no program was found"};
  return resolved;
}

}  // namespace etlens
