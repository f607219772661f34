// SPDX-License-Identifier: Apache-2.0
// Real XNNPACK dumps with lowered and early records against the truth: nothing that is called exact
// or aligned is wrong, and nearly everything is.
//
// ETLENS_TABLE=1 prints a table of all cases.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "core/formats/etrecord/etrecord_reader.h"
#include "tests/support/corpus.h"
#include "tests/support/times.h"
#include "tests/support/truth.h"

namespace etlens::xnnpack_truth_test {

using namespace etlens::test;

namespace {

// Operators of graphs that operators of a payload are made from, told by the exporter's own names;
// on purpose not the table that is tested.
const std::map<std::string, std::set<std::string_view>>& nodes_of_kinds() {
  static const std::map<std::string, std::set<std::string_view>> kTable{
      {"XNNAdd", {"add"}},
      {"XNNSubtract", {"sub"}},
      {"XNNMultiply", {"mul"}},
      {"XNNDiv", {"div"}},
      {"XNNMinimum", {"minimum"}},
      {"XNNMaximum", {"maximum"}},
      {"XNNPReLU", {"prelu", "_prelu_kernel"}},
      {"XNNFullyConnected", {"linear", "addmm", "mm"}},
      {"XNNConv2d", {"convolution"}},
      {"XNNDepthwiseConv2d", {"convolution"}},
      {"XNNConvTranspose2d", {"convolution"}},
      {"XNNBatchMatrixMultiply", {"bmm"}},
      {"XNNSoftmax", {"_softmax"}},
      {"XNNClamp", {"relu", "hardtanh", "clamp"}},
      {"XNNConvert",
       {"quantize_per_tensor", "dequantize_per_tensor", "quantize_per_token",
        "dequantize_per_token"}},
      {"XNNStaticTranspose", {"permute_copy", "transpose_copy", "t_copy"}},
      {"XNNStaticReshape", {"view_copy", "unsqueeze_copy", "squeeze_copy"}},
      {"XNNStaticSlice", {"slice_copy"}},
      {"XNNStaticConstantPad", {"constant_pad_nd"}},
      {"XNNStaticResizeBilinear2D", {"upsample_bilinear2d"}},
      {"XNNAvgPooling2d", {"avg_pool2d"}},
      {"XNNMaxPooling2d", {"max_pool2d", "max_pool2d_with_indices"}},
      {"XNNGlobalAvgPooling2d", {"mean"}},
      {"XNNConcatenate2", {"cat"}},
      {"XNNConcatenate3", {"cat"}},
      {"XNNConcatenate4", {"cat"}},
      {"XNNSquare", {"pow"}},
      {"XNNSigmoid", {"sigmoid"}},
      {"XNNTanh", {"tanh"}},
      {"XNNExp", {"exp"}},
      {"XNNSin", {"sin"}},
      {"XNNAbs", {"abs"}},
      {"XNNNegate", {"neg"}},
      {"XNNGelu", {"gelu"}},
      {"XNNHardswish", {"hardswish"}},
      {"XNNLeakyReLU", {"leaky_relu"}},
      {"XNNSquareRoot", {"sqrt"}},
      {"XNNReciprocalSquareRoot", {"rsqrt"}},
  };
  return kTable;
}

struct Figures {
  size_t events = 0;   // with a usable handle
  size_t aligned = 0;  // of these
  size_t likely = 0;   // of these: placed on a node of the right handle, whatever the confidence
  size_t wrong = 0;
  int64_t ticks = 0;  // that the delegates' events report
  int64_t aligned_ticks = 0;
  int64_t inferred_ticks = 0;
  int64_t layout_ticks = 0;   // of the two above
  int64_t unlined_ticks = 0;  // of a known node without a line
  int64_t opaque_ticks = 0;

  Figures& operator+=(const Figures& other) {
    events += other.events, aligned += other.aligned, likely += other.likely, wrong += other.wrong;
    ticks += other.ticks, aligned_ticks += other.aligned_ticks,
        inferred_ticks += other.inferred_ticks;
    layout_ticks += other.layout_ticks, unlined_ticks += other.unlined_ticks,
        opaque_ticks += other.opaque_ticks;
    return *this;
  }
  int64_t lined_ticks() const { return aligned_ticks + inferred_ticks; }
};

std::pair<std::string, uint32_t> line_of(const EtRecord& record, NodeId node) {
  const Node& row = record.nodes[node.value];
  if (!row.stack.valid()) return {};
  for (size_t i = record.frames_of(row.stack).size(); i-- > 0;) {
    const Frame& frame = record.frames[record.frames_of(row.stack)[i].value];
    const std::string_view file = record.text(frame.file);
    const bool is_torch = file.find("/torch/") != std::string_view::npos || file.front() == '<';
    if (!is_torch) return {std::string(file), frame.line};
  }
  return {};
}

class Checker {
 public:
  Checker(const Timed& timed, const TruthCase& truth)
      : join_(timed.join), measure_(timed.measure()), record_(*timed.join.record) {
    const std::string_view method = join_.code().method_name();
    for (const TruthCall& call : truth.calls_of_dumps()) {
      if (call.method != method) continue;
      for (const TruthEvent& event : call.events) truth_[{call.instruction, event.name}] = &event;
    }
  }

