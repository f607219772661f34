// SPDX-License-Identifier: Apache-2.0
#include "bench/synthetic.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "core/backend/xnnpack/schema/xnnpack_generated.h"
#include "core/formats/etdump/schema/etdump_generated.h"

namespace etlens::bench {
namespace {

namespace fb = etdump_schema;
namespace xs = xnnpack_schema;
using flatbuffers::Offset;

constexpr std::array<const char*, 8> kOperators{"permute_copy", "addmm", "mul",      "mean",
                                                "rsqrt",        "bmm",   "_softmax", "slice_copy"};
// A delegated node, its operator and what that is called while it runs.
struct DelegatedOperator {
  const char* node;
  xs::Operator kind;
  const char* event;
};
constexpr std::array<DelegatedOperator, 8> kDelegated{
    {{"addmm", xs::Operator_FullyConnected, "Fully Connected (NC, F32) GEMM"},
     {"mul", xs::Operator_Multiply, "Multiply (ND)"},
     {"sigmoid", xs::Operator_Sigmoid, "Sigmoid (NC)"},
     {"add", xs::Operator_Add, "Add (ND)"},
     {"bmm", xs::Operator_BatchMatrixMultiply, "Batch Matrix Multiply (NC, F32) GEMM"},
     {"_softmax", xs::Operator_Softmax, "Softmax (NC, F32)"},
     {"mul", xs::Operator_Multiply, "Multiply (ND)"},
     {"sqrt", xs::Operator_SquareRoot, "Square Root (NC)"}}};
constexpr uint32_t kLines = 200;  // of the imagined source file
constexpr uint32_t kNodesPerClass = 20;
constexpr uint32_t kHeaderLines = 6;  // of a class, up to `def forward`

// The 1-based line of a node.
uint32_t line_of(const SyntheticSize& size, uint32_t node) {
  if (size.source_lines == 0) return 10 + node % kLines;
  const uint32_t classes = (size.nodes + kNodesPerClass - 1) / kNodesPerClass;
  return node / kNodesPerClass * (size.source_lines / classes) + kHeaderLines +
         node % kNodesPerClass + 1;
}

// Classes with a long forward each; what is no node's line is a comment.
std::string make_source(const SyntheticSize& size) {
  std::vector<std::string> lines(size.source_lines);
  const uint32_t classes = (size.nodes + kNodesPerClass - 1) / kNodesPerClass;
  const uint32_t height = size.source_lines / classes;
  for (uint32_t l = 0; l < size.source_lines; ++l) {
    const uint32_t within = l % height;
    if (within == 1) lines[l] = fmt::format("class Layer{}(nn.Module):", l / height);
    else if (within == 2) lines[l] = "    def __init__(self):";
    else if (within == 3) lines[l] = "        super().__init__()";
    else if (within == kHeaderLines - 1) lines[l] = "    def forward(self, x):";
    else if (within >= kHeaderLines)
      lines[l] = fmt::format("        # {} of the lines that cost nothing", l);
  }
  for (uint32_t i = 0; i < size.nodes; ++i) {
    const uint32_t line = line_of(size, i);
    lines[line - 1] = fmt::format("        y = operation_{}(x)", line);
  }
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

void write_file(const std::string& path, std::string_view content) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool ok =
      file != nullptr && std::fwrite(content.data(), 1, content.size(), file) == content.size();
  if (file != nullptr) std::fclose(file);
  if (!ok) {
    fmt::print(stderr, "cannot write {}\n", path);
    std::exit(1);
  }
}

std::string make_dump(const SyntheticSize& size) {
  flatbuffers::FlatBufferBuilder b(1 << 20);
  std::vector<Offset<fb::RunData>> runs;
  uint64_t clock = 1000;
  std::vector<Offset<fb::Event>> events;
  const auto add = [&](const std::string& name, int32_t chain, int32_t instruction, uint64_t start,
                       uint64_t end, bool is_delegates = false) {
    const auto text = b.CreateString(name);
    const auto none = Offset<flatbuffers::String>();
    events.push_back(
        fb::CreateEvent(b, fb::CreateProfileEvent(b, is_delegates ? none : text, chain, instruction,
                                                  -1, is_delegates ? text : none, 0, start, end)));
  };
  const std::vector<std::string> reported = delegate_event_names(size.delegated ? size.nodes : 0);
  for (uint32_t r = 0; r < size.executions; ++r) {
    events.clear();
    const uint64_t begin = clock;
    for (uint32_t i = 0; i < reported.size(); ++i) {
      const uint64_t end =
          clock + 1000 * ((i * 7919 + r * 104729) % 9);  // XNNPACK counts microseconds
      add(reported[i], 0, 0, clock, end, true);
      clock = end;
    }
    if (size.delegated) add("DELEGATE_CALL", 0, 0, begin, clock += 500);
    for (uint32_t i = 0; i < size.nodes && !size.delegated; ++i) {
      const uint64_t start = clock + 50;
      const uint64_t end = start + 300 + (i * 7919 + r * 104729) % 900;
      add(fmt::format("native_call_{}.out", kOperators[i % kOperators.size()]), 0,
          static_cast<int32_t>(i), start, end);
      add("OPERATOR_CALL", 0, static_cast<int32_t>(i), clock, end + 30);
      clock = end + 40;
    }
    add("Method::execute", -1, 0, begin, clock);
    clock += 1000;
    const auto name = b.CreateString("Execute");
    const auto list = b.CreateVector(events);
    runs.push_back(fb::CreateRunData(b, name, -1, 0, list));
  }
  b.FinishSizePrefixed(fb::CreateETDump(b, 0, b.CreateVector(runs)), "ED00");
  return {reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize()};
}

// One node as the exporter writes it: metadata and ancestors make up most of it.
std::string node_json(uint32_t i, const SyntheticSize& size) {
  const uint32_t layers = size.layers;
  const char* name =
      size.delegated ? kDelegated[i % kDelegated.size()].node : kOperators[i % kOperators.size()];
  const uint32_t line = line_of(size, i);
  const bool has_source = size.source_lines > 0;
  const uint32_t layer = has_source ? i / kNodesPerClass : i % layers;
  const std::string type = has_source ? fmt::format("model.Layer{}", layer) : "model.Layer";
  const std::string trace = fmt::format(
      R"(File \"/models/model.py\", line 300, in forward\n    x = self.layers[i](x)\n)"
      R"(  File \"/models/model.py\", line {}, in forward\n    y = operation_{}(x)\n)"
      R"(  File \"/usr/lib/python3/dist-packages/torch/nn/modules/linear.py\", line 134, in forward\n)"
      R"(    return F.linear(input, self.weight, self.bias))",
      line, line);
  std::string ancestors = "[]";
  for (int depth = 0; depth < 4; ++depth) {
    ancestors = fmt::format(
        R"([{{\"name\": \"{0}_{1}\", \"target\": \"aten.{0}.default\", \"graph_id\": 14058537515654{2}, )"
        R"(\"pass_name\": \"Interpreter_PropagateUnbackedSymInts\", \"action\": \"create\", )"
        R"(\"from_node\": {3}}}])",
        name, i, depth, ancestors);
  }
  return fmt::format(
      R"({{"name": "aten_{0}_{1}", "target": "executorch.exir.dialects.edge.ops.aten.{0}.default", )"
      R"("inputs": [{{"name": "self", "arg": {{"as_tensor": {{"name": "v{2}"}}}}}}, )"
      R"({{"name": "dim", "arg": {{"as_ints": [-1]}}}}], "outputs": [{{"as_tensor": {{"name": "v{1}"}}}}], )"
      R"("metadata": {{"stack_trace": "{3}", "nn_module_stack": "L__self__,,model.Model;)"
      R"(L__self__layers.{4},layers.{4},{8};L__self__layers.{4}.op{5},layers.{4}.op{5},)"
      R"(torch.nn.modules.linear.Linear", "torch_fn": "{0}_1;method_descriptor.{0}", )"
      R"("debug_handle": "{6}", "from_node": "{7}"}}}})",
      name, i, i == 0 ? 0 : i - 1, trace, layer, i % 16, i + 1, ancestors, type);
}

