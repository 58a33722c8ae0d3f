// A store on the simulated file system, for tests of logs, documents, commits.
#pragma once

#include <gtest/gtest.h>
#include <holdfast/append_log.h>
#include <holdfast/commit.h>
#include <holdfast/document.h>
#include <holdfast/log_reader.h>

#include <memory>
#include <string>
#include <vector>

#include "crash/disk/sim_testing.h"

namespace holdfast::inline v1 {

struct SimStore {
  SimFileSystem disk;
  std::shared_ptr<Root> root;

  SimStore() {
    must(disk.put_file("/s/keep", ""));
    root = must(Root::open({}, disk, "/s"));
  }

  std::shared_ptr<Root> again(RootOptions options = {}) { return must(Root::open({}, disk, "/s", std::move(options))); }
  std::string bytes(const std::string& path) { return disk.read_file("/s/" + path).value_or("<none>"); }
};

inline LogOptions quiet(LogMode mode = LogMode::ours) {
  LogOptions options;
  options.mode = mode;
  options.sync_interval = {};
  return options;
}

inline std::vector<std::string> records(Directory& directory, std::string_view path) {
  std::vector<std::string> all;
  auto reader = must(LogReader::open({}, directory, path));
  Record record;
  while (must(reader.next(record))) all.emplace_back(record.bytes);
  return all;
}

using Lines = std::vector<std::string>;

}  // namespace holdfast::inline v1
