// SPDX-License-Identifier: Apache-2.0
#include "mcp/controls.h"

namespace etlens::mcp {

const ControlWords kArgumentControls = control_words({
    {Control::Dump, " with the argument etdump"},
    {Control::Record, " with the argument etrecord"},
    {Control::Program, " with the argument pte"},
    {Control::Reference, " with the argument reference"},
    {Control::Method, " with the argument method"},
    {Control::Executions, " with the argument executions"},
    {Control::Mean, "; with statistic mean it weighs on every number"},
    {Control::Recovery, " With recover false the time stays on the lines of forward."},
    {Control::FindFile,
     " Start `etlens mcp` with its folder as a root, or map it with the argument path_map."},
    {Control::ChooseFile, " Choose with the argument path_map."},
    {Control::Values, ", or ask for numeric_errors"},
});

}  // namespace etlens::mcp
