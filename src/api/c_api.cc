// holdfast.h: the Client for C. A header before each returned pointer says what it points to, so one function can
// free them all.
#include <holdfast.h>
#include <holdfast/client.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>

#include "api/error_json.h"
#include "api/guarded.h"
#include "api/own_process.h"
#include "base/mutex.h"
#include "base/version.h"
#include "model/members.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/json_value.h"

using namespace holdfast;

namespace {

enum class Given : std::uint64_t { text = 0x686f6c6474787431, client = 0x686f6c64636c6931 };

struct alignas(std::max_align_t) Head {
  Given what;
};

// NULL if out of memory.
char* given_text(std::string_view text) noexcept {
  void* const block = std::malloc(sizeof(Head) + text.size() + 1);
  if (block == nullptr) return nullptr;
  new (block) Head{Given::text};
  char* const bytes = static_cast<char*>(block) + sizeof(Head);
  std::memcpy(bytes, text.data(), text.size());
  bytes[text.size()] = '\0';
  return bytes;
}

int answer_with(const Result<std::string>& result, char** answer) noexcept {
  char* given = nullptr;
  if (result) {
    given = given_text(*result);
  } else {
    const auto text = guarded([&]() -> Result<std::string> { return error_json(result.error()); });
    if (text) given = given_text(*text);
  }
  if (answer != nullptr)
    *answer = given;
  else
    hf_free(given);
  return result && (given != nullptr || answer == nullptr) ? 0 : 1;
}

Result<std::string> word_of(JsonView value, const std::string& name) {
  auto word = value.as_string();
  if (!word) return fail(Code::invalid_argument, name + " must be a string");
  if (!json_string_is_text(value.raw())) return fail(Code::invalid_argument, name + " " + std::string(kNoText));
  return *std::move(word);
}

Result<ClientOptions> options_of(const char* text) {
  const std::string_view json = text == nullptr ? "" : text;
  if (const JsonCheck check = check_json(json); !check.ok() || JsonView(json).kind() != JsonKind::object)
    return fail(Code::invalid_argument, "the options are not a JSON object");
  ClientOptions options;
  for (const JsonItem& field : JsonView(json).fields()) {
    if (field.key_is("stores")) {
      if (field.value.kind() != JsonKind::array)
        return fail(Code::invalid_argument, "stores must be an array of LAYOUT:ROOT");
      for (const JsonItem& store : field.value.elements()) {
        HOLDFAST_LET(word, word_of(store.value, "a store"));
        options.stores.push_back(std::move(word));
      }
    } else if (field.key_is("home") || field.key_is("cache")) {
      HOLDFAST_LET(word, word_of(field.value, field.key()));
      (field.key_is("home") ? options.home : options.cache) = std::move(word);
    } else {
      return fail(Code::invalid_argument,
                  "there is no option " + field.key() + "; the options are home, stores and cache");
    }
  }
  return options;
}

}  // namespace

struct hf_client {
  Head head{Given::client};  // hf_free finds it before the pointer that callers have
  OwnProcess process;        // checked before the mutex, which a thread of the parent may have held at a fork
  std::unique_ptr<Client> client;
  Mutex mutex;
  std::multimap<std::uint64_t, std::stop_source> running HOLDFAST_GUARDED_BY(mutex);

  Result<std::string> run(std::uint64_t tag, const char* method, const char* params, hf_item take, void* data) {
    if (method == nullptr) return fail(Code::invalid_argument, "no method given");
    HOLDFAST_TRY(process.check());
    Context context;
    const auto at = begin(tag);
    context.stop = at->second.get_token();
    const std::string_view given = params == nullptr ? "" : params;
    auto answer = take == nullptr ? client->call(context, method, given)
                                  : client->stream(context, method, given, [&](std::string_view item) {
                                      return take(data, std::string(item).c_str()) != 0;
                                    });
    const ScopedLock lock(mutex);
    running.erase(at);
    return answer;
  }
  std::multimap<std::uint64_t, std::stop_source>::iterator begin(std::uint64_t tag) {
    const ScopedLock lock(mutex);
    return running.emplace(tag, std::stop_source());
  }
};

namespace {

// Callers hold the address after the header, for clients and texts alike.
hf_client* outside(hf_client* client) {
  return reinterpret_cast<hf_client*>(reinterpret_cast<char*>(client) + sizeof(Head));
}
hf_client* inside(hf_client* client) {
  return reinterpret_cast<hf_client*>(reinterpret_cast<char*>(client) - sizeof(Head));
}

int run(hf_client* client, std::uint64_t tag, const char* method, const char* params, hf_item take, void* data,
        char** answer) noexcept {
  if (answer != nullptr) *answer = nullptr;
  if (client == nullptr) return answer_with(fail(Code::invalid_argument, "the client is NULL"), answer);
  return answer_with(guarded([&] { return inside(client)->run(tag, method, params, take, data); }), answer);
}

}  // namespace

extern "C" {

int hf_open(const char* options, hf_client** client, char** error) {
  if (error != nullptr) *error = nullptr;
  if (client == nullptr) return answer_with(fail(Code::invalid_argument, "the pointer for the client is NULL"), error);
  *client = nullptr;
  const auto opened = guarded([&]() -> Result<std::string> {
    HOLDFAST_LET(wanted, options_of(options));
    HOLDFAST_LET(made, Client::open(wanted));
    auto one = std::make_unique<hf_client>();
    one->client = std::move(made);
    *client = outside(one.release());
    return std::string();
  });
  return opened ? 0 : answer_with(opened, error);
}

int hf_call(hf_client* client, uint64_t tag, const char* method, const char* params, char** answer) {
  return run(client, tag, method, params, nullptr, nullptr, answer);
}

int hf_stream(hf_client* client, uint64_t tag, const char* method, const char* params, hf_item take, void* data,
              char** answer) {
  if (answer != nullptr) *answer = nullptr;
  if (take == nullptr) return answer_with(fail(Code::invalid_argument, "there is no callback for the items"), answer);
  return run(client, tag, method, params, take, data, answer);
}

void hf_cancel(hf_client* client, uint64_t tag) {
  if (client == nullptr || tag == 0) return;
  hf_client& one = *inside(client);
  if (!one.process.is_this()) return;
  const ScopedLock lock(one.mutex);
  const auto [first, last] = one.running.equal_range(tag);
  for (auto at = first; at != last; ++at) at->second.request_stop();
}

void hf_free(void* what) {
  if (what == nullptr) return;
  Head* const head = reinterpret_cast<Head*>(static_cast<char*>(what) - sizeof(Head));
  if (head->what == Given::text) {
    std::free(head);
  } else if (head->what == Given::client) {
    hf_client* const client = reinterpret_cast<hf_client*>(head);
    if (client->process.is_this()) delete client;
  }
}

const char* hf_version(void) { return HOLDFAST_VERSION; }

}  // extern "C"