  Figures run() {
    for (size_t e = 0; e < join_.events.size(); ++e) {
      const ContributionId id(e);
      const Event& event = join_.event(id);
      if (event.role != EventRole::DelegateEvent || measure_.occurrences[e] == 0) continue;
      const Landing& row = (*join_.landings)[id];
      add_ticks(row, measure_.self[e].amount.value);
      const auto truth = truth_.find({event.key.instruction.value, join_.logged_name(id)});
      if (truth == truth_.end()) {
        WARN("no truth for " << join_.logged_name(id));
        ++figures_.wrong;
        continue;
      }
      check(row, *truth->second);
    }
    return figures_;
  }

 private:
  void add_ticks(const Landing& row, int64_t ticks) {
    figures_.ticks += ticks;
    if (row.part == Part::OpaquePartition) figures_.opaque_ticks += ticks;
    if (row.part == Part::Unattributed) figures_.unlined_ticks += ticks;
    if (row.part != Part::Line) return;
    (is_certain(row) ? figures_.aligned_ticks : figures_.inferred_ticks) += ticks;
    if (row.is_layout) figures_.layout_ticks += ticks;
  }

  static bool is_certain(const Landing& row) {
    return row.confidence == Confidence::Exact || row.confidence == Confidence::Aligned;
  }

  void check(const Landing& row, const TruthEvent& truth) {
    const bool is_sure = row.node.valid() && is_certain(row);
    if (!truth.op) {
      // What XNNPACK inserted is no operator's work for certain.
      if (is_sure) report(row, truth, "inserted by the library");
      return;
    }
    if (!truth.has_handle()) return;
    ++figures_.events;
    figures_.aligned += is_sure;
    const bool is_activation = truth.origin == "extra" && truth.kind != "XNNFullyConnected";
    const NodeId node = is_activation && row.node.valid() ? source_of(row.node) : row.node;
    figures_.likely += node.valid() && record_.nodes[node.value].debug_handle == truth.handle;
    if (!is_sure) return;
    if (!node.valid() || record_.nodes[node.value].debug_handle != truth.handle) {
      return report(row, truth, "another handle");
    }
    const std::string_view base =
        base_operator_of_target(record_.text(record_.nodes[node.value].target));
    const auto fitting = nodes_of_kinds().find(truth.kind);
    if (fitting == nodes_of_kinds().end())
      return report(row, truth, "a kind that the test does not know");
    if (truth.origin != "extra" && !fitting->second.contains(base) &&
        any_fits(truth, fitting->second)) {
      return report(row, truth, "a node of another kind");
    }
    check_line(row, truth, fitting->second);
  }

  // If all nodes that fit are on one line, so is the event.
  void check_line(const Landing& row, const TruthEvent& truth,
                  const std::set<std::string_view>& fitting) {
    if (truth.origin == "extra" || row.part != Part::Line) return;
    std::set<std::pair<std::string, uint32_t>> lines;
    for_each_node(truth.handle, [&](NodeId node, std::string_view base) {
      if (fitting.contains(base)) lines.insert(line_of(record_, node));
    });
    const CodeLine& line = join_.code().lines[row.line.value];
    const std::pair<std::string, uint32_t> placed{
        std::string(join_.code().recorded_path(line.file)), line.number};
    if (!lines.empty() && !lines.contains({}) && !lines.contains(placed))
      report(row, truth, "another line");
  }

  bool any_fits(const TruthEvent& truth, const std::set<std::string_view>& fitting) const {
    bool any = false;
    for_each_node(truth.handle,
                  [&](NodeId, std::string_view base) { any |= fitting.contains(base); });
    return any;
  }

  template <typename Visit>
  void for_each_node(uint32_t handle, Visit visit) const {
    for (size_t n = 0; n < record_.nodes.size(); ++n) {
      const Node& node = record_.nodes[n];
      if (node.debug_handle != handle || !is_of_method(node)) continue;
      visit(NodeId(n), base_operator_of_target(record_.text(node.target)));
    }
  }

