// SPDX-License-Identifier: Apache-2.0
// Nodes that passes made are on the line of the model's node that they come from.
#include "core/formats/etrecord/rewritten_nodes.h"

#include <fmt/format.h>

#include "core/formats/etrecord/etrecord_reader.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::rewritten_nodes_test {

using test::MemoryFileSystem;
using test::RecordBuilder;
using test::RecordNode;
using test::TraceFrame;

namespace {

constexpr int64_t kGraph = 140074362138704;  // Python's id() of the exported program's graph
const std::string kPassBase = "/v/site-packages/executorch/exir/pass_base.py";

std::string source_of(const std::string& name, int64_t graph, const std::string& inner = "[]") {
  return fmt::format(R"x({{"name": "{}", "target": "aten.relu.default", "graph_id": {}, )x"
                     R"x("pass_name": "ExportedProgram.module()", "action": "create", )x"
                     R"x("from_node": {}}})x",
                     name, graph, inner);
}

// From an earlier edge graph to the exported program, and to the graph before that.
std::string from(const std::string& name) {
  const std::string oldest = "[" + source_of(name + "_old", 7) + "]";
  return "[" + source_of("aten_x", 11, "[" + source_of(name, kGraph, oldest) + "]") + "]";
}

std::string trace(const std::vector<TraceFrame>& frames) { return test::stack_trace(frames); }

const TraceFrame kModel{"/m/net.py", 12, "forward", "y = torch.sigmoid(x)"};

// What the exported program has.
std::vector<RecordNode> exported_nodes() {
  return {{"sigmoid", "torch.ops.aten.sigmoid.default", 0, trace({kModel}), "L__self__,,m.M", {}},
          {"relu",
           "torch.ops.aten.relu.default",
           0,
           trace({{"/m/net.py", 20, "forward", "y = relu(x)"}}),
           "L__self__,,m.M",
           {}},
          {"bare", "torch.ops.aten.relu.default", 0, "", "", {}}};
}

Result<EtRecord> read(const Bytes& content, EdgeGraphs graphs = EdgeGraphs::AsExported) {
  static MemoryFileSystem files;
  files.put("/model.etrecord", content);
  return read_etrecord(files, "/model.etrecord", {}, {}, graphs);
}

// "net.py:12 net.py:20" of the node's stack, outermost first.
std::string lines_of(const EtRecord& record, std::string_view name) {
  for (const Node& node : record.nodes) {
    if (record.text(node.name) != name) continue;
    std::string lines;
    if (!node.stack.valid()) return lines;
    for (const FrameId id : record.frames_of(node.stack)) {
      const Frame& frame = record.frames[id.value];
      const std::string_view file = record.text(frame.file);
      if (!lines.empty()) lines += ' ';
      lines += fmt::format("{}:{}", file.substr(file.rfind('/') + 1), frame.line);
    }
    return lines;
  }
  FAIL("no node " << name);
  return {};
}

test::ZipBuilder with_exported(const RecordBuilder& builder, std::string id) {
  return builder.zip()
      .add("exported_program", RecordBuilder::program_of(exported_nodes()))
      .add("export_graph_id", std::move(id));
}

RecordBuilder rewritten_record() {
  const std::string dummy = trace({{kPassBase, 294, "_create_dummy_node_metadata", ""}});
  RecordBuilder builder;
  builder.node({"neg", "aten.neg.default", 1, dummy, "", {}, from("sigmoid")})
      .node({"lost", "aten.neg.default", 2, dummy, "", {}, from("nothing")})
      .node({"no_frames", "aten.neg.default", 3, dummy, "", {}, from("bare")})
      .node({"input", "aten.neg.default", 4, "", "", {}, from("sigmoid")})
      .node({"own",
             "aten.add.Tensor",
             5,
             trace({{"/m/net.py", 30, "forward", ""}}),
             "",
             {},
             from("sigmoid")})
      .map(0, {1})
      .map(1, {2})
      .map(2, {3})
      .map(3, {4})
      .map(4, {5});
  return builder;
}

}  // namespace

