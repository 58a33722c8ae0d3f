#include "source/connection.h"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/damaged_database.h"
#include "source/compressed.h"
#include "source/read_only_vfs.h"

namespace holdfast::inline v1 {
namespace {

// Tables of agents that hold tokens, keys and share secrets.
bool is_secret(const char* table) {
  if (table == nullptr) return false;
  const std::string name = in_lower_case(table);
  return name.starts_with("account") || name == "control_account" || name.starts_with("credential") ||
         name == "session_share" || name.starts_with("auth_");
}

// zstd_text(X): the plain bytes of a column that an agent compressed; null if X is
// null or incomplete.
void zstd_text(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  constexpr std::uint64_t kLargest = std::uint64_t{64} << 20;
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return sqlite3_result_null(context);
  const auto* const bytes = static_cast<const char*>(sqlite3_value_blob(values[0]));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
  bool torn = false;
  const auto plain = decompress_zstd(bytes == nullptr ? std::string_view() : std::string_view(bytes, size),
                                     std::min(kLargest, plain_limit(size)), &torn);
  if (!plain || torn) return sqlite3_result_null(context);
  sqlite3_result_blob64(context, plain->data(), plain->size(), SQLITE_TRANSIENT);
}

// Limits of a statement, because a hostile file can make an innocent query run forever. A scan of a whole table takes
// fewer steps than the file has bytes.
constexpr std::uint64_t kStepsAlways = 100'000'000;
constexpr std::uint64_t kStepsPerByte = 16;
constexpr int kStepsAtOnce = 100;  // few: each may allocate a value
// Its rows take as much memory as they have in the file, a few times that in a sort, and many times that if they are
// unpacked (compressed.h). One default value may stand for millions of rows.
constexpr std::uint64_t kBytesAlways = std::uint64_t{64} << 20;
constexpr std::uint64_t kBytesPerByte = 32;
constexpr std::uint64_t kBytesPerPackedByte = 1000;
constexpr std::string_view kUnpacks = "zstd_text(";
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kLongestValue = std::uint64_t{256} << 20;

// Marks a statement that reads what is left of a damaged database (rows.h).
constexpr std::string_view kPastIndexes = " NOT INDEXED";
constexpr std::string_view kSchemaDamaged = "pages of its schema are damaged";

// What a statement reads, and what stopped it; written by SQLite's callbacks.
struct Watched {
  std::set<std::pair<std::string, std::string>> columns;  // table, column
  std::string view;                                       // in place of a table
  std::uint64_t steps_left = 0, most_memory = 0;
  bool out_of_steps = false, out_of_memory = false;
  bool examines = false;  // the columns of a table are being listed
};

// Returns false without memory; SQLite's callbacks must not throw.
bool noted(std::set<std::pair<std::string, std::string>>& columns, const char* table, const char* column) noexcept try {
  if (table != nullptr && column != nullptr) columns.emplace(table, column);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

// `inside` is the view that a part of the statement comes from. Statements here name only tables, so
// somebody put that view in place of a table, to run whatever it contains.
int authorize(void* user, int action, const char* first, const char* second, const char* /*database*/,
              const char* inside) {
  auto& watched = *static_cast<Watched*>(user);
  if (watched.examines) return action == SQLITE_PRAGMA ? SQLITE_OK : SQLITE_DENY;
  if (inside != nullptr) {
    watched.view = inside;
    return SQLITE_DENY;
  }
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_FUNCTION: return SQLITE_OK;
    case SQLITE_READ: return is_secret(first) || !noted(watched.columns, first, second) ? SQLITE_DENY : SQLITE_OK;
    default: return SQLITE_DENY;
  }
}

// SQLite counts the memory of all its connections together, so this one may be blamed for what others take.
struct Running {
  inline static std::atomic<int> count = 0;
  Running() { ++count; }
  ~Running() { --count; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  static std::uint64_t others() { return count > 1 ? kMostBytes : 0; }
};

int count_steps(void* user) {
  auto& watched = *static_cast<Watched*>(user);
  watched.out_of_steps = watched.steps_left < static_cast<std::uint64_t>(kStepsAtOnce);
  const auto used = static_cast<std::uint64_t>(sqlite3_memory_used());
  watched.out_of_memory = used > watched.most_memory + Running::others();
  if (watched.out_of_steps || watched.out_of_memory) return 1;
  watched.steps_left -= static_cast<std::uint64_t>(kStepsAtOnce);
  return 0;
}

// Encodes the path for a URI; file names may contain any byte.
std::string uri_of(const std::string& path, bool with_wal) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : path) {
    const bool plain = is_ascii_alnum(c) || std::strchr("/._-~", c) != nullptr;
    if (plain && c != '\0') {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kHex[byte >> 4];
      uri += kHex[byte & 15];
    }
  }
  uri += "?mode=ro&vfs=";
  uri += read_only_vfs();
  // Opening a database in WAL mode that has no log would create the log's file.
  // Without a log, the file alone is the whole database.
  if (!with_wal) uri += "&immutable=1";
  return uri;
}

void add_value(sqlite3_stmt* statement, int column, CollectedRows& rows) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return rows.add(static_cast<std::int64_t>(sqlite3_column_int64(statement, column)));
    case SQLITE_FLOAT: return rows.add(sqlite3_column_double(statement, column));
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
      const void* const bytes = sqlite3_column_blob(statement, column);
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return rows.add(bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size));
    }
    default: return rows.add(std::monostate{});
  }
}

