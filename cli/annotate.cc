// SPDX-License-Identifier: Apache-2.0
// `etlens annotate`: source with the hints at the end of its lines. The main job without an editor.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/options.h"
#include "core/code/library_frame.h"
#include "core/facts/facts.h"
#include "core/render/annotate.h"
#include "core/render/findings.h"
#include "core/render/summary.h"

namespace etlens::cli {
namespace {

struct Options {
  CommonOptions common;
  bool full = false;
  double threshold_percent = 0.5;
};

// Files have one name: links in the folders above them are followed.
bool is_among(const std::string& path, const std::vector<std::string>& wanted) {
  const FileSystem& files = real_file_system();
  const std::string own = path.empty() ? "" : files.without_links(path);
  return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& one) {
    return one == path || (!own.empty() && files.without_links(one) == own);
  });
}

// The recorded files to show, the most costly first.
std::vector<size_t> files_to_show(const Facts& facts, const std::vector<std::string>& wanted) {
  const Code& code = facts.code();
  std::vector<Amount> costs(code.files.size());
  for (size_t l = 0; l < code.lines.size(); ++l) {
    Amount& cost = costs[code.lines[l].file.value];
    cost = std::max(cost, facts.line(LineId(l)).inclusive.amount);
  }
  std::vector<size_t> order;
  for (size_t f = 0; f < code.files.size(); ++f) {
    const std::string& path = facts.sources()[f].path;
    // A profile names what is installed as well.
    const bool is_elsewhere =
        code.has_definitions && path.empty() && is_installed_file(code.recorded_path(FileId(f)));
    if (is_elsewhere && wanted.empty()) continue;
    if (wanted.empty() || is_among(path, wanted)) order.push_back(f);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return costs[a] > costs[b]; });
  return order;
}

int run(const Options& options) {
  Result<Inputs> inputs = resolve_inputs(options.common);
  if (!inputs) return fail(inputs.error());
  if (inputs->request.etrecord.empty() && inputs->request.profile.empty() &&
      options.common.finds_record)
    return fail(no_record(inputs->request));
  const Result<Facts> chosen = open_facts(inputs->request, options.common);
  if (!chosen) return fail(chosen.error());
  const Facts& facts = *chosen;

  AnnotateOptions annotate;
  annotate.color = wants_color(options.common);
  annotate.fold = !options.full;
  annotate.threshold = options.threshold_percent / 100;
  annotate.unit = inputs->unit;
  const std::vector<size_t> files = files_to_show(facts, inputs->sources);
  if (files.empty() && !inputs->sources.empty()) {
    return fail(
        {ErrorCode::NotFound,
         inputs->sources.front() + " is not a file of this profile; `etlens lines` lists them"});
  }
  LoadReport problems;
  const std::vector<AnchoredSource> sources =
      read_and_anchor(real_file_system(), facts.code(), facts.sources(), &problems);
  say_oddities(problems);
  Legend legend;
  if (options.common.explains) annotate.legend = &legend;
  std::string text;
  const Headline head = headline(facts);
  for (const std::string& silence : silence_texts(head, facts, inputs->unit))
    text += silence + "\n\n";
  for (const size_t f : files) text += annotate_source(facts, sources[f], annotate) + "\n";
  const std::string summary = summary_text(head, facts, inputs->unit);
  text += summary;
  if (options.common.explains) {
    legend.add(summary);
    text += "\n" + legend.text();
  }
  return write_output(options.common, text, annotate.color);
}

}  // namespace

void add_annotate(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("annotate", "Print source with what each line costs");
  auto options = std::make_shared<Options>();
  add_common_options(*command, options->common, {});
  add_time_options(*command, options->common);
  add_measure_option(*command, options->common);
  command->add_flag("--full", options->full,
                    "Show long files whole; cold regions are folded otherwise");
  command
      ->add_option("--threshold", options->threshold_percent,
                   "Least share of a shown line, in percent")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  add_reading_options(*command, options->common);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace etlens::cli
