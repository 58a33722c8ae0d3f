#include "sync/pq_library.h"

#include <dlfcn.h>

namespace holdfast::inline v1 {
namespace {

class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  template <typename Function>
  void take(const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    if (function == nullptr && missing_.empty()) missing_ = name;
  }
  const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

}  // namespace

Result<PqLibrary> load_pq_library(const char* file) {
  void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return fail(Code::sync_transport_failed, std::string("a PostgreSQL remote needs ") + file +
                                                 ", which is not installed (Debian and Ubuntu: apt install libpq5)");
  PqLibrary pq = {};
  Symbols symbols(library);
  symbols.take("PQconnectStartParams", pq.connect_start_params);
  symbols.take("PQconnectPoll", pq.connect_poll);
  symbols.take("PQfinish", pq.finish);
  symbols.take("PQstatus", pq.status);
  symbols.take("PQsocket", pq.socket);
  symbols.take("PQerrorMessage", pq.error_message);
  symbols.take("PQpass", pq.pass);
  symbols.take("PQsslInUse", pq.ssl_in_use);
  symbols.take("PQconninfo", pq.conninfo);
  symbols.take("PQconninfoParse", pq.conninfo_parse);
  symbols.take("PQconninfoFree", pq.conninfo_free);
  symbols.take("PQfreemem", pq.freemem);
  symbols.take("PQsetErrorVerbosity", pq.set_error_verbosity);
  symbols.take("PQsetNoticeProcessor", pq.set_notice_processor);
  symbols.take("PQsetnonblocking", pq.set_nonblocking);
  symbols.take("PQsendQueryParams", pq.send_query_params);
  symbols.take("PQsetSingleRowMode", pq.set_single_row_mode);
  symbols.take("PQflush", pq.flush);
  symbols.take("PQconsumeInput", pq.consume_input);
  symbols.take("PQisBusy", pq.is_busy);
  symbols.take("PQgetResult", pq.get_result);
  symbols.take("PQresultStatus", pq.result_status);
  symbols.take("PQresultErrorField", pq.result_error_field);
  symbols.take("PQcmdTuples", pq.cmd_tuples);
  symbols.take("PQntuples", pq.ntuples);
  symbols.take("PQnfields", pq.nfields);
  symbols.take("PQgetisnull", pq.getisnull);
  symbols.take("PQgetlength", pq.getlength);
  symbols.take("PQgetvalue", pq.getvalue);
  symbols.take("PQclear", pq.clear);
  if (symbols.missing().empty()) return pq;
  ::dlclose(library);
  return fail(Code::sync_transport_failed,
              std::string(file) + " is too old for a PostgreSQL remote: it has no " + symbols.missing());
}

Result<const PqLibrary*> pq_library() {
  static const Result<PqLibrary> loaded = load_pq_library("libpq.so.5");
  if (!loaded) return fail(loaded.error());
  return &*loaded;
}

}  // namespace holdfast::inline v1
