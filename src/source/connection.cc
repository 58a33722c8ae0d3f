#include "source/connection.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>

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
constexpr int kStepsAtOnce = 10'000;
constexpr std::size_t kMostCollected = std::size_t{1} << 30;
constexpr int kLongestValue = 256 << 20;

// Marks a statement that reads what is left of a damaged database (rows.h).
constexpr std::string_view kPastIndexes = " NOT INDEXED";
constexpr std::string_view kSchemaDamaged = "pages of its schema are damaged";

// What stopped a statement; written by SQLite's callbacks.
struct Stopped {
  std::string view;  // a view in place of a table
  std::uint64_t steps_left = 0;
  bool out_of_steps = false;
};

// `inside` is the view that a part of the statement comes from. Statements here name only tables, so
// somebody put that view in place of a table, to run whatever it contains.
int authorize(void* user, int action, const char* first, const char* /*second*/, const char* /*database*/,
              const char* inside) {
  if (inside != nullptr) {
    static_cast<Stopped*>(user)->view = inside;
    return SQLITE_DENY;
  }
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_FUNCTION: return SQLITE_OK;
    case SQLITE_READ: return is_secret(first) ? SQLITE_DENY : SQLITE_OK;
    default: return SQLITE_DENY;
  }
}

int count_steps(void* user) {
  auto& stopped = *static_cast<Stopped*>(user);
  stopped.out_of_steps = stopped.steps_left < static_cast<std::uint64_t>(kStepsAtOnce);
  if (!stopped.out_of_steps) stopped.steps_left -= static_cast<std::uint64_t>(kStepsAtOnce);
  return stopped.out_of_steps ? 1 : 0;
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
    sqlite3_limit(database_, SQLITE_LIMIT_LENGTH, kLongestValue);
    sqlite3_limit(database_, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_set_authorizer(database_, authorize, &stopped_);
    sqlite3_progress_handler(database_, kStepsAtOnce, count_steps, &stopped_);
    return {};
  }

  Result<void> collect(std::string_view select, std::span<const std::string> parameters, CollectedRows& rows) override {
    stopped_ = {.view = {}, .steps_left = kStepsAlways + kStepsPerByte * (state_.size + state_.wal_size)};
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
      if (rows.bytes() > kMostCollected)
        return fail(Code::too_large,
                    "the rows of one query take more than " + std::to_string(kMostCollected) + " bytes", path_);
    }
    if (step != SQLITE_DONE) return failed();
    return {};
  }

 private:
  Failure unreadable(std::string_view reason) const {
    const std::string cut = describe_cut(path_);
    std::string message(kDatabaseUnreadable);
    return fail(Code::corrupt, cut.empty() ? message.append(reason) : message.append(kDatabaseCut).append(cut), path_);
  }

  Failure failed() const {
    const int code = sqlite3_errcode(database_);
    const std::string reason = sqlite3_errmsg(database_);
    if (!stopped_.view.empty())
      return fail(Code::corrupt, "a view is in the place of a table and is not read: " + stopped_.view, path_);
    if (stopped_.out_of_steps)
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
  bool partial_ = false;  // only a part of the schema could be read
  Stopped stopped_;       // SQLite keeps a pointer to it
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
