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
#include "core/workspace/discovery.h"
#include "core/workspace/load.h"
#include "core/workspace/load_program.h"
#include "mcp/rooted_files.h"

namespace etlens::mcp {

// Files are as a person names them; "" is what is found.
struct StudyChoice {
  std::string etdump;
  std::string etrecord;
  std::string pte;
  std::string method;
  std::string block;
  std::string executions;
  std::string statistic;
  bool wants_values = false;  // that the dump logged, compared with `reference` or what is found
  std::string reference;

  friend bool operator==(const StudyChoice&, const StudyChoice&) = default;
};

// What tools made of a study for one of its measures (tools/study_tool.h).
struct KeptFacts;

struct OpenedStudy {
  LoadRequest request;
  std::shared_ptr<const Study> study;
  size_t dumps = 0;                       // that were found
  std::vector<std::string> other_models;  // of these: the newest of each other model
  // By measure, made when it is first asked for: one call runs after the other.
  mutable std::map<size_t, std::shared_ptr<KeptFacts>> facts;
};

struct ProgramChoice {
  std::string pte;
  std::string etrecord;
  std::string method;

  friend bool operator==(const ProgramChoice&, const ProgramChoice&) = default;
};

struct OpenedProgram {
  LoadedProgram loaded;
  std::string etrecord;  // "" without a record
  size_t method = 0;
  std::shared_ptr<const Code> code;
  std::vector<SourceLocation> sources;
  size_t programs = 0;  // that were found
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

  // Errors are one sentence: which file, what is wrong, what to do.
  Result<std::shared_ptr<const OpenedStudy>> study(const StudyChoice& choice,
                                                   const CancelToken& cancel);
  Result<std::shared_ptr<const OpenedProgram>> program(const ProgramChoice& choice,
                                                       const CancelToken& cancel);
  // What is to be loaded, and not more.
  Result<OpenedStudy> choose(const StudyChoice& choice, const CancelToken& cancel);
  // What changed from one side to the other. A side: dumps, folders of dumps or globs; without any
  // the dump that the choice is about. `method`, `block` and the like are of both.
  Result<ComparedSides> comparison(const std::vector<std::string>& base,
                                   const std::vector<std::string>& fresh, const StudyChoice& choice,
                                   const CancelToken& cancel);

 private:
  using Stamps = std::vector<std::pair<std::string, FileStamp>>;
  template <typename Choice, typename Opened>
  struct Kept {
    Choice choice;
    Stamps artifacts;  // all that there were
    Stamps used;       // files beside these
    std::shared_ptr<const Opened> opened;
  };
  template <typename Choice, typename Opened>
  using Shelf = std::vector<Kept<Choice, Opened>>;

  template <typename Choice, typename Opened>
  std::shared_ptr<const Opened> find(Shelf<Choice, Opened>& shelf, const Choice& choice);
  template <typename Choice, typename Opened>
  void keep(Shelf<Choice, Opened>& shelf, Choice choice, std::vector<std::string> used,
            std::shared_ptr<const Opened> opened);

  // Walks the folders, unless that was done just now; true if it did.
  bool artifacts(const CancelToken& cancel);
  bool has_same_sources(const Code& code, const std::vector<SourceLocation>& before,
                        bool looks_again, const CancelToken& cancel) const;
  bool is_fresh() const;
  Stamps stamps_of_artifacts() const;
  Result<LoadRequest> request_of(const StudyChoice& choice) const;
  Result<SideRequest> side_request(const std::vector<std::string>& paths, const StudyChoice& choice,
                                   const CancelToken& cancel);
  Result<OpenedProgram> open_program(const ProgramChoice& choice, const CancelToken& cancel);

  RootedFiles files_;
  std::vector<FoundArtifact> found_;
  Clock now_;
  std::chrono::milliseconds searched_{};
  std::chrono::milliseconds search_took_{};
  Shelf<StudyChoice, OpenedStudy> studies_;  // the latest first
  Shelf<ProgramChoice, OpenedProgram> programs_;
};

}  // namespace etlens::mcp
