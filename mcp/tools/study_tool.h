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

StudyChoice study_choice(const Arguments& arguments);

struct KeptFacts {
  explicit KeptFacts(Facts of) : facts(std::move(of)), head(headline(facts)) {}

  const std::vector<RankRange>& ranks();

  Facts facts;
  Headline head;
  std::optional<std::vector<RankRange>> ranges;  // when somebody asked
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
