// SPDX-License-Identifier: Apache-2.0
#include "core/base/controls.h"

#include <atomic>

namespace etlens {
namespace {

constexpr ControlWords kNone{};
constexpr ControlWords kNames = control_words({
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

std::atomic<const ControlWords*> current{&kNone};

}  // namespace

void use_controls(const ControlWords& words) { current = &words; }

std::string_view words_of(Control control) { return (*current)[static_cast<size_t>(control)]; }

std::string_view name_of(Control control) { return kNames[static_cast<size_t>(control)]; }

std::string worded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    bool is_control = false;
    for (size_t c = 0; c < kNames.size() && !is_control; ++c) {
      const std::string_view name = kNames[c];
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
