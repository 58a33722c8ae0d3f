#include "source/rows.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

namespace holdfast {
namespace {

namespace fs = std::filesystem;

class RowsTest : public testing::Test {
 protected:
  RowsTest() {
    std::string name = (fs::temp_directory_path() / "holdfast rows %3f? #XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    path_ = directory_ + "/the?data base.db";
  }
  ~RowsTest() override { fs::remove_all(directory_); }

  static void run(sqlite3* database, const std::string& sql) {
    char* message = nullptr;
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message << ": " << sql;
  }
  sqlite3* open(const std::string& sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    run(database, sql);
    return database;
  }
  void make(const std::string& sql) { sqlite3_close(open(sql)); }

  Result<std::vector<std::string>> read(std::string_view select, std::vector<std::string> parameters = {}) {
    std::vector<std::string> rows;
    HOLDFAST_TRY(read_rows(path_, select, parameters, [&](std::span<const RowValue> row) {
      std::string text;
      for (const RowValue& value : row) {
        if (!text.empty()) text += '|';
        if (std::holds_alternative<std::monostate>(value)) text += "null";
        if (const auto* number = std::get_if<std::int64_t>(&value)) text += std::to_string(*number);
        if (const auto* number = std::get_if<double>(&value)) text += std::to_string(*number);
        if (const auto* string = std::get_if<std::string_view>(&value)) text += *string;
      }
      rows.push_back(text);
      return true;
    }));
    return rows;
  }

  // Every entry with its bytes, inode and times, as text that a failure can show.
  using Snapshot = std::map<std::string, std::string>;
  Snapshot snapshot() const {
    Snapshot all;
    std::vector<fs::path> paths{directory_};
    for (const auto& entry : fs::directory_iterator(directory_)) paths.push_back(entry.path());
    for (const fs::path& path : paths) {
      struct stat info{};
      ::stat(path.c_str(), &info);
      std::string bytes;
      if (fs::is_regular_file(path)) {
        std::ifstream file(path, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(file), {});
      }
      all[path.filename()] =
          "inode " + std::to_string(info.st_ino) + ", bytes " + std::to_string(std::hash<std::string>()(bytes)) +
          ", written " + std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec) +
          ", changed " + std::to_string(info.st_ctim.tv_sec) + "." + std::to_string(info.st_ctim.tv_nsec);
    }
    return all;
  }

  std::string directory_, path_;
};

TEST_F(RowsTest, ReadsValuesOfEveryKind) {
  make("CREATE TABLE t(a, b, c, d, e); INSERT INTO t VALUES(1, 2.5, 'text', NULL, x'00ff')");
  EXPECT_EQ(*read("SELECT a, b, c, d FROM t"), (std::vector<std::string>{"1|2.500000|text|null"}));
  EXPECT_EQ(*read("SELECT e FROM t"), (std::vector<std::string>{std::string("\0\xff", 2)}));
  EXPECT_EQ(*read("SELECT c FROM t WHERE c = ? AND a < ?", {"text", "x"}), (std::vector<std::string>{"text"}));
  EXPECT_TRUE(read("SELECT c FROM t WHERE c = ?", {"' OR 1=1 --"})->empty());
}

TEST_F(RowsTest, MissingDatabaseOrTableHasNoRows) {
  EXPECT_TRUE(read("SELECT 1")->empty());
  EXPECT_FALSE(fs::exists(path_));
  make("CREATE TABLE t(a)");
  EXPECT_TRUE(read("SELECT a FROM other")->empty());
  EXPECT_EQ(read("SELECT b FROM t").error().code, Code::schema_mismatch);
  std::ofstream(directory_ + "/empty.db").close();
  path_ = directory_ + "/empty.db";
  EXPECT_TRUE(read("SELECT 1")->empty());
}

TEST_F(RowsTest, GarbageIsReportedAsCorruptWithPath) {
  std::ofstream(path_) << std::string(5000, 'x');
  const auto rows = read("SELECT a FROM t");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, Code::corrupt);
  EXPECT_EQ(rows.error().path, path_);
}

TEST_F(RowsTest, DamagedPageIsCorrupt) {
  make(
      "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000) "
      "INSERT INTO t SELECT 'row ' || i FROM n");
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096);
  file << std::string(8192, '\xee');
  file.close();
  const auto rows = read("SELECT a FROM t");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, Code::corrupt);
}

