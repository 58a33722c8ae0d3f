// The table of operations (docs/api.md) for programs: a method and its
// parameters go in as JSON, and so does the answer come out. holdfast/api.h has a
// typed function for each operation, made of this.
//
// Durability: what changes a store is durable (power) when the call returns,
// unless it was asked for less. Thread-safety: any thread, any number of calls at
// a time. Lifetime: the FileSystem outlives the Client; destruction ends what is open.
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
  std::vector<std::string> stores = {};  // "LAYOUT:ROOT": what calls look at that name no store
  std::string home = {};                 // what they write to; the first of `stores` when empty; made when absent
  std::string cache = {};                // a directory for derived data; empty: none is kept
  FileSystem* files = nullptr;           // the real one when null
};

class HOLDFAST_EXPORT Client {
 public:
  // invalid_argument: no store at all, or one that is not spelled LAYOUT:ROOT. Opens nothing yet.
  static Result<std::unique_ptr<Client>> open(const ClientOptions& options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // One JSON object with "schema_version" on one line. `params`: the text of a JSON object, or nothing.
  Result<std::string> call(const Context& context, std::string_view method, std::string_view params = {});

  // The same for a stream: `take` gets its items, each a JSON object, until it says false, the stream ends or the
  // context does. On the thread of the caller.
  Result<std::string> stream(const Context& context, std::string_view method, std::string_view params,
                             const std::function<bool(std::string_view item)>& take);

  // Ends what is open and says whether that worked. The destructor does the same, without a word.
  Result<void> close(const Context& context);

 private:
  struct Impl;
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::inline v1
