// SPDX-License-Identifier: Apache-2.0
#include "tests/support/record_builder.h"

#include <zlib.h>

#include "core/base/text.h"
#include "tests/support/little_endian.h"

namespace etlens::test {
namespace {

using nlohmann::json;

// As records number types.
constexpr int kInt64 = 5;
constexpr int kFloat32 = 7;
// Key of a node's shape until its graph is written.
constexpr const char* kShape = "shape";

std::string deflated(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
    }
  }
  return out;
}

json value(const std::string& name) { return {{"as_tensor", {{"name", name}}}}; }

json tensor_json(int dtype, const std::string& shape) {
  json sizes = json::array();
  for (const std::string_view part : split(shape, ',')) {
    const std::string_view size = trim(part);
    if (const std::optional<int64_t> number = parse_int(size))
      sizes.push_back({{"as_int", *number}});
    else sizes.push_back({{"as_expr", {{"expr_str", size}}}});
  }
  return {{"dtype", dtype}, {"sizes", sizes}};
}

json node_json(const RecordNode& node) {
  json inputs = json::array();
  for (const std::string& input : node.inputs)
    inputs.push_back({{"name", "x"}, {"arg", value(input)}});
  json metadata = json::object();
  if (!node.stack_trace.empty()) metadata["stack_trace"] = node.stack_trace;
  if (!node.module_stack.empty()) metadata["nn_module_stack"] = node.module_stack;
  if (node.debug_handle != 0) metadata["debug_handle"] = std::to_string(node.debug_handle);
  if (!node.from_node.empty()) metadata["from_node"] = node.from_node;
  const bool has_namespace =
      node.target.starts_with("torch.") || node.target.starts_with("executorch.");
  return {
      {"name", node.name},
      {"target", has_namespace ? node.target : "executorch.exir.dialects.edge.ops." + node.target},
      {"inputs", inputs},
      {"outputs", json::array({value(node.name)})},
      {"metadata", metadata},
      {kShape, node.shape}};
}

// `values`: of the graph's inputs.
json graph_json(json nodes, json values = json::object()) {
  for (json& node : nodes) {
    const std::string shape = node.value(kShape, RecordNode().shape);
    node.erase(kShape);
    for (const json& output : node["outputs"]) {
      if (!output.contains("as_tensor")) continue;
      values[output["as_tensor"]["name"].get<std::string>()] = tensor_json(kFloat32, shape);
    }
  }
  return {{"inputs", json::array()},
          {"outputs", json::array()},
          {"nodes", nodes},
          {"tensor_values", values}};
}

json nodes_json(const std::vector<RecordNode>& nodes) {
  json list = json::array();
  for (const RecordNode& node : nodes) list.push_back(node_json(node));
  return list;
}

}  // namespace

ZipBuilder& ZipBuilder::add(std::string name, std::string content, bool deflate) {
  members_.push_back({std::move(name), std::move(content), deflate});
  return *this;
}

Bytes ZipBuilder::build() const {
  std::string out;
  std::string directory;
  for (const Member& member : members_) {
    const std::string stored = member.deflate ? deflated(member.content) : member.content;
    const uint64_t offset = out.size();
    const uint64_t crc = crc32(0, reinterpret_cast<const Bytef*>(member.content.data()),
                               static_cast<uInt>(member.content.size()));
    std::string common;
    put(common, 20, 2), put(common, 0, 2), put(common, member.deflate ? 8 : 0, 2),
        put(common, 0, 4);
    put(common, crc, 4), put(common, stored.size(), 4), put(common, member.content.size(), 4);
    put(common, member.name.size(), 2), put(common, 0, 2);
    put(out, 0x04034b50, 4);
    out += common + member.name + stored;
    put(directory, 0x02014b50, 4), put(directory, 20, 2);
    directory += common;
    put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 4);
    put(directory, offset, 4);
    directory += member.name;
  }
  const uint64_t start = out.size();
  out += directory;
  put(out, 0x06054b50, 4), put(out, 0, 4), put(out, members_.size(), 2),
      put(out, members_.size(), 2);
  put(out, directory.size(), 4), put(out, start, 4), put(out, 0, 2);
  return Bytes::copy_of(out);
}

std::string stack_trace(const std::vector<TraceFrame>& frames, bool strict) {
  std::string text;
  for (const TraceFrame& frame : frames) {
    text += "  File \"" + frame.file + "\", line " + std::to_string(frame.line) + ", in " +
            frame.function + "\n";
    if (!frame.text.empty()) text += "    " + frame.text + "\n";
  }
  if (strict) return text;
  return text.substr(2, text.size() - 3);
}

RecordBuilder::Method& RecordBuilder::current() {
  if (methods_.empty()) methods_.push_back({"forward"});
  return methods_.back();
}

