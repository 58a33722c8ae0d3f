// The view of a packed row equals the Session unpacked from it.
#include "index/row_view.h"

#include <gtest/gtest.h>

#include <vector>

#include "index/session_entry.h"
#include "model/model_json.h"

namespace holdfast::inline v1 {
namespace {

std::vector<Session> odd_rows() {
  Session full{.id = "id",
               .layout = "codex",
               .store = "codex:/home/\"quoted\"",
               .path = "a\\b/c.jsonl",
               .project = "/home/dev/p\xC3\xA4th",
               .title = "line\nbreak \x1b[31m\x01",
               .first_prompt = "broken \xFF\xFE \xE2\x80\xA8 and \xED\xA0\x80",
               .status = Status::failed,
               .created_at = "2026-11-15T08:00:00.000Z",
               .updated_at = "2026-11-15T09:00:00.000Z",
               .counts = {.user = 1, .assistant = 2, .tool_calls = 3, .tool_results = 4, .records = 500},
               .models = {"one", "", "two \"2\""},
               .git_branch = "main",
               .parent = Parent{"other", ParentKind::subagent, "message 7"},
               .subagents = 3,
               .bytes = std::uint64_t{1} << 60,
               .damage = 2,
               .pending = Pending::tool,
               .archived = true,
               .summary = "in short",
               .metadata = R"({"a":[1,{"b":null}]})",
               .lineage = {"first", "response", "2026-11-15T08:00:00.000Z"}};
  full.usage.input = -1;
  full.usage.output = std::int64_t{1} << 53;
  full.usage.cache_read = 7;
  full.usage.cache_write = 8;
  full.usage.reasoning = 9;
  full.usage.cache_write_1h = 3;
  full.usage.reasoning_apart = 4;
  Session forked{.id = "fork", .layout = "pi", .models = {"m"}, .parent = Parent{"root", ParentKind::fork, ""}};
  Session nothing;
  return {full, nothing, forked, full, forked, nothing};
}

std::string json_of(const auto& row) {
  JsonWriter json;
  write_session(json, row);
  return json.take();
}

TEST(RowView, MatchesUnpackedSession) {
  SessionView view;  // reused for each row: nothing of the previous row may stay
  for (const Session& row : odd_rows()) {
    SessionEntry entry{.files = {{Place{"", "a.jsonl"}, Fingerprint()}, {Place{"side", "b"}, Fingerprint()}},
                       .looked_ns = 12345678901,
                       .row = row,
                       .findings = {PlacedFinding{}}};
    Packer out;
    pack_entry(out, entry);
    const std::string packed = out.take();
    view_row(packed, view);
    const Session made = unpack_row(packed);
    EXPECT_EQ(json_of(view), json_of(made));
    EXPECT_EQ(json_of(view), json_of(row));
    EXPECT_EQ(view.lineage.first_message, row.lineage.first_message);
    EXPECT_EQ(view.lineage.first_response, row.lineage.first_response);
    EXPECT_EQ(view.lineage.began_at, row.lineage.began_at);
    EXPECT_EQ(view.models.size(), row.models.size());
  }
}

TEST(RowView, TornEntryIsReadWithinBounds) {
  Packer out;
  pack_entry(out, {.row = odd_rows().front()});
  const std::string packed = out.take();
  for (std::size_t length = 0; length < packed.size(); ++length) {
    const std::string torn = packed.substr(0, length);  // a separate string, so a sanitizer sees its end
    SessionView view;
    view_row(torn, view);
    EXPECT_EQ(json_of(view), json_of(unpack_row(torn))) << length;
  }
}

}  // namespace
}  // namespace holdfast::inline v1