TEST_CASE("rewritten nodes: a node with the frames of a pass alone is where it comes from",
          "[etrecord]") {
  const auto record = read(with_exported(rewritten_record(), std::to_string(kGraph)).build());
  REQUIRE(record);
  CHECK(lines_of(*record, "neg") == "net.py:12");
  CHECK(lines_of(*record, "lost") == "pass_base.py:294");
  CHECK(lines_of(*record, "no_frames") == "pass_base.py:294");
  CHECK(lines_of(*record, "input").empty());
  CHECK(lines_of(*record, "own") == "net.py:30");
  const Node& node = record->nodes.front();
  REQUIRE(node.modules.valid());
  CHECK(record->text(node.stack_trace).find("pass_base.py") != std::string_view::npos);
  CHECK(record->methods.size() == 1);
  CHECK(record->graphs.size() == 1);
}

TEST_CASE("rewritten nodes: without the exported program, or its number, nothing is guessed",
          "[etrecord]") {
  const auto builder = rewritten_record();
  const std::string exported = RecordBuilder::program_of(exported_nodes());
  const auto is_abstained = [](const Bytes& content) {
    const auto record = read(content);
    return record && lines_of(*record, "neg") == "pass_base.py:294";
  };
  const std::string number = std::to_string(kGraph);
  CHECK(is_abstained(builder.zip().add("export_graph_id", number).build()));
  CHECK(is_abstained(builder.zip().add("exported_program", exported).build()));
  CHECK(is_abstained(builder.zip()
                         .add("exported_program", exported.substr(0, 300))
                         .add("export_graph_id", number)
                         .build()));
  for (const std::string& other : {number.substr(1), number.substr(0, 9), number + "7",
                                   std::string("0"), std::string("null"), std::string(1000, '1')}) {
    CAPTURE(other);
    CHECK(is_abstained(with_exported(builder, other).build()));
  }
}

TEST_CASE("rewritten nodes: of a node that comes from several, none is chosen", "[etrecord]") {
  RecordBuilder builder;
  const std::string both =
      "[" + source_of("sigmoid", kGraph) + ", " + source_of("relu", kGraph) + "]";
  builder
      .node({"fused", "aten.neg.default", 1, trace({{kPassBase, 294, "call", ""}}), "", {}, both})
      .map(0, {1});
  const auto record = read(with_exported(builder, std::to_string(kGraph)).build());
  REQUIRE(record);
  CHECK(lines_of(*record, "fused") == "pass_base.py:294");
}

TEST_CASE("rewritten nodes: behind passes of the user's", "[etrecord]") {
  const TraceFrame pass{"/m/passes.py", 47, "call_operator", ""};
  const std::vector<RecordNode> behind{
      {"kept", "aten.sigmoid.default", 1, trace({kModel}), "", {}, from("sigmoid")},
      {"appended", "aten.div.Tensor", 2, trace({kModel, pass}), "", {}, from("sigmoid")},
      {"replaced", "aten.clamp.default", 3, trace({pass}), "", {}, from("relu")},
      {"moved", "aten.clamp.default", 4, trace({kModel}), "", {}, from("relu")},
      {"no_trace", "aten.clamp.default", 5, "", "", {}, from("relu")},
      {"made", "aten.clamp.default", 6, trace({pass}), "", {}}};
  RecordBuilder builder;
  builder.node({"kept", "aten.sigmoid.default", 1, trace({kModel}), "", {}, from("sigmoid")})
      .map(0, {1});
  const Bytes content = with_exported(builder, std::to_string(kGraph))
                            .add("edge_after_transform/forward", RecordBuilder::program_of(behind))
                            .build();
  const auto record = read(content, EdgeGraphs::AsPartitioned);
  REQUIRE(record);
  CHECK(lines_of(*record, "kept") == "net.py:12");
  CHECK(lines_of(*record, "appended") == "net.py:12");
  CHECK(lines_of(*record, "replaced") == "net.py:20");
  CHECK(lines_of(*record, "moved") == "net.py:12");  // a trace of the model's own
  CHECK(lines_of(*record, "no_trace") == "net.py:20");
  CHECK(lines_of(*record, "made") == "passes.py:47");
}

}  // namespace etlens::rewritten_nodes_test
