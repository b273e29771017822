// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/output_file.hpp>
#include <haloheap/unit/miniapp/report/scratch.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <ostream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace haloheap::report {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const Scratch& scratch) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(scratch.path()), {}));
}

void expect_folder_refused(const fs::path& folder, const std::string& reason) {
  const std::string message = io_error_of([&] { prepare_output_folder(folder); });
  EXPECT_NE(message.find("cannot use output folder '" + folder.string() + "': " + reason), std::string::npos)
      << message;
  EXPECT_NE(message.find("consequence: no result could be written, so nothing was run"), std::string::npos);
  EXPECT_NE(message.find("remedy: name a folder that can be created and written in"), std::string::npos);
}

TEST(PrepareOutputFolder, makes_it_with_its_parents_and_leaves_it_empty) {
  const Scratch scratch;
  const fs::path folder = scratch / "a" / "b";
  prepare_output_folder(folder);
  EXPECT_TRUE(fs::is_directory(folder));
  EXPECT_TRUE(fs::is_empty(folder));
  prepare_output_folder(folder);  // a folder that is there is fine
}

TEST(PrepareOutputFolder, refuses_a_file) {
  const Scratch scratch;
  write_whole_file(scratch / "file", "x");
  expect_folder_refused(scratch / "file", "it is not a folder");
}

TEST(PrepareOutputFolder, refuses_a_folder_below_a_file) {
  const Scratch scratch;
  write_whole_file(scratch / "file", "x");
  expect_folder_refused(scratch / "file" / "below", "it cannot be created: Not a directory");
}

TEST(PrepareOutputFolder, refuses_what_even_root_cannot_write) {
  expect_folder_refused("/proc/haloheap", "it cannot be created: ");
  expect_folder_refused("/proc", "no file can be written in it: ");
}

TEST(PrepareOutputFolder, refuses_an_empty_name) {
  expect_folder_refused("", "the name is empty");
}

TEST(PrepareOutputFolder, refuses_a_name_longer_than_the_system_takes) {
  expect_folder_refused(std::string(5000, 'a'), "it cannot be created: File name too long");
  const Scratch scratch;
  expect_folder_refused(scratch / std::string(300, 'a'), "it cannot be created: File name too long");
  // Each part may be fine and the whole too long: of the folder, or of a file in it.
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += std::string(200, 'a') + "/";
  expect_folder_refused(scratch / deep, "it cannot be created: File name too long");
}

TEST(PrepareOutputFolder, refuses_a_loop_of_links) {
  const Scratch scratch;
  fs::create_symlink(scratch / "loop", scratch / "loop");
  expect_folder_refused(scratch / "loop", "it cannot be created: Too many levels of symbolic links");
}

TEST(WriteWholeFile, of_two_processes_do_not_touch_each_other) {
  const Scratch scratch;
  write_whole_file(scratch / "f", [&](std::ostream& out) {
    out << "of the parent" << std::flush;
    const ::pid_t child = ::fork();
    if (child == 0) {
      write_whole_file(scratch / "f", "of the child");
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(content_of(scratch / "f"), "of the child");
  });
  EXPECT_EQ(content_of(scratch / "f"), "of the parent");
  EXPECT_EQ(entries(scratch), 1U);
}

TEST(WriteWholeFile, replaces_the_old_content_and_leaves_no_other_file) {
  const Scratch scratch;
  write_whole_file(scratch / "f", "a long old content");
  write_whole_file(scratch / "f", "new");
  EXPECT_EQ(content_of(scratch / "f"), "new");
  EXPECT_EQ(entries(scratch), 1U);
}

TEST(WriteWholeFile, keeps_the_old_file_until_all_is_written) {
  const Scratch scratch;
  write_whole_file(scratch / "f", "old");
  write_whole_file(scratch / "f", [&](std::ostream& out) {
    out << "new" << std::flush;
    EXPECT_EQ(content_of(scratch / "f"), "old");
  });
  EXPECT_EQ(content_of(scratch / "f"), "new");
}

TEST(WriteWholeFile, leaves_nothing_when_the_writer_throws) {
  const Scratch scratch;
  const auto fails = [](std::ostream& out) {
    out << "half";
    throw std::runtime_error("stop");
  };
  EXPECT_THROW(write_whole_file(scratch / "f", fails), std::runtime_error);
  EXPECT_EQ(entries(scratch), 0U);
}

TEST(WriteWholeFile, says_why_it_cannot) {
  const Scratch scratch;
  const std::string message = io_error_of([&] { write_whole_file(scratch / "missing" / "f", "x"); });
  EXPECT_NE(
      message.find("cannot write '" + (scratch / "missing" / "f").string() + "': No such file or directory"),
      std::string::npos)
      << message;
  EXPECT_NE(message.find("consequence: the file was not written"), std::string::npos);
  EXPECT_NE(message.find("remedy: check the free space"), std::string::npos);
}

TEST(WriteWholeFile, does_not_replace_a_folder) {
  const Scratch scratch;
  fs::create_directory(scratch / "f");
  EXPECT_NE(io_error_of([&] { write_whole_file(scratch / "f", "x"); }), "");
  EXPECT_EQ(entries(scratch), 1U) << "the temporary file is gone";
}

TEST(WriteWholeFile, notices_that_the_disk_takes_no_more) {
  const Scratch scratch;
  write_whole_file(scratch / "f", "old");
  // A limit on the size of files stands in for a full disk.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = io_error_of([&] { write_whole_file(scratch / "f", std::string(100000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_EQ(content_of(scratch / "f"), "old");
  EXPECT_EQ(entries(scratch), 1U);
}

}  // namespace
}  // namespace haloheap::report
