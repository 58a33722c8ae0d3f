// The small stores under tests/fixtures, in memory, written from the facts about
// formats that the corpus does not contain; and what a layout reads from a Feed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "layout/layout.h"
#include "layout/memory_feed_testing.h"
#include "tests/corpus/corpus_store.h"

namespace holdfast::corpus {

// Every file below tests/fixtures/NAME.
std::map<std::string, std::string> fixture_files(const std::string& name);
MemoryFeed fixture_feed(const Layout& layout, const std::string& name);

// Every session that the layout finds, by id; errors go to `failures` if it is given.
using Readings = std::map<std::string, std::unique_ptr<Reading>>;
Readings read_sessions(const Layout& layout, Feed& feed, const Layout::ReadOptions& options = {},
                       std::vector<std::string>* failures = nullptr);

// "user typed: hello", "assistant model: hi [call shell call_1]", ...
std::vector<std::string> script(const Reading& reading);

}  // namespace holdfast::corpus
