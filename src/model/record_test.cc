// For every type of record: unknown members and all formatting survive.
#include "model/record.h"

#include <gtest/gtest.h>

#include <random>

#include "model/initiative.h"
#include "model/mission.h"
#include "model/run.h"
#include "model/thread.h"
#include "text/json_scan.h"

namespace holdfast::inline v1 {
namespace {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  std::size_t below(std::size_t count) { return random_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  std::string space() { return one_in(2) ? "" : std::string(below(3), ' ') + (one_in(3) ? "\n\t" : ""); }
  std::string_view value() {
    static constexpr auto kValues = std::to_array<std::string_view>(
        {R"("running")", R"("sleeping")", R"("")", R"("a\"\u00e9\/b")", R"("é")", "null", "true", "false", "0",
         "-1.50e3", "12345678901234567890123", "[]", R"([1, {"a" :2}])", R"({"k":{"z":1},"k":2})", R"("\ud800")"});
    return kValues[below(kValues.size())];
  }

 private:
  std::mt19937 random_;
};

// An object with some of the names and unknown ones, in any order, some twice, some with escapes, oddly spaced.
template <typename T>
std::string random_record(Dice& dice) {
  std::string text = "{";
  const std::size_t count = dice.below(2 * kMembers<T>.size() + 2);
  for (std::size_t i = 0; i < count; ++i) {
    std::string name = dice.one_in(3) ? "x" + std::to_string(dice.below(9)) : "id";
    if (!dice.one_in(3)) name = kMembers<T>[dice.below(kMembers<T>.size())].name;
    std::string key = "\"" + name + "\"";
    if (dice.one_in(8))
      key = R"("\u00)" + std::string(name[0] < 'p' ? "6" : "7") + "0123456789abcdef"[name[0] & 15] + name.substr(1) +
            "\"";
    text += (i == 0 ? "" : ",") + dice.space() + key + dice.space() + ":" + dice.space();
    text += std::string(dice.value()) + dice.space();
  }
  return text + dice.space() + "}";
}

// The value that counts, as raw bytes; empty if it is missing.
JsonView last_value(const std::string& text, std::string_view name) { return JsonView(text).find(name); }

template <typename T>
class RecordProperties : public testing::Test {};
using Types = testing::Types<Run, Mission, Thread, Initiative>;
TYPED_TEST_SUITE(RecordProperties, Types);

TYPED_TEST(RecordProperties, RoundTripsByteForByte) {
  Dice dice(1);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random_record<TypeParam>(dice);
    ASSERT_TRUE(check_json(text).ok()) << text;
    const auto record = parse_record<TypeParam>(text);
    EXPECT_EQ(json_of(record), text);
    EXPECT_EQ(changes_in(record), "{}");
    EXPECT_EQ(record.id, JsonView(text).find("id").as_string().value_or(""));
  }
}

TYPED_TEST(RecordProperties, ChangeTouchesOnlyItsMember) {
  Dice dice(2);
  int changed = 0;
  for (int round = 0; round < 5000; ++round) {
    const std::string text = random_record<TypeParam>(dice);
    auto record = parse_record<TypeParam>(text);
    const Member<TypeParam>& member = kMembers<TypeParam>[dice.below(kMembers<TypeParam>.size())];
    const std::string before = member.json(record);
    member.read(JsonView(dice.value()), record);
    const std::string value = member.json(record).empty() ? "null" : member.json(record);
    const std::string now = json_of(record);
    if (member.json(record) == before) {
      EXPECT_EQ(now, text);
      continue;
    }
    ++changed;
    EXPECT_EQ(changes_in(record), JsonWriter().begin_object().key(member.name).raw(value).end_object().take());
    if (const JsonView old = last_value(text, member.name); old) {
      const auto at = static_cast<std::size_t>(old.raw().data() - text.data());
      EXPECT_EQ(now, text.substr(0, at) + value + text.substr(at + old.raw().size()));
    } else {
      std::size_t kept = 0;  // everything up to the end of the last member
      for (const JsonItem& item : JsonView(text).fields())
        kept = static_cast<std::size_t>(item.value.raw().data() + item.value.raw().size() - text.data());
      EXPECT_EQ(now.substr(0, kept), text.substr(0, kept));
      EXPECT_EQ(last_value(now, member.name).raw(), value);
    }
    const auto again = parse_record<TypeParam>(now);
    for (const Member<TypeParam>& each : kMembers<TypeParam>)
      EXPECT_EQ(each.json(again), each.json(record)) << each.name;
  }
  EXPECT_GT(changed, 1000);
}

TYPED_TEST(RecordProperties, NewRecordWritesOnlySetAndRequiredMembers) {
  TypeParam record;
  for (const Member<TypeParam>& member : kMembers<TypeParam>)
    EXPECT_EQ(static_cast<bool>(JsonView(changes_in(record)).find(member.name)), !member.json(record).empty());
  EXPECT_EQ(json_of(record), changes_in(record));
}

TEST(Run, UnknownStatusKeepsItsText) {
  auto run = parse_record<holdfast::Run>(R"({"id":"r","status":"sleeping","new":[1, 2]})");
  EXPECT_EQ(run.status.text(), "sleeping");
  EXPECT_FALSE(run.status.known());
  run.detail = "d";
  EXPECT_EQ(json_of(run), R"({"id":"r","status":"sleeping","new":[1, 2],"detail":"d"})");
  run.status = RunStatus::failed;
  EXPECT_EQ(run.status.known(), RunStatus::failed);
  EXPECT_EQ(changes_in(run), R"({"status":"failed","detail":"d"})");
}

}  // namespace
}  // namespace holdfast::inline v1
