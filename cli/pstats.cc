// SPDX-License-Identifier: Apache-2.0
// `etlens pstats`: what Python's pstats prints, for profiles of cProfile and Dynamo's profiler.
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/python_profiles.h"
#include "core/base/fields_json.h"
#include "core/pstats/print.h"
#include "core/pstats/stats.h"
#include "core/pstats/stats_view.h"

namespace etlens::cli {
namespace {

struct PstatsOptions {
  CommonOptions common;
  std::vector<std::string> sort{"cumulative"};
  std::vector<std::string> restrictions;
  bool is_reversed = false;
  bool strips = false;
  bool callers = false;
  bool callees = false;
};

int run_pstats(const PstatsOptions& options) {
  pstats::ListOptions wanted;
  wanted.is_reversed = options.is_reversed;
  Result<pstats::SortOrder> order = pstats::parse_order(options.sort);
  if (!order) return fail(order.error());
  wanted.order = std::move(*order);
  for (const std::string& word : options.restrictions) {
    Result<pstats::Restriction> restriction = pstats::parse_restriction(word);
    if (!restriction) return fail(restriction.error());
    wanted.restrictions.push_back(std::move(*restriction));
  }
  Result<PythonProfiles> profiles = load_python_profiles(options.common.paths);
  if (!profiles) return fail(profiles.error());
  if (options.strips) profiles->all = pstats::without_folders(profiles->all);
  const pstats::FunctionList list = pstats::list_functions(profiles->all, wanted);
  if (options.common.format == "json")
    return write_output(options.common,
                        json_text(pstats::stats_view(profiles->all, profiles->paths, list)));
  std::string text;
  if (!options.callers && !options.callees)
    text = pstats::stats_text(profiles->all, profiles->lines, list);
  if (options.callers) text += pstats::callers_text(profiles->all, list);
  if (options.callees) text += pstats::callees_text(profiles->all, list);
  return write_output(options.common, text);
}

}  // namespace

void add_pstats(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "pstats", "Print a profile of cProfile or of Dynamo's profiler as Python's pstats does");
  auto options = std::make_shared<PstatsOptions>();
  command->add_option("FILE", options->common.paths, "Profiles (.prof); several are added up")
      ->required();
  command
      ->add_option("--sort", options->sort,
                   "Keys of pstats, or their beginnings, the most significant first: " +
                       pstats::sort_keys() + "; none is the order of the file")
      ->type_name("KEY,…")
      ->delimiter(',')
      ->capture_default_str();
  command->add_flag("--reverse", options->is_reversed, "Turn the order round");
  command
      ->add_option(
          "--restrict", options->restrictions,
          "What to print of the list: a number of functions, a fraction such as 0.1, or a "
          "regular expression for file:line(function); repeatable, one applies to what the "
          "one before left")
      ->type_name("N|FRACTION|REGEX")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--strip-dirs", options->strips, "File names without folders");
  command->add_flag("--callers", options->callers, "Print who called the functions instead");
  command->add_flag("--callees", options->callees, "Print what the functions called instead");
  command->add_option("--format", options->common.format, "Form of the result")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command->add_option("-o", options->common.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
  command->callback([options, &status] { status = run_pstats(*options); });
}

}  // namespace etlens::cli
