// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/load_delegation.h"

#include "core/backend/payload_part.h"
#include "core/base/budget.h"
#include "core/code/build_code.h"
#include "core/delegation/program_record.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/pte/pte_reader.h"
#include "core/join/program_code.h"
#include "core/workspace/load_program.h"
#include "core/workspace/record_method.h"
#include "core/workspace/recovered_record.h"
#include "core/workspace/resolve.h"

namespace etlens {
namespace {

std::shared_ptr<const Code> code_of(const std::shared_ptr<const EtRecord>& record,
                                    const Delegation& delegation,
                                    const std::vector<std::string>& library_frames) {
  const ProjectFrames frames(*record, library_frames);
  const MethodContext context(*record, delegation.method, frames);
  std::vector<CallNodes> calls;
  for (const CalledDelegate& call : delegation.calls)
    calls.push_back({call.instruction, call.backend, {}, {}});
  for (const NodeDelegation& row : delegation.nodes)
    if (row.is_delegated()) calls[row.call].nodes.push_back(row.node);
  return std::make_shared<const Code>(build_code(record, delegation.method, context, calls));
}

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
      operators->push_back({std::string(op.op), op.debug_handle});
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

Result<LoadedDelegation> read(const FileSystem& files, const LoadRequest& request,
                              const CancelToken& cancel) {
  if (request.etrecord.empty()) return read_program_alone(files, request, cancel);
  LoadedDelegation loaded{request.etrecord, {}, nullptr, {}, {}};
  set_error_subject(request.etrecord);
  if (std::optional<Error> wrong = wrong_kind_of_record(files, request.etrecord))
    return *std::move(wrong);
  Result<EtRecord> read =
      read_etrecord(files, request.etrecord, cancel, payload_decoder(request.backends),
                    EdgeGraphs::AsPartitioned);
  if (!read) return std::move(read).error().about(request.etrecord);
  EtRecord& record = *read;
  const Result<RecordMethod> method =
      choose_method(record, request.etrecord, request.selection.method);
  if (!method) return method.error();
  std::shared_ptr<const EtProgram> program;
  if (!request.pte.empty()) {
    set_error_subject(request.pte);
    Result<EtProgram> found = read_program(files, request.pte, cancel);
    if (!found) return std::move(found).error().about(request.pte);
    if (const auto why = record_difference(record, *found)) {
      return Error{ErrorCode::Unsupported,
                   request.pte + " and " + request.etrecord + " do not belong together (" + *why +
                       "); give the ETRecord of the export that made the program"};
    }
    program = std::make_shared<const EtProgram>(std::move(*found));
    loaded.pte = request.pte;
    set_error_subject(request.etrecord);
  }
  Result<NodeArguments> arguments =
      read_node_arguments(files, request.etrecord, record.text(method->name));
  if (!arguments) return std::move(arguments).error().about(request.etrecord);
  if (const auto recovery = recovery_of(request, request.source_files)) {
    const auto recovered = recover_record(files, *recovery, record, cancel);
    if (!recovered) return recovered.error();
  }
  const auto shared = std::make_shared<const EtRecord>(std::move(record));
  const ProgramMethod* ran =
      program == nullptr ? nullptr : program->find(shared->text(method->name));
  loaded.delegation = find_delegation({shared, *method, *arguments, ran});
  loaded.code = code_of(shared, loaded.delegation, request.library_frames);
  loaded.cuts = find_cuts(loaded.delegation);
  return loaded;
}

}  // namespace

Result<LoadedDelegation> load_delegation(const FileSystem& files, const LoadRequest& request,
                                         const CancelToken& cancel) {
  return within_budget(cancel, [&] { return read(files, request, cancel); });
}

Result<ResolvedRecord> resolve_record(const FileSystem& files,
                                      const std::vector<FoundArtifact>& found,
                                      const StudyWish& wish, const CancelToken& cancel) {
  ResolvedRecord resolved{{wish}, 0};
  LoadRequest& request = resolved.request;
  for (const FoundArtifact& artifact : found)
    resolved.records += artifact.kind == FileKind::EtRecord ? 1 : 0;
  if (request.etrecord.empty() && !request.pte.empty()) {
    request.etrecord = find_record_of(files, found, request.pte, cancel);
    return resolved;
  }
  if (request.etrecord.empty()) {
    const FoundArtifact* newest = newest_of(found, FileKind::EtRecord);
    if (newest == nullptr) {
      const Result<ResolvedProgram> program = resolve_program(files, found, wish, cancel);
      if (!program) return Error{ErrorCode::NotFound, "no ETRecord and no program was found"};
      request.pte = program->request.pte;
      resolved.programs = program->programs;
      return resolved;
    }
    request.etrecord = newest->path;
  }
  if (!request.pte.empty()) return resolved;
  std::vector<const FoundArtifact*> programs = program_partners(found, request.etrecord);
  if (programs.size() > kMaxScored) programs.resize(kMaxScored);
  for (const FoundArtifact* program : programs) {
    if (!load_program(files, program->path, request.etrecord, cancel)) continue;
    request.pte = program->path;
    break;
  }
  return resolved;
}

}  // namespace etlens
