// SPDX-License-Identifier: Apache-2.0
// What a program tells of its delegation without a record.
#include "core/delegation/program_record.h"

#include <filesystem>
#include <map>

#include "core/delegation/cuts.h"
#include "core/delegation/kernel_names.h"
#include "core/formats/pte/pte_reader.h"
#include "test_paths.h"
#include "tests/support/corpus.h"

namespace etlens::program_record_test {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Found {
  ProgramRecord built;
  Delegation delegation;
};

Found find_in(const ProgramMethod& method,
              const std::vector<std::optional<std::vector<CallOperator>>>& operators) {
  Found found;
  found.built = record_of_program(method, operators);
  const auto record = std::make_shared<const EtRecord>(std::move(found.built.record));
  const NodeArguments none;
  found.delegation = find_delegation({record, found.built.method, none, &method});
  return found;
}

// A program of calls and kernels: "call" or a kernel's name; each reads the last value.
ProgramMethod chain_of(const std::vector<std::string>& steps) {
  ProgramMethod method;
  method.name = "forward";
  const auto add_tensor = [&] {
    ProgramTensor tensor;
    tensor.value = static_cast<uint32_t>(method.values.size());
    tensor.scalar_type = 6;
    tensor.is_planned = true;
    method.values.push_back({ValueKind::Tensor, static_cast<uint32_t>(method.tensors.size()), 1});
    method.tensors.push_back(tensor);
    return tensor.value;
  };
  method.inputs = {add_tensor()};
  method.delegates = {{"XnnpackBackend", 0, 0}};
  for (const std::string& step : steps) {
    ProgramInstruction row;
    row.kind = step == "call" ? InstructionKind::Delegate : InstructionKind::Kernel;
    row.target = 0;
    row.first_argument = static_cast<uint32_t>(method.arguments.size());
    row.argument_count = 2;
    if (step != "call") {
      row.target = static_cast<uint32_t>(method.operators.size());
      method.operators.push_back(step);
    }
    method.arguments.push_back(static_cast<uint32_t>(method.values.size() - 1));
    method.arguments.push_back(add_tensor());
    method.instructions.push_back(row);
  }
  method.outputs = {static_cast<uint32_t>(method.values.size() - 1)};
  return method;
}

std::vector<std::string> operators_of(const Delegation& delegation) {
  std::vector<std::string> operators;
  for (const NodeDelegation& row : delegation.nodes)
    operators.push_back(
        counted_operator(*delegation.record, delegation.record->nodes[row.node.value]));
  return operators;
}

}  // namespace

TEST_CASE("kernels have the names of the edge program's operators", "[delegation]") {
  for (const auto& [kernel, op] : std::map<std::string, std::string>{
           {"aten::mean.out", "aten.mean.dim"},
           {"aten::add.out", "aten.add.Tensor"},
           {"aten::gt.Scalar_out", "aten.gt.Scalar"},
           {"aten::select_copy.int_out", "aten.select_copy.int"},
           {"aten::upsample_nearest2d.vec_out", "aten.upsample_nearest2d.vec"},
           {"aten::topk.values", "aten.topk.default"},
           {"aten::sort.values", "aten.sort.default"},
           {"aten::sort.values_stable", "aten.sort.stable"},
           {"aten::kthvalue.values", "aten.kthvalue.default"},
           {"aten::mode.values", "aten.mode.default"},
           {"aten::nanmedian.dim_values", "aten.nanmedian.dim"},
           {"aten::linalg_inv_ex.inverse", "aten.linalg_inv_ex.default"},
           {"aten::max.out", "aten.max.other"},
           {"aten::cumsum.out", "aten.cumsum.default"},
           {"executorch_prim::et_view.default", "aten.view_copy.default"},
           {"dim_order_ops::_to_dim_order_copy.out", "dim_order_ops._to_dim_order_copy.default"},
           {"llama::custom_sdpa.out", "llama.custom_sdpa.default"},
           {"aten::relu", "aten.relu.default"},
           {"odd", "odd"},
           {"", ""}})
    CHECK(edge_operator_of_kernel(kernel) == op);
}

