// SPDX-License-Identifier: Apache-2.0
#include "cli/program_diff.h"

#include "cli/program_inputs.h"
#include "core/base/fields_json.h"
#include "core/render/program_diff_report.h"
#include "core/view/program_diff_view.h"

namespace etlens::cli {
namespace {

// Exit status of --fail-above.
constexpr int kLargerThanAllowed = 3;

Result<ProgramInputs> program_of(const CommonOptions& common, const SideOptions& side,
                                 std::string_view name) {
  if (!side.revision.empty()) {
    return Error{ErrorCode::InvalidParams,
                 "programs are compared as files; write git's version of " + std::string(name) +
                     " to a folder and leave out --" + std::string(name) + "-revision"};
  }
  CommonOptions options = common;
  options.paths = side.paths;
  options.pte = side.pte;
  options.etrecord = side.etrecord;
  if (!side.method.empty()) options.selection.method = side.method;
  return resolve_program(options);
}

}  // namespace

int run_program_diff(const ProgramDiffOptions& options) {
  const Result<ProgramInputs> base = program_of(options.common, options.base, "base");
  if (!base) return fail(base.error());
  const Result<ProgramInputs> fresh = program_of(options.common, options.fresh, "new");
  if (!fresh) return fail(fresh.error());
  LoadReport report;
  ProgramDiff diff;
  if (options.measure == "size") {
    const SizeFacts before(real_file_system(), base->loaded.program, base->codes);
    const SizeFacts after(real_file_system(), fresh->loaded.program, fresh->codes);
    report.append(before.report());
    report.append(after.report());
    diff = diff_sizes(before, after);
  } else {
    const auto facts_of = [](const ProgramInputs& inputs) {
      return MemoryFacts(inputs.loaded.program, inputs.method, inputs.codes[inputs.method]);
    };
    diff = diff_memory(facts_of(*base), facts_of(*fresh));
  }
  say_oddities(report);
  const ProgramDiffNames names{options.measure, base->loaded.program->path,
                               fresh->loaded.program->path};
  const int written = print_table(
      options.common,
      {.table = [&](TableStyle style) { return program_diff_table(diff, style); },
       .json =
           [&](const RowChoice& rows) {
             return json_text(
                 program_diff_view(diff, names.measure, {names.base, names.fresh}, rows));
           },
       .text = [&](TablePrinter& printer) { return program_diff_text(diff, names, printer); }});
  if (written != kSuccess || !options.limit) return written;
  const double most = static_cast<double>(diff.before) * (1 + *options.limit);
  return static_cast<double>(diff.after) > most ? kLargerThanAllowed : kSuccess;
}

}  // namespace etlens::cli
