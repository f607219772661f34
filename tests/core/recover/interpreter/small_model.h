// SPDX-License-Identifier: Apache-2.0
// A model of one file, as text, and a record of what it did: which of two equal lines ran is what
// the interpreter has to know of the text before them.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/recover/recover.h"
#include "core/source/python/python_syntax.h"
#include "tests/support/corpus.h"

namespace etlens::test {

// Lines that are said of nodes which stand one behind the other, each with what is before it as
// input: "" where nothing is said. `source` has a class Net whose forward has one line that ends
// with "# forward". "child.relu" is inside a call of self.child, whose class has no source;
// "layer.view.2" ran inside torch's forward of self.child, but bears the name of the third call.
// "transpose(1,0)" is a node that permutes so the dimensions before it.
// `others`: files beside it, by name. `runs` gets the number of runs of the search.
inline std::vector<std::string> lines_of(const std::string& source,
                                         const std::vector<std::string>& operators,
                                         const std::map<std::string, std::string>& others = {},
                                         size_t* runs = nullptr) {
  const auto document = std::make_shared<const Document>(source);
  const std::string folder = "/home/user/";
  const std::string path = folder + "model.py";
  EtRecord record;
  const auto text = [&](std::string_view one) { return record.strings.intern(one); };
  Frame frame{text(path), text("forward"), {}, 0};
  for (uint32_t l = 0; l < document->line_count(); ++l) {
    const std::string_view line = document->line(l);
    if (line.find("# forward") == std::string_view::npos) continue;
    frame.line = l + 1;
    frame.text = text(line.substr(line.find_first_not_of(' ')));
  }
  record.frames = {frame, {text("/torch/nn/modules/layer.py"), text("forward"), {}, 1}};
  record.stack_frames = {FrameId(0), FrameId(1)};
  record.stacks = {{0, 1}, {0, 2}};
  record.modules = {{text("L__self__"), text(""), text(""), text("model.Net")},
                    {text("L__self___child"), text("child"), text("child"), text("model.Child")}};
  record.module_stacks = {{0, 1}, {0, 2}};
  Graph graph;
  graph.name = text("forward");
  graph.inputs = {{GraphInputKind::User, text("x"), text("")}};
  graph.module_paths = {text("")};
  if (source.find("self.child") != std::string::npos) graph.module_paths.push_back(text("child"));
  std::vector<int64_t> sizes = {2, 3};
  graph.tensors = {{text("x"), text("[2, 3] float32")}};
  StringId last = text("x");
  for (const std::string& placed : operators) {
    const bool is_inside = placed.starts_with("child.");
    const bool is_layer = placed.starts_with("layer.");
    const size_t begin = is_inside || is_layer ? placed.find('.') + 1 : 0;
    const std::string name = placed.substr(begin, placed.find_first_of(".(", begin) - begin);
    const size_t called =
        is_layer ? std::stoul(placed.substr(placed.rfind('.') + 1)) : record.nodes.size();
    const std::string& function = is_layer ? operators[called] : name;
    const size_t number = record.nodes.size();
    Node node;
    node.first_constant = static_cast<uint32_t>(record.constants.size());
    if (const size_t dims = placed.find('('); dims != std::string::npos) {
      record.constants.push_back(
          {text("dims"), static_cast<uint32_t>(record.constant_values.size()), 2});
      for (const size_t at : {dims + 1, dims + 3})
        record.constant_values.push_back(placed[at] - '0');
      if (placed[dims + 1] == '1') std::swap(sizes[0], sizes[1]);
    }
    node.end_constant = static_cast<uint32_t>(record.constants.size());
    const StringId shape = text(fmt::format("[{}, {}] float32", sizes[0], sizes[1]));
    node.graph = GraphId(0);
    node.name = text(fmt::format("node_{}", number));
    node.target = text("aten." + (placed.ends_with(')') ? "permute_copy" : name) + ".default");
    node.target_kind = TargetKind::EdgeOperator;
    node.torch_fn =
        text(fmt::format("{}_{};builtin_function_or_method.{}", function, called, function));
    node.stack = StackId(is_layer ? 1 : 0);
    node.modules = ModuleStackId(is_inside ? 1 : 0);
    node.first_input = static_cast<uint32_t>(record.values.size());
    record.values.push_back(last);
    node.first_output = static_cast<uint32_t>(record.values.size());
    record.values.push_back(node.name);
    node.end_output = static_cast<uint32_t>(record.values.size());
    graph.tensors.push_back({node.name, shape});
    graph.nodes.push_back(NodeId(number));
    last = node.name;
    record.nodes.push_back(node);
  }
  graph.outputs = {last};
  record.graphs = {graph};
  std::vector<bool> is_project(record.strings.size(), false);
  is_project[frame.file.value] = true;
  const std::shared_ptr<const PythonSyntax> syntax = PythonSyntax::parse(document);
  const Recovery recovery =
      recover_lines(record, GraphId(0), is_project, [&](std::string_view file) {
        if (file == path) return syntax;
        const auto other =
            others.find(std::string(file.substr(std::min(folder.size(), file.size()))));
        return other == others.end()
                   ? std::shared_ptr<const PythonSyntax>()
                   : PythonSyntax::parse(std::make_shared<const Document>(other->second));
      });
  if (runs != nullptr) *runs = recovery.runs;
  std::vector<std::string> lines(operators.size());
  for (const RecoveredNode& said : recovery.nodes) {
    const RecoveredFrame& last_frame = recovery.frames[said.first_frame + said.frame_count - 1];
    const auto other = others.find(recovery.files[last_frame.file].substr(folder.size()));
    const Document text_of_line(other == others.end() ? source : other->second);
    const std::string_view whole = text_of_line.line(last_frame.line - 1);
    lines[said.node.value] = whole.substr(whole.find_first_not_of(' '));
  }
  return lines;
}

// What a run knows of a condition: "yes", "no", or "" if it leaves both open. `before` are
// statements of the file, `members` of the class (indented), `inside` of the method that asks, in
// which x is a tensor; the condition is a line of `if`.
struct Asked {
  std::string before;
  std::string members;
  std::string inside;
  std::string condition;
};

inline std::string indented(const std::string& text, const std::string& by) {
  std::string made;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    made += by + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return made;
}

inline std::string answer(const Asked& asked) {
  const std::string source = "import torch\n" + asked.before + "\n\nclass Net(torch.nn.Module):\n" +
                             indented(asked.members, "    ") +
                             "\n    def forward(self, x):\n"
                             "        return self.run(x)  # forward\n\n"
                             "    def run(self, x):\n" +
                             indented(asked.inside, "        ") + "        if " + asked.condition +
                             ":\n"
                             "            return torch.relu(x)  # yes\n"
                             "        return torch.relu(x)  # no\n";
  const std::string line = lines_of(source, {"relu"}).front();
  if (line.ends_with("# yes")) return "yes";
  return line.ends_with("# no") ? "no" : line;
}

}  // namespace etlens::test
