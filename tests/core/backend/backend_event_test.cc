// SPDX-License-Identifier: Apache-2.0
// What backends mean by their events' ids and metadata; the texts are facts of the format, not of a
// run.
#include <catch2/catch.hpp>

#include "core/backend/backend.h"

namespace etlens::backend_event_test {

using Kind = DelegateEventKind;
using Unit = DelegateUnit;

namespace {

struct Row {
  const char* backend;
  const char* id;
  bool is_integer;
  Kind kind;
  Unit unit;
  const char* key;
  const char* node;
};

constexpr const char* kVulkanLinear =
    R"({"operator": {"name": "aten.linear.default", "delegate_node_id": 3, "args": []}, )"
    R"("kernel_name": "linear_naive_texture", "operator_id": 1, "dispatch_id": 7})";
constexpr const char* kVulkanStaging =
    R"({"kernel_name": "nchw_to_image", "operator_id": 0, "dispatch_id": 0})";

}  // namespace

TEST_CASE("backend events: kind, unit and key of every backend's ids", "[backend_event]") {
  const Row rows[] = {
      {"XnnpackBackend", "Convolution (NHWC, F32) IGEMM #1", false, Kind::Operator, Unit::Ticks,
       "Convolution (NHWC, F32) IGEMM #1", ""},
      {"CoreMLBackend", "var_12_cast_fp16:ios17.linear", false, Kind::Operator, Unit::Nanoseconds,
       "var_12_cast_fp16:ios17.linear", ""},
      {"QnnBackend", "aten_relu_default_3:OpId_60 (cycles)", false, Kind::Operator, Unit::Cycles,
       "aten_relu_default_3:OpId_60 (cycles)", "aten_relu_default_3"},
      {"", "aten_mean_dim:OpId_65 (cycles)", false, Kind::Operator, Unit::Cycles,
       "aten_mean_dim:OpId_65 (cycles)", "aten_mean_dim"},
      {"QnnBackend", "Accelerator (execute) time (us)", false, Kind::Total, Unit::Microseconds,
       "Accelerator (execute) time (us)", ""},
      {"QnnBackend", "Number of HVX threads used (count)", false, Kind::Total, Unit::Count,
       "Number of HVX threads used (count)", ""},
      {"QnnBackend", "Spill fill buffer (bytes)", false, Kind::Total, Unit::Bytes,
       "Spill fill buffer (bytes)", ""},
      {"QnnBackend", "some total of a later SDK", false, Kind::Total, Unit::Cycles,
       "some total of a later SDK", ""},
      {"VulkanBackend", kVulkanLinear, false, Kind::Operator, Unit::Nanoseconds, "3", ""},
      {"VulkanBackend", kVulkanStaging, false, Kind::Operator, Unit::Nanoseconds, kVulkanStaging,
       ""},
      {"VulkanBackend", "conv2d_dw_output_tile_3x3_clamp_half_12", false, Kind::Operator,
       Unit::Nanoseconds, "conv2d_dw_output_tile_3x3_clamp_half_12", ""},
      {"VulkanBackend", "ETVK_EXECUTE", false, Kind::HostPhase, Unit::Ticks, "ETVK_EXECUTE", ""},
      {"VulkanBackend", R"({"broken": )", false, Kind::Operator, Unit::Nanoseconds,
       R"({"broken": )", ""},
      {"VgfBackend", "VGF_DISPATCH_AND_WAIT", false, Kind::HostPhase, Unit::Ticks,
       "VGF_DISPATCH_AND_WAIT", ""},
      {"NeutronBackend", "4", true, Kind::Operator, Unit::Counter, "4", ""},
      {"MyBackend", "4", true, Kind::Operator, Unit::Ticks, "4", ""},
      {"MyBackend", "bytes moved (bytes)", false, Kind::Total, Unit::Bytes, "bytes moved (bytes)",
       ""},
      {"MyBackend", "step (us)", false, Kind::Operator, Unit::Microseconds, "step (us)", ""},
  };
  for (const Row& row : rows) {
    INFO(row.backend << " " << row.id);
    const BackendEvent event = built_in_backends().describe(row.backend, row.id, row.is_integer);
    CHECK(event.kind == row.kind);
    CHECK(name_of(event.unit) == name_of(row.unit));
    CHECK(event.key == row.key);
    CHECK(event.node_name == row.node);
  }
}

TEST_CASE("backend events: a Vulkan id as a person reads it", "[backend_event]") {
  const Backends& backends = built_in_backends();
  for (const char* backend : {"VulkanBackend", ""}) {
    CHECK(backends.readable_name(backend, kVulkanLinear) ==
          "aten.linear.default (linear_naive_texture)");
    CHECK(backends.readable_name(backend, kVulkanStaging) == "nchw_to_image");
    CHECK(backends.readable_name(backend, "{not json") == "{not json");
    CHECK(backends.readable_name(backend, "Clamp (NC) #1") == "Clamp (NC) #1");
  }
}

TEST_CASE("metadata: decoded per backend", "[backend_event]") {
  using Fields = MetadataFields;
  const Backends& backends = built_in_backends();
  CHECK(backends.read_metadata("XnnpackBackend", "").empty());
  CHECK(backends.read_metadata(
            "CoreMLBackend",
            R"({"preferredComputeUnit": "NE", "estimatedCost": 0.25, "outputNames": ["a"]})") ==
        Fields{{"preferredComputeUnit", "NE"},
               {"estimatedCost", "0.25"},
               {"outputNames", R"(["a"])"}});
  const std::string sizes("\x40\0\0\0\x02\0\0\0\x01\0\0\0\x08\0\0\0\x04\0\0\0\x01\0\0\0", 24);
  CHECK(backends.read_metadata("VulkanBackend", sizes) ==
        Fields{{"global workgroup", "64 × 2 × 1"}, {"local workgroup", "8 × 4 × 1"}});
  CHECK(backends.read_metadata("NeutronBackend", std::string_view("\x2A", 1)) ==
        Fields{{"function code", "42"}});
  CHECK(backends.read_metadata(
            "VgfBackend", R"({"schema": "executorch.vgf.neural_statistics", "segments": []})") ==
        Fields{{"schema", "executorch.vgf.neural_statistics"}, {"segments", "[]"}});
  CHECK(backends.read_metadata("MyBackend", "plain words") == Fields{{"metadata", "plain words"}});
  CHECK(backends.read_metadata("MyBackend", std::string_view("\xFF\x00\x01", 3)) ==
        Fields{{"metadata", "3 bytes"}});
}

}  // namespace etlens::backend_event_test
