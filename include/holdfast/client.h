// The table of operations (docs/api.md) for programs: takes a method and its
// parameters as JSON, and returns the answer as JSON. holdfast/api.h has a typed
// function for each operation, built on this class.
//
// Durability: a change to a store is durable (power) when the call returns, unless
// the call asked for less. Thread-safety: any thread, any number of calls at a
// time. Lifetime: the FileSystem must outlive the Client; the destructor closes what is open.
// Fork: a Client belongs to the process that opened it. In a child made by fork its calls
// fail with invalid_argument, and the destructor closes nothing: the parent keeps its leases.
#pragma once

#include <holdfast/context.h>
#include <holdfast/export.h>
#include <holdfast/file_system.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::inline v1 {

struct ClientOptions {
  std::vector<std::string> stores = {};  // "LAYOUT:ROOT": read by calls that name no store
  std::string home = {};                 // written by such calls, created if absent; if empty, the first of `stores`
  std::string cache = {};                // a directory for derived data; if empty, none is kept
  FileSystem* files = nullptr;           // the real one if null
};

class HOLDFAST_EXPORT Client {
 public:
  // Fails with invalid_argument if no store is given, or one is not of the form LAYOUT:ROOT. Opens nothing yet.
  static Result<std::unique_ptr<Client>> open(const ClientOptions& options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Returns one JSON object with "schema_version", on one line. `params` is the text of a JSON object, or empty.
  Result<std::string> call(const Context& context, std::string_view method, std::string_view params = {});

  // The same for a stream: calls `take` with each item, a JSON object, on the calling thread, until it returns false,
  // the stream ends, or the context is stopped or expires. Fails with invalid_argument, and does nothing, if the
  // operation is not a stream.
  Result<std::string> stream(const Context& context, std::string_view method, std::string_view params,
                             const std::function<bool(std::string_view item)>& take);

  // Closes what is open and returns whether that worked. The destructor does the same but ignores errors.
  Result<void> close(const Context& context);

 private:
  struct Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
