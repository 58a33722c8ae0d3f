#include "disk/salvage.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text/json_scan.h"

namespace holdfast {
namespace {

using Texts = std::vector<std::string>;
using namespace std::string_literals;

Texts salvaged(std::string_view line, const AcceptRecord& accept = {}) {
  Texts texts;
  for (const Span& span : salvage(line, accept)) texts.emplace_back(line.substr(span.offset, span.length));
  return texts;
}

const AcceptRecord has_id = [](std::string_view record) { return record.starts_with(R"({"id":)"); };

TEST(Salvage, FindsAllGluedRecords) {
  EXPECT_EQ(salvaged(R"({"a":1}{"b":2})"), (Texts{R"({"a":1})", R"({"b":2})"}));
  EXPECT_EQ(salvaged(R"( {"a":1} {"b":{"c":[]}}	{} )"), (Texts{R"({"a":1})", R"({"b":{"c":[]}})", "{}"}));
}

TEST(Salvage, SpansAreExact) {
  EXPECT_EQ(salvage(R"({"a":1,"tex{"b":2})"), (std::vector<Span>{{11, 7}}));
  EXPECT_EQ(salvage("\0\0{\"b\":2}\0"s), (std::vector<Span>{{2, 7}}));
}

TEST(Salvage, SkipsFragmentBeforeRecord) {
  const Texts second{R"({"b":2})"};
  EXPECT_EQ(salvaged(R"({{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"a{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"a"{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"a":1{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"a":tru{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"a":"x\{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"a":"x\u00{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"a":1,{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"a":[1{"b":2})"), second);
  EXPECT_EQ(salvaged(R"(rest of a record"}{"b":2})"), second);
  EXPECT_EQ(salvaged(R"({"a":"te{ "b":2})"), Texts{R"({ "b":2})"});
}

TEST(Salvage, SkipsSeveralFragmentsBeforeRecord) {
  EXPECT_EQ(salvaged(R"({"a":"te{"b":"te{"c":3})"), Texts{R"({"c":3})"});
  EXPECT_EQ(salvaged(R"({"a":"te{"y":1}{"z":"te{"w":1})"), Texts{R"({"w":1})"});
}

TEST(Salvage, KeepsRecordsBeforeATornOne) {
  EXPECT_EQ(salvaged(R"({"a":1}{"b":2,"te)"), Texts{R"({"a":1})"});
  EXPECT_EQ(salvaged(R"({"a":1}{"b":2}{"c":{"d":3})"), (Texts{R"({"a":1})", R"({"b":2})"}));
  EXPECT_EQ(salvaged(R"(x{"a":1}{"b":2,"te)"), Texts{});
}

TEST(Salvage, WrongByteBetweenRecordsCountsAsNewline) {
  EXPECT_EQ(salvaged(R"({"a":1}*{"b":2})"), (Texts{R"({"a":1})", R"({"b":2})"}));
  EXPECT_EQ(salvaged("{\"a\":1}\x0b{\"b\":2}{\"c\":3}"), (Texts{R"({"a":1})", R"({"b":2})", R"({"c":3})"}));
}

TEST(Salvage, WrongByteAtTheEndCountsAsNewline) {
  for (const auto* line : {R"({"a":1},)", R"({"a":1}*)", R"({"a":1}})", R"({"a":1} ,)"})
    EXPECT_EQ(salvaged(line), Texts{R"({"a":1})"}) << line;
  EXPECT_EQ(salvaged(R"({"a":1}{"b":2},)"), (Texts{R"({"a":1})", R"({"b":2})"}));
  for (const auto* line : {R"({"a":1},,)", R"({"a":1},x)", R"(,{"a":1},)", R"([{"a":1},)"})
    EXPECT_EQ(salvaged(line), Texts{}) << line;
}

// A flipped bit made a quote in a text that continues with a brace.
TEST(Salvage, RecordClosedEarlyByDamageIsRejected) {
  EXPECT_EQ(salvaged(R"({"a":"f() { x"}{","b":{"c":1}})"), Texts{});
  EXPECT_EQ(salvaged(R"({"a":"f() { x"} else {","b":1})"), Texts{});
  EXPECT_EQ(salvaged(R"({"a":"x"} y","b":1})"), Texts{});
  EXPECT_EQ(salvaged(R"({"a":"f() {",#b":{"c":1}})"), Texts{});
}

TEST(Salvage, NestedObjectsOfTornRecordAreNotRecords) {
  for (const auto* line : {R"({"a":{"b":1})", R"({"a":[{"b":1})", R"({"a":[{"b":1},{"c":2})", R"({"a":{"b":{"c":1}})",
                           R"({"a":1,"b":{"c":2},)", R"({"t":"x{","b":{"c":1})", R"({"t":"f() {})",
                           R"(lost","b":{"c":1})", R"({"a":"\{","b":{"c":1}})"}) {
    EXPECT_EQ(salvaged(line), Texts{}) << line;
  }
  // Finds the record behind it, but not the nested one before that.
  EXPECT_EQ(salvaged(R"({"a":{"b":1}{"z":9})"), Texts{R"({"z":9})"});
  EXPECT_EQ(salvaged(R"(lost","a":{"b":1}{"z":9})"), Texts{R"({"z":9})"});
  // Not even if the beginning is lost in a hole.
  EXPECT_EQ(salvaged("{\"t\":\"\0\0x\",\"b\":{\"c\":1}}"s), Texts{});
  EXPECT_EQ(salvaged("{\"t\":\"\0\0x\",\"b\":[{\"c\":1}, {\"d\":1}\0"s), Texts{});
}

TEST(Salvage, AcceptFunctionResolvesAmbiguity) {
  EXPECT_EQ(salvaged(R"({"a":{"id":1})"), Texts{});
  EXPECT_EQ(salvaged(R"({"a":{"id":1})", has_id), Texts{R"({"id":1})"});
  EXPECT_EQ(salvaged(R"({"a":[{"b":1},{"id":1})", has_id), Texts{R"({"id":1})"});
  EXPECT_EQ(salvaged(R"({"a":{"b":1})", has_id), Texts{});
  const AcceptRecord has_type = [](std::string_view record) { return record.contains(R"(":type":)"); };
  EXPECT_EQ(salvaged(R"({"te{":type":2})"), Texts{});
  EXPECT_EQ(salvaged(R"({"te{":type":2})", has_type), Texts{R"({":type":2})"});
  EXPECT_EQ(salvaged(R"(x":{"id":1}{"id":2})", has_id), (Texts{R"({"id":1})", R"({"id":2})"}));
  EXPECT_EQ(salvaged(R"({"id":1}{"b":1}{"id":2})", has_id), (Texts{R"({"id":1})", R"({"id":2})"}));
}

TEST(Salvage, NulRunsSplitTheLine) {
  EXPECT_EQ(salvaged("{\"a\":1}\0\0{\"b\":2}\0{\"c\":\"to\0{\"d\":4}"s),
            (Texts{R"({"a":1})", R"({"b":2})", R"({"d":4})"}));
  EXPECT_EQ(salvaged(std::string(4096, '\0')), Texts{});
  EXPECT_EQ(salvaged(""), Texts{});
}

TEST(Salvage, BadUtf8DoesNotDisqualify) {
  EXPECT_EQ(salvaged("{\"a\":\"\xff\"}{\"b\":\"\xff\"}"), (Texts{"{\"a\":\"\xff\"}", "{\"b\":\"\xff\"}"}));
}

// Every cut of a record, with a record glued to it. If the cut is where a value is
// expected, only a schema can tell; everywhere else the record is found without one.
TEST(Salvage, FindsRecordGluedToEveryCut) {
  const std::string record = R"({"id":"r1","text":"a \"quote\" \\ {\"x\":1} {} \u00e9 😀","n":-1.5e3,"ok":true,)"
                             R"("list":[{"k":1},{"k":[2,{}]},null],"deep":{"a":{"b":{"c":"}{"}}},"empty":{}})";
  const std::string glued = R"({"id":"r2","text":"x{\"y\":1}","meta":{"k":{"z":1}}})";
  const std::string records = record + glued;
  std::size_t open_places = 0;
  for (std::size_t cut = 1; cut < record.size(); ++cut) {
    const std::string line = record.substr(0, cut) + glued;
    const bool open_place = check_json(line).fault == JsonFault::unterminated;
    open_places += open_place ? 1 : 0;
    EXPECT_EQ(salvaged(line), open_place ? Texts{} : Texts{glued}) << line;
    EXPECT_EQ(salvaged(line, has_id), Texts{glued}) << line;
    EXPECT_EQ(salvaged(line.substr(0, cut)), Texts{}) << line;
    EXPECT_EQ(salvaged(line.substr(0, cut) + std::string(64, '\0') + glued), Texts{glued}) << line;
    // A second cut, in the glued record: nothing is whole.
    for (std::size_t second = cut + 1; second < line.size(); ++second) {
      EXPECT_EQ(salvaged(line.substr(0, second)), Texts{}) << line.substr(0, second);
    }
  }
  EXPECT_GT(open_places, 5U);
  EXPECT_LT(open_places, 40U);
}

// Counts work instead of time, so a loaded machine cannot fail this.
TEST(Salvage, HostileInputHasBoundedCost) {
  const auto repeat = [](std::string_view unit, std::size_t size) {
    std::string text;
    while (text.size() < size) text += unit;
    return text;
  };
  const std::size_t size = std::size_t{256} << 10;
  std::vector<std::string> lines;
  for (const auto* unit :
       {"{\"", "{\"{", "{\"a\":", "{\"a\":{", "{}", "{}x", "[{}", "{\"a\":[", "{\"a\":\"{", "{  ", "\"{\",",
        "{\"a\":\"{\",", "\":1,\",", "{\"", "{\"a\":1}", "{\"a\":1},", "\\", "{\"\\", "{\"\":{\"\":"}) {
    lines.push_back(repeat(unit, size));
    lines.push_back("{\"a\":[" + repeat(unit, size));
    lines.push_back("{\"a\":[\"" + repeat(unit, size));
    lines.push_back(repeat(unit, size) + "{\"b\":2}");
  }
  // Built so that a string of the outer record ends in `{` again and again, and each of
  // these places reads as an object nearly to the end: quadratic without the budget.
  lines.push_back("{\"a\":[\"" + repeat("{\",\":1,\",\":{", size) + "\"]");
  lines.push_back("{\"a\":[\"{" + repeat("\",\":[1],", size) + "x");
  std::string hard = "{\"a\":[\"{";
  for (int i = 0; i < 1000; ++i) hard += "\",\":{";
  hard += repeat("\",\":1,", size);
  lines.push_back(hard);
  std::uint64_t worst = 0;
  for (const std::string& line : lines) {
    for (const AcceptRecord& accept : {AcceptRecord{}, has_id}) {
      Salvager salvager(line, accept);
      for (Span span; salvager.next(span);) {
      }
      worst = std::max(worst, salvager.work() / line.size());
      EXPECT_LE(salvager.work(), kSalvageWork * line.size()) << line.substr(0, 60);
    }
  }
  EXPECT_GE(worst, kSalvageWork / 2);  // the hard ones do reach the budget
}

TEST(Salvage, FindsOnlyCompleteRecordsAtAnyDepth) {
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "{\"a\":";
  EXPECT_EQ(salvaged(deep + "{\"b\":1}"), Texts{});
  for (std::size_t depth = kJsonMaxDepth - 2; depth < kJsonMaxDepth + 3; ++depth) {
    EXPECT_EQ(salvaged(deep.substr(0, 5 * depth) + "{\"b\":1}"), Texts{}) << depth;
  }
  // A whole object is a record at any depth, alone and glued to another.
  const std::string whole = deep + "{\"b\":1}" + std::string(5000, '}');
  EXPECT_TRUE(salvaged(whole) == Texts{whole});
  EXPECT_TRUE(salvaged(whole + "{\"c\":1}") == (Texts{whole, "{\"c\":1}"}));
  EXPECT_TRUE(salvaged("xyz" + whole) == Texts{whole});
}

TEST(Classify, NamesTheDamage) {
  EXPECT_EQ(classify(R"({"a":1,"te)"), DamageKind::torn);
  EXPECT_EQ(classify(R"({"a":{"b":1})"), DamageKind::torn);
  EXPECT_EQ(classify(R"({"a":1,"te{"b":2,"x)"), DamageKind::torn);
  EXPECT_EQ(classify(R"({"a":1}{"b":2})"), DamageKind::glued);
  EXPECT_EQ(classify(R"({"a":1,"te{"b":2})"), DamageKind::glued);
  EXPECT_EQ(classify(R"(xyz{"b":2})"), DamageKind::glued);
  EXPECT_EQ(classify("{\"a\":\0\0"s), DamageKind::nul);
  EXPECT_EQ(classify("{\"a\":\"\xff\"}"), DamageKind::bad_utf8);
  for (const auto* line : {"[1,2]", "12", "null", "\"x\"", "hello", "{\"a\":x}", "\"\xff\"", "{\"a\":\"\x01\"}", "}"}) {
    EXPECT_EQ(classify(line), DamageKind::not_json) << line;
  }
}

}  // namespace
}  // namespace holdfast
