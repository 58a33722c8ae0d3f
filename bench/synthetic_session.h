// How to write one session of each agent; shared by the parts of synthetic_store.
#pragma once

#include "bench/synthetic_file.h"
#include "bench/synthetic_store.h"
#include "bench/synthetic_text.h"

namespace holdfast::bench {

struct SyntheticPools {
  TextPool prose, code;
};

// Each writes about `bytes` and records in `told` what readers must report.
void write_synthetic_claude(SyntheticFile& page, const SyntheticPools& pools, std::uint64_t bytes,
                            SyntheticSession& told);
void write_synthetic_codex(SyntheticFile& page, const SyntheticPools& pools, std::uint64_t bytes,
                           SyntheticSession& told);

// Lengths of texts distributed as in real sessions: many short, few long.
std::size_t synthetic_length(Dice& dice, std::size_t median, std::size_t most);

}  // namespace holdfast::bench
