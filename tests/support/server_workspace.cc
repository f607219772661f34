// SPDX-License-Identifier: Apache-2.0
#include "tests/support/server_workspace.h"

#include <nlohmann/json.hpp>

#include "tests/support/golden.h"

namespace etlens::test {
namespace {

using nlohmann::json;

constexpr const char* kSource = R"(import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear(4 * dim, dim)

    def forward(self, x):
        x = self.up(x)
        x = torch.relu(x)
        return self.down(x)


class Model(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.blocks = nn.ModuleList([Block(dim), Block(dim)])
        self.head = nn.Linear(dim, 5)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        best, where = torch.topk(x, 2)
        return self.head(torch.tanh(best))
)";

const std::string kRoot = "L__self__,,model.Model";

std::string stack_of(const std::string& block, const std::string& linear) {
  return kRoot + ";L__self___blocks_" + block + ",L['self'].blocks[" + block +
         "],model.Block;L__self___blocks_" + block + "_" + linear + ",L['self'].blocks[" + block +
         "]." + linear + ",torch.nn.modules.linear.Linear";
}

json node(const char* name, const char* op, int handle, const json& lines,
          const std::string& modules) {
  json at = json::array();
  for (const json& line : lines) at.push_back({"model.py", line.get<int>() + 1});
  return {{"name", name}, {"op", op}, {"handle", handle}, {"at", at}, {"modules", modules}};
}

// instruction 0: both blocks on the delegate; 1: topk on the CPU; 2: the head on the delegate.
json profile_json(const std::vector<ModelRun>& executions) {
  json lowered = json::array();
  for (const int block : {0, 1}) {
    const std::string name = std::to_string(block);
    const int base = 10 * block;
    lowered.push_back(node("up", "aten.linear.default", base + 1, {kCallLine, kUpCallLine},
                           stack_of(name, "up")));
    lowered.push_back(node("relu", "aten.relu.default", base + 2, {kCallLine, kReluLine}, kRoot));
    lowered.push_back(node("down", "aten.linear.default", base + 3, {kCallLine, kDownCallLine},
                           stack_of(name, "down")));
  }
  const json head =
      json::array({node("tanh", "aten.tanh.default", 31, {kHeadLine}, kRoot),
                   node("head", "aten.linear.default", 32, {kHeadLine},
                        kRoot + ";L__self___head,L['self'].head,torch.nn.modules.linear.Linear")});
  json runs = json::array();
  for (const auto& [scale, topk] : executions) {
    const auto events = [scale = scale](const std::map<std::string, int>& ticks) {
      json list = json::array();
      for (const auto& [id, value] : ticks) list.push_back(json::array({id, value * scale}));
      return list;
    };
    json execution = json::array();
    execution.push_back({"call", 0, 100'000 * scale,
                         events({{"1", 30'000}, {"11", 25'000}, {"13", 15'000}, {"3", 20'000}})});
    execution.push_back({"op", "topk.values", 1, topk * scale});
    execution.push_back({"call", 2, 50'000 * scale, events({{"31", 5'000}, {"32", 40'000}})});
    runs.push_back(execution);
  }
  return {{"nodes",
           {{{"name", "call_0"}, {"backend", "XnnpackBackend"}, {"lowered", lowered}},
            node("topk", "aten.topk.default", 20, {kTopkLine}, kRoot),
            {{"name", "call_1"}, {"backend", "XnnpackBackend"}, {"lowered", head}}}},
          {"map", {{"0", {1, 2, 3, 11, 12, 13}}, {"1", {20}}, {"2", {31, 32}}}},
          {"delegates",
           {{"0",
             {{"name", "XnnpackBackend"},
              {"delegate_map", {{"1", {1, 2}}, {"3", {3}}, {"11", {11, 12}}, {"13", {13}}}}}},
            {"2", {{"name", "XnnpackBackend"}, {"delegate_map", {{"31", {31}}, {"32", {32}}}}}}}},
          {"executions", runs}};
}

Bytes artifact(const std::string& path, const std::vector<ModelRun>& runs) {
  GoldenProfile golden;
  load_golden({{"profile.json", profile_json(runs).dump()}, {"model.py", kSource}}, golden);
  return std::move(*golden.files.read(path));
}

Bytes other_artifact(const std::string& path) {
  GoldenProfile golden;
  load_golden({{"profile.json", R"({"nodes": [{"name": "a", "op": "aten.mul.Tensor", "handle": 1}],
                "map": {"0": [1], "5": [1], "6": [1], "7": [1], "8": [1]},
                "executions": [[["op", "mul.out", 0, 50], ["op", "mul.out", 5, 50], ["op", "mul.out", 6, 50],
                                ["op", "mul.out", 7, 50], ["op", "mul.out", 8, 50]]]})"}},
              golden);
  return std::move(*golden.files.read(path));
}

}  // namespace

Bytes other_model_dump() { return other_artifact(kDumpPath); }
Bytes other_model_record() { return other_artifact(kRecordPath); }

std::string model_source() { return kSource; }

Bytes model_dump(int scale, int executions) {
  return model_dump(std::vector<ModelRun>(static_cast<size_t>(executions), {scale, 9'000}));
}

Bytes model_dump(const std::vector<ModelRun>& runs) { return artifact(kDumpPath, runs); }

Bytes model_record() { return artifact(kRecordPath, {ModelRun()}); }

MemoryFileSystem model_workspace() {
  MemoryFileSystem files;
  files.put(kModelPath, model_source());
  files.put(kRecordPath, model_record());
  files.put(kDumpPath, model_dump());
  return files;
}

}  // namespace etlens::test
