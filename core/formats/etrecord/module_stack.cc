// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/module_stack.h"

#include "core/base/text.h"

namespace etlens {
namespace {

// Splits at `separator` outside brackets and quotes.
std::vector<std::string_view> split_flat(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (c == separator && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// What torch.export writes of a node that a pass of its own made: no module of the user's.
constexpr std::string_view kNoModules = "_empty_nn_module_stack_from_metadata_hook,";

// Calls of getattr that stand inside each other are of real modules: a few.
constexpr int kMaxNested = 64;

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"')) {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

std::string normal_path_at(std::string_view path, int depth) {
  path = trim(path);
  if (path.starts_with("getattr(") && path.ends_with(')') && depth < kMaxNested) {
    const std::vector<std::string_view> arguments =
        split_flat(path.substr(8, path.size() - 9), ',');
    if (arguments.size() == 2) {
      std::string normal = normal_path_at(arguments[0], depth + 1);
      if (!normal.empty()) normal += '.';
      return normal += unquoted(arguments[1]);
    }
  }
  if (path.starts_with("L[")) {  // L['self'], whatever forward's first parameter is called
    const size_t end = path.find(']');
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  std::string normal;
  while (!path.empty()) {
    if (path.front() == '[') {
      const size_t end = std::min(path.find(']'), path.size());
      if (!normal.empty()) normal += '.';
      normal += unquoted(path.substr(1, end - 1));
      path.remove_prefix(std::min(end + 1, path.size()));
    } else {
      normal += path.front();
      path.remove_prefix(1);
    }
  }
  return normal;
}

}  // namespace

std::vector<ParsedModule> parse_module_stack(std::string_view text) {
  std::vector<ParsedModule> modules;
  if (text.empty()) return modules;
  for (const std::string_view entry : split_flat(text, ';')) {
    const size_t first = entry.find(',');
    if (first == std::string_view::npos || entry.starts_with(kNoModules)) continue;
    const std::string_view rest = entry.substr(first + 1);
    const std::vector<std::string_view> parts = split_flat(rest, ',');
    ParsedModule module;
    module.key = entry.substr(0, first);
    if (parts.size() < 2) {
      module.path = rest;
    } else {
      module.type = parts.back();
      module.path = rest.substr(0, rest.size() - module.type.size() - 1);
    }
    modules.push_back(module);
  }
  return modules;
}

std::string normal_module_path(std::string_view path) { return normal_path_at(path, 0); }

bool is_wrapper_type(std::string_view type) {
  return type.starts_with("torch.export.") || type.starts_with("torch.fx.") ||
         type.starts_with("torch._dynamo.") || type.starts_with("torch._export.");
}

}  // namespace etlens