class Sqlite final : public Connection {
 public:
  Sqlite(sqlite3* database, std::string path, const DatabaseState& state)
      : database_(database), path_(std::move(path)), state_(state) {}
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;
  ~Sqlite() override { sqlite3_close_v2(database_); }

  const std::string& path() const override { return path_; }
  const DatabaseState& opened_at() const override { return state_; }

  Result<void> prepare_connection() {
    sqlite3_extended_result_codes(database_, 1);
    int off = 0;
    sqlite3_db_config(database_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &off);
    sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, &off);
    sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &off);
    // With these, the index of the log is in memory and not in a -shm file, and
    // sorting needs no file either.
    if (sqlite3_exec(database_, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr) !=
        SQLITE_OK)
      return failed();
    if (sqlite3_create_function_v2(database_, "zstd_text", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
                                   nullptr, zstd_text, nullptr, nullptr, nullptr) != SQLITE_OK)
      return failed();
    sqlite3_drop_modules(database_, nullptr);  // a virtual table must not be in place of a table either
    sqlite3_limit(database_, SQLITE_LIMIT_LENGTH,
                  static_cast<int>(std::clamp(state_.size + state_.wal_size, kBytesAlways, kLongestValue)));
    sqlite3_limit(database_, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_set_authorizer(database_, authorize, &watched_);
    sqlite3_progress_handler(database_, kStepsAtOnce, count_steps, &watched_);
    return {};
  }

  Result<void> collect(std::string_view select, std::span<const std::string> parameters, CollectedRows& rows) override {
    const Running running;
    const std::uint64_t size = state_.size + state_.wal_size;
    const std::uint64_t bytes_per_byte = select.contains(kUnpacks) ? kBytesPerPackedByte : kBytesPerByte;
    const std::uint64_t most_bytes = std::min(kBytesAlways + bytes_per_byte * size, kMostBytes);
    watched_ = {.columns = {},
                .view = {},
                .steps_left = kStepsAlways + kStepsPerByte * size,
                .most_memory = static_cast<std::uint64_t>(sqlite3_memory_used()) + most_bytes};
    const bool salvages = select.find(kPastIndexes) != std::string_view::npos;
    if (partial_ && !salvages) return unreadable(kSchemaDamaged);
    sqlite3_stmt* statement = nullptr;
    const char* rest = nullptr;
    const auto prepare = [&] {
      return sqlite3_prepare_v2(database_, select.data(), static_cast<int>(select.size()), &statement, &rest);
    };
    int prepared = prepare();
    if (salvages && !partial_ && (prepared & 0xff) == SQLITE_CORRUPT) {
      // From now on SQLite knows the tables that its schema names before the damaged page. By its documentation, the
      // statement that meets the damage may still fail. SQLite reads a file that is cut only if it may write the
      // schema, which DEFENSIVE forbids; this connection cannot write at all.
      int is = 0;
      sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 0, &is);
      partial_ = sqlite3_db_config(database_, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, &is) == SQLITE_OK;
      for (int i = 0; i < 2 && prepared != SQLITE_OK; ++i) prepared = prepare();
    }
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(statement, sqlite3_finalize);
    if (prepared != SQLITE_OK) {
      const std::string_view reason = sqlite3_errmsg(database_);
      if (prepared == SQLITE_ERROR && reason.starts_with("no such table")) {
        if (!partial_) return {};
        return unreadable(kSchemaDamaged);
      }
      if (prepared == SQLITE_ERROR && reason.starts_with("no such column")) {
        return fail(Code::schema_mismatch, std::string(reason), path_);
      }
      return failed();
    }
    HOLDFAST_TRY(check_columns());
    const std::string_view left = select.substr(static_cast<std::size_t>(rest - select.data()));
    if (statement == nullptr || sqlite3_stmt_readonly(statement) == 0 ||
        left.find_first_not_of(" \t\r\n;") != std::string_view::npos) {
      return fail(Code::invalid_argument, "not exactly one SELECT");
    }
    int position = 0;
    for (const std::string& parameter : parameters) {
      if (sqlite3_bind_text64(statement, ++position, parameter.data(), parameter.size(), SQLITE_STATIC, SQLITE_UTF8) !=
          SQLITE_OK) {
        return fail(Code::invalid_argument, "more parameters than the statement takes");
      }
    }
    const int columns = sqlite3_column_count(statement);
    int step = SQLITE_ROW;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
      for (int column = 0; column < columns; ++column) add_value(statement, column, rows);
      rows.end_row(static_cast<std::size_t>(columns));
      if (rows.bytes() > most_bytes) return too_large(most_bytes);
    }
    if (watched_.out_of_memory) return too_large(most_bytes);
    if (step != SQLITE_DONE) return failed();
    return {};
  }

 private:
  // A computed column in the place of a stored one runs functions that make any number of bytes, for as long as they
  // like. A column that is computed when it is written is stored.
  Result<void> check_columns() {
    std::set<std::string> tables;
    for (const auto& [table, column] : watched_.columns)
      if (!examined_.contains(table)) tables.insert(table);
    for (const std::string& table : tables) {
      const std::unique_ptr<char, void (*)(void*)> list(sqlite3_mprintf("PRAGMA table_xinfo(%Q)", table.c_str()),
                                                        sqlite3_free);
      if (!list) return fail(Code::out_of_memory, "not enough memory for a database connection", path_);
      sqlite3_stmt* columns = nullptr;
      watched_.examines = true;
      const int prepared = sqlite3_prepare_v2(database_, list.get(), -1, &columns, nullptr);
      watched_.examines = false;
      const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(columns, sqlite3_finalize);
      if (prepared != SQLITE_OK) return failed();
      std::set<std::string> computed;
      int step = SQLITE_ROW;
      while ((step = sqlite3_step(columns)) == SQLITE_ROW) {
        constexpr int kName = 1, kHidden = 6, kComputed = 2;
        const auto* const name = reinterpret_cast<const char*>(sqlite3_column_text(columns, kName));
        if (name != nullptr && sqlite3_column_int(columns, kHidden) == kComputed) computed.insert(in_lower_case(name));
      }
      if (step != SQLITE_DONE) return failed();
      examined_.emplace(table, std::move(computed));
    }
    for (const auto& [table, column] : watched_.columns)
      if (examined_[table].contains(in_lower_case(column)))
        return fail(Code::corrupt, "a computed column is in the place of a stored one and is not read: " + column,
                    path_);
    return {};
  }

  Failure too_large(std::uint64_t most) const {
    return fail(Code::too_large, "the rows of one query take more than " + std::to_string(most) + " bytes", path_);
  }

  Failure unreadable(std::string_view reason) const {
    const std::string cut = describe_cut(path_);
    std::string message(kDatabaseUnreadable);
    return fail(Code::corrupt, cut.empty() ? message.append(reason) : message.append(kDatabaseCut).append(cut), path_);
  }

  Failure failed() const {
    const int code = sqlite3_errcode(database_);
    const std::string reason = sqlite3_errmsg(database_);
    if (!watched_.view.empty())
      return fail(Code::corrupt, "a view is in the place of a table and is not read: " + watched_.view, path_);
    if (watched_.out_of_steps)
      return fail(Code::corrupt, "a query takes more steps than a database of this size can need", path_);
    switch (code & 0xff) {
      case SQLITE_TOOBIG: return fail(Code::too_large, "a value is over the limit", path_);
      case SQLITE_CORRUPT:
      case SQLITE_NOTADB:
      case SQLITE_FORMAT: return unreadable(reason);
      case SQLITE_AUTH: return fail(Code::permission_denied, "a table that holds secrets is never read", path_);
      case SQLITE_NOMEM: return fail(Code::out_of_memory, reason, path_);
      case SQLITE_BUSY:
      case SQLITE_LOCKED: return fail(Code::busy, reason, path_);
      case SQLITE_READONLY: return fail(unfinished_transaction(path_));  // only its owner may undo it
      case SQLITE_CANTOPEN:
      case SQLITE_IOERR: return fail(Code::io_error, std::string(kDatabaseUnreadable) + reason, path_);
      case SQLITE_ERROR: return fail(Code::invalid_argument, reason, path_);
      default: return fail(Code::internal, reason, path_);
    }
  }

  sqlite3* database_;
  std::string path_;
  DatabaseState state_;
  bool partial_ = false;                                   // only a part of the schema could be read
  Watched watched_;                                        // SQLite keeps a pointer to it
  std::map<std::string, std::set<std::string>> examined_;  // by table: its computed columns, in lower case
};

}  // namespace

