// SPDX-License-Identifier: Apache-2.0
// `etlens schema`: JSON Schemas of what `--format json` prints.
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/fields_schema.h"
#include "core/formats/run/run_file.h"
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

namespace etlens::cli {
namespace {

struct DocumentKind {
  std::string_view name;    // "etlens/lines@2", as in the field `schema`
  std::string (*schema)();  // JSON Schema 2020-12
};

template <typename View, typename Document>
std::string schema_of() {
  JsonWriter out;
  out.begin_object().field("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.field("title", decltype(View::schema)::text());
  SchemaOf<Document>::describe(out, OtherFields::Allowed);
  return out.end_object().take();
}

template <typename View>
constexpr DocumentKind kind_of() {
  return {decltype(View::schema)::text(), schema_of<View, View>};
}

// With other options the document has another form.
template <typename View, typename Other>
constexpr DocumentKind kind_of() {
  return {decltype(View::schema)::text(), schema_of<View, std::variant<View, Other>>};
}

constexpr DocumentKind kKinds[]{kind_of<LinesView>(),         kind_of<ModulesView>(),
                                kind_of<EventsView>(),        kind_of<EventGroupsView>(),
                                kind_of<PartitionsView>(),    kind_of<AdviceView>(),
                                kind_of<CheckView>(),         kind_of<InspectView>(),
                                kind_of<DiffView>(),          kind_of<ProgramDiffView>(),
                                kind_of<FleetReportView>(),   kind_of<TrendView>(),
                                kind_of<MemoryView>(),        kind_of<SizeView>(),
                                kind_of<DelegationView>(),    kind_of<GateView>(),
                                kind_of<RunsView>(),          kind_of<ProfileProbeView>(),
                                kind_of<GraphView>(),         kind_of<ValuesView, GapsView>(),
                                kind_of<pstats::StatsView>(), kind_of<RunFile>()};

// "lines" of "etlens/lines@2".
std::string_view short_name(std::string_view name) {
  name.remove_prefix(name.find('/') + 1);
  return name.substr(0, name.find('@'));
}

const DocumentKind* find_document_kind(std::string_view name) {
  for (const DocumentKind& kind : kKinds)
    if (name == kind.name || name == short_name(kind.name)) return &kind;
  return nullptr;
}

struct SchemaOptions {
  CommonOptions common;
  std::string name;
};

int run_schema(const SchemaOptions& options) {
  if (options.name.empty()) {
    std::string names;
    for (const DocumentKind& kind : kKinds) (names += kind.name) += '\n';
    return write_output(options.common, names);
  }
  const DocumentKind* kind = find_document_kind(options.name);
  if (kind == nullptr) {
    return fail({ErrorCode::NotFound,
                 "there is no schema " + options.name + "; `etlens schema` lists them"});
  }
  return write_output(options.common, kind->schema());
}

}  // namespace

void add_schema(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "schema", "Print the JSON Schema of a JSON document; without NAME, list the documents");
  auto options = std::make_shared<SchemaOptions>();
  command
      ->add_option("NAME", options->name,
                   "The name of a document, such as etlens/lines@2 or just lines")
      ->type_name("");
  command->add_option("-o", options->common.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
  command->callback([options, &status] { status = run_schema(*options); });
}

}  // namespace etlens::cli
