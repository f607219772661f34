// SPDX-License-Identifier: Apache-2.0
// `etlens explain`: what a word or a sign means.
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/text.h"
#include "core/render/display_width.h"
#include "core/render/terms.h"

namespace etlens::cli {
namespace {

constexpr size_t kMaxSimilar = 5;

struct ExplainOptions {
  CommonOptions common;
  std::vector<std::string> words;
};

Error no_term(const std::string& word) {
  std::vector<std::string_view> similar = similar_terms(word);
  similar.resize(std::min(similar.size(), kMaxSimilar));
  const std::vector<std::string> names(similar.begin(), similar.end());
  return {ErrorCode::NotFound,
          word + " is not a word or sign of etlens; " +
              (names.empty() ? "`etlens explain` lists them" : "there is: " + join(names, ", "))};
}

int run_explain(const ExplainOptions& options) {
  const bool is_markdown = options.common.format == "markdown";
  if (options.words.empty())
    return write_output(options.common, is_markdown ? terms_markdown() : terms_text());
  std::vector<const Term*> terms;
  for (const std::string& word : options.words) {
    const std::vector<const Term*> found = find_terms(word);
    if (found.empty()) return fail(no_term(word));
    terms.insert(terms.end(), found.begin(), found.end());
  }
  std::string text;
  size_t indent = 0;
  for (const Term* term : terms) indent = std::max(indent, display_width(term->name()) + 2);
  for (const Term* term : terms) text += explained(*term, indent);
  return write_output(options.common, text);
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "explain", "Print what a word, a sign or a column means; without TERM, all of them");
  auto options = std::make_shared<ExplainOptions>();
  command->add_option("TERM", options->words, "A word, a sign or a column that etlens shows")
      ->type_name("");
  command->add_option("--format", options->common.format, "Form of the whole list")
      ->check(CLI::IsMember({"table", "markdown"}))
      ->capture_default_str();
  command->add_option("-o", options->common.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
  command->callback([options, &status] { status = run_explain(*options); });
}

}  // namespace etlens::cli