std::string make_program(const SyntheticSize& size) {
  std::string json = R"({"graph_module": {"graph": {"inputs": [], "outputs": [], "nodes": [)";
  for (uint32_t i = 0; i < size.nodes; ++i) {
    if (i > 0) json += ", ";
    json += node_json(i, size);
  }
  json += R"(], "tensor_values": {)";
  for (uint32_t i = 0; i < size.nodes; ++i) {
    json += fmt::format(
        R"({}"v{}": {{"dtype": 7, "sizes": [{{"as_int": 1}}, {{"as_int": 64}}], "requires_grad": false, )"
        R"("device": {{"type": "cpu"}}, "strides": [{{"as_int": 64}}, {{"as_int": 1}}], )"
        R"("storage_offset": {{"as_int": 0}}, "layout": 7}})",
        i == 0 ? "" : ", ", i);
  }
  return json +
         R"(}, "sym_int_values": {}}, "signature": {}}, "schema_version": {"major": 5, "minor": 4}})";
}

void put(std::string& out, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

std::string make_zip(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string out;
  std::string directory;
  for (const auto& [name, content] : members) {
    std::string common;
    put(common, 20, 2), put(common, 0, 8);
    put(common, crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()), 4);
    put(common, content.size(), 4), put(common, content.size(), 4), put(common, name.size(), 2),
        put(common, 0, 2);
    put(directory, 0x02014b50, 4), put(directory, 20, 2);
    directory += common;
    put(directory, 0, 10), put(directory, out.size(), 4);
    directory += name;
    put(out, 0x04034b50, 4);
    out += common + name + content;
  }
  const uint64_t start = out.size();
  out += directory;
  put(out, 0x06054b50, 4), put(out, 0, 4), put(out, members.size(), 2), put(out, members.size(), 2);
  put(out, directory.size(), 4), put(out, start, 4), put(out, 0, 2);
  return out;
}

