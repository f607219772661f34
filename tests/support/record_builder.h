// SPDX-License-Identifier: Apache-2.0
// RecordBuilder: writes an ETRecord in the domain's words, as real ZIP and JSON bytes. ZipBuilder:
// a ZIP of stored members.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/bytes.h"

namespace etlens::test {

class ZipBuilder {
 public:
  ZipBuilder& add(std::string name, std::string content, bool deflate = false);
  Bytes build() const;

 private:
  struct Member {
    std::string name;
    std::string content;
    bool deflate;
  };
  std::vector<Member> members_;
};

struct RecordNode {
  std::string name;
  std::string target;               // with or without its namespace, e.g. aten.addmm.default
  uint32_t debug_handle = 0;        // 0: none is written
  std::string stack_trace;          // "": none is written
  std::string module_stack;         // likewise
  std::vector<std::string> inputs;  // names of values
  std::string from_node = {};       // JSON; "": none is written
  std::string shape = "2, 3";  // of its output, float32; a size may be an expression: "1, 2*s0"
};

// "  File "path", line n, in forward\n    text\n" for each frame, outermost first.
struct TraceFrame {
  std::string file;
  uint32_t line;
  std::string function;
  std::string text;
};
std::string stack_trace(const std::vector<TraceFrame>& frames, bool strict = false);

class RecordBuilder {
 public:
  // The method that the following calls are about; "forward" from the start.
  RecordBuilder& method(std::string name);
  RecordBuilder& node(RecordNode node);
  // What the method is given as `name`: "parameter", "buffer", "tensor_constant" or "user_input".
  // `shape`: as a node has it, of whole numbers (int64); "": none is written.
  RecordBuilder& input(std::string kind, std::string name, const std::string& shape = {});
  // The method gives a buffer another value: that of a node's output.
  RecordBuilder& mutation(std::string buffer, std::string value);
  RecordBuilder& map(int32_t instruction, std::vector<uint32_t> handles);
  RecordBuilder& delegate(int32_t instruction, std::string backend,
                          std::map<std::string, std::vector<uint32_t>> ids = {});
  // A delegate call node whose original module holds `nodes`; payload is its processed_bytes.
  RecordBuilder& lowered(std::string name, std::string backend, std::vector<RecordNode> nodes,
                         std::string payload = {});
  // A control-flow node with branches of nodes.
  RecordBuilder& cond(std::string name, uint32_t debug_handle,
                      std::vector<std::vector<RecordNode>> branches);
  // The same of another operator: "map_impl", "scan".
  RecordBuilder& control(std::string operation, std::string name, uint32_t debug_handle,
                         std::vector<std::vector<RecordNode>> graphs, std::string trace = {});

  Bytes build() const;
  ZipBuilder zip() const;  // to add or leave out members by hand
  // The member of a program that has these nodes.
  static std::string program_of(const std::vector<RecordNode>& nodes);
  static nlohmann::json program(const nlohmann::json& nodes,
                                const nlohmann::json& inputs = nlohmann::json::array(),
                                const nlohmann::json& outputs = nlohmann::json::array(),
                                const nlohmann::json& tensors = nlohmann::json::object());

 private:
  struct Method {
    std::string name;
    nlohmann::json nodes = nlohmann::json::array();
    nlohmann::json inputs = nlohmann::json::array();
    nlohmann::json outputs = nlohmann::json::array();
    nlohmann::json tensors = nlohmann::json::object();  // values and what is known of them
    nlohmann::json map = nlohmann::json::object();
    nlohmann::json delegates = nlohmann::json::object();
  };
  Method& current();
  std::vector<Method> methods_;
};

}  // namespace etlens::test
