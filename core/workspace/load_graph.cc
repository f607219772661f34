// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/load_graph.h"

#include "core/backend/payload_part.h"
#include "core/base/budget.h"
#include "core/code/build_code.h"
#include "core/join/program_code.h"
#include "core/workspace/load_program.h"
#include "core/workspace/read_artifacts.h"
#include "core/workspace/record_method.h"
#include "core/workspace/recovered_record.h"

namespace etlens {
namespace {

Result<LoadedGraph> of_program(const FileSystem& files, const LoadRequest& request,
                               const CancelToken& cancel) {
  Result<LoadedProgram> loaded = load_program(files, request, cancel);
  if (!loaded) return std::move(loaded).error();
  set_error_subject(request.pte);
  const EtProgram& program = *loaded->program;
  const Result<size_t> method = choose_method(program, request.selection.method);
  if (!method) return method.error();
  const ProgramMethod& row = program.methods[*method];
  auto code = code_of_program(loaded->record, row, request.library_frames);
  return LoadedGraph{request.pte, request.etrecord,
                     graph_of_loaded(files, program, row, std::move(code), request.backends),
                     program.report};
}

Result<LoadedGraph> of_record(const FileSystem& files, const LoadRequest& request,
                              const CancelToken& cancel) {
  Result<EtRecord> read =
      read_record(files, request.etrecord, request.backends, cancel, EdgeGraphs::AsPartitioned);
  if (!read) return std::move(read).error();
  const Result<RecordMethod> method =
      choose_method(*read, request.etrecord, request.selection.method);
  if (!method) return method.error();
  if (const auto recovery = recovery_of(request, request.source_files)) {
    const auto recovered = recover_record(files, *recovery, *read, cancel);
    if (!recovered) return recovered.error();
  }
  const auto record = std::make_shared<const EtRecord>(std::move(*read));
  const ProjectFrames frames(*record, request.library_frames);
  const MethodContext context(*record, *method, frames);
  return LoadedGraph{
      "",
      request.etrecord,
      graph_of_record(std::make_shared<const Code>(build_code(record, *method, context, {}))),
      {}};
}

}  // namespace

ProgramGraph graph_of_loaded(const FileSystem& files, const EtProgram& program,
                             const ProgramMethod& method, std::shared_ptr<const Code> code,
                             const Backends& backends) {
  return graph_of_program(method, std::move(code), backends, [&](const ProgramDelegate& delegate) {
    return read_payload_part(files, program, delegate, backends);
  });
}

Result<LoadedGraph> load_graph(const FileSystem& files, const LoadRequest& request,
                               const CancelToken& cancel) {
  return within_budget(cancel, [&] {
    return request.pte.empty() ? of_record(files, request, cancel)
                               : of_program(files, request, cancel);
  });
}

}  // namespace etlens
