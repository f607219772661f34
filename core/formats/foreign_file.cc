// SPDX-License-Identifier: Apache-2.0
#include "core/formats/foreign_file.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/budget.h"
#include "core/formats/etrecord/zip_archive.h"

namespace etlens {
namespace {

// The name of a member without the folder that torch puts everything in.
std::string_view below_top(std::string_view name) {
  const size_t slash = name.find('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

// What the archive is, by the names of its members; "" if none of torch's.
std::string_view describe_archive(const ZipArchive& archive) {
  bool has_program = false, has_compiled = false, has_code = false, has_pickle = false;
  for (const ZipMember& member : archive.members()) {
    go_on();
    const std::string_view name = member.name;
    const std::string_view inner = below_top(name);
    has_program |= name == "serialized_exported_program.json" ||
                   inner == "serialized_exported_program.json" ||
                   (inner.starts_with("models/") && inner.ends_with(".json"));
    has_compiled |= name.find("data/aotinductor/") != std::string_view::npos;
    has_code |= inner == "constants.pkl" || inner.starts_with("code/");
    has_pickle |= inner == "data.pkl";
  }
  if (has_program) {
    return "is a .pt2 archive: a program of torch.export before it was lowered to ExecuTorch";
  }
  if (has_compiled) return "is a package of AOTInductor: compiled code that ExecuTorch cannot run";
  if (has_pickle && has_code) return "is a TorchScript module, which ExecuTorch cannot run";
  if (has_pickle) return "is a file of torch.save: weights or other Python objects";
  return {};
}

// Whether it has artifacts that somebody packed, as `etlens bundle` does.
bool has_artifacts(const ZipArchive& archive) {
  return std::ranges::any_of(archive.members(), [](const ZipMember& member) {
    go_on();
    constexpr std::array<std::string_view, 4> kEndings{".etdp", ".etdump", ".etrecord", ".pte"};
    return std::ranges::any_of(
        kEndings, [&](std::string_view ending) { return member.name.ends_with(ending); });
  });
}

std::string_view remedy(FileKind wanted) {
  switch (wanted) {
    case FileKind::Program:
      return "give the .pte program that to_executorch made";
    case FileKind::EtDump:
      return "give the ETDump that the runtime's event tracer wrote";
    case FileKind::EtRecord:
      return "give the ETRecord of the export";
    default:
      return "give a source file, or a folder with an ETDump";
  }
}

}  // namespace

std::optional<Error> foreign_file(const FileSystem& files, std::string_view path, FileKind kind,
                                  FileKind wanted) {
  std::string_view what;
  if (kind == FileKind::TensorData) {
    what = "is a .ptd file: weights that a program loads, not a program";
  } else if (kind == FileKind::Zip) {
    const Result<ZipArchive> archive = ZipArchive::open(files, path);
    if (archive && has_artifacts(*archive))
      return Error{ErrorCode::Unsupported,
                   "is a ZIP file with artifacts; unpack it and give the folder"};
    if (archive) what = describe_archive(*archive);
  }
  if (what.empty()) return std::nullopt;
  return Error{ErrorCode::Unsupported, std::string(what) + "; " + std::string(remedy(wanted))};
}

}  // namespace etlens
