// SPDX-License-Identifier: Apache-2.0
#include "tests/support/hostile.h"

#include <flatbuffers/flatbuffers.h>
#include <zlib.h>

#include "core/formats/etdump/schema/etdump_generated.h"
#include "tests/support/dump_builder.h"
#include "tests/support/little_endian.h"
#include "tests/support/record_builder.h"

namespace etlens::test {
namespace {

namespace ds = etdump_schema;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

std::string finished(FlatBufferBuilder& b, const std::vector<Offset<ds::RunData>>& runs) {
  b.Finish(ds::CreateETDump(b, 0, b.CreateVector(runs)), "ED00");
  return {reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize()};
}

// One value whose list names the same long tensor again and again.
HostilePair shared_tensors() {
  FlatBufferBuilder b;
  const std::vector<int64_t> sizes(5000, 1);
  const auto tensor = ds::CreateTensor(b, 6, b.CreateVector(sizes), b.CreateVector(sizes), 0);
  const std::vector<Offset<ds::Tensor>> tensors(20'000, tensor);
  const auto list = ds::CreateTensorList(b, b.CreateVector(tensors));
  ds::ValueBuilder value(b);
  value.add_val(ds::ValueType_TensorList);
  value.add_tensor_list(list);
  const auto debug = ds::CreateDebugEvent(b, 0, 0, value.Finish());
  const auto event = ds::CreateEvent(b, 0, 0, debug);
  const auto events = b.CreateVector(std::vector<Offset<ds::Event>>{event});
  const auto name = b.CreateString("Execute");
  ds::RunDataBuilder run(b);
  run.add_name(name);
  run.add_events(events);
  const auto built = run.Finish();
  return {finished(b, {built}), ""};
}

// Events that share one long name; `is_wrapped`: each of them is an oddity as well.
HostilePair long_name(size_t bytes, size_t count, bool is_wrapped) {
  FlatBufferBuilder b;
  const auto name = b.CreateString(std::string(bytes, 'n'));
  const auto block = b.CreateString("Execute");
  std::vector<Offset<ds::Event>> events;
  for (size_t i = 0; i < count; ++i) {
    ds::ProfileEventBuilder profile(b);
    profile.add_name(name);
    profile.add_chain_index(0);
    profile.add_instruction_id(static_cast<int32_t>(i));
    profile.add_start_time(is_wrapped ? 20 : 10);
    profile.add_end_time(is_wrapped ? 10 : 20);
    profile.add_delegate_debug_id_int(-1);
    const auto built = profile.Finish();
    events.push_back(ds::CreateEvent(b, built));
  }
  const auto list = b.CreateVector(events);
  ds::RunDataBuilder run(b);
  run.add_name(block);
  run.add_events(list);
  const auto built = run.Finish();
  return {finished(b, {built}), ""};
}

std::string plain_dump(int instructions = 1) {
  DumpBuilder dump;
  dump.block("Execute");
  for (int i = 0; i < instructions; ++i) {
    const auto at = static_cast<uint64_t>(10 + 10 * i);
    dump.operator_call("add.out", i, at, at + 5);
  }
  dump.framework("Method::execute", 0, static_cast<uint64_t>(20 + 10 * instructions));
  return std::string(dump.build().text());
}

// Sequences whose shapes have the same hash, because only the chains differ.
HostilePair shapes_of_one_hash(int count) {
  DumpBuilder dump;
  for (int i = 0; i < count; ++i) {
    dump.block("Execute");
    dump.add({"OPERATOR_CALL", i, 0, 10, 20, -1, "", ""});
  }
  return {std::string(dump.build().text()), ""};
}

// Executions that each report events of their own: a table of all events by all executions.
HostilePair distinct_executions(int count) {
  DumpBuilder dump;
  for (int i = 0; i < count; ++i) {
    dump.block("Execute").event("DELEGATE_CALL", 0, 5, 90);
    dump.delegate("event " + std::to_string(i), 0, 10, 20).framework("Method::execute", 0, 100);
  }
  return {std::string(dump.build().text()), ""};
}

// A call inside which nothing happens but copies, of which the record knows nothing.
HostilePair only_copies(int count) {
  DumpBuilder dump;
  dump.block("Execute");
  for (int i = 0; i < count; ++i) dump.delegate("Copy (NC, X32)", 0, 10, 20);
  dump.event("DELEGATE_CALL", 0, 5, 90).framework("Method::execute", 0, 100);
  RecordBuilder record;
  record.node({"n", "aten.add.Tensor", 1, "", "", {}}).map(0, {1}).delegate(0, "XnnpackBackend");
  return {std::string(dump.build().text()), std::string(record.build().text())};
}

// A ZIP whose directory has `names`, all of them the same empty member.
std::string shared_member_zip(const std::vector<std::string>& names) {
  std::string out;
  put(out, 0x04034b50, 4);
  put(out, 20, 2);
  out.append(20, '\0');
  put(out, 11, 2);
  put(out, 0, 2);
  out += "ETRECORD_V0";
  const size_t directory = out.size();
  for (const std::string& name : names) {
    put(out, 0x02014b50, 4);
    put(out, 20, 2);
    put(out, 20, 2);
    out.append(20, '\0');
    put(out, name.size(), 2);
    out.append(16, '\0');
    out += name;
  }
  const size_t size = out.size() - directory;
  const size_t end64 = out.size();
  put(out, 0x06064b50, 4);
  put(out, 44, 8);
  out.append(12, '\0');
  put(out, names.size(), 8);
  put(out, names.size(), 8);
  put(out, size, 8);
  put(out, directory, 8);
  put(out, 0x07064b50, 4);
  put(out, 0, 4);
  put(out, end64, 8);
  put(out, 1, 4);
  put(out, 0x06054b50, 4);
  out.append(4, '\0');
  put(out, 0xFFFF, 2);
  put(out, 0xFFFF, 2);
  put(out, 0xFFFFFFFF, 4);
  put(out, 0xFFFFFFFF, 4);
  put(out, 0, 2);
  return out;
}

HostilePair many_members(size_t count) {
  std::vector<std::string> names{"ETRECORD_V0", "debug_handle_map"};
  for (size_t i = 0; i < count; ++i) names.push_back("m" + std::to_string(i) + "_constants");
  return {plain_dump(), shared_member_zip(names)};
}

std::string record_of(const std::string& program, const std::string& map = R"({"forward":{"0":1}})",
                      bool is_deflated = false) {
  ZipBuilder zip;
  zip.add("ETRECORD_V0", "");
  zip.add("edge_dialect_exported_program", program, is_deflated);
  zip.add("debug_handle_map", map);
  zip.add("delegate_map", "{}");
  return std::string(zip.build().text());
}

std::string program_of(const std::string& nodes, const std::string& rest = {}) {
  return R"({"graph_module":{"graph":{"nodes":[)" + nodes + "]" + rest + "}}}";
}

std::string node_of(const std::string& fields) {
  return R"({"target":"torch.ops.aten.add.Tensor")" + fields + "}";
}

std::string repeated(const std::string& text, size_t count, const std::string& separator = ",") {
  std::string out;
  for (size_t i = 0; i < count; ++i) (out += i > 0 ? separator : "") += text;
  return out;
}

// Blanks, which pack a thousandfold.
HostilePair deflated_blanks(size_t bytes) {
  return {plain_dump(), record_of("{" + std::string(bytes, ' ') + "}", "{}", true)};
}

// Nodes without names, which get one each that is not in use.
HostilePair derived_names(size_t count) {
  const std::string two = R"(,"outputs":[{"as_tensor":{"name":"a"}},{"as_tensor":{"name":"b"}}])";
  return {plain_dump(), record_of(program_of(repeated(node_of(two), count)))};
}

// The list of nodes, and then empty ones.
HostilePair empty_node_lists(size_t nodes, size_t lists) {
  const std::string rest = "," + repeated(R"("nodes":[])", lists);
  const std::string named = R"(,"outputs":[{"as_tensor":{"name":"a"}}])";
  return {plain_dump(), record_of(program_of(repeated(node_of(named), nodes), rest))};
}

// The values that nodes make come in the other order than they were named in.
HostilePair lists_in_turn(size_t lists) {
  const auto value = [](size_t i) {
    return R"({"as_tensor":{"name":"v)" + std::to_string(i) + "\"}}";
  };
  std::string inputs = R"({"arg":)" + value(0) + "}";
  for (size_t i = 1; i < lists; ++i) inputs += R"(,{"arg":)" + value(i) + "}";
  std::string rest;
  for (size_t i = lists; i-- > 0;) {
    rest += R"(,"nodes":[)" + node_of(R"(,"outputs":[)" + value(i) + "]");
    rest += R"(],"tensor_values":{"v0":{"dtype":7,"sizes":[]}})";
  }
  return {plain_dump(), record_of(program_of(node_of(R"(,"inputs":[)" + inputs + "]"), rest))};
}

HostilePair many_inputs(size_t count) {
  std::string inputs;
  for (size_t i = 0; i < count; ++i)
    (inputs += i > 0 ? "," : "") +=
        R"({"arg":{"as_tensor":{"name":"v)" + std::to_string(i) + "\"}}}";
  const std::string meta = R"(,"name":"n","metadata":{"debug_handle":"1"},"inputs":[)";
  return {plain_dump(), record_of(program_of(node_of(meta + inputs + "]")))};
}

HostilePair metadata(const std::string& key, const std::string& text) {
  const std::string meta = R"(,"name":"n","metadata":{"debug_handle":"1",")" + key + "\":\"";
  return {plain_dump(), record_of(program_of(node_of(meta + text + "\"}")))};
}

