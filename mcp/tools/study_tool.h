// SPDX-License-Identifier: Apache-2.0
// What tools about one run have in common: their arguments, and the study that these choose.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/facts/facts.h"
#include "core/facts/headline.h"
#include "core/facts/ranking.h"
#include "mcp/answer.h"
#include "mcp/tool.h"

namespace etlens::mcp {

// `own`, and the arguments that choose a study.
std::vector<ArgumentRow> with_study_arguments(std::vector<ArgumentRow> own);
inline constexpr ArgumentRow kMeasureArgument{
    "measure", ArgumentType::Text,
    "What to show: time (default), memory, size, or error, where the dump logged values"};

// How the files are read: arguments of every tool that loads lines.
inline constexpr ArgumentRow kPathMapArgument{
    "path_map", ArgumentType::Texts,
    "FROM=TO: sources recorded below FROM are below TO, in a root"};
inline constexpr ArgumentRow kLibraryArgument{"library_frames", ArgumentType::Texts,
                                              "Globs of files that are library code, not yours"};
inline constexpr ArgumentRow kRecoverArgument{
    "recover", ArgumentType::Flag,
    "false: time of helpers whose lines the export lost stays on forward (default: true)"};
inline constexpr ArgumentRow kScaleArgument{"source_time_scale", ArgumentType::Text,
                                            "Unit of the ticks: ns (default), us, ms, s, cycles"};

// InvalidParams for values that mean nothing.
Result<StudyWish> study_wish(const Arguments& arguments);

struct KeptFacts {
  explicit KeptFacts(Facts of) : facts(std::move(of)), head(headline(facts)), ranking(facts) {}
  KeptFacts(const KeptFacts&) = delete;  // the ranking is of these facts
  KeptFacts& operator=(const KeptFacts&) = delete;

  Facts facts;
  Headline head;
  Ranking ranking;
};

// What a question is answered from. Sources are read anew each time: they are shown as they are.
struct Asked {
  std::shared_ptr<const OpenedStudy> opened;
  std::shared_ptr<KeptFacts> kept;
  const Facts& facts;
  const Headline& head;
  Sources sources;
  Units units;

  Asked(std::shared_ptr<const OpenedStudy> study, std::shared_ptr<KeptFacts> of,
        const FileSystem& files, const CancelToken& cancel)
      : opened(std::move(study)),
        kept(std::move(of)),
        facts(kept->facts),
        head(kept->head),
        sources(files, facts.code(), facts.sources(), cancel),
        units(facts) {}
};
// Of the measure that the arguments name. NotFound if there is none of it.
Result<std::unique_ptr<const Asked>> ask(const Arguments& arguments, Workspace& workspace,
                                         const CancelToken& cancel);

// Sentences about what was chosen among several.
std::vector<std::string> notes_of(const OpenedStudy& opened);
// Also about sources that are left out.
std::vector<std::string> notes_of(const Asked& asked);

}  // namespace etlens::mcp
