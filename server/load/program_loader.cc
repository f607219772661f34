// SPDX-License-Identifier: Apache-2.0
#include "server/load/program_loader.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/join/program_code.h"
#include "core/workspace/source_file.h"

namespace etlens {
namespace {

// Reads each source once, however many methods have lines in it.
class SourceReader {
 public:
  SourceReader(const FileSystem& files, const SourceSearch& search, const RecordRecovery* recovery,
               const CancelToken& cancel)
      : files_(files), search_(search), recovery_(recovery), cancel_(cancel) {}

  std::vector<ProgramSource> read(const Code& code) {
    locate(code);
    std::vector<ProgramSource> sources;
    for (size_t f = 0; f < code.files.size(); ++f) {
      const std::string& path = path_of_.at(std::string(code.recorded_path(FileId(f))));
      const Text& text = read_text(path);
      AnchoredSource anchored = anchor_source_on_disk(files_, code, FileId(f), path, text.document,
                                                      {text.syntax}, cancel_);
      sources.push_back({path, text.stamp, std::move(anchored)});
    }
    return sources;
  }

 private:
  struct Text {
    FileStamp stamp;
    std::shared_ptr<const Document> document;  // null if it was not readable
    std::shared_ptr<const PythonSyntax> syntax;
  };

  void locate(const Code& code) {
    bool is_known = true;
    for (size_t f = 0; f < code.files.size(); ++f)
      is_known &= path_of_.contains(std::string(code.recorded_path(FileId(f))));
    if (is_known) return;
    LoadReport report;  // a source that is not found has lines without a place: that is seen there
    std::vector<SourceLocation> found = find_sources(files_, code, search_, report, cancel_);
    for (size_t f = 0; f < found.size(); ++f) {
      path_of_.try_emplace(std::string(code.recorded_path(FileId(f))), std::move(found[f].path));
    }
  }

  const Text& read_text(const std::string& path) {
    const auto [text, is_new] = texts_.try_emplace(path);
    if (!is_new || path.empty() || cancel_.cancelled()) return text->second;
    text->second.stamp = files_.stat(path).value_or(FileStamp{});
    text->second.document = read_source(files_, path);
    const std::shared_ptr<const Document>& document = text->second.document;
    if (document && recovery_) text->second.syntax = recovery_->syntax_of(path, *document);
    if (document && !text->second.syntax) text->second.syntax = PythonSyntax::parse(document);
    return text->second;
  }

  const FileSystem& files_;
  const SourceSearch& search_;
  const RecordRecovery* recovery_;  // null: nothing was looked for
  const CancelToken& cancel_;
  std::unordered_map<std::string, std::string> path_of_;  // by recorded path
  std::unordered_map<std::string, Text> texts_;           // by path
};

ProgramLoader::Program open_program(const FileSystem& files, const ProgramRequest& wanted,
                                    const CancelToken& cancel) {
  Result<ResolvedProgram> resolved = resolve_program(files, wanted.records, wanted.wish, cancel);
  if (!resolved) return std::move(resolved).error();
  LoadRequest& request = resolved->request;
  Result<LoadedProgram> loaded = load_program(files, request, cancel);
  if (!loaded) return std::move(loaded).error();
  SourceSearch search = source_search_of(request);
  if (loaded->recovery) search.known = loaded->recovery->sources;
  std::vector<std::shared_ptr<const Code>> codes;
  std::vector<MemoryFacts> memory;
  std::vector<std::vector<ProgramSource>> sources;
  SourceReader reader(files, search, loaded->recovery.get(), cancel);
  for (size_t m = 0; m < loaded->program->methods.size() && !cancel.cancelled(); ++m) {
    codes.push_back(
        code_of_program(loaded->record, loaded->program->methods[m], request.library_frames));
    memory.emplace_back(loaded->program, m, codes.back());
    sources.push_back(reader.read(*codes.back()));
  }
  if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
  SizeFacts size(files, loaded->program, codes);
  return std::make_shared<const OpenProgram>(OpenProgram{request.pte, request.etrecord,
                                                         std::move(codes), std::move(memory),
                                                         std::move(sources), std::move(size)});
}

}  // namespace

struct ProgramLoader::Job {
  Key key;
  CancelToken cancel;
  Program result = Error{ErrorCode::Internal, "the program was not read"};
};

ProgramLoader::Key ProgramLoader::key_of(ProgramRequest request) const {
  Key key{std::move(request), {}};
  look_at(files_, key.request.wish.pte, key.stamps);
  look_at(files_, key.request.wish.etrecord, key.stamps);
  for (const FoundArtifact& record : key.request.records) look_at(files_, record.path, key.stamps);
  return key;
}

bool ProgramLoader::has_same_sources() const {
  for (const std::vector<ProgramSource>& method : program_->sources) {
    for (const ProgramSource& source : method) {
      if (source.path.empty()) continue;
      if (files_.stat(source.path).value_or(FileStamp{}) != source.stamp) return false;
    }
  }
  return true;
}

void ProgramLoader::ask(ProgramRequest request, Done done) {
  Key key = key_of(std::move(request));
  if (known_ == key && has_same_sources()) {
    done(program_);
    return;
  }
  waiting_.push_back({std::move(key), std::move(done)});
  if (!is_busy()) start();
}

void ProgramLoader::start() {
  const auto next = std::make_shared<Job>();
  next->key = waiting_.front().key;
  worker_.start(
      next,
      [&files = files_](Job& job) {
        job.result = within_budget(
            job.cancel, [&] { return open_program(files, job.key.request, job.cancel); });
      },
      [this](const Job& job) { finish(job); });
}

void ProgramLoader::finish(const Job& job) {
  known_.reset();
  if (job.result) {
    known_ = job.key;
    program_ = *job.result;
  }
  std::vector<Waiting> others;
  for (Waiting& waiting : std::exchange(waiting_, {})) {
    if (waiting.key == job.key) waiting.done(job.result);
    else others.push_back(std::move(waiting));
  }
  waiting_.insert(waiting_.begin(), std::make_move_iterator(others.begin()),
                  std::make_move_iterator(others.end()));
  if (!waiting_.empty() && !is_busy()) start();
}

void ProgramLoader::shut() {
  worker_.shut();
  waiting_.clear();
}

}  // namespace etlens
