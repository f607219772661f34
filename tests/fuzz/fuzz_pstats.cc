// SPDX-License-Identifier: Apache-2.0
// Bytes -> .prof reader -> what pstats does with profiles -> the writer, whose bytes are read
// again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/base/fields_json.h"
#include "core/formats/file_kind.h"
#include "core/formats/pstats/pstats_reader.h"
#include "core/formats/pstats/pstats_writer.h"
#include "core/pstats/print.h"
#include "core/pstats/stats.h"
#include "core/pstats/stats_view.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  (void)file_kind({data, size});
  const Result<PythonProfile> profile = read_python_profile({data, size});
  if (!profile) {
    if (profile.error().message.empty()) std::abort();
    return 0;
  }
  pstats::ListOptions options;
  options.order = *pstats::parse_order(std::vector<std::string>{"stdname", "time"});
  options.restrictions = {0.9, std::string("(a|b)*c|o")};
  const PythonProfile stripped = pstats::without_folders(pstats::merged(*profile, *profile));
  for (const PythonProfile* shown : {&*profile, &stripped}) {
    const pstats::FunctionList list = pstats::list_functions(*shown, options);
    (void)pstats::stats_text(*shown, {}, list);
    (void)pstats::callers_text(*shown, list);
    (void)pstats::callees_text(*shown, list);
    (void)json_text(pstats::stats_view(*shown, {}, list));
  }
  std::string written;
  const Result<void> done = write_python_profile(*profile, [&](std::string_view piece) {
    written += piece;
    return true;
  });
  if (!done) std::abort();
  const Result<PythonProfile> again =
      read_python_profile({reinterpret_cast<const uint8_t*>(written.data()), written.size()});
  const bool is_same = again && again->total.calls == profile->total.calls &&
                       again->functions.size() == profile->functions.size() &&
                       again->callers.size() == profile->callers.size();
  if (!is_same) std::abort();
  return 0;
}
