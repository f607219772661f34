// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etrecord/node_arguments.h"

#include <simdjson.h>

#include <limits>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/formats/etrecord/call_details.h"
#include "core/formats/etrecord/members.h"
#include "core/formats/etrecord/set_members.h"
#include "core/formats/etrecord/zip_archive.h"

namespace etlens {
namespace {

namespace od = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

// Of a list, or the one that there is: it may be what is no JSON (see read_real).
template <typename Take>
error_code each_of(od::value value, const Take& take) {
  od::json_type type;
  if (value.type().get(type) != SUCCESS || type != od::json_type::array) return take(value);
  return each_element(value, take);
}

error_code read_names(od::value value, std::vector<std::string>& names) {
  return each_of(value, [&](od::value item) {
    std::string_view name;
    const error_code e = read_value_name(item, name);
    names.emplace_back(name);
    return e;
  });
}

// Python writes what JSON has no words for as it is.
error_code read_real(od::value value, std::vector<double>& numbers) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string_view token = trim(value.raw_json_token());
  double number = 0;
  if (token == "Infinity") numbers.push_back(kInfinity);
  else if (token == "-Infinity") numbers.push_back(-kInfinity);
  else if (token == "NaN") numbers.push_back(std::numeric_limits<double>::quiet_NaN());
  else if (value.get_double().get(number) == SUCCESS) numbers.push_back(number);
  return SUCCESS;
}

error_code read_integers(od::value value, std::vector<int64_t>& integers) {
  return each_of(value, [&](od::value item) {
    int64_t number = 0;
    if (item.get_int64().get(number) == SUCCESS) integers.push_back(number);
    return SUCCESS;
  });
}

// A whole number or a name: {"as_int": n}, {"as_name": s}.
error_code read_sizes(od::value value, NodeArgument& argument) {
  return each_of(value, [&](od::value item) {
    return each_member(item, [&](od::raw_json_string key, od::value size) -> error_code {
      if (key == "as_int") return read_integers(size, argument.integers);
      std::string_view text;
      if (size.get_string().get(text) == SUCCESS) argument.names.emplace_back(text);
      return SUCCESS;
    });
  });
}

struct KindOfKey {
  std::string_view key;
  ArgumentKind kind;
};
constexpr KindOfKey kArgumentKinds[]{
    {"as_none", ArgumentKind::None},
    {"as_bool", ArgumentKind::Bool},
    {"as_int", ArgumentKind::Int},
    {"as_ints", ArgumentKind::Ints},
    {"as_float", ArgumentKind::Float},
    {"as_floats", ArgumentKind::Floats},
    {"as_scalar_type", ArgumentKind::Dtype},
    {"as_string", ArgumentKind::Text},
    {"as_tensor", ArgumentKind::Value},
    {"as_tensors", ArgumentKind::Values},
    {"as_optional_tensors", ArgumentKind::Values},
    {"as_optional_tensor", ArgumentKind::Value},
    {"as_sym_int", ArgumentKind::Symbol},
    {"as_sym_ints", ArgumentKind::Symbol},
    {"as_sym_bool", ArgumentKind::Symbol},
    {"as_sym_float", ArgumentKind::Symbol},
};

error_code read_value(od::value value, NodeArgument& argument) {
  switch (argument.kind) {
    case ArgumentKind::Bool: {
      bool is_set = false;
      if (const error_code e = value.get_bool().get(is_set)) return e;
      argument.numbers.push_back(is_set ? 1 : 0);
      return SUCCESS;
    }
    case ArgumentKind::Int:
    case ArgumentKind::Ints:
    case ArgumentKind::Dtype:
      return read_integers(value, argument.integers);
    case ArgumentKind::Float:
    case ArgumentKind::Floats:
      return each_of(value, [&](od::value item) { return read_real(item, argument.numbers); });
    case ArgumentKind::Text: {
      // Lowered modules are long texts, which nobody asks for here.
      constexpr size_t kMaxText = 256;
      const std::string_view token = value.raw_json_token();
      std::string_view text;
      if (token.size() > kMaxText) return SUCCESS;
      if (value.get_string().get(text) == SUCCESS) argument.text = text;
      return SUCCESS;
    }
    case ArgumentKind::Value:
    case ArgumentKind::Values:
      return read_names(value, argument.names);
    case ArgumentKind::Symbol:
      return read_sizes(value, argument);
    default:
      return SUCCESS;
  }
}

error_code read_string(od::value value, std::string& text) {
  std::string_view read;
  if (const error_code e = value.get_string().get(read)) return e;
  text = read;
  return SUCCESS;
}

error_code read_argument(od::value value, NodeArgument& argument) {
  od::object object;
  if (const error_code e = value.get_object().get(object)) return e;
  for (auto entry : object) {
    od::field field;
    if (const error_code e = std::move(entry).get(field)) return e;
    std::string_view key;
    if (const error_code e = field.unescaped_key().get(key)) return e;
    // Unset members are null, as is None in some releases.
    if (key != "as_none" && is_absent(field.value())) continue;
    for (const KindOfKey& row : kArgumentKinds) {
      if (row.key != key) continue;
      argument.kind = row.kind;
      if (row.kind == ArgumentKind::None) continue;
      if (const error_code e = read_value(field.value(), argument)) return e;
    }
  }
  return SUCCESS;
}

error_code read_inputs(od::value value, std::vector<NodeArgument>& arguments) {
  return each_element(value, [&](od::value input) {
    NodeArgument& argument = arguments.emplace_back();
    return each_member(input, [&](od::raw_json_string key, od::value member) -> error_code {
      if (key == "name") return read_string(member, argument.name);
      if (key == "arg") return read_argument(member, argument);
      return SUCCESS;
    });
  });
}

error_code read_first_output(od::value value, std::string& name) {
  return each_element(value, [&](od::value output) -> error_code {
    std::vector<std::string> names;
    const auto take = [&](od::raw_json_string, od::value member) {
      return read_names(member, names);
    };
    if (const error_code e = each_member(output, take)) return e;
    if (name.empty() && !names.empty()) name = names.front();
    return SUCCESS;
  });
}

error_code read_nodes(od::value value, NodeArguments& found) {
  return each_element(value, [&](od::value node) -> error_code {
    std::string own;
    std::string output;
    std::vector<NodeArgument> arguments;
    const auto take = [&](od::raw_json_string key, od::value member) -> error_code {
      if (key == "name") return read_string(member, own);
      if (key == "inputs") return read_inputs(member, arguments);
      if (key == "outputs") return read_first_output(member, output);
      return SUCCESS;
    };
    if (const error_code e = each_member(node, take)) return e;
    found.nodes.try_emplace(output.empty() ? std::move(own) : std::move(output),
                            std::move(arguments));
    return SUCCESS;
  });
}

// {"strides": [{"as_int": n}, …], …}, which release 0.1 wraps in {"meta": …}.
error_code read_strides(od::value tensor, std::vector<int64_t>& strides, bool& is_whole,
                        bool is_wrapped = false) {
  return each_member(tensor, [&](od::raw_json_string key, od::value member) -> error_code {
    if (!is_wrapped && key == "meta") return read_strides(member, strides, is_whole, true);
    if (key != "strides") return SUCCESS;
    size_t count = 0;
    const auto take = [&](od::value size) {
      ++count;
      return each_member(size, [&](od::raw_json_string part, od::value value) {
        int64_t number = 0;
        if (part == "as_int" && value.get_int64().get(number) == SUCCESS) strides.push_back(number);
        return SUCCESS;
      });
    };
    if (const error_code e = each_element(member, take)) return e;
    is_whole = strides.size() == count;
    return SUCCESS;
  });
}

error_code read_tensors(od::value value, NodeArguments& found) {
  od::object tensors;
  if (const error_code e = value.get_object().get(tensors)) return e;
  for (auto entry : tensors) {
    go_on();
    od::field field;
    if (const error_code e = std::move(entry).get(field)) return e;
    std::string_view key;
    if (const error_code e = field.unescaped_key().get(key)) return e;
    std::string name(key);
    if (is_absent(field.value())) continue;
    std::vector<int64_t> strides;
    bool is_whole = false;
    if (const error_code e = read_strides(field.value(), strides, is_whole)) return e;
    if (is_whole) found.strides.try_emplace(std::move(name), std::move(strides));
  }
  return SUCCESS;
}

error_code read_program(const Bytes& json, NodeArguments& found) {
  const simdjson::padded_string_view padded(json.text(), json.size() + Bytes::kPadding);
  od::parser parser;
  od::document document;
  od::object graph;
  if (const error_code e = parser.iterate(padded).get(document)) return e;
  if (const error_code e = document["graph_module"]["graph"].get_object().get(graph)) return e;
  return each_member(graph, [&](od::raw_json_string key, od::value value) -> error_code {
    if (key == "nodes") return read_nodes(value, found);
    if (key == "tensor_values") return read_tensors(value, found);
    return SUCCESS;
  });
}

}  // namespace

const std::vector<NodeArgument>* NodeArguments::find(std::string_view key) const {
  const auto at = nodes.find(std::string(key));
  return at == nodes.end() ? nullptr : &at->second;
}

Result<NodeArguments> parse_node_arguments(const Bytes& json) {
  NodeArguments found;
  if (read_program(json, found) != SUCCESS)
    return Error{ErrorCode::Corrupt, "is not the JSON of an exported program"};
  return found;
}

Result<NodeArguments> read_node_arguments(const FileSystem& files, std::string_view path,
                                          std::string_view method) {
  const Result<ZipArchive> archive = ZipArchive::open(files, path);
  if (!archive) return archive.error();
  const ZipMember* member =
      archive->find(std::string(kTransformedProgram) + "/" + std::string(method));
  if (member == nullptr)
    member = archive->find(std::string(kEdgeProgram) + "/" + std::string(method));
  if (member == nullptr && method == kForward) member = archive->find(kEdgeProgram);
  if (member == nullptr) return NodeArguments();
  const Result<Bytes> json = archive->read(*member);
  if (!json) return json.error();
  return parse_node_arguments(*json);
}

}  // namespace etlens
