// SPDX-License-Identifier: Apache-2.0
// Reads one dump after the other: finds the record that it belongs to, and gives its rows. Records
// and programs are kept from one dump to the next, dumps are not.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/fleet/broken_dump.h"
#include "core/fleet/fact_sources.h"
#include "core/fleet/study_rows.h"
#include "core/workspace/discovery.h"
#include "core/workspace/load.h"

namespace etlens {

struct DumpSearch {
  std::vector<std::string> paths;       // absolute: dumps, or folders of dumps
  std::vector<std::string> dumps;       // found; each once, sorted
  std::vector<FoundArtifact> partners;  // records and programs
  bool is_cut = false;                  // there were more entries than are looked at
};
// Finds dumps, and files that are named like dumps, in the paths. An error if one does not exist.
Result<DumpSearch> find_dumps(const FileSystem& files, std::vector<std::string> paths,
                              const CancelToken& cancel = {});

struct DumpReaderOptions {
  LoadRequest load;  // of every dump; a record and a program that it names are those of all
  std::vector<FoundArtifact> partners;
  FactSources facts;
  std::string here;  // folder that names are relative to
  bool each_execution = false;
};

using DumpOutcome = std::variant<DumpRows, BrokenDump>;

class DumpReader {
 public:
  // `files` must outlive the reader.
  DumpReader(const FileSystem& files, DumpReaderOptions options);

  DumpOutcome read(const std::string& path);
  // Records that could not be used since the last call, and dumps were read without: a sentence
  // each. A record is in it once.
  std::vector<std::string> take_left_out();

 private:
  // A record and the program that was exported with it.
  struct Pair {
    std::string etrecord;
    std::string pte;
    std::shared_ptr<const EtRecord> record;
    std::shared_ptr<const EtProgram> program;
    FileIdentity record_file;  // as far as a dump's run asked for it
  };
  using StudyResult = Result<std::shared_ptr<const Study>>;

  std::optional<BrokenDump> look_at(const std::string& path, DumpHead& head) const;
  StudyResult best_study(const std::string& path, const Artifacts& artifacts);
  StudyResult study_with(const std::string& path, const Artifacts& artifacts, Pair& pair);
  std::shared_ptr<const RunCheck> run_with(const RunCheck& run, Pair& pair) const;
  std::vector<std::string> records_for(const std::string& path) const;
  Result<Pair> load_pair(const std::string& path, const std::string& etrecord);
  Result<Pair*> pair_of(const std::string& path, const std::string& etrecord);

  const FileSystem& files_;
  DumpReaderOptions options_;
  std::vector<FoundArtifact> records_;     // of the partners
  std::map<std::string, Pair> pairs_;      // by record
  std::map<std::string, Error> unusable_;  // likewise: why they could not be read
  std::vector<std::string> left_out_;      // of these: not yet taken
};

}  // namespace etlens
