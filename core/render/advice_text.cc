// SPDX-License-Identifier: Apache-2.0
#include "core/render/advice_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/controls.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/facts/recovery_facts.h"
#include "core/render/cells.h"
#include "core/render/findings.h"
#include "core/render/format.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr size_t kMaxAdviceLines = 3;

class Wording {
 public:
  Wording(const Facts& facts, const Headline& head, const Advice& advice,
          std::optional<TimeScale> unit)
      : facts_(facts), head_(head), advice_(advice), unit_(unit) {}

  AdviceWords run() {
    if (advice_.at_most.amount > Amount())
      words_.won = "up to " + format_cost_share(facts_, advice_.at_most, unit_);
    words_.page = fmt::format("docs/advice.md#{}", name_of(advice_.kind));
    say();
    return std::move(words_);
  }

 private:
  std::string cost(const Cost& of) const { return format_cost(facts_, of, unit_); }
  std::string label() const {
    return advice_.partitions.empty() ? std::string()
                                      : facts_.partition(advice_.partitions.front()).label;
  }
  // "in 12 runs": how often it happens in one execution, where that is more than the events.
  std::string runs() const {
    return fmt::format("{} in one execution",
                       counted(static_cast<size_t>(advice_.occurrences + 0.5), "run"));
  }

  // Without the stop at its end.
  std::string remedy() const {
    if (advice_.remedy.empty())
      return "Write it with operators that the backend takes, or leave it to the CPU";
    std::string words = advice_.remedy;
    if (words.ends_with('.')) words.pop_back();
    return words;
  }

  // Long: a table of sentences, a row per kind.
  void say() {
    switch (advice_.kind) {
      case AdviceKind::Fallback:
        words_.backend = label();
        words_.title = fmt::format("{} on the CPU between {} calls, in {}", advice_.subject,
                                   label(), counted(advice_.count, "place"));
        words_.arithmetic = fmt::format(
            "{} in the operators + {} around the {} that would join the call before",
            cost(advice_.work), cost(advice_.overhead), counted(advice_.partitions.size(), "call"));
        words_.action = advice_.reason.empty() ? "Have the partitioner take it, or write it with "
                                                 "operators that the backend has"
                                               : advice_.reason + " " + remedy();
        break;
      case AdviceKind::SmallCall:
        words_.title = fmt::format("{} of {} for less work than the call itself costs",
                                   counted(advice_.count, "call"), advice_.subject);
        words_.arithmetic = fmt::format("{} around the calls, {} of work in them",
                                        cost(advice_.overhead), cost(advice_.work));
        words_.action = "Leave these operators to the CPU, or join the call with its neighbours";
        break;
      case AdviceKind::DataMovement:
        words_.title = fmt::format("{} moves data and computes nothing", advice_.subject);
        words_.arithmetic = fmt::format("{} in {}", cost(advice_.work), runs());
        words_.action = "Keep one layout from operator to operator, so that it need not be moved";
        break;
      case AdviceKind::ConstantWork:
        words_.title =
            fmt::format("{} recomputed in every execution from constants", advice_.subject);
        words_.arithmetic = fmt::format("{} in {}", cost(advice_.work), runs());
        words_.action =
            "Compute it once in the constructor, as a buffer, or run constant_prop_pass at export";
        break;
      case AdviceKind::FloatIsland:
        words_.title = fmt::format("{} in floating point in a quantized method", advice_.subject);
        words_.arithmetic = fmt::format("{} in {}; quantized it would take a part of that",
                                        cost(advice_.work), runs());
        words_.action = "Have the quantizer annotate it, unless its accuracy is needed";
        break;
      case AdviceKind::Quantizing:
        words_.title = fmt::format("{} by itself on the CPU", advice_.subject);
        words_.arithmetic = fmt::format("{} in {}", cost(advice_.work), runs());
        words_.action = "Quantize what stands between, or what is next to it, so that it is folded";
        break;
      case AdviceKind::Loading:
        words_.title = fmt::format("loading the program takes as long as {}",
                                   counted(advice_.count, "execution"));
        words_.arithmetic =
            fmt::format("{} to load, {} to execute", format_value(facts_, head_.loading, unit_),
                        cost(head_.total));
        words_.action = worded("Load once and keep the method, or make the file smaller{size}");
        break;
      case AdviceKind::NotDelegated:
        words_.title = fmt::format("{} on the CPU, in {}", advice_.subject,
                                   counted(advice_.count, "operator"));
        words_.arithmetic = advice_.reason;
        if (facts_.has_events())
          words_.arithmetic =
              fmt::format("{} in {}. {}", cost(advice_.work), runs(), advice_.reason);
        words_.action = remedy();
        break;
      case AdviceKind::HelperLines:
        words_.title = "the record has lines of functions named forward alone";
        if (const std::optional<RecoveryFacts> recovery = recovery_of(facts_))
          words_.arithmetic =
              fmt::format("{} may be on lines of helpers that were not found again{}",
                          cost(recovery->lost), words_of(Control::Details));
        words_.action =
            "Export with torch.export.export(…, strict=True) to see the lines of helpers";
        break;
      case AdviceKind::FewSamples:
        words_.title = fmt::format("{} cannot tell how far these numbers repeat",
                                   counted(advice_.count, "execution"));
        words_.action = "Run the method ten times or more before writing the ETDump";
        break;
      case AdviceKind::Disturbed:
        words_.title = fmt::format("{} of what an execution takes on average is noise",
                                   format_share(head_.disturbance_share));
        words_.action = "Close other programs, fix the clock of the processor, or run more often";
        break;
    }
  }

