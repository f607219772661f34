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
    {Control::FindFile, " Start `etlens mcp` with its folder as a root."},
    {Control::Values, ", or ask for numeric_errors"},
});

}  // namespace etlens::mcp