// Only a statement that asks for what is left gets it, so that nobody takes it for everything.
TEST_F(RowsTest, DamagedSchemaIsCorruptUnlessIndexesAreBypassed) {
  std::string sql = "CREATE TABLE t(a); INSERT INTO t VALUES('kept');";
  for (int n = 100; n < 200; ++n)
    sql += "CREATE TABLE other_" + std::to_string(n) +
           "(a TEXT, b TEXT, c TEXT, d TEXT, e TEXT, f TEXT, g TEXT, h TEXT, i TEXT, j TEXT);";
  make(sql);
  std::ifstream whole(path_, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(whole), {});
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(bytes.rfind("CREATE TABLE other_150(") / 4096 * 4096));
  file << std::string(4096, '\0');
  file.close();
  for (int i = 0; i < 2; ++i) {
    const auto rows = read("SELECT a FROM t");
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().code, Code::corrupt);
    EXPECT_EQ(*read("SELECT a FROM t NOT INDEXED"), (std::vector<std::string>{"kept"}));
    const auto other = read("SELECT a FROM other_199 NOT INDEXED");
    ASSERT_FALSE(other) << "whether there is one is not known";
    EXPECT_EQ(other.error().code, Code::corrupt);
  }
}

// SQLite fills up a page that is cut with zeros, and would find rows without values there.
TEST_F(RowsTest, CutFileIsCorruptUnlessIndexesAreBypassed) {
  make(
      "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000) "
      "INSERT INTO t SELECT 'row ' || i || hex(zeroblob(50)) FROM n");
  const auto whole = fs::file_size(path_);
  for (const auto left : {whole - 100, whole - 4096, whole / 2 + 1000}) {
    fs::resize_file(path_, left);
    const std::string words = "it is cut: " + std::to_string(left) + " of " + std::to_string(whole) + " bytes are left";
    for (const char* select : {"SELECT a FROM t", "SELECT a FROM t NOT INDEXED"}) {
      const auto rows = read(select);
      ASSERT_FALSE(rows) << select << " of " << left;
      EXPECT_EQ(rows.error().code, Code::corrupt);
      EXPECT_TRUE(rows.error().message.contains(words)) << rows.error().message;
    }
    const auto some = read("SELECT a FROM t NOT INDEXED WHERE rowid BETWEEN 1 AND 100");
    ASSERT_TRUE(some) << some.error().message;
    EXPECT_EQ(some->size(), 100u);
    EXPECT_TRUE(some->front().starts_with("row 1")) << some->front();
  }
  for (const std::uintmax_t left : {std::uintmax_t{3000}, std::uintmax_t{60}}) {
    fs::resize_file(path_, left);
    for (const char* select : {"SELECT a FROM t", "SELECT a FROM t NOT INDEXED"}) {
      const auto rows = read(select);
      ASSERT_FALSE(rows) << select << " of " << left;
      EXPECT_EQ(rows.error().code, Code::corrupt);
      EXPECT_TRUE(rows.error().message.contains("it is cut: ")) << rows.error().message;
    }
  }
}

// What is in the pages of the database was never committed; readers must not see it.
TEST_F(RowsTest, HalfChangedDatabaseIsNotRead) {
  sqlite3* writer = open(
      "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000) "
      "INSERT INTO t SELECT 'kept ' || i FROM n; PRAGMA cache_size=5; BEGIN; UPDATE t SET a = 'new' WHERE rowid = 1");
  // So far the change is in the memory of its writer.
  ASSERT_TRUE(fs::exists(path_ + "-journal"));
  EXPECT_EQ(*read("SELECT a FROM t WHERE rowid < 3"), (std::vector<std::string>{"kept 1", "kept 2"}));
  run(writer, "UPDATE t SET a = 'longer than it was before, and never committed'");
  const auto before = snapshot();
  const auto rows = read("SELECT a FROM t");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, Code::storage_unavailable);
  EXPECT_EQ(rows.error().path, path_);
  EXPECT_TRUE(rows.error().message.contains("the?data base.db-journal")) << rows.error().message;
  EXPECT_EQ(snapshot(), before);
  run(writer, "ROLLBACK");
  EXPECT_EQ(*read("SELECT a FROM t WHERE rowid < 3"), (std::vector<std::string>{"kept 1", "kept 2"}));
  sqlite3_close(writer);
}

