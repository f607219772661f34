// SPDX-License-Identifier: Apache-2.0
// Repositories made with libgit2, in a folder of their own.
#pragma once

#include <git2.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace etlens::test {

class TestRepository {
 public:
  TestRepository()
      : TestRepository(std::filesystem::temp_directory_path() /
                       ("etlens_git_test_" + std::to_string(getpid()))) {}
  // In a folder that may have files already.
  explicit TestRepository(std::filesystem::path folder) : folder_(std::move(folder)) {
    git_libgit2_init();
    std::filesystem::create_directories(folder_);
    REQUIRE(git_repository_init(&repository_, folder_.c_str(), 0) == 0);
  }
  git_repository* repository() const { return repository_; }
  ~TestRepository() {
    git_repository_free(repository_);
    git_libgit2_shutdown();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TestRepository(const TestRepository&) = delete;
  TestRepository& operator=(const TestRepository&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  // Commits net/model.py with the text.
  void commit(std::string_view text) {
    git_oid blob, tree_id;
    git_blob_create_from_buffer(&blob, repository_, text.data(), text.size());
    git_treebuilder* builder = nullptr;
    git_treebuilder_new(&builder, repository_, nullptr);
    git_treebuilder_insert(nullptr, builder, "model.py", &blob, GIT_FILEMODE_BLOB);
    git_oid inner;
    git_treebuilder_write(&inner, builder);
    git_treebuilder_free(builder);
    git_treebuilder_new(&builder, repository_, nullptr);
    git_treebuilder_insert(nullptr, builder, "net", &inner, GIT_FILEMODE_TREE);
    git_treebuilder_write(&tree_id, builder);
    git_treebuilder_free(builder);
    commit_tree(tree_id);
  }
  // Commits a folder of that name, and nothing beside it. Frees the builder.
  void commit_folder(const char* name, git_treebuilder* builder) {
    git_oid inner, tree_id;
    REQUIRE(git_treebuilder_write(&inner, builder) == 0);
    git_treebuilder_free(builder);
    git_treebuilder_new(&builder, repository_, nullptr);
    git_treebuilder_insert(nullptr, builder, name, &inner, GIT_FILEMODE_TREE);
    REQUIRE(git_treebuilder_write(&tree_id, builder) == 0);
    git_treebuilder_free(builder);
    commit_tree(tree_id);
  }
  // Commits every file of the folder.
  void commit_all() {
    git_index* index = nullptr;
    git_oid tree_id;
    REQUIRE(git_repository_index(&index, repository_) == 0);
    REQUIRE(git_index_add_all(index, nullptr, GIT_INDEX_ADD_FORCE, nullptr, nullptr) == 0);
    REQUIRE(git_index_write_tree(&tree_id, index) == 0);
    git_index_free(index);
    commit_tree(tree_id);
  }

 private:
  void commit_tree(const git_oid& tree_id) {
    git_oid id;
    git_tree* tree = nullptr;
    git_tree_lookup(&tree, repository_, &tree_id);
    git_signature* who = nullptr;
    git_signature_new(&who, "A", "a@example.org", ++time_, 0);
    git_commit* parent = nullptr;
    git_oid head;
    const bool has_parent = git_reference_name_to_id(&head, repository_, "HEAD") == 0;
    if (has_parent) git_commit_lookup(&parent, repository_, &head);
    const git_commit* parents[] = {parent};
    REQUIRE(git_commit_create(&id, repository_, "HEAD", who, who, nullptr, "change", tree,
                              has_parent ? 1 : 0, has_parent ? parents : nullptr) == 0);
    git_commit_free(parent);
    git_signature_free(who);
    git_tree_free(tree);
  }

  std::filesystem::path folder_;
  git_repository* repository_ = nullptr;
  git_time_t time_ = 1'700'000'000;
};

}  // namespace etlens::test
