// SPDX-License-Identifier: Apache-2.0

#include "core/recover/interpreter/matcher.h"

#include "core/recover/interpreter/evaluator.h"

namespace etlens::recover {

Matcher::Matcher(Evaluator& run) : run_(run) {
  const ModuleCallTask* const task = run.task;
  if (task == nullptr || task->call == kNoCall) return;
  module_call_ = &task->graph->calls()[task->call];
  placements_.resize(module_call_->units.size());
}

const SourceCall* Matcher::next_unit() const {
  if (module_call_ == nullptr || position_ >= module_call_->units.size()) return nullptr;
  return &module_call_->units[position_];
}

void Matcher::mark_trouble() {
  if (run_.is_quiet() || (has_trouble_ && trouble_position_ == position_)) return;
  has_trouble_ = true;
  trouble_position_ = position_;
  trouble_.clear();
  for (const CallFrame& frame : run_.frames()) trouble_.push_back({frame.file, frame.statement});
}

}  // namespace etlens::recover
