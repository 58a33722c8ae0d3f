#include "demo/messages.h"

#include <gtest/gtest.h>

#include "demo/numbers.h"
#include "demo/wire.h"
#include "text/json_scan.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

TEST(DemoMessages, AreRecordsThatFollowFromTheirNumbers) {
  for (std::uint64_t number = 1; number <= 40; ++number) {
    const MessageId id{3, 7, number, number == 40};
    const std::string message = make_message(id);
    EXPECT_TRUE(is_json_object_line(message)) << message.substr(0, 200);
    EXPECT_EQ(message, make_message(id));
    EXPECT_EQ(id_of(message), id);
    EXPECT_EQ(JsonView(message).find("id").as_string(), id_text(id));
    EXPECT_EQ(message.size() > (std::size_t{2} << 20), id.large);
  }
  EXPECT_NE(make_message({1, 1, 2, false}), make_message({1, 2, 1, false}));
}

TEST(DemoMessages, OtherRecordsHaveNoId) {
  for (const auto* record : {"", "{}", R"({"id":"msg-1-2"})", R"({"id":"msg-1-2-3)", R"({"id":"msg-1-2-x"})",
                             R"({"id":"msg-1-2-99999999999999999999"})", R"({"i":"msg-1-2-3"})"})
    EXPECT_EQ(id_of(record), std::nullopt) << record;
}

TEST(DemoMessages, DocumentsKnowTheirNumber) {
  for (std::uint64_t number = 0; number < 30; ++number) EXPECT_EQ(document_number(make_document(2, number)), number);
  EXPECT_EQ(document_number("{}"), std::nullopt);
}

TEST(DemoWire, NotesSurviveTheWire) {
  const Note notes[] = {{NoteKind::begin, 1, 0, 0, {}},
                        {NoteKind::ack, 17, 4096, 5120, "large"},
                        {NoteKind::error, 0, 0, 0, "disk_full disk_full: cannot append (a b)"}};
  for (const auto& note : notes) {
    const std::string line = to_line(note);
    EXPECT_TRUE(line.ends_with('\n'));
    EXPECT_EQ(parse_note(std::string_view(line).substr(0, line.size() - 1)), note);
  }
  EXPECT_EQ(to_line({NoteKind::error, 0, 0, 0, "a\nb"}), "error 0 0 0 a b\n");
  for (const auto* line : {"", "ack", "ack 1 2", "ack 1 2 x ", "nack 1 2 3 ", "ack 1 2 3"})
    EXPECT_EQ(parse_note(line), std::nullopt) << line;
}

TEST(DemoNumbers, AreForPeople) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(12345678), "12,345,678");
  EXPECT_EQ(in_bytes(812), "812 B");
  EXPECT_EQ(in_bytes(3400), "3.4 KB");
  EXPECT_EQ(in_bytes(95'000'000), "95 MB");
  EXPECT_EQ(in_bytes(999'999), "1.0 MB");
  EXPECT_EQ(in_time(8.44), "8.4 us");
  EXPECT_EQ(in_time(52.3), "52 us");
  EXPECT_EQ(in_time(4100), "4.1 ms");
}

}  // namespace
}  // namespace holdfast::inline v1
