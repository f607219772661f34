// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/call_details.h"

#include "core/base/budget.h"
#include "core/formats/etrecord/set_members.h"

namespace etlens {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

GraphInputKind input_kind(od::raw_json_string key) {
  if (key == "user_input") return GraphInputKind::User;
  if (key == "parameter") return GraphInputKind::Parameter;
  if (key == "buffer") return GraphInputKind::Buffer;
  if (key == "tensor_constant") return GraphInputKind::Constant;
  return GraphInputKind::Other;
}

error_code read_input(od::value spec, StringPool& strings, GraphInput& input) {
  return each_member(spec, [&](od::raw_json_string key, od::value value) -> error_code {
    if (key == "arg") return read_value_name(value, strings, input.name);
    if (key == "parameter_name" || key == "buffer_name" || key == "tensor_constant_name")
      return read_text(value, strings, input.target);
    return SUCCESS;
  });
}

error_code read_inputs(od::value value, StringPool& strings, Graph& graph) {
  return each_element(value, [&](od::value specs) {
    return each_member(specs, [&](od::raw_json_string key, od::value spec) -> error_code {
      GraphInput input;
      input.kind = input_kind(key);
      if (const error_code e = read_input(spec, strings, input)) return e;
      graph.inputs.push_back(input);
      return SUCCESS;
    });
  });
}

error_code read_mutation(od::value spec, StringPool& strings, Graph& graph) {
  GraphMutation mutation;
  const auto take = [&](od::raw_json_string key, od::value value) -> error_code {
    if (key == "arg") return read_value_name(value, strings, mutation.value);
    if (key == "buffer_name" || key == "user_input_name" || key == "parameter_name")
      return read_text(value, strings, mutation.target);
    return SUCCESS;
  };
  if (const error_code e = each_member(spec, take)) return e;
  if (mutation.value.valid() && mutation.target.valid()) graph.mutations.push_back(mutation);
  return SUCCESS;
}

// Of the outputs only those that change what outlives an execution.
error_code read_outputs(od::value value, StringPool& strings, Graph& graph) {
  return each_element(value, [&](od::value specs) {
    return each_member(specs, [&](od::raw_json_string key, od::value spec) {
      const bool is_mutation =
          key == "buffer_mutation" || key == "user_input_mutation" || key == "parameter_mutation";
      return is_mutation ? read_mutation(spec, strings, graph) : SUCCESS;
    });
  });
}

constexpr std::string_view kName = R"(\"name\": \")";
constexpr std::string_view kGraphId = R"(\", \"graph_id\": )";

constexpr Sought kSoughtName{kName};
constexpr Sought kSoughtTarget{kOriginTarget};

// Where `part` begins for the last time before `end`. In the middle texts differ that begin alike.
size_t last_of(std::string_view text, const Sought& part, size_t end) {
  const size_t size = part.text.size();
  const size_t middle = size / 2;
  if (end < size) return std::string_view::npos;
  for (size_t at = end - size;;) {
    const char first = text[at];
    if (first == part.text[0] && text[at + middle] == part.text[middle] &&
        text.substr(at, size) == part.text)
      return at;
    const size_t skip = part.skips[static_cast<uint8_t>(first)];
    if (at < skip) return std::string_view::npos;
    at -= skip;
  }
}

constexpr int kMaxNesting = 2;      // of what says which kind of value a name is of
constexpr size_t kMaxOrigins = 16;  // that a chain is searched for

}  // namespace

error_code read_value_name(od::value value, std::string_view& name, int nesting) {
  od::json_type type;
  if (const error_code e = value.type().get(type)) return e;
  if (type != od::json_type::object || nesting > kMaxNesting) return SUCCESS;
  return each_member(value, [&](od::raw_json_string key, od::value member) -> error_code {
    if (key == "name" || key == "as_name") return member.get_string().get(name);
    return read_value_name(member, name, nesting + 1);
  });
}

error_code read_value_name(od::value value, StringPool& strings, StringId& name) {
  std::string_view text;
  if (const error_code e = read_value_name(value, text)) return e;
  if (text.data() != nullptr) name = strings.intern(text);
  return SUCCESS;
}

error_code read_whole_numbers(od::value value, std::vector<int64_t>& numbers) {
  od::json_type type;
  if (const error_code e = value.type().get(type)) return e;
  int64_t number = 0;
  if (type == od::json_type::number) {
    if (value.get_int64().get(number) == SUCCESS) numbers.push_back(number);
    return SUCCESS;
  }
  if (type != od::json_type::array) return SUCCESS;
  od::array elements;
  if (const error_code e = value.get_array().get(elements)) return e;
  for (auto element : elements) {
    go_on();
    if (element.get_int64().get(number) == SUCCESS) numbers.push_back(number);
  }
  return SUCCESS;
}

std::string_view oldest_origin(std::string_view token) {
  size_t before = token.size();
  for (size_t tried = 0; tried < kMaxOrigins; ++tried) {
    const size_t target = last_of(token, kSoughtTarget, before);
    if (target == std::string_view::npos) return {};
    before = target;
    const size_t op = target + kOriginTarget.size();
    if (!token.substr(op).starts_with("aten.")) continue;
    const size_t name = last_of(token, kSoughtName, target);
    if (name == std::string_view::npos) return {};
    // The graph's number stands right behind the operator.
    size_t end = op;
    while (end < token.size() && token[end] != '\\') ++end;
    if (!token.substr(end).starts_with(kGraphId)) return {};
    end += kGraphId.size();
    while (end < token.size() && token[end] >= '0' && token[end] <= '9') ++end;
    return token.substr(name + kName.size(), end - name - kName.size());
  }
  return {};
}

std::string_view exported_origin(std::string_view token, const Sought& graph_id) {
  const size_t size = graph_id.text.size();
  std::string_view found;
  size_t next = std::string_view::npos;
  for (size_t at = last_of(token, graph_id, token.size()); at != std::string_view::npos;
       at = next) {
    next = last_of(token, graph_id, at);
    const size_t from = next == std::string_view::npos ? 0 : next + size;
    const std::string_view before = token.substr(from, at - from);
    const size_t end = at + size;
    const bool is_longer = end < token.size() && token[end] >= '0' && token[end] <= '9';
    if (is_longer || !before.ends_with(kGraphId)) continue;
    const size_t quoted = last_of(before, kSoughtName, before.size());
    if (quoted == std::string_view::npos) continue;
    std::string_view name = before.substr(quoted + kName.size());
    name = name.substr(0, name.find('\\'));
    if (!found.empty() && found != name) return {};
    found = name;
  }
  return found;
}

error_code read_signature(od::value value, StringPool& strings, Graph& graph) {
  od::json_type type;
  if (const error_code e = value.type().get(type)) return e;
  if (type != od::json_type::object) return SUCCESS;
  return each_member(value, [&](od::raw_json_string key, od::value specs) -> error_code {
    if (key == "input_specs") return read_inputs(specs, strings, graph);
    if (key == "output_specs") return read_outputs(specs, strings, graph);
    return SUCCESS;
  });
}

error_code read_module_paths(od::value value, StringPool& strings, Graph& graph) {
  od::json_type type;
  if (const error_code e = value.type().get(type)) return e;
  if (type != od::json_type::array) return SUCCESS;
  return each_element(value, [&](od::value module) {
    return each_member(module, [&](od::raw_json_string key, od::value path) -> error_code {
      return key == "fqn" ? read_text(path, strings, graph.module_paths.emplace_back()) : SUCCESS;
    });
  });
}

}  // namespace etlens