  const Facts& facts_;
  const Headline& head_;
  const Advice& advice_;
  std::optional<TimeScale> unit_;
  AdviceWords words_;
};

}  // namespace

AdviceWords words_of(const Facts& facts, const Headline& head, const Advice& advice,
                     std::optional<TimeScale> unit) {
  return Wording(facts, head, advice, unit).run();
}

std::string advice_text(const Facts& facts, const std::vector<AnchoredSource>& sources,
                        std::optional<TimeScale> unit, const RowChoice& rows) {
  const Headline head = headline(facts);
  const std::vector<Advice> advice = advise(facts, head);
  std::string text;
  for (const size_t i : chosen_rows(rows, advice.size())) {
    const AdviceWords words = words_of(facts, head, advice[i], unit);
    text +=
        fmt::format("{}. {}{}{}\n", i + 1, words.won, words.won.empty() ? "" : ": ", words.title);
    const std::string_view because = advice[i].at_most.amount > Amount() ? "= " : "";
    if (!words.arithmetic.empty()) text += fmt::format("   {}{}\n", because, words.arithmetic);
    for (size_t l = 0; l < std::min(advice[i].lines.size(), kMaxAdviceLines); ++l) {
      const LineFacts line = facts.line(advice[i].lines[l]);
      const Anchor& anchor = sources[line.file.value].of(facts.code(), line.id);
      const uint32_t number = anchor.line > 0 ? anchor.line : line.number;
      text += fmt::format("   {}:{}  {}\n", base_name(line.recorded_path), number, line.text);
    }
    if (advice[i].lines.size() > kMaxAdviceLines)
      text += fmt::format("   and {} more\n",
                          counted(advice[i].lines.size() - kMaxAdviceLines, "line"));
    text += fmt::format("   {} ({})\n\n", words.action, words.page);
  }
  if (rows && rows->size() < advice.size())
    text += fmt::format("and {}{}\n\n", counted(advice.size() - rows->size(), "more finding"),
                        words_of(Control::AllRows));
  if (facts.study().is_of_export()) {
    if (advice.empty() && facts.has_operators())
      text = "Nothing stands out: no operator is left out that could change.\n\n";
    return text + headline_text(head, facts, unit) + "\n";
  }
  if (advice.empty() && !head.clock_stands)
    text = "Nothing stands out: no finding is worth 0.5% of the time.\n\n";
  text += headline_text(head, facts, unit) + "\n";
  for (const std::string& finding : finding_texts(head, facts, unit)) text += finding + "\n";
  return text;
}

Table advice_table(const Facts& facts, const TableOptions& options) {
  const Headline head = headline(facts);
  const Cells cells(facts, options);
  const bool is_human = cells.is_human();
  Table table;
  if (!is_human) table.columns = {{"kind"}, {"subject"}};
  table.columns.push_back({is_human ? "at most" : cells.header("at_most"), Align::Right});
  table.columns.push_back({"share", Align::Right});
  for (const char* name : {"finding", "lines", "because", "what to do"})
    table.columns.push_back({.name = name, .is_prose = true});
  for (const Advice& row : advise(facts, head)) {
    const AdviceWords words = words_of(facts, head, row, options.unit);
    const bool is_won = row.at_most.amount > Amount();
    std::vector<std::string> out;
    if (!is_human) out = {std::string(name_of(row.kind)), row.subject};
    out.push_back(is_won || !is_human ? cells.cost(row.at_most) : "");
    out.push_back(is_won || !is_human ? cells.share(row.at_most.share) : "");
    out.insert(out.end(), {words.title, cells.lines(row.lines), words.arithmetic, words.action});
    table.rows.push_back(std::move(out));
  }
  return table;
}

}  // namespace etlens
