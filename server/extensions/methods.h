// SPDX-License-Identifier: Apache-2.0
// What etlens adds to the protocol: commands, requests, a notification, a URI scheme. This is the
// whole list; the other headers of this folder are their messages, and a test writes
// vscode-extension/src/base/protocol.ts from all of them (tests/server/protocol_ts_test.cc).
//
// What the command line's JSON has, too, is spelled as it is there (core/view, docs/schemas.md):
// `line` is a source's line as recorded, `current_line` in the text of now, both 1-based. Beside it
// stand the file's uri and the words of numbers, so that clients format none. Shares are fractions
// of the total of the statistic that is shown.
#pragma once

#include <array>
#include <string_view>

namespace etlens::extensions {

// Commands of workspace/executeCommand, with their first argument (all optional).
inline constexpr std::array<const char*, 15> kCommands{
    "etlens.jumpToEvent",       // {"event": id, "generation": n}: shows the event's line
    "etlens.nextHotLine",       // {"uri", "position"}: shows the line that is next in cost
    "etlens.previousHotLine",   // likewise, the one before
    "etlens.selectProfile",     // {"etdump": path, "etrecord": path, "pte": path}; null: the newest
                                // again
    "etlens.selectMethod",      // {"method": name, "block": name}; null: the default again
    "etlens.selectStatistic",   // {"statistic": name}; null: the setting again
    "etlens.selectExecutions",  // {"executions": "1-25,30", "slow", "fast", "all"}; null: likewise
    "etlens.selectGroup",       // {"group": "decode"}; null: the setting again
    "etlens.selectMeasure",     // {"measure": id}; null: the setting again
    "etlens.selectBaseline",  // {"paths": […], "etrecord": path, "pte": path}: what the shown dump
                              // is compared with; no paths: nothing; null: the setting again
    "etlens.selectFleet",  // {"paths": […], "groupBy": […]}: many dumps beside the shown one, or
                           // the rows of them; no paths: none; null: the setting again
    "etlens.nextChangedLine",  // {"uri", "position"}: shows the next line that is slower or faster
    "etlens.previousChangedLine",  // likewise, the one before
    "etlens.reload",               // looks for artifacts and reads them again
    "etlens.showEdgeProgram",      // shows the graph of the method; answers EdgeProgramResult
};

// Documents that workspace/textDocumentContent provides, for clients that ask for them.
inline constexpr const char* kProvidedScheme = "etlens";

inline constexpr std::string_view kStatus = "etlens/status";
inline constexpr std::string_view kEvents = "etlens/events";
inline constexpr std::string_view kEventTable = "etlens/eventTable";
inline constexpr std::string_view kHotLines = "etlens/hotLines";
inline constexpr std::string_view kLineCosts = "etlens/lineCosts";
inline constexpr std::string_view kDelegateLines = "etlens/delegateLines";
inline constexpr std::string_view kModules = "etlens/modules";
inline constexpr std::string_view kModels = "etlens/models";
inline constexpr std::string_view kModuleSource = "etlens/moduleSource";
inline constexpr std::string_view kFlameGraph = "etlens/flameGraph";
inline constexpr std::string_view kPartitions = "etlens/partitions";
inline constexpr std::string_view kAdvice = "etlens/advice";
inline constexpr std::string_view kReport = "etlens/report";
inline constexpr std::string_view kDelegation = "etlens/delegation";
inline constexpr std::string_view kMemory = "etlens/memory";
inline constexpr std::string_view kSize = "etlens/size";
inline constexpr std::string_view kChanges = "etlens/changes";
inline constexpr std::string_view kProfiles = "etlens/profiles";
inline constexpr std::string_view kGraph = "etlens/graph";
inline constexpr std::string_view kEdgeProgram = "etlens/edgeProgram";
// To clients whose capabilities say experimental.etlens.profileChanged.
inline constexpr std::string_view kProfileChanged = "etlens/profileChanged";
// Likewise: of dumps that etlens/profiles lists more is known.
inline constexpr std::string_view kProfilesChanged = "etlens/profilesChanged";

}  // namespace etlens::extensions
