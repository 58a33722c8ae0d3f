// Tests of the oracle itself: it must report what it is made to detect.
#include "entry_model.h"

#include <gtest/gtest.h>

#include <map>

#include "entry_crowd.h"

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

struct Crowd : testing::Test {
  const StoreTraits traits{.layout = "holdfast"};
  EntryCrowd crowd;
  Random random{1};
  std::string log = "{\"type\":\"entries\"}\n";
  std::uint64_t number = 0, now = 0;

  EntryTransaction make() {
    EntryTransaction made;
    do made = crowd.some(++number, random);
    while (made.kind != Kind::append || made.operation != "op" + std::to_string(number));
    return made;
  }
  EntryTransaction send() {
    EntryTransaction made = make();
    crowd.sent(made, ++now);
    return made;
  }
  void write(const EntryTransaction& made) {
    log += R"({"type":"write","at":1,)" + (made.operation.empty() ? "" : R"("operation":")" + made.operation + "\",") +
           R"("entries":[)";
    for (const ModelEntry& entry : made.entries)
      log += (log.ends_with('[') ? "{" : ",{") + (entry.uuid.empty() ? "" : R"("uuid":")" + entry.uuid + "\",") +
             R"("text":")" + text_of(entry.name, traits) + "\"}";
    log += "]" + (made.summary.empty() ? "" : R"(,"summary":")" + made.summary + "\"") + "}\n";
    fold.entries.insert(fold.entries.end(), made.entries.begin(), made.entries.end());
    if (!made.summary.empty()) fold.summary = made.summary;
  }
  void answer(const EntryTransaction& made) {
    const std::string version = "ent." + std::to_string(log.size());
    crowd.answered(made, {.applied = true, .total = fold.entries.size(), .version = version}, ++now);
  }
  std::uint64_t wrong() {
    Outcome outcome;
    crowd.judge(log, fold, traits, "test", outcome);
    return outcome.lost + outcome.altered + outcome.unopenable + outcome.wrong;
  }
  SeenEntries fold;
};

TEST_F(Crowd, WhatIsInTheLogAndAnsweredIsRight) {
  const EntryTransaction one = send();
  write(one);
  answer(one);
  const EntryTransaction two = send();
  write(two);
  EXPECT_EQ(wrong(), 0U) << "the second one has no answer yet";
  fold.entries.pop_back();
  EXPECT_GT(wrong(), 0U) << "a reader misses one";
}

TEST_F(Crowd, RepeatedTransactionWritesItsSummaryAgain) {
  EntryTransaction one, two;
  do one = crowd.some(++number, random);
  while (!one.operation.empty() || one.summary.empty());
  do two = make();
  while (two.summary.empty());
  crowd.sent(one, ++now);
  write(one);
  answer(one);
  EntryTransaction summary = one;
  summary.entries.clear();
  const auto write_it = [&] {
    EntryTransaction again = one;
    again.number = ++number;
    crowd.sent(again, ++now);
    write(summary);
    answer(again);
  };
  crowd.sent(two, ++now);
  write(two);
  answer(two);
  write_it();
  EXPECT_EQ(wrong(), 0U);
  write_it();
  EXPECT_GT(wrong(), 0U) << "it is the summary already";
}

TEST_F(Crowd, SummaryNobodyAskedFor) {
  EntryTransaction one = send();
  write(one);
  answer(one);
  one.operation.clear();
  one.entries.clear();
  one.summary = "another";
  write(one);
  EXPECT_GT(wrong(), 0U);
}

TEST_F(Crowd, AcknowledgedAndNotInTheLog) {
  const EntryTransaction one = send();
  answer(one);
  EXPECT_GT(wrong(), 0U);
}

TEST_F(Crowd, AppliedTwice) {
  const EntryTransaction one = send();
  write(one);
  answer(one);
  write(one);
  EXPECT_GT(wrong(), 0U);
}

TEST_F(Crowd, BeforeOneThatWasAcknowledgedEarlier) {
  const EntryTransaction late = make(), early = send();
  write(late);
  const std::size_t end = log.size(), total = fold.entries.size();
  write(early);
  answer(early);
  crowd.sent(late, ++now);
  crowd.answered(late, {.applied = true, .total = total, .version = "ent." + std::to_string(end)}, ++now);
  EXPECT_GT(wrong(), 0U);
}

}  // namespace
}  // namespace holdfast::lab
