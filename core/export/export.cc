// SPDX-License-Identifier: Apache-2.0
#include "core/export/export.h"

#include <algorithm>
#include <array>

namespace etlens {
namespace {

constexpr std::array<ExportForm, 10> kForms{{
    {"chrome", "chrome://tracing and Perfetto", ".trace.json", false, write_chrome},
    {"csv", "spreadsheets and databases", ".csv", false, write_csv},
    {"html", "a browser", ".html", false, write_html},
    {"markdown", "a pull request", ".md", false, write_markdown},
    {"ndjson", "databases and dataframes", ".ndjson", false, write_ndjson},
    {"perfetto", "Perfetto", ".pftrace", true, write_perfetto},
    {"pprof", "go tool pprof", ".pb.gz", true, write_pprof},
    {"prof", "Python's pstats and snakeviz", ".prof", true, write_prof},
    {"speedscope", "speedscope", ".speedscope.json", false, write_speedscope},
    {"svg", "a browser", ".svg", false, write_svg},
}};

}  // namespace

std::span<const ExportForm> export_forms() { return kForms; }

const ExportForm* find_export_form(std::string_view name) {
  const auto at = std::find_if(kForms.begin(), kForms.end(),
                               [&](const ExportForm& form) { return form.name == name; });
  return at == kForms.end() ? nullptr : &*at;
}

}  // namespace etlens
