// SPDX-License-Identifier: Apache-2.0
#include "server/load/load_job.h"

#include <algorithm>
#include <exception>
#include <new>
#include <string_view>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/optional_part.h"
#include "core/formats/file_kind.h"
#include "core/source/anchor/recorded_file.h"
#include "core/workspace/resolve.h"
#include "core/workspace/source_file.h"

namespace etlens {
namespace {

// The same dump, read in the same way, whatever it is compared with.
bool is_same_study(LoadKey a, LoadKey b) {
  for (LoadKey* key : {&a, &b}) {
    key->baseline = {};
    key->settings.baseline = {};
    key->is_chosen = false;
  }
  return a == b;
}

// The sources as they were exported, as far as they are at hand.
SourceTexts recorded_texts(const OpenStudy& open) {
  const Code& code = open.study().code();
  SourceTexts texts;
  for (const DiskSource& source : open.sources) {
    const std::shared_ptr<const Document>& document = source.anchored.document;
    const bool is_recorded = document != nullptr &&
                             fits_all_lines(*document, recorded_lines(code, source.anchored.file));
    texts.push_back(is_recorded ? document : source.anchored.recorded);
  }
  return texts;
}

bool is_newer(const FileSystem& files, const std::string& path, const std::string& than) {
  const Result<FileStamp> stamp = files.stat(path);
  const Result<FileStamp> other = files.stat(than);
  return stamp && other && stamp->modified_ns > other->modified_ns;
}

// What was parsed already: another dump of a model has the same sources.
using SyntaxByPath = std::unordered_map<std::string_view, std::shared_ptr<const PythonSyntax>>;

SyntaxByPath syntax_of(const OpenStudy& open) {
  SyntaxByPath syntax;
  const std::vector<SourceLocation>& places = open.study().sources;
  for (size_t f = 0; f < std::min(places.size(), open.sources.size()); ++f) {
    if (open.sources[f].syntax) syntax.try_emplace(places[f].path, open.sources[f].syntax);
  }
  return syntax;
}

}  // namespace

void LoadJob::run(const FileSystem& files) {
  try {
    result = load(files);
  } catch (const std::bad_alloc&) {
    result = out_of_memory(key.name());
  } catch (const std::exception& exception) {
    result = Error{ErrorCode::Internal, key.name() + " cannot be loaded: " + exception.what()};
  }
  found.clear();
  baseline_found.clear();
  shown.reset();
}

bool LoadJob::is_whole() const {
  if (!result) return false;
  if (*result == nullptr) return true;
  const OpenStudy& open = **result;
  if (open.study().is_of_export() || !open.record_problem.empty() || !open.baseline_problem.empty())
    return false;
  return open.study().fit && open.study().fit->verdict() == PairVerdict::Match;
}

// What the settings leave open: the artifacts that fit the dump.
Result<LoadRequest> LoadJob::choose(const FileSystem& files) const {
  Result<ResolvedStudy> resolved = resolve(files, found, key.settings, cancel);
  if (!resolved) return std::move(resolved).error();
  LoadRequest& request = resolved->request;
  request.leaves_out_record = false;  // open() knows what is shown meanwhile
  request.finds_reasons = true;
  if (can_reuse_shown() && of_lines(key.settings) == of_lines(shown->used.settings))
    request.earlier = shown->time().facts.shared_study();
  if (request.etrecord.empty()) request.etrecord = damaged_record(files);
  return std::move(request);
}

// The record that is shown, where its file is still there and no longer a record: reading it says
// what is wrong, and what is shown stays. "" otherwise.
std::string LoadJob::damaged_record(const FileSystem& files) const {
  if (!shown || shown->study().etdump_path != key.settings.etdump) return "";
  const std::string& path = shown->study().etrecord_path;
  if (path.empty()) return "";
  const Result<Bytes> front = files.read_range(path, 0, kKindBytes);
  return front && file_kind(front->span()) != FileKind::EtRecord ? path : "";
}

// The study has one budget; what it is compared with has others: however much a baseline costs, the
// study is shown.
Result<std::shared_ptr<const OpenStudy>> LoadJob::load(const FileSystem& files) {
  LoadRequest request;
  Result<std::optional<OpenStudy>> opened =
      within_budget(cancel, [&] { return choose_and_open(files, request); });
  if (!opened) return std::move(opened).error();
  if (!*opened) return std::shared_ptr<const OpenStudy>();
  OpenStudy& study = **opened;
  if (Result<void> compared = compare(files, request, study); !compared) {
    study.comparison.reset();
    study.baseline_problem = std::move(compared).error().message;
  }
  if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "loading was cancelled"};
  return std::make_shared<const OpenStudy>(std::move(study));
}

Result<std::optional<OpenStudy>> LoadJob::choose_and_open(const FileSystem& files,
                                                          LoadRequest& request) const {
  Result<LoadRequest> chosen = choose(files);
  if (!chosen) return std::move(chosen).error();
  request = std::move(*chosen);
  LoadKey used = key;
  used.stamps = used_by(request, std::move(used.stamps));
  if (can_reuse_shown() && used == shown->used) return std::optional<OpenStudy>();
  const bool is_read = can_reuse_shown() && is_same_study(used, shown->used);
  Result<OpenStudy> opened = is_read ? Result<OpenStudy>(*shown) : open(files, request);
  if (!opened) return std::move(opened).error();
  opened->used = std::move(used);
  return std::optional<OpenStudy>(std::move(*opened));
}