TEST_F(RowsTest, AcceptsOnlySingleSelect) {
  make("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  for (const char* sql : {"", "DELETE FROM t", "SELECT a FROM t; SELECT a FROM t", "INSERT INTO t VALUES(2)",
                          "PRAGMA journal_mode=DELETE", "ATTACH 'x.db' AS x", "CREATE TABLE u(a)", "VACUUM"}) {
    const auto before = snapshot();
    EXPECT_FALSE(read(sql)) << sql;
    EXPECT_EQ(snapshot(), before) << sql;
  }
  EXPECT_EQ(read("SELECT a FROM t; ")->size(), 1u);
}

TEST_F(RowsTest, SecretTablesAreNeverRead) {
  make(
      "CREATE TABLE account(token); CREATE TABLE control_account(token); CREATE TABLE credential(value);"
      "CREATE TABLE auth_profile_store(store_json); CREATE TABLE credential_backup(value); CREATE TABLE t(a); CREATE "
      "VIEW v AS SELECT value FROM credential;"
      "INSERT INTO account VALUES('s'); INSERT INTO credential VALUES('s')");
  for (const char* sql : {"SELECT token FROM account", "SELECT * FROM Control_Account", "SELECT value FROM credential",
                          "SELECT count(*) FROM credential_backup", "SELECT store_json FROM auth_profile_store",
                          "SELECT a, (SELECT token FROM ACCOUNT) FROM t", "SELECT * FROM t JOIN account"}) {
    const auto rows = read(sql);
    ASSERT_FALSE(rows) << sql;
    EXPECT_EQ(rows.error().code, Code::permission_denied) << sql;
  }
  EXPECT_FALSE(read("SELECT * FROM v"));
}

// Such a view makes an innocent query run for ever.
TEST_F(RowsTest, RefusesViewInPlaceOfTable) {
  make(
      "CREATE VIEW session AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i AS id FROM n;"
      "CREATE VIEW constant AS SELECT 1 AS id; CREATE TABLE t(id); CREATE VIEW other AS SELECT id FROM t");
  for (const char* sql : {"SELECT id FROM session", "SELECT max(id) FROM session", "SELECT id FROM constant",
                          "SELECT id FROM other", "SELECT id FROM t WHERE id IN (SELECT id FROM session)"}) {
    const auto rows = read(sql);
    ASSERT_FALSE(rows) << sql;
    EXPECT_EQ(rows.error().code, Code::corrupt) << sql;
    EXPECT_TRUE(rows.error().message.contains("view")) << rows.error().message;
  }
  EXPECT_TRUE(read("SELECT id FROM t")->empty());
}

TEST_F(RowsTest, RefusesVirtualTableInPlaceOfTable) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
  if (sqlite3_exec(database, "CREATE VIRTUAL TABLE session USING fts5(id)", nullptr, nullptr, nullptr) != SQLITE_OK) {
    sqlite3_close(database);
    GTEST_SKIP() << "this SQLite has no fts5";
  }
  sqlite3_close(database);
  EXPECT_FALSE(read("SELECT id FROM session"));
}

// Such a column runs for as long as its functions like, for each row that is read.
TEST_F(RowsTest, RefusesComputedColumnInPlaceOfStored) {
  make(
      "CREATE TABLE t(n, stored AS (n + 1) STORED, Computed AS (hex(zeroblob(1000 + n)))); CREATE TABLE u(n);"
      "INSERT INTO t(n) VALUES(1)");
  for (const char* sql : {"SELECT computed FROM t", "SELECT n FROM t WHERE COMPUTED = 'x'", "SELECT * FROM t",
                          "SELECT n FROM T ORDER BY length(computed)",
                          "SELECT n FROM u WHERE n IN (SELECT computed "
                          "FROM t)"}) {
    const auto rows = read(sql);
    ASSERT_FALSE(rows) << sql;
    EXPECT_EQ(rows.error().code, Code::corrupt) << sql << rows.error().message;
    EXPECT_TRUE(rows.error().message.contains("computed column")) << rows.error().message;
  }
  EXPECT_EQ(*read("SELECT n, stored FROM t"), (std::vector<std::string>{"1|2"}));
}

