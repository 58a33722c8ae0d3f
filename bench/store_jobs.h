// The jobs of store_bench: what the store adds to the floor below it.
#pragma once

#include <holdfast/store.h>

#include <memory>
#include <string>

#include "bench/table.h"

namespace holdfast::bench {

std::shared_ptr<Store> open_store(const std::string& layout, const std::string& directory,
                                  const std::string& cache = {});
Message sample_message(std::uint64_t number, bool answer);

// Durable appends: the floor's log, then stores of several layouts; the first and the last of many.
Group store_append_job(const std::string& directory, double seconds);
// Resuming a long session compared with a short one.
Group store_resume_job(const std::string& directory);
// Listing 10,000 sessions compared with walking the tree.
Group store_list_job(const std::string& directory);
// A section of a specification, cut from the file and from the cache.
Group store_section_job(const std::string& directory);
// A save trigger of a workflow compared with the floor's commit.
Group store_save_job(const std::string& directory);
// A long thread of the layout with one file per message, compared with reading those files.
Group store_thread_job(const std::string& directory);
// Many writers at once on one store compared with the same in a row.
Group store_crowd_job(const std::string& directory, const std::string& binary);
// Compared with a Node script that does what the Open Agent SDK does.
Group store_node_job(const std::string& directory, const std::string& script);

}  // namespace holdfast::bench