void CollectedRows::clear() {
  cells_.clear();
  text_.clear();
  columns_ = 0;
}

void CollectedRows::add(std::string_view text) {
  cells_.push_back({std::string_view(), text_.size(), text.size()});
  text_ += text;
}

void CollectedRows::deliver(const std::function<bool(std::span<const RowValue>)>& take) const {
  if (columns_ == 0) return;
  std::vector<RowValue> row(columns_);
  for (std::size_t first = 0; first < cells_.size(); first += columns_) {
    for (std::size_t i = 0; i < columns_; ++i) {
      const Cell& cell = cells_[first + i];
      row[i] = cell.value;
      if (std::holds_alternative<std::string_view>(cell.value)) {
        row[i] = std::string_view(text_).substr(cell.offset, cell.length);
      }
    }
    if (!take(row)) return;
  }
}

Result<std::unique_ptr<Connection>> open_connection(const std::string& absolute_path, const DatabaseState& state) {
  if (read_only_vfs() == nullptr) {
    return fail(Code::unsupported, "this SQLite cannot read without locks", absolute_path);
  }
  sqlite3* database = nullptr;
  const int opened = sqlite3_open_v2(uri_of(absolute_path, state.has_wal).c_str(), &database,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  if (database == nullptr)
    return fail(Code::out_of_memory, "not enough memory for a database connection", absolute_path);
  auto connection = std::make_unique<Sqlite>(database, absolute_path, state);
  if (opened != SQLITE_OK) {
    if (const int number = sqlite3_system_errno(database); number != 0)
      return fail(os_error(number, "cannot open the database", absolute_path));
    return fail(Code::io_error, "the database cannot be opened", absolute_path);
  }
  HOLDFAST_TRY(connection->prepare_connection());
  return connection;
}

}  // namespace holdfast::inline v1