// One default value stands for many rows, which a sort would hold in memory.
TEST_F(RowsTest, RefusesRowsFarLargerThanTheDatabase) {
  make(
      "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<1000) "
      "INSERT INTO t SELECT i FROM n; ALTER TABLE t ADD COLUMN b DEFAULT '" +
      std::string(1'000'000, 'x') + "'");
  for (const char* sql : {"SELECT a, b FROM t", "SELECT a, b FROM t ORDER BY b, a DESC"}) {
    const auto rows = read(sql);
    ASSERT_FALSE(rows) << sql;
    EXPECT_EQ(rows.error().code, Code::too_large) << sql << rows.error().message;
  }
  EXPECT_EQ(read("SELECT a FROM t ORDER BY a DESC")->size(), 1000u);
}

// Output of machines shrinks to a hundredth.
TEST_F(RowsTest, ReadsPackedRowsFarLargerThanTheDatabase) {
  constexpr std::size_t kRows = 18, kPlain = 8'000'000;
  std::string plain(kPlain, ' ');
  unsigned random = 1;
  for (std::size_t i = 0; i < kPlain / 100; ++i)
    plain[i] = static_cast<char>((random = random * 1664525 + 1013904223) >> 24);
  std::string packed(ZSTD_compressBound(kPlain), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), kPlain, 1));
  sqlite3* database = open("CREATE TABLE t(a)");
  sqlite3_stmt* insert = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(database, "INSERT INTO t VALUES(?)", -1, &insert, nullptr), SQLITE_OK);
  for (std::size_t i = 0; i < kRows; ++i) {
    sqlite3_bind_blob(insert, 1, packed.data(), static_cast<int>(packed.size()), SQLITE_STATIC);
    ASSERT_EQ(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_close(database);
  ASSERT_LT((64 << 20) + 32 * fs::file_size(path_), kRows * kPlain);
  std::size_t bytes = 0;
  const auto all = read_rows(path_, "SELECT zstd_text(a) FROM t", {}, [&](std::span<const RowValue> row) {
    bytes += std::get<std::string_view>(row[0]).size();
    return true;
  });
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(bytes, kRows * kPlain);
}

// Opening a FIFO for reading waits for a writer.
TEST_F(RowsTest, RefusesFifoBesideDatabase) {
  sqlite3* writer = open("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES('in the log')");
  ASSERT_TRUE(read("SELECT a FROM t"));
  for (const char* end : {"-journal", "-wal"}) {
    fs::remove(path_ + end);
    ASSERT_EQ(::mkfifo((path_ + end).c_str(), 0600), 0);
    const auto rows = read("SELECT a FROM t");
    ASSERT_FALSE(rows) << end;
    EXPECT_EQ(rows.error().code, Code::unsafe_path) << rows.error().message;
    EXPECT_TRUE(rows.error().path.ends_with(end)) << rows.error().path;
    fs::remove(path_ + end);
  }
  sqlite3_close(writer);
}

TEST_F(RowsTest, AbortsLongRunningQuery) {
  make(
      "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<2000) "
      "INSERT INTO t SELECT i FROM n");
  const auto rows = read("SELECT count(*) FROM t a, t b, t c, t d");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, Code::corrupt);
  EXPECT_TRUE(rows.error().message.contains("steps")) << rows.error().message;
  EXPECT_EQ(read("SELECT count(*) FROM t")->front(), "2000");
}

// The blobs are "hello" as compressed by the zstd program, the same cut off, and bytes that are not zstd.
TEST_F(RowsTest, CompressedColumnsAreUnpacked) {
  make(
      "CREATE TABLE t(n, a); INSERT INTO t VALUES(1, x'28b52ffd045829000068656c6c6fa36d9f88'), "
      "(2, x'28b52ffd0458290000'), (3, 'text'), (4, NULL)");
  EXPECT_EQ(*read("SELECT n, zstd_text(a) FROM t ORDER BY n"),
            (std::vector<std::string>{"1|hello", "2|null", "3|null", "4|null"}));
}

TEST_F(RowsTest, ReadsWalDatabaseWithoutWalFile) {
  make("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES('x')");
  ASSERT_FALSE(fs::exists(path_ + "-wal"));  // the last connection removed it
  const auto before = snapshot();
  EXPECT_EQ(*read("SELECT a FROM t"), (std::vector<std::string>{"x"}));
  EXPECT_EQ(snapshot(), before);
}

