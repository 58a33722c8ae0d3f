// What is in the bytes of a database: in every table, and in every file of the server.
#include <fstream>
#include <set>

#include "archive/chunk.h"
#include "base/hash.h"
#include "sync/seal.h"
#include "tests/postgres/team_testing.h"

namespace holdfast::inline v1 {
namespace {

namespace fs = std::filesystem;

struct DatabaseBytes : TeamHomes {
  PostgresServer server;  // its own: others would leave their bytes in the same files
  const std::string schema = server.new_schema();
  const std::string id = "cccccccc-0000-4000-8000-000000000001";
  const std::string token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const std::string picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJPLANTEDpicture";
  const std::vector<std::string> planted{token,      "planted",  "Planted", "PLANTED",           id,
                                         "me/thing", "/a/thing", "-thing",  sha256_hex(picture), "toolu_9"};

  // A session with a secret, paths, a title and a picture in it.
  void SetUp() override {
    CliHome::SetUp();
    server.grant_index(schema, "device");
    make_home("a");
    const std::string common = R"("sessionId":")" + id + R"(","cwd":")" + home +
                               R"(/a/thing","gitBranch":"planted-branch","timestamp":"2026-01-01T00:00:00Z")";
    fs::create_directories(home + "/a/.claude/projects/-thing");
    std::ofstream(home + "/a/.claude/projects/-thing/" + id + ".jsonl")
        << R"({"type":"custom-title","customTitle":"Planted title","sessionId":")" << id << "\"}\n"
        << R"({"type":"user","uuid":"u0","parentUuid":null,)" << common
        << R"(,"message":{"role":"user","content":[{"type":"text","text":"why does the sundial fail with )" << token
        << " in " << home
        << R"(/a/thing/planted_file.cc"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":")"
        << picture << "\"}}]}}\n"
        << R"({"type":"assistant","uuid":"u1","parentUuid":"u0",)" << common
        << R"(,"message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_9","name":"Read","input":{"file_path":"planted_file.cc"}}]}})"
           "\n"
        << R"({"type":"user","uuid":"u2","parentUuid":"u1",)" << common
        << R"(,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_9","content":"12: the gnomon is bent, see src/planted_dir"}]}})"
           "\n";
  }
  void share(const std::string& policy, const std::string& how = "") {
    ASSERT_EQ(on("a", "remote add db " + quoted(server.url(schema, "device")) + " --as laptop" + how), 0) << err;
    ASSERT_EQ(on("a", "remote share thing --with db --policy " + policy), 0) << err;
    ASSERT_EQ(on("a", "sync"), 0) << out << err;
    EXPECT_TRUE(out.contains("sent 1 session (")) << out;
  }
  // All rows of all schemas, and what the bytes in them are, unpacked.
  std::string rows() {
    EXPECT_EQ(sh(PostgresServer::programs() + "pg_dump -h " + server.directory() + " -p " +
                 std::to_string(server.port()) + " -U app postgres"),
              0)
        << err;
    std::string all = out;
    for (std::size_t at = out.find("\\\\x"); at != std::string::npos; at = out.find("\\\\x", at + 1)) {
      const std::size_t end = out.find_first_not_of("0123456789abcdef", at + 3);
      const std::string bytes = from_hex(out.substr(at + 3, end - at - 3)).value_or("");
      all += "\n" + bytes;
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto header = read_chunk_header(std::string_view(bytes).substr(i));
        const auto plain = header ? unpack_chunk(*header, std::string_view(bytes).substr(i + kChunkHeaderBytes))
                                  : Result<std::string>();
        if (header && plain) all += "\n" + *plain;
      }
    }
    return all;
  }
  // The bytes of the files of the server in these folders.
  std::string files(const std::vector<std::string>& folders) const {
    server.sql("CHECKPOINT");
    std::string all;
    for (const std::string& folder : folders)
      for (const auto& entry : fs::recursive_directory_iterator(server.directory() + "/data/" + folder)) {
        if (!entry.is_regular_file()) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        all.append(std::istreambuf_iterator<char>(file), {});
      }
    return all;
  }
  void expect_clean(const std::string& all, const std::string& where) const {
    for (const std::string& word : planted) EXPECT_FALSE(all.contains(word)) << word << " is in " << where;
  }
};

TEST_F(DatabaseBytes, RedactedShareHasNoSecretsPathsOrTitles) {
  share("redacted");
  ASSERT_EQ(on("a", "remote index db"), 0) << out << err;
  const std::string table = rows(), base = files({"base"}), wal = files({"pg_wal"});
  // What may be there is seen in each: packed in the chunks, and as it is in the tables for search.
  EXPECT_TRUE(table.contains("why does the sundial fail with [redacted: GitHub token] in [path]"));
  EXPECT_TRUE(base.contains("gnomon is bent") && wal.contains("gnomon is bent"));
  expect_clean(table, "the tables");
  expect_clean(base, "base");
  expect_clean(wal, "pg_wal");
  expect_clean(files({"."}), "another file of the server");
}

