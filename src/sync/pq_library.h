// PostgreSQL's client library, loaded when the first remote of that kind is used: users without such a remote
// do not need it, and program start does not pay for it. Declares what libpq-fe.h declares, so a build does
// not need that header. Thread-safety: any thread. Lifetime: stays loaded.
#pragma once

#include <holdfast/error.h>

struct pg_conn;
struct pg_result;

namespace holdfast::inline v1 {

// One setting of a connection, with the layout of PQconninfoOption.
struct PqOption {
  const char* keyword;  // nullptr: end of the list
  const char* variable;
  const char* compiled;
  const char* value;  // nullptr: not set
  const char* label;
  const char* display;
  int size;
};

inline constexpr int kPqConnected = 0;                                            // ConnStatusType
inline constexpr int kPqPollFailed = 0, kPqPollReading = 1, kPqPollReady = 3;     // PostgresPollingStatusType
inline constexpr int kPqCommandDone = 1, kPqRowsDone = 2, kPqSingleRow = 9;       // ExecStatusType
inline constexpr int kPqVerbose = 2;                                              // PGVerbosity
inline constexpr int kPqSeverity = 'V', kPqSqlState = 'C', kPqPrimaryText = 'M';  // PG_DIAG_…

// Each member is the function PQ… of the same name.
struct PqLibrary {
  pg_conn* (*connect_start_params)(const char* const* keywords, const char* const* values, int expand);
  int (*connect_poll)(pg_conn*);
  void (*finish)(pg_conn*);
  int (*status)(const pg_conn*);
  int (*socket)(const pg_conn*);
  char* (*error_message)(const pg_conn*);
  char* (*pass)(const pg_conn*);
  int (*ssl_in_use)(pg_conn*);
  PqOption* (*conninfo)(pg_conn*);
  PqOption* (*conninfo_parse)(const char* text, char** error);
  void (*conninfo_free)(PqOption*);
  void (*freemem)(void*);
  int (*set_error_verbosity)(pg_conn*, int);
  void (*(*set_notice_processor)(pg_conn*, void (*)(void*, const char*), void*))(void*, const char*);
  int (*set_nonblocking)(pg_conn*, int);
  int (*send_query_params)(pg_conn*, const char* sql, int count, const unsigned* types, const char* const* values,
                           const int* lengths, const int* formats, int binary);
  int (*set_single_row_mode)(pg_conn*);
  int (*flush)(pg_conn*);
  int (*consume_input)(pg_conn*);
  int (*is_busy)(pg_conn*);
  pg_result* (*get_result)(pg_conn*);
  int (*result_status)(const pg_result*);
  char* (*result_error_field)(const pg_result*, int field);
  char* (*cmd_tuples)(pg_result*);
  int (*ntuples)(const pg_result*);
  int (*nfields)(const pg_result*);
  int (*getisnull)(const pg_result*, int row, int column);
  int (*getlength)(const pg_result*, int row, int column);
  char* (*getvalue)(const pg_result*, int row, int column);
  void (*clear)(pg_result*);
};

// Fails with sync_transport_failed if the library is not installed; the message says what to install.
Result<const PqLibrary*> pq_library();
Result<PqLibrary> load_pq_library(const char* file);

}  // namespace holdfast::inline v1
