// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "test_paths.h"
#include "tests/support/dump_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::test {
namespace {

using nlohmann::json;

constexpr std::string_view kEdited = " (edited)";

// The text of a recorded frame's line, from the sources as they were at export.
std::string line_of(const std::vector<Section>& sections, const std::string& file, uint32_t line) {
  for (const Section& section : sections) {
    if (section.name != file) continue;
    const std::string source = without_expectations(section.text);
    const std::vector<std::string_view> lines = split_lines(source);
    return line <= lines.size() ? std::string(trim(lines[line - 1])) : "";
  }
  return "";
}

RecordNode node_of(const json& entry, const std::vector<Section>& sections) {
  RecordNode node;
  node.name = entry.at("name");
  node.target = entry.at("op");
  node.debug_handle = entry.value("handle", 0u);
  node.module_stack = entry.value("modules", "L__self__,,model.Model");
  node.inputs = entry.value("inputs", std::vector<std::string>());
  std::vector<TraceFrame> frames;
  for (const json& frame : entry.value("at", json::array())) {
    const std::string file = frame.at(0);
    const uint32_t line = frame.at(1);
    frames.push_back({"/recorded/" + file, line,
                      frame.size() > 2 ? frame.at(2).get<std::string>() : "forward",
                      line_of(sections, file, line)});
  }
  if (!frames.empty()) node.stack_trace = stack_trace(frames, true);
  return node;
}

Bytes record_of(const json& profile, const std::vector<Section>& sections) {
  RecordBuilder record;
  for (const json& entry : profile.at("nodes")) {
    if (!entry.contains("lowered")) {
      record.node(node_of(entry, sections));
      continue;
    }
    std::vector<RecordNode> inner;
    for (const json& node : entry.at("lowered")) inner.push_back(node_of(node, sections));
    record.lowered(entry.at("name"), entry.at("backend"), inner);
  }
  for (const auto& [instruction, handles] : profile.at("map").items()) {
    record.map(std::stoi(instruction), handles.get<std::vector<uint32_t>>());
  }
  const json delegates = profile.value("delegates", json::object());
  for (const auto& [instruction, entry] : delegates.items()) {
    record.delegate(std::stoi(instruction), entry.at("name"),
                    entry.at("delegate_map").get<std::map<std::string, std::vector<uint32_t>>>());
  }
  return record.build();
}

Bytes dump_of(const json& profile) {
  DumpBuilder dump;
  uint64_t clock = 1000;
  for (const json& execution : profile.at("executions")) {
    dump.block("Execute");
    const uint64_t begin = clock;
    for (const json& step : execution) {
      const std::string kind = step.at(0);
      if (kind == "op") {
        const uint64_t end = clock + 1 + step.at(3).get<uint64_t>();
        dump.operator_call(step.at(1), step.at(2), clock + 1, end, 1);
        clock = end + 1;
      } else if (kind == "bare") {  // an OPERATOR_CALL without a kernel event
        const uint64_t end = clock + step.at(2).get<uint64_t>();
        dump.event("OPERATOR_CALL", step.at(1), clock, end);
        clock = end;
      } else {
        const uint64_t end = clock + step.at(2).get<uint64_t>();
        uint64_t at = clock;
        for (const json& event : step.at(3)) {
          const uint64_t stop = at + event.at(1).get<uint64_t>();
          if (event.at(0).is_number())
            dump.delegate(event.at(0).get<int32_t>(), step.at(1), at, stop);
          else dump.delegate(event.at(0).get<std::string>(), step.at(1), at, stop);
          at = stop;
        }
        dump.event("DELEGATE_CALL", step.at(1), clock, end);
        clock = end;
      }
    }
    clock += 10;
    dump.framework("Method::execute", begin, clock);
    clock += 100;
  }
  return dump.build();
}

}  // namespace

void load_golden(const std::vector<Section>& sections, GoldenProfile& golden) {
  json profile;
  json settings = json::object();
  for (const Section& section : sections) {
    if (section.name == "profile.json") profile = json::parse(section.text);
    if (section.name == "settings.json") settings = json::parse(section.text);
    if (section.name.ends_with(".py")) {
      golden.files.put("/work/" + section.name, without_expectations(section.text));
    }
  }
  golden.files.put("/work/model.etrecord", record_of(profile, sections));
  golden.files.put("/work/model.etdp", dump_of(profile));
  for (const Section& section : sections) {
    if (!section.name.ends_with(kEdited)) continue;
    const std::string name = section.name.substr(0, section.name.size() - kEdited.size());
    golden.files.put("/work/" + name, without_expectations(section.text));
  }
  golden.request.etdump = "/work/model.etdp";
  golden.request.etrecord = "/work/model.etrecord";
  golden.request.roots = {"/work"};
  golden.request.selection.method = settings.value("method", "");
  golden.request.selection.block = settings.value("block", "");
  golden.request.library_frames = settings.value("libraryFrames", std::vector<std::string>());
  const auto statistic = parse_statistic(settings.value("statistic", "typical"));
  if (!statistic) {  // no assertion: fuzz targets run this without a test around it
    golden.error = "no such statistic";
    return;
  }
  golden.request.time = {*statistic, settings.value("executions", ""),
                         settings.value("raw", false)};
  auto study = load_study(golden.files, golden.request);
  if (study) golden.study = std::move(*study);
  else golden.error = study.error().message;
}

}  // namespace etlens::test