HostilePair deep_trace(size_t frames) {
  std::string trace;
  for (size_t i = 0; i < frames; ++i)
    trace += "  File \\\"/m/a.py\\\", line " + std::to_string(i + 1) + ", in forward\\n";
  return metadata("stack_trace", trace);
}

HostilePair nested_getattr(size_t depth) {
  return metadata("nn_module_stack", "k," + repeated("getattr(", depth, "") + "x" +
                                         repeated(", 'y')", depth, "") + ",T");
}

HostilePair deep_path(size_t depth) {
  return metadata("nn_module_stack", "k,L['self']" + repeated(".a", depth, "") + ",T");
}

HostilePair many_methods(size_t count) {
  std::string map = "{";
  for (size_t i = 0; i < count; ++i)
    (map += i > 0 ? "," : "") += "\"m" + std::to_string(i) + R"(":{"0":1})";
  return {plain_dump(), record_of(program_of(node_of("")), map + "}")};
}

// Every instruction lists the handle that all nodes have.
HostilePair one_handle(size_t nodes, int instructions) {
  std::string map;
  for (int i = 0; i < instructions; ++i)
    (map += i > 0 ? "," : "") += "\"" + std::to_string(i) + "\":1";
  const std::string meta =
      R"(,"name":"n","metadata":{"debug_handle":"1"},"outputs":[{"as_tensor":{"name":"n"}}])";
  return {plain_dump(instructions),
          record_of(program_of(repeated(node_of(meta), nodes)), R"({"forward":{)" + map + "}}")};
}

