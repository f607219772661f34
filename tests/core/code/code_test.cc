// SPDX-License-Identifier: Apache-2.0
// What exists of an export: how often its lines run, its modules, and the keys of its lines.
#include "core/code/code.h"

#include "core/code/build_code.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "test_paths.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::code_test {

using namespace etlens::test;

namespace {

Code code_of(const FileSystem& files, const std::string& path) {
  Result<EtRecord> read = read_etrecord(files, path);
  if (!read) FAIL(read.error().message);
  const auto record = std::make_shared<const EtRecord>(std::move(*read));
  const RecordMethod& method = record->methods.front();
  const ProjectFrames frames(*record, {});
  return build_code(record, method, MethodContext(*record, method, frames), {});
}

Code code_of(const RecordBuilder& record) {
  MemoryFileSystem files;
  files.put("/r.etrecord", record.build());
  return code_of(files, "/r.etrecord");
}

// How often the line runs; the file's name is enough.
uint32_t runs_of(const Code& code, std::string_view file, uint32_t number) {
  for (const CodeLine& line : code.lines) {
    if (line.number == number && code.recorded_path(line.file).ends_with(file)) return line.runs;
  }
  FAIL("no line " << number << " in " << file);
  return 0;
}

std::string in_module(const std::string& path, const std::string& type) {
  return "L__self__,,m.Model;k_" + path + "," + path + "," + type;
}

TraceFrame frame(uint32_t line, const std::string& function, const std::string& text) {
  return {"/m/model.py", line, function, text};
}

}  // namespace

TEST_CASE("code: a line that runs a list of modules in a loop runs once for each", "[code]") {
  RecordBuilder record;
  for (uint32_t i = 0; i < 24; ++i) {
    const std::string block = "blocks." + std::to_string(i);
    const std::vector<TraceFrame> frames{frame(30, "forward", "x = self.blocks[i](x)"),
                                         frame(12, "forward", "return torch.relu(x) + 1")};
    record.node({"relu" + std::to_string(i),
                 "aten.relu.default",
                 2 * i + 1,
                 stack_trace(frames, true),
                 in_module(block, "m.Block"),
                 {}});
    record.node({"add" + std::to_string(i),
                 "aten.add.Tensor",
                 2 * i + 2,
                 stack_trace(frames, true),
                 in_module(block, "m.Block"),
                 {}});
  }
  record.map(0, {1});
  const Code code = code_of(record);
  CHECK(runs_of(code, "model.py", 30) == 24);
  CHECK(runs_of(code, "model.py", 12) == 24);  // two nodes of one call are one run
}

TEST_CASE("code: a helper that is called twice runs twice", "[code]") {
  RecordBuilder record;
  const auto call = [&](const std::string& name, uint32_t handle, uint32_t from) {
    const std::vector<TraceFrame> frames{frame(from, "forward", "x = scale(x)"),
                                         frame(4, "scale", "return x * 2")};
    record.node(
        {name, "aten.mul.Tensor", handle, stack_trace(frames, true), "L__self__,,m.Model", {}});
  };
  call("a", 1, 10);
  call("b", 2, 11);
  record.map(0, {1});
  const Code code = code_of(record);
  CHECK(runs_of(code, "model.py", 4) == 2);
  CHECK(runs_of(code, "model.py", 10) == 1);
  CHECK(runs_of(code, "model.py", 11) == 1);
}

TEST_CASE("code: the line of a class with six instances runs six times", "[code]") {
  RecordBuilder record;
  uint32_t handle = 0;
  for (const char* block : {"stem", "a.0", "a.1", "b.0", "b.1", "head"}) {
    const std::vector<TraceFrame> frames{
        frame(20 + handle, "forward", "x = self." + std::string(block) + "(x)"),
        frame(12, "forward", "return self.norm(x)")};
    ++handle;
    record.node({"n" + std::to_string(handle),
                 "aten.mul.Tensor",
                 handle,
                 stack_trace(frames, true),
                 in_module(block, "m.ConvNorm"),
                 {}});
  }
  record.map(0, {1});
  const Code code = code_of(record);
  CHECK(runs_of(code, "model.py", 12) == 6);
  CHECK(runs_of(code, "model.py", 20) == 1);
  size_t instances = 0;
  for (const CodeModule& module : code.modules) {
    if (!module.type.valid() || code.text(module.type) != "m.ConvNorm") continue;
    ++instances;
    CHECK(module.calls == 1);
  }
  CHECK(instances == 6);
}

TEST_CASE("code: quantize nodes that lost their modules add no runs", "[code]") {
  for (const char* precision : {"fp32", "int8"}) {
    CAPTURE(precision);
    const std::string folder = std::string(ETLENS_EXAMPLES "/leafnet/") + precision;
    const Code code = code_of(real_file_system(), folder + "/model.etrecord");
    CHECK(runs_of(code, "blocks.py", 12) == 6);
    CHECK(runs_of(code, "head.py", 13) == 1);
  }
}

