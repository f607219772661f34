// SPDX-License-Identifier: Apache-2.0
#include "cli/controls.h"

namespace etlens::cli {

const ControlWords kOptionControls = control_words({
    {Control::Dump, " with --etdump"},
    {Control::Record, " with --etrecord"},
    {Control::Program, " with --pte"},
    {Control::Profile, " with --prof"},
    {Control::Reference, " with --reference"},
    {Control::ReferenceRecord, " with --etrecord and --reference-etrecord"},
    {Control::DebugBuffer, " with --debug-buffer"},
    {Control::Method, " with --method"},
    {Control::Executions, " with --executions"},
    {Control::Mean, "; with --statistic mean it weighs on every number"},
    {Control::Recovery, " With --no-recover the time stays on the lines of forward."},
    {Control::FindFile, " Give its folder with --root, or map it with --path-map."},
    {Control::ChooseFile, " Choose with --path-map."},
    {Control::ShowFile, " Name its folder with --root to show more."},
    {Control::SourceTimeScale, " with --base-source-time-scale and --new-source-time-scale"},
    {Control::FleetFacts, " with --facts"},
    {Control::Jobs, "; ask for fewer with --jobs"},
    {Control::AllRows, " (--top 0 shows all)"},
    {Control::Details, " (`etlens check --verbose`)"},
    {Control::Allocations, "; `etlens memory --etdump` lists them"},
    {Control::Values, ", or run `etlens values`"},
    {Control::Size, " (`etlens size`)"},
});

}  // namespace etlens::cli
