// SPDX-License-Identifier: Apache-2.0
// `etlens mcp`: the Model Context Protocol on stdin and stdout, for agents.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/file_system.h"
#include "core/base/path.h"
#include "etlens_version.h"
#include "mcp/server.h"
#include "rpc/uv/stdio_transport.h"

namespace etlens::cli {
namespace {

struct McpOptions {
  std::vector<std::string> roots;
  std::string log;
};

Result<std::vector<std::string>> absolute_folders(const std::vector<std::string>& named) {
  std::vector<std::string> folders;
  for (const std::string& name : named) {
    std::string folder = absolute_path(current_folder(), name);
    const Result<FileStamp> stamp = real_file_system().stat(folder);
    if (!stamp) return stamp.error();
    if (!stamp->is_directory)
      return Error{ErrorCode::InvalidParams, folder + " is not a folder; give the model's folder"};
    folders.push_back(std::move(folder));
  }
  return folders;
}

int run(const McpOptions& options) {
  Result<Log> log = Log::open(options.log);
  if (!log) return fail(log.error());
  Result<std::vector<std::string>> roots = absolute_folders(options.roots);
  if (!roots) return fail(roots.error());
  uv::Loop loop;
  uv::StdioTransport stdio(loop, 0, 1, lsp::Framing::Lines);
  mcp::ServerOptions server_options;
  server_options.version = ETLENS_VERSION;
  server_options.roots = std::move(*roots);
  server_options.folder = current_folder();
  mcp::Server server(loop, stdio, real_file_system(), *log, std::move(server_options));
  server.start();
  loop.run();
  // What hangs in a read (a disk that is gone) is not waited for.
  constexpr Delay kFarewell(500);
  if (!loop.run_until([&] { return !loop.has_background_work(); }, kFarewell)) {
    std::fflush(nullptr);
    std::_Exit(kSuccess);
  }
  return kSuccess;
}

}  // namespace

void add_mcp(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("mcp", "Run the Model Context Protocol on stdin and stdout, for an agent");
  auto options = std::make_shared<McpOptions>();
  command
      ->add_option("ROOT", options->roots,
                   "Folders that may be read (default: the client's roots, or the working folder)")
      ->type_name("DIR");
  command->add_option("--log", options->log, "Write the log to FILE instead of stderr")
      ->type_name("FILE");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace etlens::cli
