// SPDX-License-Identifier: Apache-2.0
#include "bench/synthetic.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/artifact/schema/etdump_generated.h"

namespace etlens::bench {
namespace {

namespace fb = etdump_schema;
using flatbuffers::Offset;

constexpr std::array<const char*, 8> kOperators{"permute_copy", "addmm", "mul", "mean",
                                                "rsqrt",        "bmm",   "_softmax", "slice_copy"};
constexpr uint32_t kLines = 200;  // of the imagined source file

void write_file(const std::string& path, std::string_view content) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool ok = file != nullptr && std::fwrite(content.data(), 1, content.size(), file) == content.size();
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
                       uint64_t end) {
    const auto text = b.CreateString(name);
    events.push_back(
        fb::CreateEvent(b, fb::CreateProfileEvent(b, text, chain, instruction, -1, 0, 0, start, end)));
  };
  for (uint32_t r = 0; r < size.executions; ++r) {
    events.clear();
    const uint64_t begin = clock;
    for (uint32_t i = 0; i < size.nodes; ++i) {
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
std::string node_json(uint32_t i, uint32_t layers) {
  const char* name = kOperators[i % kOperators.size()];
  const uint32_t line = 10 + i % kLines;
  const uint32_t layer = i % layers;
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
      R"(L__self__layers.{4},layers.{4},model.Layer;L__self__layers.{4}.op{5},layers.{4}.op{5},)"
      R"(torch.nn.modules.linear.Linear", "torch_fn": "{0}_1;method_descriptor.{0}", )"
      R"("debug_handle": "{6}", "from_node": "{7}"}}}})",
      name, i, i == 0 ? 0 : i - 1, trace, layer, i % 16, i + 1, ancestors);
}

std::string make_program(const SyntheticSize& size) {
  std::string json = R"({"graph_module": {"graph": {"inputs": [], "outputs": [], "nodes": [)";
  for (uint32_t i = 0; i < size.nodes; ++i) {
    if (i > 0) json += ", ";
    json += node_json(i, size.layers);
  }
  json += R"(], "tensor_values": {)";
  for (uint32_t i = 0; i < size.nodes; ++i) {
    json += fmt::format(
        R"({}"v{}": {{"dtype": 7, "sizes": [{{"as_int": 1}}, {{"as_int": 64}}], "requires_grad": false, )"
        R"("device": {{"type": "cpu"}}, "strides": [{{"as_int": 64}}, {{"as_int": 1}}], )"
        R"("storage_offset": {{"as_int": 0}}, "layout": 7}})",
        i == 0 ? "" : ", ", i);
  }
  return json + R"(}, "sym_int_values": {}}, "signature": {}}, "schema_version": {"major": 5, "minor": 4}})";
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
    put(common, content.size(), 4), put(common, content.size(), 4), put(common, name.size(), 2), put(common, 0, 2);
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

std::string make_record(const SyntheticSize& size) {
  std::string map = R"({"forward": {)";
  for (uint32_t i = 0; i < size.nodes; ++i) map += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", i, i + 1);
  map += "}}";
  return make_zip({{"ETRECORD_V0", ""},
                   {"edge_dialect_exported_program/forward", make_program(size)},
                   {"debug_handle_map", map},
                   {"delegate_map", R"({"forward": {}})"},
                   {"instruction_id_to_num_outs_map", R"({"forward": {}})"}});
}

}  // namespace

SyntheticFiles make_artifacts(const SyntheticSize& size) {
  SyntheticFiles files;
  files.folder = std::filesystem::temp_directory_path() /
                 fmt::format("etlens-bench-{}-{}", size.nodes, size.executions);
  std::filesystem::create_directories(files.folder);
  files.etdump = files.folder + "/model.etdp";
  files.etrecord = files.folder + "/model.etrecord";
  if (!std::filesystem::exists(files.etdump)) write_file(files.etdump, make_dump(size));
  if (!std::filesystem::exists(files.etrecord)) write_file(files.etrecord, make_record(size));
  return files;
}

}  // namespace etlens::bench
