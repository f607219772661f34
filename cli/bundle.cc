// SPDX-License-Identifier: Apache-2.0
// `etlens bundle`: the artifacts of a model as a ZIP file that can be given away, to report a problem or to ask a question.
#include "core/bundle/bundle.h"

#include <algorithm>
#include <memory>

#include "cli/check_text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/formats/etdump/etdump_reader.h"
#include "core/render/check_pair.h"
#include "core/workspace/run_check.h"
#include "etlens_version.h"

namespace etlens::cli {
namespace {

constexpr const char* kBundleHelp =
    "The ZIP file has model.etdp, model.etrecord (without weights, inputs and outputs), model.pte (with zeros in the place "
    "of weights),\nversions.txt, and check.txt: what `etlens check --verbose` prints of these files. Unpack it, and run etlens "
    "on the folder.\nWith --redact, names, paths and the text of sources are replaced; the numbers stay. Look at it before "
    "you publish it.";

struct BundleOptions {
  CommonOptions common;
  bool is_redacted = false;
};

// The parts of a bundle as files of one folder, which is nowhere on the disk.
class BundleFiles final : public FileSystem {
 public:
  explicit BundleFiles(const std::vector<ZipPart>& parts) : parts_(parts) {}

  static std::string path_of(std::string_view name) { return join_path("/bundle", name); }

  Result<FileStamp> stat(std::string_view path) const override {
    const ZipPart* part = find(path);
    if (part == nullptr) return nothing_at(path);
    return FileStamp{part->content.size(), 0, static_cast<uint64_t>(part - parts_.data()) + 1,
                     false};
  }
  Result<Bytes> read(std::string_view path) const override {
    return read_range(path, 0, UINT64_MAX);
  }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    const ZipPart* part = find(path);
    if (part == nullptr) return nothing_at(path);
    grant_reading(path, std::min(size, part->content.size()), part->content.size());
    return Bytes::copy_of(part->content.range(offset, size));
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    return nothing_at(folder);
  }

 private:
  static Error nothing_at(std::string_view path) {
    return {ErrorCode::NotFound, std::string(path) + " is not there"};
  }
  const ZipPart* find(std::string_view path) const {
    const auto at = std::ranges::find_if(
        parts_, [&](const ZipPart& part) { return path == path_of(part.name); });
    return at == parts_.end() ? nullptr : &*at;
  }

  const std::vector<ZipPart>& parts_;
};

// Of the files in the bundle, so that nothing of the originals is in it.
std::string check_of(const std::vector<ZipPart>& parts) {
  const BundleFiles files(parts);
  LoadRequest request;
  const auto path_of = [&](std::string_view name) {
    const std::string path = BundleFiles::path_of(name);
    return files.stat(path) ? path : std::string();
  };
  request.etdump = path_of("model.etdp");
  request.etrecord = path_of("model.etrecord");
  request.pte = path_of("model.pte");
  request.leaves_out_record = true;
  const Result<CheckedPair> checked = check_pair(files, request, std::nullopt);
  return checked ? check_text(checked->result, std::nullopt, true) : checked.error().message + "\n";
}

// The public part of a version: what a build is called locally may name somebody.
std::string public_version(std::string_view version) {
  const std::string_view text = version.substr(0, version.find('+'));
  const bool is_version = !text.empty() && text.size() < 32 &&
                          text.find_first_not_of("0123456789.abcdevoprst") == text.npos;
  return is_version ? std::string(text) : "";
}

// Of etlens, and of what the file about the run names, if it is of this dump.
std::string versions_of(const std::string& etdump) {
  std::string text = std::string("etlens ") + ETLENS_VERSION + "\n";
  const Result<Bytes> dump =
      etdump.empty() ? Result<Bytes>(Bytes()) : read_etdump_file(real_file_system(), etdump);
  LoadReport report;
  const std::shared_ptr<RunCheck> check =
      dump && !etdump.empty() ? find_run(real_file_system(), etdump, *dump, report) : nullptr;
  if (check == nullptr || !check->run.versions.value) return text;
  const auto add = [&](const char* name, const Nullable<std::string>& version) {
    const std::string shown = version.value ? public_version(*version.value) : "";
    if (!shown.empty()) text += name + (" " + shown) + "\n";
  };
  const RunVersions& versions = *check->run.versions.value;
  add("python", versions.python);
  add("torch", versions.torch);
  add("executorch", versions.executorch);
  return text;
}

int run_bundle(const BundleOptions& options) {
  if (options.common.output.empty())
    return fail({ErrorCode::InvalidParams, "name the ZIP file to write with -o"});
  const Result<Inputs> inputs = resolve_inputs(options.common);
  if (!inputs) return fail(inputs.error());
  BundleRequest request;
  request.etdump = inputs->request.etdump;
  request.etrecord = inputs->request.etrecord;
  request.pte = inputs->request.pte;
  request.is_redacted = options.is_redacted;
  Result<Bundle> bundle = make_bundle(real_file_system(), request);
  if (!bundle) return fail(bundle.error());
  std::string check = check_of(bundle->parts);
  bundle->parts.push_back({"check.txt", std::move(check)});
  bundle->parts.push_back({"versions.txt", versions_of(request.etdump)});
  const Result<std::string> zip = zip_of(bundle->parts, ZipMethod::Deflated);
  if (!zip) return fail(zip.error());
  for (const std::string& note : bundle->notes) say(note);
  if (options.is_redacted)
    say(counted(bundle->replaced.size(), "word") +
        " replaced; words of torch, ExecuTorch and Python, numbers and short words stay");
  return write_raw_output(options.common, *zip);
}

}  // namespace

void add_bundle(CLI::App& app, int& status) {
  auto options = std::make_shared<BundleOptions>();
  CLI::App* command = app.add_subcommand(
      "bundle", "Write the artifacts without weights into a ZIP file, to give them away");
  add_common_options(*command, options->common, {});
  command->add_flag("--redact", options->is_redacted,
                    "Replace names, paths and the text of sources; numbers stay");
  command->footer(kBundleHelp);
  command->callback([options, &status] { status = run_bundle(*options); });
}

}  // namespace etlens::cli
