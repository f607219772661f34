// SPDX-License-Identifier: Apache-2.0
// `etlens schema`: JSON Schemas of what `--format json` prints.
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/view/documents.h"

namespace etlens::cli {
namespace {

struct SchemaOptions {
  CommonOptions common;
  std::string name;
};

int run_schema(const SchemaOptions& options) {
  if (options.name.empty()) {
    std::string names;
    for (const DocumentKind& kind : document_kinds()) (names += kind.name) += '\n';
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
                   "A schema, as in the field `schema`, or lines for etlens/lines@2")
      ->type_name("");
  command->add_option("-o", options->common.output, "Write the result to FILE instead of stdout")
      ->type_name("FILE");
  command->callback([options, &status] { status = run_schema(*options); });
}

}  // namespace etlens::cli
