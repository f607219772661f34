// SPDX-License-Identifier: Apache-2.0
// `etlens api`: the process that serves the Python package. It answers requests over its standard
// streams with what the command line would print, from studies that stay open in between.
//
// A request is a line: {"id": 1, "study": "s1", "folder": "/w", "arguments": ["lines", "--format",
// "json"]}. Arguments are those of the command line; studies of one name share their load. The
// answer is lines, and bytes behind some of them:
//   {"id":1,"progress":"reading model.etdp with model.etrecord"}
//   {"id":1,"message":"etlens: …\n"}     what the command writes to stderr
//   {"id":1,"bytes":12}                  and so many bytes of what it writes to stdout
//   {"id":1,"status":0}                  its exit status: the end of the answer
// A request that is none has "id":0 and the status 2. The process ends with its input.
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/options.h"
#include "core/base/json_writer.h"
#include "core/base/output_file.h"
#include "core/formats/fleet/json_line.h"

namespace etlens::cli {
namespace {

constexpr size_t kMaxRequestBytes = 16 << 20;
constexpr size_t kPieceBytes = 1 << 16;

struct Request {
  int64_t id = 0;
  std::string study;
  std::string folder;
  std::vector<std::string> arguments;
};

// nullopt at the end of the input, and behind a line that is too long.
std::optional<std::string> read_line(std::FILE* input) {
  std::string line;
  std::string piece(kPieceBytes, '\0');
  while (std::fgets(piece.data(), static_cast<int>(piece.size()), input) != nullptr) {
    line += piece.c_str();
    if (line.ends_with('\n')) {
      line.pop_back();
      return line;
    }
    if (line.size() > kMaxRequestBytes) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Request> read_request(std::string_view line) {
  Request request;
  const bool is_object = for_each_field(line, [&](const JsonField& field) {
    if (field.name == "id") request.id = field.integer().value_or(0);
    else if (field.name == "study") request.study = field.text;
    else if (field.name == "folder") request.folder = field.text;
    else if (field.name == "arguments") request.arguments = field.list;
  });
  const bool is_sound = is_object && request.id > 0 && !request.arguments.empty() &&
                        !serves(request.arguments.front());
  return is_sound ? std::optional(std::move(request)) : std::nullopt;
}

// A line of the answer; `name`: nothing but the id for "".
bool write_line(OutputFile& out, int64_t id, std::string_view name, const auto& value) {
  JsonWriter line(JsonStyle::Compact);
  line.begin_object().field("id", id).field(name, value).end_object();
  return out.write(line.take() + "\n");
}

int answer(OutputFile& out, const Request& request) {
  std::error_code problem;
  std::filesystem::current_path(request.folder, problem);
  if (problem) {
    say("the working folder " + request.folder + " is not there; change into another one");
    return kUnusableInput;
  }
  keep_studies(request.study,
               [&](std::string_view text) { write_line(out, request.id, "progress", text); });
  return run_command(request.arguments);
}

int run_api() {
  OutputFile out = OutputFile::standard_output();
  bool is_read = true;  // there is somebody who reads answers
  while (is_read) {
    const std::optional<std::string> line = read_line(stdin);
    if (!line) break;
    const std::optional<Request> request = read_request(*line);
    if (!request) {
      is_read = write_line(out, 0, "status", kWrongUsage);
      continue;
    }
    const auto write = [&](std::string_view text) {
      return write_line(out, request->id, "bytes", text.size()) && out.write(text);
    };
    serve_streams(
        {write, [&](std::string_view text) { write_line(out, request->id, "message", text); }});
    const int status = answer(out, *request);
    serve_streams({});
    is_read = write_line(out, request->id, "status", status);
  }
  return kSuccess;
}

}  // namespace

void add_api(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("api", "Serve the Python package over stdin and stdout");
  command->callback([&status] { status = run_api(); });
}

}  // namespace etlens::cli
