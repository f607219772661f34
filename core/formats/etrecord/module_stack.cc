// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/module_stack.h"

#include "core/base/text.h"

namespace etlens {
namespace {

// Calls `take(place)` for each `separator` outside brackets.
template <typename Take>
void each_flat(std::string_view text, char separator, const Take& take) {
  if (text.find('(') == std::string_view::npos && text.find('[') == std::string_view::npos) {
    for (size_t i = text.find(separator); i != std::string_view::npos;
         i = text.find(separator, i + 1))
      take(i);
    return;
  }
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == separator && depth == 0) take(i);
    else if (c == '(' || c == '[') ++depth;
    else if ((c == ')' || c == ']') && depth > 0) --depth;
  }
}

// The parts between separators outside brackets.
std::vector<std::string_view> split_flat(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  each_flat(text, separator, [&](size_t at) {
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  });
  parts.push_back(text.substr(begin));
  return parts;
}

// Where the last of these parts is separated; npos if there is only one.
size_t last_flat(std::string_view text, char separator) {
  size_t last = std::string_view::npos;
  each_flat(text, separator, [&](size_t at) { last = at; });
  return last;
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
  for (const std::string_view entry : module_entries(text)) modules.push_back(parse_module(entry));
  return modules;
}

std::vector<std::string_view> module_entries(std::string_view text) {
  std::vector<std::string_view> entries;
  if (!text.empty()) entries = split_flat(text, ';');
  std::erase_if(entries, [](std::string_view entry) {
    return entry.find(',') == std::string_view::npos || entry.starts_with(kNoModules);
  });
  return entries;
}

ParsedModule parse_module(std::string_view entry) {
  const size_t first = entry.find(',');
  const std::string_view rest = entry.substr(first + 1);
  const size_t last = last_flat(rest, ',');
  ParsedModule module{entry.substr(0, first), rest.substr(0, last), {}};
  if (last != std::string_view::npos) module.type = rest.substr(last + 1);
  return module;
}

std::string normal_module_path(std::string_view path) { return normal_path_at(path, 0); }

bool is_wrapper_type(std::string_view type) {
  return type.starts_with("torch.export.") || type.starts_with("torch.fx.") ||
         type.starts_with("torch._dynamo.") || type.starts_with("torch._export.");
}

}  // namespace etlens