// Numbers that stand on lines stay until the record that they need is there again.
Result<OpenStudy> LoadJob::open(const FileSystem& files, const LoadRequest& request) const {
  Result<OpenStudy> all = open_all(files, request);
  const bool is_placed = shown && shown->study().etdump_path == request.etdump &&
                         !shown->study().etrecord_path.empty();
  const bool is_of_record = request.etdump.empty() && request.pte.empty();
  if (all || all.error().code == ErrorCode::Cancelled || request.etrecord.empty() || is_placed ||
      is_of_record)
    return all;
  LoadRequest alone = request;
  alone.etrecord.clear();
  if (!request.etdump.empty()) alone.pte.clear();
  alone.selection.method.clear();
  Result<OpenStudy> without = open_all(files, alone);
  if (!without) return all;
  without->is_exported_again =
      all.error().code == ErrorCode::Mismatch && is_newer(files, request.etrecord, request.etdump);
  without->record_problem = std::move(all).error().message;
  return without;
}

Result<OpenStudy> LoadJob::open_all(const FileSystem& files, const LoadRequest& request) const {
  const Result<std::shared_ptr<const Study>> study = load_study(files, request, cancel);
  if (!study) return study.error();
  OpenStudy open;
  open.sources = read_sources(files, (*study)->code(), (*study)->sources, (*study)->recovery.get(),
                              open.source_problems);
  for (const CodeSources& row : (*study)->more_sources) {
    open.more_sources.push_back(
        read_sources(files, *row.code, row.files, nullptr, open.source_problems));
  }
  for (size_t m = 0; m < (*study)->measures.size(); ++m) {
    Facts facts(*study, m);
    Headline head = headline(facts);
    open.measures.push_back({std::move(facts), std::move(head)});
  }
  open.advice = advise(open.time().facts, open.time().headline);
  open.reasons = all_reasons(open.time().facts);
  open.others = OtherMethods(open.time().facts);
  if ((*study)->values) read_values(**study, request.values->most_bytes, open);
  return open;
}

void LoadJob::read_values(const Study& study, uint64_t most_bytes, OpenStudy& open) {
  const auto values = std::make_shared<ValuesFacts>(study.values);
  open.values = values;
  if (study.values->bytes > most_bytes) return;
  for (const std::optional<size_t> row : {values->first_nan(), values->first_inf()}) {
    if (row) open.odd_values.push_back(*row);
  }
}

Result<void> LoadJob::compare(const FileSystem& files, const LoadRequest& request,
                              OpenStudy& study) {
  study.comparison.reset();
  study.baseline_problem.clear();
  if (!key.baseline.is_wanted()) {
    baseline.reset();
    return {};
  }
  baseline = load_baseline(files, key.baseline, key.settings, baseline_found, request,
                           chosen_group(study.study().time()), baseline, cancel);
  if (!baseline->side) return baseline->side.error();
  return within_budget(cancel, [&]() -> Result<void> {
    const auto after = std::make_shared<const Side>(side_of(study.study(), recorded_texts(study)));
    if (differ_in_recovery(**baseline->side, *after)) {
      return Error{
          ErrorCode::Unsupported,
          "lines inside helpers were found again of one side alone, here or there, so that "
          "times stand on other lines than in the baseline; set "
          "etlens.recoverHelperLines to false to compare the two"};
    }
    Result<Comparison> comparison = etlens::compare(*baseline->side, after);
    if (!comparison) return std::move(comparison).error();
    study.comparison = std::make_shared<const Comparison>(std::move(*comparison));
    return {};
  });
}

// What one source costs is not what the numbers must pay for: it is as if it were not there.
std::vector<DiskSource> LoadJob::read_sources(const FileSystem& files, const Code& code,
                                              const std::vector<SourceLocation>& locations,
                                              const RecordRecovery* recovery,
                                              LoadReport& problems) const {
  const SyntaxByPath shown_syntax = shown ? syntax_of(*shown) : SyntaxByPath();
  const auto read = [&](FileId file, const std::string& path) {
    DiskSource source;
    std::shared_ptr<const Document> document;
    if (!path.empty() && !cancel.cancelled()) {
      source.stamp = files.stat(path).value_or(FileStamp{});
      document = read_source(files, path);
      if (document && recovery) source.syntax = recovery->syntax_of(path, *document);
      const auto at = shown_syntax.find(path);
      const bool is_shown = document && !source.syntax && at != shown_syntax.end() &&
                            at->second->document().text() == document->text();
      if (is_shown) source.syntax = at->second;
      if (document && !source.syntax) source.syntax = PythonSyntax::parse(document);
    }
    source.anchored = anchor_source_on_disk(files, code, file, path, std::move(document),
                                            {source.syntax}, cancel, &problems);
    return source;
  };
  std::vector<DiskSource> sources;
  for (size_t f = 0; f < locations.size(); ++f) {
    const FileId file(f);
    const std::string& path = locations[f].path;
    std::optional<DiskSource> source =
        optional_part(&problems, Oddity::SourceExpensive, cancel, [&] { return read(file, path); });
    if (!source) {
      source = DiskSource{files.stat(path).value_or(FileStamp{}),
                          anchor_source(code, file, nullptr), nullptr};
    }
    sources.push_back(*std::move(source));
  }
  return sources;
}

}  // namespace etlens
