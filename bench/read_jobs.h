// The jobs of read_bench: sessions of other agents, listed, shown and verified.
#pragma once

#include <string>

#include "bench/synthetic_store.h"
#include "bench/table.h"

namespace holdfast::bench {

// Runs `read_bench --child WHAT DIR` in its own process, so its memory and
// processor time are measured alone. Prints one line.
void read_child(const std::string& what, const std::string& directory);

// `program` is read_bench itself.
Group read_list_job(const std::string& program, const std::string& directory,
                    const std::vector<SyntheticSession>& sessions, int rounds);
Group read_verify_job(const std::string& program, const std::string& directory, std::uint64_t bytes, int rounds);
// `holdfast` is the binary.
Group read_show_job(const std::string& holdfast, const std::string& directory, int rounds);
Group read_page_job(const std::string& holdfast, const std::string& directory, int rounds);

}  // namespace holdfast::bench
