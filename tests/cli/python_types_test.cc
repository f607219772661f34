// SPDX-License-Identifier: Apache-2.0
// python/etlens/_types.py is what the documents of `--format json` are in Python. ETLENS_UPDATE=1
// writes it.
#include <filesystem>
#include <fstream>

#include "core/inspector/inspect_view.h"
#include "core/pstats/stats_view.h"
#include "core/view/advice_view.h"
#include "core/view/check_view.h"
#include "core/view/delegation_view.h"
#include "core/view/diff_view.h"
#include "core/view/event_group_view.h"
#include "core/view/event_view.h"
#include "core/view/fleet_view.h"
#include "core/view/gate_view.h"
#include "core/view/graph_view.h"
#include "core/view/line_view.h"
#include "core/view/memory_view.h"
#include "core/view/module_view.h"
#include "core/view/partition_view.h"
#include "core/view/profile_probe_view.h"
#include "core/view/program_diff_view.h"
#include "core/view/runs_view.h"
#include "core/view/size_view.h"
#include "core/view/value_view.h"
#include "test_paths.h"
#include "tests/cli/process.h"
#include "tests/cli/sandbox.h"
#include "tests/support/python_types.h"
#include "tests/support/txtar.h"

namespace etlens::python_types_test {

using namespace etlens::test;

namespace {

template <typename... Documents>
std::string python_types() {
  PythonTypes types;
  (types.add<Documents>(), ...);
  return "# SPDX-License-Identifier: Apache-2.0\n"
         "# What `etlens … --format json` prints. Written by tests/cli/python_types_test.cc\n"
         "# (ETLENS_UPDATE=1) from the structs of core/view, which have the comments.\n"
         "from typing import Dict, List, Literal, Optional, Tuple, TypedDict, Union\n" +
         types.classes();
}

std::string types_of_documents() {
  return python_types<LinesView, ModulesView, EventsView, EventGroupsView, PartitionsView,
                      AdviceView, CheckView, InspectView, DiffView, ProgramDiffView,
                      FleetReportView, TrendView, MemoryView, SizeView, DelegationView, GateView,
                      RunsView, ProfileProbeView, GraphView, ValuesView, GapsView,
                      pstats::StatsView>();
}

}  // namespace

TEST_CASE("Python's types are what the structs of the documents are", "[cli]") {
  const std::filesystem::path path = ETLENS_SOURCE "/python/etlens/_types.py";
  const std::string text = types_of_documents();
  if (update_golden()) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  CHECK(slurp(path.string()) == text);
}

TEST_CASE("Python's types have every document that has a schema", "[cli]") {
  const Sandbox sandbox;
  const std::string text = types_of_documents();
  const Outcome list = sandbox.run("schema");
  REQUIRE(list.status == 0);
  for (const std::string_view name : split_lines(list.out)) {
    // The package writes that one.
    if (!name.empty() && name != "etlens/run@1")
      CHECK(text.find("    schema: Literal[\"" + std::string(name) + "\"]\n") != std::string::npos);
  }
}

}  // namespace etlens::python_types_test