TEST_CASE("a program alone: calls, kernels and what keeps them apart", "[delegation]") {
  const ProgramMethod method =
      chain_of({"call", "aten::cumsum.out", "aten::mean.out", "call", "call", "aten::topk.values"});
  const Found found = find_in(method, {std::vector<CallOperator>{{"Conv2d", 7}, {"Clamp", {}}}});
  const Delegation& delegation = found.delegation;
  CHECK(delegation.lowering == Lowering::Delegated);
  REQUIRE(delegation.calls.size() == 3);
  CHECK(delegation.calls[1].instruction == Instruction(3));
  CHECK(operators_of(delegation) ==
        std::vector<std::string>{"Conv2d", "Clamp", "aten_cumsum_default", "aten_mean_dim",
                                 "Conv2d", "Clamp", "Conv2d", "Clamp", "aten_topk_default"});
  for (const NodeDelegation& row : delegation.nodes)
    CHECK(row.reason.id.empty() == row.is_delegated());
  CHECK(delegation.nodes[2].reason.id == "unsupported_operator");
  const std::vector<Cut> cuts = find_cuts(delegation);
  REQUIRE(cuts.size() == 2);
  CHECK(cuts[0].before == 0);
  CHECK(cuts[0].after == 1);
  CHECK(cuts[0].nodes.size() == 2);
  CHECK_FALSE(cuts[0].is_direct);
  CHECK(cuts[1].nodes.empty());
  CHECK(cuts[1].is_direct);
}

TEST_CASE("a program alone: operators that a payload calls as the model does", "[delegation]") {
  const Found found =
      find_in(chain_of({"call"}), {std::vector<CallOperator>{{"aten.convolution.default", {}},
                                                             {"et_vk.rms_norm.default", {}}}});
  CHECK(operators_of(found.delegation) ==
        std::vector<std::string>{"aten_convolution_default", "rms_norm"});
}

TEST_CASE("a program alone: a payload that nobody can read", "[delegation]") {
  const Found found = find_in(chain_of({"call", "aten::cumsum.out"}), {std::nullopt});
  REQUIRE(found.delegation.calls.size() == 1);
  CHECK_FALSE(found.delegation.calls[0].has_nodes);
  CHECK(found.delegation.nodes.size() == 1);
}

TEST_CASE("a program alone: branches and loops are one node", "[delegation]") {
  ProgramMethod method =
      chain_of({"aten::gt.Scalar_out", "aten::relu.out", "aten::neg.out", "aten::abs.out", "call"});
  // if (0) relu; else neg
  method.instructions.insert(method.instructions.begin() + 1,
                             {InstructionKind::JumpFalse, 4, 0, 1});
  method.instructions.insert(method.instructions.begin() + 3,
                             {InstructionKind::JumpFalse, 5, 0, 1});
  CHECK(operators_of(find_in(method, {std::nullopt}).delegation) ==
        std::vector<std::string>{"aten_gt_scalar", "cond", "aten_abs_default"});
  method.instructions[1].target = 0;
  CHECK(operators_of(find_in(method, {std::nullopt}).delegation).front() == "loop");
  // Jumps that make no sense.
  for (uint32_t target = 0; target <= method.instructions.size(); ++target) {
    method.instructions[1].target = target;
    method.instructions[3].target = static_cast<uint32_t>(method.instructions.size()) - target;
    CHECK(find_in(method, {std::nullopt}).delegation.calls.size() == 1);
  }
}

// The kernels of a program are the nodes that its export left outside, but for views, which the
// memory planner may drop, and copies.
TEST_CASE("a program alone counts the kernels of its export", "[delegation]") {
  size_t cases = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(ETLENS_TEST_DATA) / "delegation")) {
    if (entry.path().filename() != "delegation.json") continue;
    const fs::path pte = entry.path().parent_path() / "model.pte";
    if (!fs::exists(pte)) continue;
    INFO(pte.string());
    const Result<EtProgram> program = read_program(real_file_system(), pte.string());
    REQUIRE(program);
    const ProgramMethod& method = program->methods.at(0);
    const Delegation found =
        find_in(method,
                std::vector<std::optional<std::vector<CallOperator>>>(method.delegates.size()))
            .delegation;
    const json truth = json::parse(test::read_file(entry.path().string()));
    CHECK(found.calls.size() == truth["subgraphs"].get<size_t>());
    std::map<std::string, size_t> theirs;
    for (const json& row : truth["operators"])
      if (row["op_type"] != "Total" && row["op_type"] != "getitem")
        theirs[row["op_type"]] = row["occurrences_in_non_delegated_graphs"];
    std::map<std::string, size_t> ours;
    for (const std::string& op : operators_of(found)) ++ours[op];
    for (const auto& [op, count] : theirs)
      if (count > 0 && op.find("view") == std::string::npos) CHECK(ours[op] == count);
    ++cases;
  }
  CHECK(cases > 0);
}

}  // namespace etlens::program_record_test
