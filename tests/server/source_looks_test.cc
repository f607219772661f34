// SPDX-License-Identifier: Apache-2.0
// Looks at sources that go on in the background: what is shown meanwhile, and what becomes of them.
#include <catch2/catch.hpp>
#include <utility>

#include "server/load/load_job.h"
#include "server/session/session.h"
#include "tests/support/language_client.h"
#include "tests/support/server_workspace.h"

namespace etlens::source_looks_test {

using namespace etlens::test;

TEST_CASE("what is looked at in the background is shown when it is done", "[server]") {
  MemoryFileSystem files = model_workspace();
  const std::string source = model_source();
  Timing timing;
  timing.at_once = std::chrono::nanoseconds(0);  // never in place
  const int line = kTopkLine;
  for (const bool refreshes : {true, false}) {
    LanguageClient client(files, timing);
    json capabilities = full_capabilities();
    capabilities["workspace"]["inlayHint"]["refreshSupport"] = refreshes;
    capabilities["workspace"]["codeLens"]["refreshSupport"] = refreshes;
    client.initialize(capabilities);
    client.advance(1000);
    client.open(kModelPath, source);
    client.advance(1000);
    client.take("workspace/inlayHint/refresh");
    client.hints(kModelPath);  // what is not known yet is looked at from here on
    const auto hints = client.hints(kModelPath);
    REQUIRE(hints.contains(line));
    client.take("workspace/inlayHint/refresh");
    // Unlike the text before: nothing can be carried.
    client.open(kModelPath, "# other\n\n" + source, 2);
    client.advance(1000);
    CHECK((client.count("workspace/inlayHint/refresh") > 0) == refreshes);
    CHECK(client.hints(kModelPath).at(line + 2) == hints.at(line));
    client.take("workspace/inlayHint/refresh");
    // A keystroke is followed at once, and needs no second look.
    const json zero{{"line", 0}, {"character", 0}};
    client.change(kModelPath, 3, {{{"range", {{"start", zero}, {"end", zero}}}, {"text", "\n"}}});
    CHECK(client.hints(kModelPath).at(line + 3) == hints.at(line));
    client.advance(1000);
    CHECK(client.count("workspace/inlayHint/refresh") == 0);
    client.notify("textDocument/didClose", {{"textDocument", {{"uri", uri_of(kModelPath)}}}});
    client.hints(kModelPath);
    CHECK(client.hints(kModelPath).at(line) == hints.at(line));
  }
}

TEST_CASE("what is looked at of a text that was closed, or of a study that is gone, is not shown",
          "[server]") {
  MemoryFileSystem files = model_workspace();
  const std::string source = model_source();
  LoadJob load;
  load.key.settings.etdump = kDumpPath;
  load.key.settings.roots = {"/work"};
  load.key.settings.etrecord = kRecordPath;
  load.run(files);
  REQUIRE(load.result);
  Session session(files);
  std::vector<std::pair<std::function<void()>, std::function<void()>>> jobs;
  std::vector<bool> told;
  SourceWorker::Options options;
  options.background = [&](std::function<void()> work, std::function<void()> done) {
    jobs.emplace_back(std::move(work), std::move(done));
  };
  options.looked_at = [&](const lsp::DocumentUri&, bool differs) { told.push_back(differs); };
  session.source_worker.start(std::move(options));
  const auto run_jobs = [&] {
    for (size_t j = 0; j < jobs.size(); ++j) {
      jobs[j].first();
      const std::function<void()> done = jobs[j].second;
      done();
    }
    jobs.clear();
  };
  session.publish(*load.result);
  const auto uri = lsp::DocumentUri::from_path(kModelPath);
  const LineId line = session.facts()->hot_lines().front();
  const auto place = [&](const SourceView* view) {
    return view->anchor_of(session.facts()->code(), line).line;
  };
  // Opened, asked for, and closed before the look is done.
  session.documents.open({uri, "python", 1, "# one\n" + source});
  CHECK(session.sources.view(uri) == nullptr);
  CHECK(session.sources.view(uri) == nullptr);
  CHECK(jobs.size() == 1);  // one look, however often somebody asks
  session.documents.close(uri);
  session.forget(uri);
  CHECK(session.sources.view(uri) == nullptr);
  run_jobs();
  REQUIRE(session.sources.view(uri) != nullptr);
  CHECK(session.sources.view(uri)->document->text() == source);
  const uint32_t at = place(session.sources.view(uri));
  CHECK(told == std::vector{true});
  // Typed in while a look is running: what it finds is carried along.
  session.documents.open({uri, "python", 2, "# two\n" + source});
  CHECK(session.sources.view(uri) == nullptr);
  const lsp::Range zero{{0, 0}, {0, 0}};
  session.documents.change({{uri, 3}, {{zero, "# three\n"}}});
  CHECK(session.sources.view(uri) == nullptr);
  CHECK(jobs.size() == 1);
  run_jobs();
  const SourceView* carried = session.sources.quick_view(uri);
  REQUIRE(carried != nullptr);
  CHECK(carried->syntax == nullptr);
  CHECK(place(carried) == at + 2);
  CHECK_FALSE(session.sources.is_settled());
  CHECK_FALSE(session.sources.settle());  // still to come
  told.clear();
  run_jobs();
  CHECK(told == std::vector{false});  // nobody sees a difference
  CHECK(session.sources.view(uri)->syntax != nullptr);
  CHECK(place(session.sources.view(uri)) == at + 2);
  // A study that is gone while a look is running.
  session.documents.change({{uri, 4}, {{zero, "import torch  # four\n"}}});
  CHECK(session.sources.view(uri)->syntax == nullptr);
  told.clear();
  session.publish(*load.result);
  run_jobs();
  CHECK(told.empty());
  CHECK(session.sources.view(uri) == nullptr);
  run_jobs();
  CHECK(place(session.sources.view(uri)) == at + 3);
  // Nothing is looked at after the end.
  session.documents.change({{uri, 5}, {{zero, "# five\n"}}});
  (void)session.sources.view(uri);
  session.source_worker.shut();
  told.clear();
  run_jobs();
  CHECK(told.empty());
}

}  // namespace etlens::source_looks_test