  bool is_of_method(const Node& node) const {
    GraphId graph = node.graph;
    while (record_.graphs[graph.value].parent.valid()) graph = record_.graphs[graph.value].parent;
    return graph == join_.code().method->edge;
  }

  // The node that makes the first input of `node`.
  NodeId source_of(NodeId node) const {
    const Node& row = record_.nodes[node.value];
    const auto inputs = record_.inputs_of(row);
    if (inputs.empty()) return {};
    for (const NodeId other : record_.graphs[row.graph.value].nodes) {
      for (const StringId output : record_.outputs_of(record_.nodes[other.value])) {
        if (output == inputs[0]) return other;
      }
    }
    return {};
  }

  void report(const Landing& row, const TruthEvent& truth, const char* what) {
    ++figures_.wrong;
    const Node& node = record_.nodes[row.node.value];
    WARN(truth.name << ": " << what << "; placed on " << record_.text(node.name) << " (handle "
                    << node.debug_handle.value << ", " << etlens::name_of(row.confidence)
                    << "), truth " << truth.kind << " handle " << truth.handle);
  }

  const Join& join_;
  const Measure& measure_;
  const EtRecord& record_;
  std::map<std::pair<int32_t, std::string>, const TruthEvent*> truth_;
  Figures figures_;
};

Figures figures_of(const TruthCase& truth, const std::string& dump, const std::string& record,
                   const std::string& pte) {
  Figures figures;
  std::set<std::string> methods;
  for (const TruthCall& call : truth.calls) methods.insert(call.method);
  for (JoinedFiles& joined : joins_of(unpacked(dump), record, pte)) {
    if (!methods.contains(std::string(joined.join.code().method_name()))) continue;
    figures += Checker(time_of(std::move(joined.join)), truth).run();
  }
  return figures;
}

double percent(int64_t part, int64_t whole) {
  return whole == 0 ? 100 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

TEST_CASE("xnnpack truth: with payloads nothing aligned is wrong", "[xnnpack]") {
  const bool prints = std::getenv("ETLENS_TABLE") != nullptr;
  if (prints) {
    std::printf("%-34s %-18s %9s %8s %8s %7s %7s %7s   %s\n", "case", "record", "ms", "aligned%",
                "inferr.%", "layout%", "no line%", "opaque%", "events aligned wrong");
  }
  Figures all;
  for (const TruthCase& truth : truth_cases()) {
    REQUIRE_FALSE(truth.records.empty());
    for (const std::string& record : truth.records) {
      CAPTURE(truth.name, record);
      Figures figures;
      for (const std::string& dump : truth.dumps) {
        CAPTURE(dump);
        figures += figures_of(truth, dump, record, truth.pte);
      }
      CHECK(figures.wrong == 0);
      CHECK(percent(figures.lined_ticks(), figures.ticks) >= 95);
      CHECK(figures.events > 0);
      if (prints) {
        const std::string name = record.substr(record.rfind('/') + 1);
        std::printf("%-34s %-18s %9.3f %8.2f %8.2f %7.2f %7.2f %7.2f   %zu %zu %zu\n",
                    truth.name.c_str(), name.c_str(), static_cast<double>(figures.ticks) / 1e6,
                    percent(figures.aligned_ticks, figures.ticks),
                    percent(figures.inferred_ticks, figures.ticks),
                    percent(figures.layout_ticks, figures.ticks),
                    percent(figures.unlined_ticks, figures.ticks),
                    percent(figures.opaque_ticks, figures.ticks), figures.events, figures.aligned,
                    figures.wrong);
      }
      all += figures;
    }
  }
  CHECK(percent(all.aligned, all.events) >= 99);
}

TEST_CASE("xnnpack truth: an early record alone is mostly right and never called aligned",
          "[xnnpack]") {
  const bool prints = std::getenv("ETLENS_TABLE") != nullptr;
  Figures all;
  for (const TruthCase& truth : truth_cases()) {
    for (const std::string& record : truth.records) {
      CAPTURE(truth.name, record);
      const Result<EtRecord> read = read_etrecord(real_file_system(), record);
      if (!read) FAIL(read.error().message);
      if (!read->lowered.empty()) continue;
      const Figures figures = figures_of(truth, truth.dumps.front(), record, "");
      CHECK(figures.aligned == 0);
      CHECK(figures.wrong == 0);
      if (prints) {
        std::printf(
            "%-34s without payload: %5.1f %% of time on lines, %zu of %zu events on the right "
            "handle\n",
            truth.name.c_str(), percent(figures.lined_ticks(), figures.ticks), figures.likely,
            figures.events);
      }
      all += figures;
    }
  }
  CHECK(percent(all.likely, all.events) >= 80);
}

}  // namespace etlens::xnnpack_truth_test