// As the commands say: what was erased stays in dead rows until VACUUM, and in the WAL.
TEST_F(DatabaseBytes, NarrowedShareIsInNoRow) {
  share("full");
  ASSERT_EQ(on("a", "remote index db"), 0) << out << err;
  std::string table = rows();
  for (const char* const word : {"planted_file.cc", "Planted title", "PLANTEDpicture"})
    EXPECT_TRUE(table.contains(word)) << word;
  EXPECT_TRUE(files({"base"}).contains("planted_file.cc"));
  ASSERT_EQ(on("a", "remote share thing --with db --policy redacted"), 0) << err;
  EXPECT_TRUE(
      out.contains("dead rows (until VACUUM), WAL (until it is recycled), and standbys, archived WAL and backups "
                   "of the server are out of reach"))
      << out;
  ASSERT_EQ(on("a", "sync"), 0) << out << err;
  EXPECT_TRUE(out.contains("withdrew 1") && out.contains("out of reach: dead rows (until VACUUM), WAL")) << out;
  ASSERT_EQ(on("a", "remote index db"), 0) << out << err;
  table = rows();
  EXPECT_TRUE(table.contains("gnomon is bent"));
  expect_clean(table, "the tables");
  EXPECT_TRUE(files({"base"}).contains("planted_file.cc")) << "in dead rows";
  server.sql("VACUUM FULL");
  expect_clean(files({"base"}), "base, after VACUUM");
  EXPECT_TRUE(files({"pg_wal"}).contains("planted_file.cc"));

  // The same is said of whatever else erases.
  ASSERT_EQ(on("a", "remote unshare thing --with db"), 0) << err;
  EXPECT_TRUE(out.contains("of the server are out of reach")) << out;
  ASSERT_EQ(on("a", "sync --json"), 0) << err;
  EXPECT_TRUE(out.contains(R"("out_of_reach":"dead rows (until VACUUM), WAL)")) << out;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_FALSE(out.contains("out of reach")) << "nothing was erased: " << out;
  ASSERT_EQ(on("a", "remote share thing --with db"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  ASSERT_EQ(on("a", "forget " + id + " --yes"), 0) << err;
  ASSERT_EQ(on("a", "sync"), 0) << err;
  EXPECT_TRUE(out.contains("withdrew 1") && out.contains("out of reach: dead rows (until VACUUM), WAL")) << out;
  ASSERT_EQ(on("a", "remote remove db --erase --yes"), 0) << err;
  EXPECT_TRUE(out.contains("of the server are out of reach")) << out;
}

TEST_F(DatabaseBytes, EncryptedShareHasOnlySizesTimesIdsAndNumbers) {
  const fs::path log = home + "/a/.claude/projects/-thing/" + id + ".jsonl";
  share("full", " --encrypt");
  const std::string table = rows();
  const auto all = {std::pair(table, "the tables"), std::pair(files({"base"}), "base"),
                    std::pair(files({"pg_wal"}), "pg_wal"), std::pair(files({"."}), "another file of the server")};
  std::ifstream file(log, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  for (const auto& [text, where] : all) {
    expect_clean(text, where);
    for (const std::string& word : {std::string("sundial"), std::string("gnomon"), std::string("laptop"),
                                    std::string("claude"), sha256_hex(bytes), std::string(kChunkMagic)})
      EXPECT_FALSE(text.contains(word)) << word << " is in " << where;
  }
  // Headers have nothing but these, and no other column has text.
  const std::set<std::string> known{
      "holdfast_segment", "remote", "device", "key", "epoch", "seq", "prev", "at", "body", "bytes"};
  const std::string headers =
      server.sql("SELECT convert_from(header, 'UTF8') FROM " + schema + ".hf_segment ORDER BY seq");
  std::size_t count = 0;
  for (std::size_t at = headers.find('{'); at != std::string::npos; at = headers.find("\n{", at + 1)) {
    const std::string line = headers.substr(at, headers.find('}', at) + 1 - at);
    for (const JsonItem& item : JsonView(line).fields()) EXPECT_TRUE(known.contains(item.key())) << line;
    ++count;
  }
  EXPECT_EQ(std::to_string(count), server.sql("SELECT count(*) FROM " + schema + ".hf_segment"));
  EXPECT_GT(count, 0u);
  EXPECT_EQ(
      server.sql("SELECT string_agg(c.relname || '.' || a.attname, ' ' ORDER BY c.relname, a.attname) FROM "
                 "pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = '" +
                 schema + "'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND c.relname IN ('hf_charter', " +
                 "'hf_stream', 'hf_segment', 'hf_chunk')"),
      "hf_charter.charter hf_charter.one hf_chunk.bytes hf_chunk.device hf_chunk.name hf_segment.body "
      "hf_segment.device hf_segment.epoch hf_segment.hash hf_segment.header hf_segment.seq hf_stream.device "
      "hf_stream.epoch hf_stream.hash hf_stream.seq");
  for (const char* name : {"hf_indexed", "hf_session", "hf_message"})
    EXPECT_EQ(server.sql("SELECT count(*) FROM " + schema + "." + name), "0") << name;
}

}  // namespace
}  // namespace holdfast::inline v1
