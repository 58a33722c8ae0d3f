// Tests of the oracle itself: it must report what it is made to detect.
#include "entry_model.h"

#include <gtest/gtest.h>

#include <map>

namespace holdfast::lab {
namespace {

using Kind = EntryTransaction::Kind;

EntryTransaction append(std::vector<ModelEntry> entries, std::uint64_t number, std::string operation = "") {
  return {.session = "s", .entries = std::move(entries), .operation = std::move(operation), .number = number};
}

std::map<std::string, SeenStreams> seen(std::vector<ModelEntry> entries, std::string summary = "") {
  return {{"s", {{"", {std::move(entries), std::move(summary)}}}}};
}

EntryAnswer applied(std::uint64_t appended, std::uint64_t total) {
  return {.applied = true, .appended = appended, .total = total};
}

struct Model : testing::Test {
  EntryModel model;
  std::string did(const EntryTransaction& transaction, const EntryAnswer& answer) {
    model.attempt(transaction);
    return model.answered(transaction, answer);
  }
};

TEST_F(Model, AcknowledgedEntriesMustBeThereOnce) {
  EXPECT_EQ(did(append({{"a", ""}, {"b", ""}}, 1), applied(2, 2)), "");
  EXPECT_TRUE(model.complaints(seen({{"a", ""}, {"b", ""}})).empty());
  EXPECT_FALSE(model.complaints(seen({{"a", ""}})).empty()) << "half of it";
  EXPECT_FALSE(model.complaints(seen({{"b", ""}, {"a", ""}})).empty()) << "in another order";
  EXPECT_FALSE(model.complaints(seen({{"a", ""}, {"b", ""}, {"b", ""}})).empty()) << "twice";
  EXPECT_FALSE(model.complaints({}).empty()) << "none";
}

TEST_F(Model, UnansweredTransactionIsWholeOrAbsent) {
  model.attempt(append({{"a", ""}, {"b", ""}}, 1));
  EXPECT_TRUE(model.complaints({}).empty());
  EXPECT_TRUE(model.complaints(seen({{"a", ""}, {"b", ""}})).empty());
  EXPECT_FALSE(model.complaints(seen({{"a", ""}})).empty());
  EXPECT_EQ(did(append({{"c", ""}}, 2), applied(1, 3)), "") << "so it is there";
  EXPECT_FALSE(model.complaints(seen({{"c", ""}})).empty());
}

TEST_F(Model, RefusedTransactionIsAbsent) {
  EXPECT_EQ(did(append({{"a", ""}}, 1), {.error = "disk_full"}), "");
  EXPECT_TRUE(model.complaints({}).empty());
  EXPECT_FALSE(model.complaints(seen({{"a", ""}})).empty());
}

TEST_F(Model, RepeatedOperationChangesNothing) {
  EXPECT_EQ(did(append({{"a", ""}}, 1, "op"), applied(1, 1)), "");
  EXPECT_EQ(did(append({{"a", ""}}, 2, "op"), {.total = 1}), "");
  EXPECT_NE(did(append({{"a", ""}}, 3, "op"), applied(1, 2)), "") << "applied twice";
  EXPECT_EQ(did(append({{"b", ""}}, 4, "op"), {.error = "already_exists"}), "");
  EXPECT_NE(did(append({{"b", ""}}, 5, "op"), {.total = 1}), "") << "another one under the same id";
}

TEST_F(Model, KnownUuidIsNotAddedUntilItIsReplaced) {
  EXPECT_EQ(did(append({{"a", "u"}}, 1), applied(1, 1)), "");
  EXPECT_EQ(did(append({{"b", "u"}, {"c", "v"}}, 2), {.applied = true, .appended = 1, .duplicates = 1, .total = 2}),
            "");
  EntryTransaction replace = append({{"d", "v"}}, 3);
  replace.kind = Kind::replace;
  replace.expected = {{"c", "v"}};
  EXPECT_EQ(did(replace, applied(1, 2)), "");
  EXPECT_TRUE(model.complaints(seen({{"a", "u"}, {"d", "v"}})).empty());
  replace.number = 4;
  EXPECT_EQ(did(replace, {.error = "conflict"}), "") << "the stream ends with others now";
}

TEST_F(Model, SummaryBelongsToTheEntries) {
  EntryTransaction with = append({{"a", ""}}, 1);
  with.summary = "one";
  EXPECT_EQ(did(with, applied(1, 1)), "");
  EXPECT_TRUE(model.complaints(seen({{"a", ""}}, "one")).empty());
  EXPECT_FALSE(model.complaints(seen({{"a", ""}})).empty());
}

TEST_F(Model, RemovalOfMainStreamRemovesAll) {
  EXPECT_EQ(did(append({{"a", ""}}, 1), applied(1, 1)), "");
  EntryTransaction sub = append({{"b", ""}}, 2);
  sub.stream = "sub";
  EXPECT_EQ(did(sub, applied(1, 1)), "");
  EXPECT_EQ(did({.kind = Kind::remove, .session = "s", .number = 3}, {.applied = true}), "");
  EXPECT_TRUE(model.complaints({}).empty());
  EXPECT_FALSE(model.complaints({{"s", {{"sub", {{{"b", ""}}, ""}}}}}).empty());
}

TEST_F(Model, WriteAfterOtherVersionMustBeRefused) {
  EXPECT_EQ(did(append({{"a", ""}}, 1), {.applied = true, .appended = 1, .total = 1, .version = "v1"}), "");
  EXPECT_EQ(model.version(1), "v1");
  EntryTransaction after = append({{"b", ""}}, 2);
  after.after = {{.changed = 1, .version = "v1"}};
  EXPECT_EQ(did(after, applied(1, 2)), "");
  after.number = 3;
  EXPECT_NE(did(after, applied(1, 3)), "");
}

}  // namespace
}  // namespace holdfast::lab