std::string make_payload(uint32_t nodes) {
  constexpr uint32_t kInput = 0, kWeight = 1, kAbsent = 0xFFFFFFFFu;
  flatbuffers::FlatBufferBuilder b(1 << 20);
  std::vector<Offset<xs::Value>> values;
  std::vector<Offset<xs::Node>> operators;
  const auto value = [&](uint32_t id, uint32_t buffer, uint32_t flags) {
    const auto dims = b.CreateVector(std::vector<uint32_t>{64, 64});
    const auto tensor = xs::CreateTensorValue(b, 1, 2, dims, buffer, kAbsent, flags, id);
    values.push_back(xs::CreateValue(b, xs::ValueUnion_TensorValue, tensor.Union()));
  };
  value(kInput, 0, 1);
  value(kWeight, 1, 0);
  for (uint32_t i = 0; i < nodes; ++i) {
    const uint32_t input = i == 0 ? kInput : i + 1;
    const uint32_t output = i + 2;
    value(output, 0, i + 1 == nodes ? 2 : 0);
    const xs::Operator kind = kDelegated[i % kDelegated.size()].kind;
    Offset<void> table;
    if (kind == xs::Operator_FullyConnected)
      table = xs::CreateFullyConnected(b, input, kWeight, kAbsent, output).Union();
    else if (kind == xs::Operator_Sigmoid || kind == xs::Operator_Softmax ||
             kind == xs::Operator_SquareRoot)
      table = xs::CreateUnary(b, input, output).Union();
    else table = xs::CreateBinary(b, input, kInput, output).Union();
    operators.push_back(xs::CreateNode(b, kind, table, i + 1));
  }
  const std::vector<uint32_t> inputs{kInput}, outputs{nodes + 1};
  const auto version = b.CreateString("0");
  const auto operator_list = b.CreateVector(operators);
  const auto value_list = b.CreateVector(values);
  const auto input_list = b.CreateVector(inputs);
  const auto output_list = b.CreateVector(outputs);
  b.Finish(xs::CreateGraph(b, version, operator_list, value_list, 0, input_list, output_list),
           "XN01");
  return {reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize()};
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

// The nodes inside the delegate call's lowered module, which is JSON in a JSON string.
std::string make_delegated_program(const SyntheticSize& size) {
  std::string inner = R"({"backend_id": "XnnpackBackend", "processed_bytes": ")" +
                      base64(make_payload(size.nodes)) +
                      R"(", "compile_specs": [], "original_module": )" + make_program(size) +
                      R"(, "original_state_dict": "", "original_constants": ""})";
  std::string quoted;
  for (const char c : inner) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return R"({"graph_module": {"graph": {"inputs": [], "outputs": [], "nodes": [{"name": "call", )"
         R"("target": "torch.ops.higher_order.executorch_call_delegate", "inputs": [{"name": "lowered_module_0", )"
         R"("arg": {"as_string": ")" +
         quoted +
         R"("}}], "outputs": [{"as_tensor": {"name": "result"}}], "metadata": {}}], "tensor_values": {}}, )"
         R"("signature": {}}, "schema_version": {"major": 5, "minor": 4}})";
}

