// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/profile_measure.h"

#include <algorithm>

#include "core/measure/compile_time.h"
#include "core/workspace/load_profile.h"

namespace etlens {
namespace {

// cProfile always sees itself being switched off, a built-in function; `profile` writes its own
// name. Dynamo's profiler sees neither.
bool is_of_dynamo(const PythonProfile& profile) {
  return std::none_of(profile.functions.begin(), profile.functions.end(),
                      [](const PythonFunction& function) { return function.key.line == 0; });
}

}  // namespace

Result<void> add_profile(const FileSystem& files, const std::string& path, Study& study) {
  Result<PythonProfile> profile = load_profile(files, path);
  if (!profile) return std::move(profile).error();
  study.profile = std::make_shared<const PythonProfile>(std::move(*profile));
  if (is_of_dynamo(*study.profile)) study.report.add(Oddity::ProfileOfLastFrame, path);
  CompileTime time = measure_compile_time(study.profile);
  if (time.negative > 0) study.report.add(Oddity::ProfileClockBack, path, time.negative);
  study.measures.push_back(std::move(time.measure));
  return {};
}

std::shared_ptr<Study> study_without_dump(const Backends& backends) {
  auto code = std::make_shared<Code>();
  code->strings = std::make_shared<const StringPool>();
  code->modules.emplace_back();
  auto landings = std::make_shared<Landings>();
  landings->code = std::move(code);
  index_landings(*landings, {});
  Join join;
  join.log = std::make_shared<const EventLog>();
  join.landings = std::move(landings);
  join.backends = std::make_shared<const Backends>(backends);
  join.blocks = {Block()};
  join.block = BlockId(0);
  auto study = std::make_shared<Study>();
  Quantity time;
  time.id = time.label = "time";
  study->measures.push_back(measure_once(time, join.landings, {}));
  study->join = std::make_shared<const Join>(std::move(join));
  return study;
}

}  // namespace etlens