TEST_F(RowsTest, ReadsLiveWalWithoutChangingFiles) {
  sqlite3* writer = open(
      "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t(a);"
      "INSERT INTO t VALUES('in the log')");
  const auto before = snapshot();
  EXPECT_EQ(*read("SELECT a FROM t"), (std::vector<std::string>{"in the log"}));
  EXPECT_EQ(*read("SELECT a FROM t"), (std::vector<std::string>{"in the log"}));
  EXPECT_EQ(snapshot(), before);
  run(writer, "INSERT INTO t VALUES('later')");
  EXPECT_EQ(read("SELECT a FROM t")->size(), 2u);
  run(writer, "PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES('after the checkpoint')");
  EXPECT_EQ(read("SELECT a FROM t")->size(), 3u);
  sqlite3_close(writer);
  EXPECT_EQ(read("SELECT a FROM t")->size(), 3u);
}

// After a checkpoint a log is overwritten from its start: neither its size nor, after the first commit, its header
// shows that it has new frames.
TEST_F(RowsTest, SeesRowsOfWalOverwrittenInPlace) {
  sqlite3* database = open(
      "pragma journal_mode=wal; pragma wal_autocheckpoint=0; create table t(a);"
      "with recursive n(i) as (select 1 union all select i+1 from n where i<100000) insert into t select i from n;"
      "pragma wal_checkpoint(restart); insert into t values(0)");
  const auto size = fs::file_size(path_ + "-wal");
  for (int row = 100001; row < 100020; ++row) {
    EXPECT_EQ(read("select count(*) from t").value(), std::vector<std::string>{std::to_string(row)});
    run(database, "insert into t values(0)");
  }
  EXPECT_EQ(fs::file_size(path_ + "-wal"), size);
  sqlite3_close(database);
}

TEST_F(RowsTest, ReadsWalOfDeadWriter) {
  const pid_t child = ::fork();
  if (child == 0) {
    sqlite3* writer = open("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES('kept')");
    (void)writer;
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(fs::exists(path_ + "-wal"));
  fs::remove(path_ + "-shm");
  const auto before = snapshot();
  EXPECT_EQ(*read("SELECT a FROM t"), (std::vector<std::string>{"kept"}));
  EXPECT_EQ(snapshot(), before);
}

// Each transaction moves one unit between two rows: a torn state has another sum.
TEST_F(RowsTest, ConcurrentWriterNeverExposesTornState) {
  make(
      "PRAGMA journal_mode=WAL; CREATE TABLE account_book(id INTEGER PRIMARY KEY, units, filler);"
      "CREATE TABLE books(id INTEGER PRIMARY KEY, units, filler);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<3000) "
      "INSERT INTO books SELECT i, 100, hex(zeroblob(700)) FROM n");
  const pid_t child = ::fork();
  if (child == 0) {
    sqlite3* writer = nullptr;
    sqlite3_open(path_.c_str(), &writer);
    sqlite3_exec(writer, "PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=40", nullptr, nullptr, nullptr);
    for (unsigned i = 0;; ++i) {
      const std::string from = std::to_string(i % 3000 + 1), to = std::to_string((i * 1499) % 3000 + 1);
      const std::string sql = "BEGIN; UPDATE books SET units = units - 1 WHERE id = " + from +
                              "; UPDATE books SET units = units + 1 WHERE id = " + to + "; COMMIT";
      sqlite3_exec(writer, sql.c_str(), nullptr, nullptr, nullptr);
      // Longer and longer pauses, so a reader succeeds even on the slowest machine.
      if (i % 100 == 0) ::usleep(std::min(25000 + 5 * i, 900000U));
    }
  }
  int good = 0, busy = 0;
  for (int i = 0; i < 12 || (good == 0 && i < 200); ++i) {
    const auto sum = read("SELECT sum(units), count(*), count(instr(filler, 'x')) FROM books");
    if (!sum) {
      EXPECT_EQ(sum.error().code, Code::busy) << sum.error().text();
      ++busy;
      continue;
    }
    EXPECT_EQ(*sum, (std::vector<std::string>{"300000|3000|3000"}));
    ++good;
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_GT(good, 0) << busy << " were busy";
  RecordProperty("good", good);
  RecordProperty("busy", busy);
}

}  // namespace
}  // namespace holdfast