std::string make_delegated_record(const SyntheticSize& size) {
  std::string handles;
  for (uint32_t i = 0; i < size.nodes; ++i)
    handles += fmt::format("{}{}", i == 0 ? "" : ", ", i + 1);
  return make_zip(
      {{"ETRECORD_V0", ""},
       {"edge_dialect_exported_program/forward", make_delegated_program(size)},
       {"debug_handle_map", fmt::format(R"({{"forward": {{"0": [{}]}}}})", handles)},
       {"delegate_map", R"({"forward": {"0": {"name": "XnnpackBackend", "delegate_map": {}}}})"},
       {"instruction_id_to_num_outs_map", R"({"forward": {}})"}});
}

std::string make_record(const SyntheticSize& size) {
  if (size.delegated) return make_delegated_record(size);
  std::string map = R"({"forward": {)";
  for (uint32_t i = 0; i < size.nodes; ++i)
    map += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", i, i + 1);
  map += "}}";
  return make_zip({{"ETRECORD_V0", ""},
                   {"edge_dialect_exported_program/forward", make_program(size)},
                   {"debug_handle_map", map},
                   {"delegate_map", R"({"forward": {}})"},
                   {"instruction_id_to_num_outs_map", R"({"forward": {}})"}});
}

}  // namespace

std::vector<std::string> delegate_event_names(uint32_t nodes) {
  std::vector<std::string> names;
  std::map<std::string, uint32_t> count;
  for (uint32_t i = 0; i < nodes; ++i) {
    const std::string name = kDelegated[i % kDelegated.size()].event;
    names.push_back(fmt::format("{} #{}", name, ++count[name]));
  }
  return names;
}

SyntheticFiles make_artifacts(const SyntheticSize& size) {
  SyntheticFiles files;
  files.folder = std::filesystem::temp_directory_path() /
                 fmt::format("etlens-bench-{}{}-{}-{}", size.delegated ? "delegated-" : "",
                             size.nodes, size.executions, size.source_lines);
  std::filesystem::create_directories(files.folder);
  files.etdump = files.folder + "/model.etdp";
  files.etrecord = files.folder + "/model.etrecord";
  if (!std::filesystem::exists(files.etdump)) write_file(files.etdump, make_dump(size));
  if (!std::filesystem::exists(files.etrecord)) write_file(files.etrecord, make_record(size));
  if (size.source_lines > 0) {
    files.source = files.folder + "/model.py";
    if (!std::filesystem::exists(files.source)) write_file(files.source, make_source(size));
  }
  return files;
}

}  // namespace etlens::bench