TEST_CASE("code: a line is found again by its function, its text and how many went before",
          "[code]") {
  RecordBuilder record;
  const auto node = [&](uint32_t handle, TraceFrame at) {
    record.node({"n" + std::to_string(handle),
                 "aten.mul.Tensor",
                 handle,
                 stack_trace({std::move(at)}, true),
                 "L__self__,,m.Model",
                 {}});
  };
  node(1, frame(10, "forward", "x = x * 2"));
  node(2, frame(12, "forward", "x = x * 2"));
  node(3, frame(15, "other", "x = x * 2"));
  node(4, frame(16, "other", "x = x * 3"));
  node(5, {"/m/second.py", 3, "forward", "x = x * 2"});
  record.map(0, {1});
  const Code code = code_of(record);
  REQUIRE(code.lines.size() == 5);
  const LineKey first{"/m/model.py", "forward", "x = x * 2", 0};
  CHECK(code.key_of(LineId(0)) == first);
  CHECK(code.key_of(LineId(1)) == LineKey{"/m/model.py", "forward", "x = x * 2", 1});
  CHECK(code.key_of(LineId(2)) == LineKey{"/m/model.py", "other", "x = x * 2", 0});
  CHECK(code.key_of(LineId(3)) == LineKey{"/m/model.py", "other", "x = x * 3", 0});
  CHECK(code.key_of(LineId(4)) == LineKey{"/m/second.py", "forward", "x = x * 2", 0});
  CHECK(code.key_of(LineId(0)) < code.key_of(LineId(1)));
}

TEST_CASE("code: modules by their whole path, parents that no stack names are filled in",
          "[code]") {
  RecordBuilder record;
  record.node({"a", "aten.add.Tensor", 1, "", in_module("layers.1", "m.Layer"), {}})
      .node({"b", "aten.mul.Tensor", 2, "", in_module("layers.10", "m.Layer"), {}});
  record.map(0, {1}).map(1, {2});
  const Code code = code_of(record);
  const ModuleId layers = code.find_module("layers");
  REQUIRE(layers.valid());
  CHECK_FALSE(code.modules[layers.value].type.valid());
  CHECK(code.modules[layers.value].calls == 0);
  CHECK(code.modules[code.find_module("layers.1").value].parent == layers);
  CHECK_FALSE(code.find_module("layers.100").valid());
  CHECK(is_module_below("layers.1", "layers.1.attn"));
  CHECK_FALSE(is_module_below("layers.1", "layers.10"));
}

TEST_CASE("code: modules behind their parents, numbers before names and as numbers", "[code]") {
  RecordBuilder record;
  // "10" is before "5a" and "5a" before "9" as texts, "9" before "10" as numbers.
  for (const std::string path : {"10", "5a", "9", "a.b", "a-b", "a", "a.10", "a.9"}) {
    record.node({"n_" + path, "aten.add.Tensor", 1, "", in_module(path, "m.Layer"), {}});
  }
  record.map(0, {1});
  std::vector<std::string> paths;
  for (const CodeModule& module : code_of(record).modules) paths.push_back(module.path);
  CHECK(paths == std::vector<std::string>{"", "9", "10", "5a", "a", "a.9", "a.10", "a.b", "a-b"});
}

TEST_CASE("code: a forward that is called by name has no module of its own", "[code]") {
  // Block.forward -> self.rope.forward(x) -> self.rotate(x): three frames, two modules of the file.
  const auto record_of = [](const std::string& inner_file) {
    RecordBuilder record;
    for (uint32_t i = 0; i < 3; ++i) {
      const std::string layer = "layers." + std::to_string(i);
      const std::vector<TraceFrame> frames{
          {"/p/net/model.py", 30, "forward", "x = self.layers[i](x)"},
          {"/p/net/block.py", 12, "forward", "x = self.rope.forward(x)"},
          {inner_file, 50, "forward", "return self.rotate(x)"},
          {inner_file, 20, "forward", "return x.cos()"}};
      record.node({"cos" + std::to_string(i),
                   "aten.cos.default",
                   i + 1,
                   stack_trace(frames),
                   "L,,net.model.Net;k_" + layer + "," + layer + ",net.block.Block;r_" + layer +
                       "," + layer + ".rope.rotate,net.rope.Rotate",
                   {"x"}});
      record.map(static_cast<int32_t>(i), {i + 1});
    }
    return record;
  };
  const Code code = code_of(record_of("/p/net/rope.py"));
  CHECK(runs_of(code, "model.py", 30) == 3);
  CHECK(runs_of(code, "block.py", 12) == 3);
  CHECK(runs_of(code, "rope.py", 50) == 3);
  CHECK(runs_of(code, "rope.py", 20) == 3);
  for (const CodeLine& line : code.lines) {
    // Which of the two forwards in rope.py is Rotate's, nothing tells.
    const bool is_unsure = code.recorded_path(line.file).ends_with("rope.py");
    CHECK(line.owner_types.empty() == is_unsure);
  }
}

TEST_CASE("code: the files of classes tell which forward has no module", "[code]") {
  RecordBuilder record;
  const std::vector<TraceFrame> frames{
      {"/p/net/model.py", 30, "forward", "return self.a.forward(x)"},
      {"/p/net/a.py", 12, "forward", "return self.b(x)"},
      {"/p/net/b.py", 50, "forward", "return x.cos()"}};
  record.node(
      {"cos", "aten.cos.default", 1, stack_trace(frames), "L,,net.model.Net;k,a.b,net.b.B", {"x"}});
  record.map(0, {1});
  const Code code = code_of(record);
  for (const CodeLine& line : code.lines) {
    const std::string_view path = code.recorded_path(line.file);
    CHECK(line.runs == 1);
    if (path.ends_with("/a.py")) CHECK(line.owner_types.empty());
    if (path.ends_with("/b.py")) {
      REQUIRE(line.owner_types.size() == 1);
      CHECK(code.text(line.owner_types.front()) == "net.b.B");
    }
  }
}

TEST_CASE("code: every line that a trace names ran at least once", "[code]") {
  RecordBuilder record;
  record.node(
      {"cos", "aten.cos.default", 1, stack_trace({frame(3, "forward", "x.cos()")}), "", {"x"}});
  record.map(0, {1});
  CHECK(runs_of(code_of(record), "model.py", 3) == 1);
}

}  // namespace etlens::code_test
