// SPDX-License-Identifier: Apache-2.0
#include "core/formats/foreign_file.h"

#include "test_paths.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::foreign_file_test {

using test::MemoryFileSystem;
using test::RecordBuilder;
using test::ZipBuilder;

namespace {

// What the file is said to be; "" for nothing.
std::string said_of(const FileSystem& files, const std::string& path,
                    FileKind wanted = FileKind::Program) {
  const Result<Bytes> front = files.read_range(path, 0, kKindBytes);
  REQUIRE(front);
  const FileKind kind = file_kind(front->span());
  CHECK(control_of(kind).has_value() == is_artifact(kind));
  const std::optional<Error> error = foreign_file(files, path, kind, wanted);
  return error ? error->message : "";
}

bool has(const std::string& text, const std::string& part) {
  CAPTURE(text, part);
  return text.find(part) != std::string::npos;
}

std::string archive(const std::vector<std::string>& names) {
  ZipBuilder zip;
  for (const std::string& name : names) zip.add(name, "x");
  return std::string(zip.build().text());
}

}  // namespace

TEST_CASE("foreign file: real weights and a program of torch.export", "[foreign_file]") {
  const std::string folder = ETLENS_TEST_DATA "/field/";
  CHECK(has(said_of(real_file_system(), folder + "linear.ptd"), "is a .ptd file: weights"));
  CHECK(has(said_of(real_file_system(), folder + "linear.pt2"), "is a .pt2 archive"));
  CHECK(has(said_of(real_file_system(), folder + "linear.pt2"), "give the .pte program"));
  CHECK(has(said_of(real_file_system(), folder + "linear.pt2", FileKind::EtRecord),
            "give the ETRecord"));
  CHECK(said_of(real_file_system(), folder + "module-test.bpte").empty());
}

TEST_CASE("foreign file: archives of torch by their members", "[foreign_file]") {
  MemoryFileSystem files;
  const auto said = [&](const std::vector<std::string>& names) {
    files.put("/f", archive(names));
    return said_of(files, "/f");
  };
  CHECK(has(said({"m/archive_format", "m/models/model.json"}), "torch.export"));
  CHECK(has(said({"version", "serialized_exported_program.json"}), "torch.export"));
  CHECK(has(said({"archive_format", "data/aotinductor/model/a.wrapper.so"}), "AOTInductor"));
  CHECK(has(said({"m/data/aotinductor/model/a.wrapper.so"}), "AOTInductor"));
  CHECK(has(said({"m/data.pkl", "m/code/__torch__.py", "m/constants.pkl"}), "TorchScript"));
  CHECK(has(said({"weights/data.pkl", "weights/data/0"}), "torch.save"));
  CHECK(said({"readme.txt"}).empty());
  files.put("/f", archive({"m/data.pkl"}).substr(0, 40));
  CHECK(said_of(files, "/f").empty());
  RecordBuilder record;
  record.node({"n", "aten.add.Tensor", 1, "", "", {}}).map(0, {1});
  files.put("/f", record.build());
  CHECK(said_of(files, "/f").empty());
}

}  // namespace etlens::foreign_file_test
