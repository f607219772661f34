// SPDX-License-Identifier: Apache-2.0
#include "core/render/delegation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/backend/backend.h"
#include "core/base/fields_json.h"
#include "core/base/path.h"
#include "core/base/text.h"

namespace etlens {
namespace {

// Rows for people; the data forms have all of them.
constexpr size_t kMaxDelegationRows = 20;
// Operators between two calls that are named.
constexpr size_t kMaxNamedBetween = 4;

template <typename View>
std::string place_text(const View& node, TableStyle style) {
  if (!node.line.value && node.instruction_id.value)
    return fmt::format("instruction {}", *node.instruction_id.value);
  if constexpr (requires { node.made_by; }) {
    if (!node.line.value && node.made_by.value) {
      const std::string_view maker = *node.made_by.value;
      return fmt::format("made by {}", style == TableStyle::Human ? base_name(maker) : maker);
    }
  }
  if (!node.line.value) return "";
  const std::string_view path = node.recorded_path.value.value_or("");
  return fmt::format("{}:{}", style == TableStyle::Human ? base_name(path) : path,
                     *node.line.value);
}

std::string text_of(std::string_view text) { return std::string(text); }

// The reason of most of the operator's nodes.
std::string common_reason(const std::map<std::string_view, size_t>& reasons) {
  const auto most = std::ranges::max_element(
      reasons, [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == reasons.end()) return "";
  return with_other_reasons(most->first, reasons.size() - 1);
}

// The sentences that are about the whole program, which has one reason.
const ReasonView* reason_of_all(const DelegationView& view) {
  if (view.lowering == "delegated") return nullptr;
  for (const DelegatedNodeView& node : view.nodes)
    if (node.reason.value) return &*node.reason.value;
  return nullptr;
}

std::string labels(const DelegationView& view) {
  std::vector<std::string> names;
  for (const CalledDelegateView& call : view.calls) {
    std::string name = built_in_backends().label(call.backend.value.value_or(""));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return join(names, ", ");
}

}  // namespace

std::string delegation_headline(const DelegationView& view) {
  const uint64_t all = view.delegated_nodes + view.cpu_nodes;
  if (const ReasonView* reason = reason_of_all(view))
    return fmt::format("{} All {} operators run on the CPU.", reason->text, all);
  const std::string_view plural = view.delegate_calls == 1 ? "" : "s";
  if (view.etrecord.value) {
    return fmt::format("{}: {} of {} operators delegated in {} delegate call{}; {} on the CPU",
                       labels(view), view.delegated_nodes, all, view.delegate_calls, plural,
                       view.cpu_nodes);
  }
  const bool is_known = std::ranges::all_of(
      view.calls, [](const CalledDelegateView& call) { return call.nodes.value.has_value(); });
  const std::string inside =
      is_known ? fmt::format(" of {} operators", view.delegated_nodes) : std::string();
  return fmt::format(
      "{}: {} delegate call{}{}; {} kernels on the CPU. This is of the program alone: lines and "
      "more reasons need the ETRecord of the export.",
      labels(view), view.delegate_calls, plural, inside, view.cpu_nodes);
}

Table delegated_operators_table(const DelegationView& view) {
  std::map<std::string_view, std::map<std::string_view, size_t>> reasons;
  const bool has_own = reason_of_all(view) == nullptr;
  for (const DelegatedNodeView& node : view.nodes)
    if (has_own && node.reason.value) ++reasons[node.op][node.reason.value->text];
  std::vector<const DelegatedOperatorView*> rows;
  for (const DelegatedOperatorView& row : view.operators) rows.push_back(&row);
  std::ranges::stable_sort(rows, [](const auto* a, const auto* b) {
    return std::tuple(a->cpu, a->delegated) > std::tuple(b->cpu, b->delegated);
  });
  Table table;
  table.columns = {{.name = "op", .is_place = true},
                   {"delegated", Align::Right},
                   {"CPU", Align::Right, "cpu"},
                   {.name = "reason", .is_prose = true}};
  for (const DelegatedOperatorView* row : rows) {
    table.rows.push_back({row->op, std::to_string(row->delegated), std::to_string(row->cpu),
                          common_reason(reasons[row->op])});
  }
  return table;
}

Table left_out_table(const DelegationView& view, TableStyle style) {
  struct Row {
    const DelegatedNodeView* first = nullptr;
    size_t nodes = 0;
  };
  std::vector<Row> rows;
  std::map<std::tuple<std::string, std::string_view, std::string_view>, size_t> known;
  for (const DelegatedNodeView& node : view.nodes) {
    if (!node.reason.value) continue;
    const auto [at, is_new] = known.try_emplace(
        {place_text(node, TableStyle::Data), node.op, node.reason.value->text}, rows.size());
    if (is_new) rows.push_back({&node, 0});
    ++rows[at->second].nodes;
  }
  Table table;
  table.columns = {kLineColumn,
                   {"op", Align::Left},
                   {"nodes", Align::Right},
                   {.name = "reason", .is_prose = true},
                   {.name = "remedy", .is_prose = true}};
  for (const Row& row : rows) {
    const ReasonView& reason = *row.first->reason.value;
    table.rows.push_back({place_text(*row.first, style), row.first->op, std::to_string(row.nodes),
                          text_of(reason.text), text_of(reason.remedy.value.value_or(""))});
  }
  return table;
}

namespace {

// "aten_mean_dim (net.py:62), aten_topk_default".
std::string text_between(const CutView& cut) {
  std::vector<std::string> between;
  for (const CutNodeView& node : cut.nodes) {
    std::string text = node.op;
    if (node.line.value) text += " (" + place_text(node, TableStyle::Human) + ")";
    if (std::ranges::find(between, text) == between.end()) between.push_back(std::move(text));
    if (between.size() > kMaxNamedBetween) break;
  }
  if (between.size() > kMaxNamedBetween) between.back() = "…";
  return join(between, ", ");
}

// One row per pair of calls with operators between them, those with most operators between them first.
Table cuts_table(const DelegationView& view) {
  std::vector<const CutView*> cuts;
  for (const CutView& cut : view.cuts)
    if (!cut.nodes.empty()) cuts.push_back(&cut);
  std::ranges::stable_sort(
      cuts, [](const CutView* a, const CutView* b) { return a->nodes.size() > b->nodes.size(); });
  Table table;
  table.columns = {{"calls", Align::Left},
                   {"operators", Align::Right},
                   {.name = "between them", .is_prose = true}};
  for (const CutView* cut : cuts) {
    table.rows.push_back({fmt::format("{} and {}", cut->before, cut->after),
                          std::to_string(cut->nodes.size()), text_between(*cut)});
  }
  return table;
}

}  // namespace

std::string delegation_text(const DelegationView& view, TablePrinter& printer) {
  std::string text = printer.words(delegation_headline(view)) + "\n";
  if (const ReasonView* reason = reason_of_all(view)) {
    if (reason->remedy.value) text += printer.words(text_of(*reason->remedy.value)) + "\n";
  } else {
    const Table left_out = left_out_table(view, TableStyle::Human);
    if (!left_out.rows.empty())
      text += "\non the CPU\n" + printer.beside(left_out, kMaxDelegationRows);
    const Table cuts = cuts_table(view);
    if (!cuts.rows.empty())
      text += "\nbetween delegate calls\n" + printer.beside(cuts, kMaxDelegationRows);
  }
  return text + "\nby operator\n" + printer.ranked(delegated_operators_table(view));
}

std::string delegation_markdown_head(const DelegationView& view) {
  std::string text = escape_markdown(delegation_headline(view)) + "\n\n";
  if (const ReasonView* reason = reason_of_all(view)) {
    if (reason->remedy.value) text += escape_markdown(*reason->remedy.value) + "\n\n";
    return text;
  }
  const Table left_out = left_out_table(view, TableStyle::Human);
  return left_out.rows.empty() ? text : text + to_markdown(left_out) + "\n";
}

std::string delegation_json(const DelegationView& view) { return json_text(view); }

}  // namespace etlens
