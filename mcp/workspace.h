// SPDX-License-Identifier: Apache-2.0
// Workspace: the artifacts below the roots, and what was loaded of them. What a question needs is
// found, loaded once, and loaded again when a file that it came from has changed.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/cancellation.h"
#include "core/code/code.h"
#include "core/compare/compare.h"
#include "core/workspace/load_program.h"
#include "core/workspace/resolve.h"
#include "mcp/rooted_files.h"

namespace etlens::mcp {

// What tools made of a study for one of its measures (tools/study_tool.h).
struct KeptFacts;

struct OpenedStudy : ResolvedStudy {
  std::shared_ptr<const Study> study;
  // By measure, made when it is first asked for: one call runs after the other.
  mutable std::map<size_t, std::shared_ptr<KeptFacts>> facts;
};

struct OpenedProgram : ResolvedProgram {
  LoadedProgram loaded;
  size_t method = 0;
  std::shared_ptr<const Code> code;
  std::vector<SourceLocation> sources;
};

struct ComparedSides {
  Comparison comparison;
  // Lines inside helpers were found again of one side alone, and so are shown of neither.
  bool is_without_recovery = false;
};

class Workspace {
 public:
  // The time since some fixed moment.
  using Clock = std::function<std::chrono::milliseconds()>;
  // `files` must outlive the object.
  Workspace(const FileSystem& files, const std::vector<std::string>& roots,
            const RootAccess& access, Clock now);

  const RootedFiles& files() const { return files_; }

  // Paths of a wish are as a person names them, and its sources are below the roots: a path that
  // leads out of them, also that of a mapping, is an error. Errors are one sentence: which file,
  // what is wrong, what to do.
  Result<std::shared_ptr<const OpenedStudy>> study(const StudyWish& wish,
                                                   const CancelToken& cancel);
  Result<std::shared_ptr<const OpenedProgram>> program(const StudyWish& wish,
                                                       const CancelToken& cancel);
  // What is to be loaded, and not more.
  Result<OpenedStudy> choose(const StudyWish& wish, const CancelToken& cancel);
  // What changed from one side to the other. A side: dumps, folders of dumps or globs; without any
  // the dump that the wish is about. How they are read is the same for both.
  Result<ComparedSides> comparison(const std::vector<std::string>& base,
                                   const std::vector<std::string>& fresh, const StudyWish& wish,
                                   const CancelToken& cancel);

 private:
  // What is asked for, and every file that the answer depends on.
  struct Question {
    StudyWish wish;  // with absolute paths
    FileStamps stamps;

    friend bool operator==(const Question&, const Question&) = default;
  };
  template <typename Opened>
  using Shelf = std::vector<std::pair<Question, std::shared_ptr<const Opened>>>;

  // Null if it was not loaded, or a file that it came from has changed since.
  template <typename Opened>
  static std::shared_ptr<const Opened> find(Shelf<Opened>& shelf, const Question& question);
  template <typename Opened>
  static std::shared_ptr<const Opened> keep(Shelf<Opened>& shelf, Question question, Opened opened);

  // Walks the folders, unless that was done just now; true if it did.
  bool artifacts(const CancelToken& cancel);
  bool has_same_sources(const Code& code, const std::vector<SourceLocation>& before,
                        const StudyWish& wish, bool looks_again, const CancelToken& cancel) const;
  bool is_fresh() const;
  Result<StudyWish> absolute(StudyWish wish) const;
  Result<Question> question_of(const StudyWish& wish) const;
  Result<OpenedStudy> choose_absolute(const StudyWish& wish, const CancelToken& cancel) const;
  Result<SideRequest> side_request(const std::vector<std::string>& paths, const StudyWish& wish,
                                   const CancelToken& cancel) const;
  Result<OpenedProgram> open_program(const StudyWish& wish, const CancelToken& cancel) const;

  RootedFiles files_;
  std::vector<FoundArtifact> found_;
  Clock now_;
  std::chrono::milliseconds searched_{};
  std::chrono::milliseconds search_took_{};
  Shelf<OpenedStudy> studies_;  // the latest first
  Shelf<OpenedProgram> programs_;
};

}  // namespace etlens::mcp
