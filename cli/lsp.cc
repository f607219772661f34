// SPDX-License-Identifier: Apache-2.0
// `etlens lsp`: the language server on stdin and stdout.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/file_system.h"
#include "core/base/output_system.h"
#include "etlens_version.h"
#include "rpc/recording_transport.h"
#include "rpc/uv/stdio_transport.h"
#include "server/server.h"

namespace etlens::cli {
namespace {

struct LspOptions {
  std::string log;
  std::string record;
  bool stdio = false;
  std::optional<int64_t> client_process;
};

int run(const LspOptions& options) {
  Result<Log> log = Log::open(options.log);
  if (!log) return fail(log.error());
  uv::Loop loop;
  uv::StdioTransport stdio(loop);
  Transport* transport = &stdio;
  std::unique_ptr<RecordingTransport> recording;
  if (!options.record.empty()) {
    Result<std::unique_ptr<RecordingTransport>> opened =
        RecordingTransport::open(stdio, options.record);
    if (!opened) return fail(opened.error());
    recording = std::move(*opened);
    transport = recording.get();
  }
  ServerOptions server_options;
  server_options.version = ETLENS_VERSION;
  server_options.client_process = options.client_process;
  Server server(loop, *transport, real_file_system(), *log, std::move(server_options));
  server.start();
  loop.run();
  // Work in the background was told to end. What hangs in a read (a disk that is gone) is not
  // waited for: there is nothing to lose: a run that is being stored is not there
  // until it is whole.
  constexpr Delay kFarewell(400);
  if (!loop.run_until([&] { return !loop.has_background_work(); }, kFarewell)) {
    std::fflush(nullptr);
    remove_unfinished_files();
    std::_Exit(server.exit_status());
  }
  return server.exit_status();
}

}  // namespace

void add_lsp(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("lsp", "Run the language server on stdin and stdout, for an editor");
  auto options = std::make_shared<LspOptions>();
  command->add_option("--log", options->log, "Write the log to FILE instead of stderr")
      ->type_name("FILE");
  command->add_option("--record", options->record, "Write every message to FILE, one per line")
      ->type_name("FILE.jsonl");
  command->add_flag("--stdio", options->stdio,
                    "Accepted for clients that pass it; there is nothing else");
  command
      ->add_option("--clientProcessId", options->client_process,
                   "Process of the client: the server ends when it has gone")
      ->type_name("PID");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace etlens::cli
