// SPDX-License-Identifier: Apache-2.0
#include "core/base/controls.h"

namespace etlens {
namespace {

constexpr ControlWords kNoWords{};
constexpr ControlWords kControlNames = control_words({
    {Control::Dump, "dump"},
    {Control::Record, "record"},
    {Control::Program, "program"},
    {Control::Profile, "profile"},
    {Control::Reference, "reference"},
    {Control::ReferenceRecord, "reference_record"},
    {Control::DebugBuffer, "debug_buffer"},
    {Control::Method, "method"},
    {Control::Executions, "executions"},
    {Control::Mean, "mean"},
    {Control::Recovery, "recovery"},
    {Control::FindFile, "find_file"},
    {Control::ChooseFile, "choose_file"},
    {Control::ShowFile, "show_file"},
    {Control::SourceTimeScale, "source_time_scale"},
    {Control::FleetFacts, "fleet_facts"},
    {Control::Jobs, "jobs"},
    {Control::AllRows, "all_rows"},
    {Control::Details, "details"},
    {Control::Allocations, "allocations"},
    {Control::Values, "values"},
    {Control::Size, "size"},
});

// Set before threads begin; the same again is no change.
const ControlWords* control_words_now = &kNoWords;

}  // namespace

void use_controls(const ControlWords& words) {
  if (control_words_now != &words) control_words_now = &words;
}

std::string_view words_of(Control control) {
  return (*control_words_now)[static_cast<size_t>(control)];
}

std::string_view name_of(Control control) { return kControlNames[static_cast<size_t>(control)]; }

std::string worded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    bool is_control = false;
    for (size_t c = 0; c < kControlNames.size() && !is_control; ++c) {
      const std::string_view name = kControlNames[c];
      is_control = text.substr(1, name.size()) == name && text.substr(name.size() + 1, 1) == "}";
      if (!is_control) continue;
      out += words_of(static_cast<Control>(c));
      text.remove_prefix(name.size() + 2);
    }
    if (is_control) continue;
    out += '{';
    text.remove_prefix(1);
  }
  return out;
}

}  // namespace etlens