RecordBuilder& RecordBuilder::method(std::string name) {
  methods_.push_back({std::move(name)});
  return *this;
}

RecordBuilder& RecordBuilder::node(RecordNode node) {
  current().nodes.push_back(node_json(node));
  return *this;
}

RecordBuilder& RecordBuilder::input(std::string kind, std::string name, const std::string& shape) {
  if (!shape.empty()) current().tensors[name] = tensor_json(kInt64, shape);
  const bool is_user = kind == "user_input";
  json value = {{"name", name}};
  json spec = {{"arg", is_user ? json{{"as_tensor", value}} : value}};
  if (kind == "tensor_constant") spec["tensor_constant_name"] = name;
  else if (!is_user) spec[kind + "_name"] = name;
  current().inputs.push_back({{kind, spec}});
  return *this;
}

RecordBuilder& RecordBuilder::mutation(std::string buffer, std::string value) {
  current().outputs.push_back(
      {{"buffer_mutation", {{"arg", {{"name", value}}}, {"buffer_name", buffer}}}});
  return *this;
}

RecordBuilder& RecordBuilder::map(int32_t instruction, std::vector<uint32_t> handles) {
  json& entry = current().map[std::to_string(instruction)];
  if (handles.size() == 1) entry = handles.front();
  else entry = handles;
  return *this;
}

RecordBuilder& RecordBuilder::delegate(int32_t instruction, std::string backend,
                                       std::map<std::string, std::vector<uint32_t>> ids) {
  json map = json::object();
  for (const auto& [id, handles] : ids) map[id] = handles;
  current().delegates[std::to_string(instruction)] = {{"name", std::move(backend)},
                                                      {"delegate_map", map}};
  return *this;
}

RecordBuilder& RecordBuilder::lowered(std::string name, std::string backend,
                                      std::vector<RecordNode> nodes, std::string payload) {
  // Key order as the exporter writes it; ordered_json keeps it.
  nlohmann::ordered_json inner;
  inner["backend_id"] = std::move(backend);
  inner["processed_bytes"] = base64(payload);
  inner["compile_specs"] = json::array();
  inner["original_module"] = program(nodes_json(nodes));
  inner["original_state_dict"] = base64("weights that nobody reads");
  inner["original_constants"] = "";
  json node = node_json({name, "torch.ops.higher_order.executorch_call_delegate", 0, "", "", {}});
  node["inputs"] =
      json::array({{{"name", "lowered_module_0"}, {"arg", {{"as_string", inner.dump()}}}}});
  current().nodes.push_back(node);
  return *this;
}

RecordBuilder& RecordBuilder::cond(std::string name, uint32_t debug_handle,
                                   std::vector<std::vector<RecordNode>> branches) {
  return control("cond", std::move(name), debug_handle, std::move(branches));
}

RecordBuilder& RecordBuilder::control(std::string operation, std::string name,
                                      uint32_t debug_handle,
                                      std::vector<std::vector<RecordNode>> graphs,
                                      std::string trace) {
  json node = node_json(
      {name, "torch.ops.higher_order." + operation, debug_handle, std::move(trace), "", {}});
  for (const std::vector<RecordNode>& branch : graphs) {
    node["inputs"].push_back(
        {{"name", ""},
         {"arg",
          {{"as_graph", {{"name", "submodule"}, {"graph", graph_json(nodes_json(branch))}}}}}});
  }
  current().nodes.push_back(node);
  return *this;
}

std::string RecordBuilder::program_of(const std::vector<RecordNode>& nodes) {
  return program(nodes_json(nodes)).dump();
}

json RecordBuilder::program(const json& nodes, const json& inputs, const json& outputs,
                            const json& tensors) {
  return {{"graph_module",
           {{"graph", graph_json(nodes, tensors)},
            {"signature", {{"input_specs", inputs}, {"output_specs", outputs}}}}},
          {"schema_version", {{"major", 5}, {"minor", 4}}}};
}

ZipBuilder RecordBuilder::zip() const {
  ZipBuilder zip;
  zip.add("ETRECORD_V0", "");
  json map = json::object();
  json delegates = json::object();
  for (const Method& method : methods_) {
    zip.add("edge_dialect_exported_program/" + method.name,
            program(method.nodes, method.inputs, method.outputs, method.tensors).dump());
    zip.add("edge_dialect_exported_program/" + method.name + "_state_dict", "weights");
    map[method.name] = method.map;
    delegates[method.name] = method.delegates;
  }
  zip.add("debug_handle_map", map.dump());
  zip.add("delegate_map", delegates.dump());
  zip.add("instruction_id_to_num_outs_map", "{}");
  return zip;
}

Bytes RecordBuilder::build() const { return zip().build(); }

}  // namespace etlens::test
