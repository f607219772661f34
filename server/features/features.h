// SPDX-License-Identifier: Apache-2.0
// The features: one function per LSP method, one small file per function. Each is a pure function
// of the session (study, documents, settings) and its params; the table that binds them to their
// methods is server/bindings.cc.
#pragma once

#include <optional>
#include <vector>

#include "core/view/scale.h"
#include "protocol/feature_types.h"
#include "server/extensions/advice.h"
#include "server/extensions/commands.h"
#include "server/extensions/delegation.h"
#include "server/extensions/edge_program.h"
#include "server/extensions/event_table.h"
#include "server/extensions/events.h"
#include "server/extensions/flame_graph.h"
#include "server/extensions/graph.h"
#include "server/extensions/lines.h"
#include "server/extensions/memory.h"
#include "server/extensions/modules.h"
#include "server/extensions/partitions.h"
#include "server/extensions/profiles.h"
#include "server/extensions/report.h"
#include "server/extensions/size.h"
#include "server/extensions/status.h"
#include "server/features/code_action.h"
#include "server/load/dump_totals.h"
#include "server/load/graph_loader.h"
#include "server/load/program_loader.h"
#include "server/load/report_loader.h"
#include "server/session/session.h"

namespace etlens {

std::vector<lsp::InlayHint> inlay_hints(Session& session, const lsp::InlayHintParams& params);
// The same without tooltips, of the whole document; also where the client is to show no hints.
std::vector<extensions::LineHint> hint_texts(Session& session, const SourceView& view);
std::optional<lsp::Hover> hover(Session& session, const lsp::TextDocumentPositionParams& params);
std::vector<lsp::CodeLens> code_lenses(Session& session, const lsp::DocumentParams& params);
std::vector<lsp::CodeAction> code_actions(Session& session, const lsp::CodeActionParams& params);
// Above the models of a file, for clients that can run them.
std::vector<lsp::CodeLens> profile_lenses(Session& session, const lsp::DocumentParams& params);
std::vector<lsp::WorkspaceSymbol> workspace_symbols(Session& session,
                                                    const lsp::WorkspaceSymbolParams& params);
std::vector<lsp::Diagnostic> diagnostics(Session& session, const lsp::DocumentUri& uri);

std::vector<lsp::CallHierarchyItem> prepare_call_hierarchy(
    Session& session, const lsp::TextDocumentPositionParams& params);
std::vector<lsp::CallHierarchyIncomingCall> incoming_calls(
    Session& session, const lsp::CallHierarchyCallsParams& params);
std::vector<lsp::CallHierarchyOutgoingCall> outgoing_calls(
    Session& session, const lsp::CallHierarchyCallsParams& params);

// Documents that we provide: the edge program, and from its nodes to their source.
Result<lsp::TextDocumentContentResult> provided_document(
    Session& session, const lsp::TextDocumentContentParams& params);
std::optional<lsp::Location> definition(Session& session,
                                        const lsp::TextDocumentPositionParams& params);

// Requests of our own (server/extensions).
extensions::EventsResult list_events(Session& session, const extensions::EventsParams& params);
Result<extensions::EventTableResult> tabulate_events(Session& session,
                                                     const extensions::EventTableParams& params);
extensions::HotLinesResult list_hot_lines(Session& session,
                                          const extensions::HotLinesParams& params);
Result<extensions::LineCostsResult> list_line_costs(Session& session,
                                                    const lsp::DocumentParams& params);
Result<extensions::DelegateLinesResult> list_delegate_lines(
    Session& session, const lsp::TextDocumentPositionParams& params);
extensions::ModulesResult list_modules(Session& session);
// What of an open document may be run.
extensions::ModelsResult list_models(Session& session, const lsp::DocumentParams& params);
Result<extensions::ModuleSourceResult> find_module_source(
    Session& session, const extensions::ModuleSourceParams& params);
Result<extensions::FlameGraphResult> draw_flame_graph(Session& session,
                                                      const extensions::FlameGraphParams& params);
extensions::ChangesResult list_changes(Session& session);
extensions::PartitionsResult list_partitions(Session& session);
extensions::AdviceResult list_advice(Session& session);
extensions::DelegationResult list_delegation(Session& session);
extensions::EdgeProgramResult show_edge_program(Session& session);
extensions::StatusResult status(Session& session);
extensions::ProfilesResult list_profiles(Session& session, const std::vector<FoundArtifact>& found,
                                         const DumpTotals& totals, bool pinned);
// Of a program that was read for the question, or why it was not.
extensions::MemoryResult list_memory(Session& session, const ProgramLoader::Program& program,
                                     const extensions::MemoryParams& params);
extensions::SizeResult list_size(Session& session, const ProgramLoader::Program& program,
                                 const lsp::EmptyParams& params);
// What the report of the shown study is written of; nullopt if nothing is shown. Then of that report,
// or why it could not be written.
std::optional<ReportRequest> report_of_study(Session& session,
                                             const ProgramLoader::Program& program);
extensions::ReportResult show_report(const Session& session, const ReportLoader::Page& page);
// Of a graph that was made for the question, or why it was not.
extensions::GraphResult show_graph(Session& session, const GraphLoader::Graph& graph);
// Which graph answers the question: of the study that is shown, where it has a record alone
// (nullopt: it has a program, or no record); else of a method of the program.
std::optional<GraphRequest> graph_of_study(const Session& session,
                                           const extensions::GraphParams& params);
Result<GraphRequest> graph_of_program(const Session& session, const ProgramLoader::Program& program,
                                      const extensions::GraphParams& params);

// Where commands lead to.
Result<lsp::Location> event_location(Session& session,
                                     const extensions::JumpToEventArguments& arguments);
struct HotLineTarget {
  lsp::Location location;
  size_t rank = 0;  // 0 is the first: the hottest, or the topmost
  size_t count = 0;
  size_t elsewhere = 0;  // lines that would count, but are not in any text here
};
Result<HotLineTarget> hot_line(Session& session, const extensions::HotLineArguments& arguments,
                               int step);

// Among the lines that ran together with this one in a delegate call, in the order of files and lines.
Result<HotLineTarget> delegate_line(Session& session, const LinePlace& arguments, int step);
// For clients without lists of etlens: in words, which lines those are, and why operators of a line run on the CPU.
Result<std::string> delegate_lines_words(Session& session, const LinePlace& arguments);
Result<std::string> not_delegated_words(Session& session, const LinePlace& arguments);

// Among the lines that are slower or faster, in the order of files and lines.
Result<HotLineTarget> changed_line(Session& session,
                                   const extensions::ChangedLineArguments& arguments, int step);

// --- Shared by features ---

// The stored run before the shown one; nullopt if it is not known.
std::optional<extensions::LastRunItem> last_run_item(const Session& session);
// What the baseline has to say of the shown study; nullopt without a baseline.
std::optional<extensions::ComparisonItem> comparison_item(const Session& session);
extensions::ChangeItem change_item(const Session& session, const Change& change);
// What changed in the class whose header is on the line (0-based), in a class's forward, or in the
// module that an attribute on the line holds; null where nothing is compared.
const Change* scope_change(const Session& session, const SourceView& view, uint32_t line);

// A line's place now; nullopt if the file or the line is not found. `facts`: whose line it is.
std::optional<lsp::Location> location_of(Session& session, const Facts& facts, LineId line);
// The same in a view of its file, which may be null.
std::optional<lsp::Location> location_in(const SourceView* view, const Session& session,
                                         const Facts& facts, LineId line);
// In a view of its file, which may be null.
std::optional<lsp::DocumentUri> uri_in(const SourceView* view);
const Anchor& anchor_in(const SourceView* view, const Code& code, LineId line);
extensions::SourceLine source_line(const Code& code, LineId line, const Anchor& anchor,
                                   std::optional<lsp::DocumentUri> uri);
extensions::SourceLine source_line(Session& session, const Facts& facts, LineId line);
// Of what lists have of the facts' quantity: times are in milliseconds.
Scale scale_of(const Facts& facts);
// `facts`: null before the first study.
extensions::ListHead list_head(const Session& session, const Facts* facts);
// Nothing for "".
inline std::optional<std::string> text_if_any(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}
// A number of the facts' quantity, as Cost::value: "3.10 ms".
std::string value_words(const Session& session, const Facts& facts, double value);
// How sure a cost is, and what executions had beyond it on average: "" where there is neither.
std::string spread_words(const Session& session, const Facts& facts, const Cost& cost,
                         const std::optional<Interval>& interval = std::nullopt);
// A number of the facts' quantity, as Cost::value.
extensions::Time amount_value(const Session& session, const Facts& facts, double value);
// A time in these ticks.
extensions::Time time_value(const Session& session, TimeScale ticks, double value);

}  // namespace etlens
