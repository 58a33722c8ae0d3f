#include "model/facts_packing.h"

#include <gtest/gtest.h>

namespace holdfast::inline v1 {
namespace {

std::string packed(const SessionFacts& facts) {
  Packer out;
  pack_facts(out, facts);
  return out.take();
}

TEST(FactsPacking, RoundTrips) {
  SessionFacts facts;
  facts.project = "p";
  facts.title = "t";
  facts.git_branch = "g";
  facts.created_at = "c";
  facts.updated_at = "u";
  facts.model = "m";
  facts.parent = Parent{"id", ParentKind::subagent, "message"};
  facts.status = Status::failed;
  facts.pending = Pending::tool;
  facts.archived = true;
  facts.subagents = 7;
  facts.summary = "s";
  facts.metadata = "{}";
  facts.copies_keep_ids = true;
  facts.began_at = "b";
  for (const SessionFacts& one : {facts, SessionFacts()}) {
    const std::string bytes = packed(one);
    Unpacker in(bytes);
    const SessionFacts again = unpack_facts(in);
    EXPECT_TRUE(in.done());
    EXPECT_EQ(packed(again), bytes);
    EXPECT_EQ(again.title, one.title);
    EXPECT_EQ(again.parent, one.parent);
    EXPECT_EQ(again.status, one.status);
    EXPECT_EQ(again.subagents, one.subagents);
    EXPECT_EQ(again.archived, one.archived);
  }
}

}  // namespace
}  // namespace holdfast::inline v1
