// SPDX-License-Identifier: Apache-2.0
// vscode-extension/src/base/protocol.ts is what the structs of server/extensions are in TypeScript.
// ETLENS_UPDATE=1 writes it.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "core/base/text.h"
#include "core/view/gate_view.h"
#include "core/view/profile_probe_view.h"
#include "core/view/runs_view.h"
#include "server/extensions/advice.h"
#include "server/extensions/commands.h"
#include "server/extensions/delegation.h"
#include "server/extensions/edge_program.h"
#include "server/extensions/event_table.h"
#include "server/extensions/flame_graph.h"
#include "server/extensions/graph.h"
#include "server/extensions/lines.h"
#include "server/extensions/memory.h"
#include "server/extensions/methods.h"
#include "server/extensions/modules.h"
#include "server/extensions/partitions.h"
#include "server/extensions/profiles.h"
#include "server/extensions/report.h"
#include "server/extensions/size.h"
#include "server/extensions/status.h"
#include "test_paths.h"
#include "tests/support/txtar.h"
#include "tests/support/typescript.h"

namespace etlens::protocol_ts_test {

namespace {

using namespace extensions;
namespace fs = std::filesystem;

// "etlens/lineCosts" and "etlens.reload" without what all of them begin with.
std::string short_name(std::string_view name) {
  return std::string(name.substr(name.find_first_of("/.") + 1));
}

std::string constants() {
  std::string text;
  for (const std::string_view method :
       {kStatus,  kEvents,      kEventTable,     kHotLines,       kLineCosts,  kDelegateLines,
        kModules, kModels,      kModuleSource,   kFlameGraph,     kPartitions, kAdvice,
        kReport,  kDelegation,  kMemory,         kSize,           kChanges,    kProfiles,
        kGraph,   kEdgeProgram, kProfileChanged, kProfilesChanged})
    text += "export const " + short_name(method) + " = \"" + std::string(method) + "\";\n";
  text += "\nexport const commands = {\n";
  for (const std::string_view command : kCommands)
    text += "  " + short_name(command) + ": \"" + std::string(command) + "\",\n";
  text += "} as const;\n\n// Of ours, which lenses of the server name.\n";
  text += std::string("export const profileModel = \"") + kProfileCommand + "\";\n";
  text += std::string("export const runAgain = \"") + kRunAgainCommand + "\";\n";
  return text + "\nexport const providedScheme = \"" + kProvidedScheme + "\";\n";
}

template <typename... Messages>
void add(test::TypeScript& types) {
  (types.add<Messages>(), ...);
}

std::string protocol_ts() {
  test::TypeScript types;
  add<StatusResult, ProfileChangedParams, ChangesResult>(types);
  add<EventsParams, EventsResult, EventTableParams, EventTableResult>(types);
  add<LineCostsResult, DelegateLinesResult, HotLinesParams, HotLinesResult>(types);
  add<ModulesResult, ModelsResult, ModuleSourceParams, ModuleSourceResult, FlameGraphParams,
      FlameGraphResult, PartitionsResult, AdviceResult, DelegationResult>(types);
  add<MemoryParams, MemoryResult, ReportResult, SizeResult, ProfilesResult, EdgeProgramResult>(
      types);
  add<GraphParams, GraphResult>(types);
  add<JumpToEventArguments, HotLineArguments, ChangedLineArguments, SelectProfileArguments,
      SelectBaselineArguments, SelectFleetArguments, SelectMethodArguments,
      SelectStatisticArguments, SelectMeasureArguments, SelectExecutionsArguments,
      SelectGroupArguments, ProfileModelArguments, JumpTarget, ProfileProbeView, GateView,
      RunsView>(types);
  const std::vector<std::string> imported(types.imported().begin(), types.imported().end());
  return "// SPDX-License-Identifier: Apache-2.0\n"
         "// What etlens adds to the protocol. Written by tests/server/protocol_ts_test.cc "
         "(ETLENS_UPDATE=1) from the structs\n"
         "// of server/extensions and core/view, which have the comments.\n"
         "import type { " +
         join(imported, ", ") + " } from \"vscode-languageclient\";\n\n" + constants() +
         types.interfaces();
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string headers() {
  std::string text;
  for (const auto& entry : fs::directory_iterator(ETLENS_SOURCE "/server/extensions"))
    text += read(entry.path());
  return text;
}

std::set<std::string> found(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    names.insert((*at)[1]);
  return names;
}

}  // namespace

TEST_CASE("protocol.ts is what the server's structs are in TypeScript", "[extension]") {
  const fs::path path = ETLENS_SOURCE "/vscode-extension/src/base/protocol.ts";
  const std::string text = protocol_ts();
  if (test::update_golden()) std::ofstream(path, std::ios::binary) << text;
  CHECK(read(path) == text);
}

TEST_CASE("protocol.ts has every struct and every name", "[extension]") {
  const std::string ours = headers();
  const std::string text = protocol_ts();
  const std::set<std::string> structs = found(ours, "\nFIELDS\\((\\w+)");
  CHECK(structs.size() > 60);
  const std::set<std::string> interfaces = found(text, "\nexport interface (\\w+) ");
  const std::set<std::string> spread = found(ours, "Spread<(\\w+)>");
  for (const std::string& name : structs) {
    CAPTURE(name);
    CHECK((interfaces.contains(name) || spread.contains(name)));
  }
  CHECK(found(text, "\"(etlens[/.]\\w+)\"") == found(ours, "\"(etlens[/.]\\w+)\""));
}

}  // namespace etlens::protocol_ts_test
