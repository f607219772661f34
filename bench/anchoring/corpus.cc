// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/text.h"
#include "core/source/python/python_tokens.h"

namespace etlens::bench {
namespace {

constexpr size_t kMaxBytes = 400'000;
constexpr double kTracedFunctions = 0.8;

// Whether tracing would leave this line in a stack: something is called or computed.
bool does_something(std::string_view line) {
  const std::vector<Token> tokens = python_tokens(line);
  for (size_t t = 0; t < tokens.size(); ++t) {
    const std::string_view text = line.substr(tokens[t].begin, tokens[t].end - tokens[t].begin);
    if (t > 0 && text == "(" && tokens[t - 1].kind == TokenKind::Name) return true;
    const bool is_binary = t > 0 && tokens[t - 1].kind != TokenKind::Comma &&
                           tokens[t - 1].kind != TokenKind::Open &&
                           tokens[t - 1].kind != TokenKind::Operator;
    if (is_binary && (text == "+" || text == "*" || text == "@" || text == "/" || text == "-"))
      return true;
  }
  return false;
}

bool calls(const Program& program, const PythonScope& scope, const std::string& call) {
  for (uint32_t line = scope.header_line; line <= scope.last_line; ++line) {
    if (program.lines()[line].text.find(call) != std::string::npos) return true;
  }
  return false;
}

// The class whose forward was running, as far as a record knows it: of forward itself, of methods
// that the class calls on itself, of functions outside of classes that it calls. kNone otherwise.
uint32_t running_class(const Program& program, uint32_t row) {
  const PythonScope& scope = program.scope(row);
  const std::string name(scope.name);
  if (scope.parent != kNone) {
    const bool is_method = program.scope(scope.parent).is_class;
    const bool is_known =
        is_method &&
        (name == "forward" || calls(program, program.scope(scope.parent), "self." + name + "("));
    return is_known ? scope.parent : kNone;
  }
  for (const uint32_t c : program.classes()) {
    if (calls(program, program.scope(c), " " + name + "(")) return c;
  }
  return kNone;
}

}  // namespace

std::vector<SourceFile> read_sources(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  std::error_code error;
  for (const std::string& path : paths) {
    if (fs::is_regular_file(path, error)) names.push_back(path);
    if (!fs::is_directory(path, error)) continue;
    for (fs::recursive_directory_iterator
             at(path, fs::directory_options::skip_permission_denied, error),
         end;
         at != end; at.increment(error)) {
      if (at->is_regular_file(error) && at->path().extension() == ".py")
        names.push_back(at->path().string());
    }
  }
  std::sort(names.begin(), names.end());
  std::vector<SourceFile> sources;
  for (const std::string& name : names) {
    std::ifstream file(name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    const bool is_usable =
        text.str().size() <= kMaxBytes && text.str().find("def ") != std::string::npos;
    const bool is_known = std::any_of(sources.begin(), sources.end(),
                                      [&](const SourceFile& s) { return s.text == text.str(); });
    if (is_usable && !is_known) sources.push_back({name, text.str()});
  }
  return sources;
}

std::vector<Recorded> record_lines(const Program& program, Random& random, double share) {
  const PythonSyntax& syntax = program.syntax();
  std::vector<bool> is_traced;
  for (size_t row = 0; row < syntax.scopes().size(); ++row)
    is_traced.push_back(chance(random, kTracedFunctions));
  std::vector<Recorded> lines;
  uint32_t last = 0;
  for (const PythonStatement& statement : syntax.statements()) {
    if (statement.scope == kNone || statement.is_docstring || !is_traced[statement.scope]) continue;
    const PythonScope& scope = syntax.scopes()[statement.scope];
    if (scope.is_class || scope.name.starts_with("__")) continue;
    const auto first_line = static_cast<uint32_t>(syntax.document().line_at(statement.begin));
    const auto end_line = static_cast<uint32_t>(syntax.document().line_at(statement.end));
    for (uint32_t line = first_line; line <= end_line; ++line) {
      const std::string_view text = trim(program.lines()[line].text);
      if (line + 1 <= last || text.starts_with("def ") || text.starts_with("@")) continue;
      if (!does_something(text) || !chance(random, share)) continue;
      Recorded recorded{line + 1,
                        std::string(scope.name),
                        syntax.qualified_name(statement.scope),
                        std::string(text),
                        {}};
      const uint32_t owner = running_class(program, statement.scope);
      if (owner != kNone) recorded.classes.push_back("model." + syntax.qualified_name(owner));
      lines.push_back(std::move(recorded));
      last = line + 1;
    }
  }
  return lines;
}

}  // namespace etlens::bench