// Each step of the module stack is a module of its own.
HostilePair many_owners(size_t count) {
  std::string stack;
  for (size_t i = 0; i < count; ++i)
    stack += (i > 0 ? ";k" : "k") + std::to_string(i) + ",L['self'].m" + std::to_string(i) + ",T";
  return metadata("nn_module_stack", stack);
}

// A node that is given one tensor again and again, whose shape is long.
HostilePair long_shapes(size_t inputs, size_t dimensions) {
  const std::string v = R"({"arg":{"as_tensor":{"name":"v"}}})";
  const std::string nodes =
      node_of(R"(,"name":"v","outputs":[{"as_tensor":{"name":"v"}}],"inputs":[])") + "," +
      node_of(R"(,"name":"n","metadata":{"debug_handle":"1"},"inputs":[)" + repeated(v, inputs) +
              "]");
  return {plain_dump(),
          record_of(program_of(nodes, R"(,"tensor_values":{"v":{"dtype":7,"sizes":[)" +
                                          repeated(R"({"as_int":1})", dimensions) + "]}}"))};
}

}  // namespace

const std::vector<HostileClass>& hostile_classes() {
  static const std::vector<HostileClass> kClasses{
      {"a list that names one long tensor often", shared_tensors},
      {"events that share a name of 300 KB", [] { return long_name(300'000, 5000, true); }},
      {"events that share a name of 16 KB", [] { return long_name(16'000, 20'000, true); }},
      {"blocks whose shapes have one hash", [] { return shapes_of_one_hash(8000); }},
      {"executions with events of their own", [] { return distinct_executions(6000); }},
      {"a call of 30,000 copies", [] { return only_copies(30'000); }},
      {"a directory of 300,000 members", [] { return many_members(300'000); }},
      {"a packed member of 400 MB of blanks", [] { return deflated_blanks(400 << 20); }},
      {"nodes without names", [] { return derived_names(20'000); }},
      {"a list of nodes that begins again", [] { return empty_node_lists(20'000, 50'000); }},
      {"lists of nodes and of shapes in turn", [] { return lists_in_turn(30'000); }},
      {"a node with many inputs", [] { return many_inputs(100'000); }},
      {"a stack of 50,000 frames", [] { return deep_trace(50'000); }},
      {"calls of getattr inside each other", [] { return nested_getattr(100'000); }},
      {"a module path of 500,000 parts", [] { return deep_path(500'000); }},
      {"a node of 10,000 modules", [] { return many_owners(10'000); }},
      {"20,000 inputs of a long shape", [] { return long_shapes(20'000, 5'000); }},
      {"a map of 50,000 methods", [] { return many_methods(50'000); }},
      {"one handle for all nodes", [] { return one_handle(20'000, 5000); }},
  };
  return kClasses;
}

}  // namespace etlens::test
