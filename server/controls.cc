// SPDX-License-Identifier: Apache-2.0
#include "server/controls.h"

namespace etlens {

const ControlWords kSettingControls = control_words({
    {Control::Dump, " with the setting etlens.profile"},
    {Control::Record, " with the setting etlens.record"},
    {Control::Program, " with the setting etlens.program"},
    {Control::Profile, " with the setting etlens.pythonProfile"},
    {Control::Reference, " with the setting etlens.reference"},
    {Control::DebugBuffer, " with the setting etlens.debugBuffer"},
    {Control::Method, " with the setting etlens.method"},
    {Control::Executions, " with the setting etlens.executions"},
    {Control::Mean, "; with the setting etlens.statistic at mean it weighs on every number"},
    {Control::Recovery,
     " With the setting etlens.recoverHelperLines off the time stays on the lines of forward."},
    {Control::FindFile, " Map it with the setting etlens.pathMappings."},
    {Control::ChooseFile,
     " Open the one that is meant, or map it with the setting etlens.pathMappings."},
    {Control::SourceTimeScale, " with the setting etlens.sourceTimeScale"},
    {Control::FleetFacts, " with the setting etlens.fleetFacts"},
});

}  // namespace etlens
