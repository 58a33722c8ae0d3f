// holdfast.h for Node, using only the stable N-API. Calls run on their own threads, never on Node's loop or on the few
// threads of libuv, which a slow disk would use up. Answers come back through one threadsafe function per client.
// This file handles only threads; promises and iterators are in lib/index.js.
//
// A client lives as long as a thread or JavaScript needs it. It ends by close(), when it is collected, or with the
// environment. In the last two cases, running calls are cancelled and waited for, so that nothing is left half done.
#include <holdfast.h>
#include <node_api.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>

namespace {

enum class Kind : int { answer, error, item, closed };

bool is_ascii(std::string_view text) {
  std::uint64_t all = 0, word = 0;
  for (; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    all |= word;
  }
  for (const char byte : text) all |= static_cast<unsigned char>(byte);
  return (all & 0x8080808080808080U) == 0;
}

struct Message {
  const std::uint64_t tag;
  const Kind kind;
  char* const given;  // allocated by the library
  const std::string own;
  const std::string_view text;
  const bool ascii;  // found out by the thread of the call, so that JavaScript's copies the text and nothing more

  Message(std::uint64_t whose, Kind what, char* from, std::string other)
      : tag(whose),
        kind(what),
        given(from),
        own(std::move(other)),
        text(given != nullptr ? std::string_view(given) : std::string_view(own)),
        ascii(is_ascii(text)) {}
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  ~Message() { hf_free(given); }
  napi_status make_string(napi_env env, napi_value* string) const {
    const auto make = ascii ? napi_create_string_latin1 : napi_create_string_utf8;
    return make(env, text.data(), text.size(), string);
  }
};

struct Job {
  std::uint64_t tag;
  std::string method, params;
};

struct Flow {
  int credit = 0;
  bool over = false;
};

constexpr std::size_t kMaxThreads = 16;
constexpr int kWindow = 64;  // items in flight to JavaScript

struct Client : std::enable_shared_from_this<Client> {
  hf_client* handle = nullptr;
  napi_threadsafe_function tell = nullptr;
  std::mutex mutex;
  std::condition_variable wake, done;
  std::deque<Job> jobs;
  std::size_t threads = 0, idle = 0;
  std::set<std::uint64_t> running;
  std::map<std::uint64_t, Flow> flows;
  bool ending = false, freed = false, closed = false;

  void post(std::uint64_t tag, Kind kind, char* given, std::string own = {}) {
    auto message = std::make_unique<Message>(tag, kind, given, std::move(own));
    if (napi_call_threadsafe_function(tell, message.get(), napi_tsfn_nonblocking) == napi_ok) message.release();
  }

  void run(const Job& job) {
    char* answer = nullptr;
    const int failed = hf_call(handle, job.tag, job.method.c_str(), job.params.c_str(), &answer);
    post(job.tag, failed != 0 ? Kind::error : Kind::answer, answer);
  }

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      ++idle;
      wake.wait(lock, [this] { return ending || !jobs.empty(); });
      --idle;
      if (jobs.empty()) break;
      const Job job = std::move(jobs.front());
      jobs.pop_front();
      running.insert(job.tag);
      lock.unlock();
      run(job);
      lock.lock();
      running.erase(job.tag);
    }
    --threads;
    done.notify_all();
  }

  bool start(void (Client::*what)(Job), Job job) {
    try {
      ++threads;
      std::thread([self = shared_from_this(), what, job = std::move(job)] { ((*self).*what)(job); }).detach();
      return true;
    } catch (...) {
      --threads;
      return false;
    }
  }

  void serve(Job) { work(); }

  // Returns false if the client is ending, or if no thread can run the job.
  bool call(Job job) {
    const std::scoped_lock lock(mutex);
    if (ending) return false;
    jobs.push_back(std::move(job));
    if (idle >= jobs.size() || threads >= kMaxThreads + flows.size() || start(&Client::serve, {})) {
      wake.notify_one();
      return true;
    }
    if (threads > flows.size()) return true;  // an existing thread takes it
    jobs.pop_back();
    return false;
  }

  static int take(void* data, const char* item) {
    auto& [client, tag] = *static_cast<std::pair<Client*, std::uint64_t>*>(data);
    std::unique_lock lock(client->mutex);
    Flow& flow = client->flows[tag];
    client->wake.wait(lock, [&] { return flow.over || flow.credit > 0; });
    if (flow.over) return 0;
    --flow.credit;
    lock.unlock();
    client->post(tag, Kind::item, nullptr, item);
    return 1;
  }

  void flow(Job job) {
    std::pair<Client*, std::uint64_t> who{this, job.tag};
    char* answer = nullptr;
    const int failed = hf_stream(handle, job.tag, job.method.c_str(), job.params.c_str(), &take, &who, &answer);
    post(job.tag, failed != 0 ? Kind::error : Kind::answer, answer);
    const std::scoped_lock lock(mutex);
    flows.erase(job.tag);
    running.erase(job.tag);
    --threads;
    done.notify_all();
  }

  bool stream(Job job) {
    const std::scoped_lock lock(mutex);
    if (ending) return false;
    const std::uint64_t tag = job.tag;
    flows[tag].credit = kWindow;
    running.insert(tag);
    if (start(&Client::flow, std::move(job))) return true;
    flows.erase(tag);
    running.erase(tag);
    return false;
  }

  void credit(std::uint64_t tag, int more) {
    const std::scoped_lock lock(mutex);
    if (const auto at = flows.find(tag); at != flows.end()) at->second.credit += more;
    wake.notify_all();
  }

  void cancel(std::uint64_t tag) {
    const std::scoped_lock lock(mutex);
    if (freed) return;
    for (auto at = jobs.begin(); at != jobs.end(); ++at) {
      if (at->tag != tag) continue;
      jobs.erase(at);
      post(tag, Kind::error, nullptr, R"({"error":{"code":"cancelled","message":"cancelled before it began"}})");
      return;
    }
    if (const auto at = flows.find(tag); at != flows.end()) at->second.over = true;
    wake.notify_all();
    hf_cancel(handle, tag);
  }

  // With `at_once`, cancels running calls and drops waiting ones. Streams always end.
  void close(bool at_once) {
    {
      const std::scoped_lock lock(mutex);
      if (freed) return;
      if (at_once) {
        jobs.clear();
        for (const std::uint64_t tag : running) hf_cancel(handle, tag);
      }
      for (auto& [tag, flow] : flows) {
        flow.over = true;
        hf_cancel(handle, tag);
      }
      wake.notify_all();
      if (ending) return;
      ending = true;
    }
    try {
      std::thread([self = shared_from_this()] { self->finish(); }).detach();
    } catch (...) {
      finish();
    }
  }

  void finish() {
    {
      std::unique_lock lock(mutex);
      done.wait(lock, [this] { return threads == 0; });
      freed = true;
    }
    hf_free(handle);  // closes writers, which may wait for the disk
    post(0, Kind::closed, nullptr);
    napi_release_threadsafe_function(tell, napi_tsfn_release);
    const std::scoped_lock lock(mutex);
    closed = true;
    done.notify_all();
  }

  void wait_closed() {
    std::unique_lock lock(mutex);
    done.wait(lock, [this] { return closed; });
  }
};

// ---- Called on the JavaScript thread of the environment

// Registered after the threadsafe function, so it runs before that function is destroyed.
void end_with_environment(void* data) {
  auto& client = *static_cast<std::shared_ptr<Client>*>(data);
  client->close(true);
  client->wait_closed();
}

void tell_javascript(napi_env env, napi_value callback, void*, void* data) {
  const std::unique_ptr<Message> message(static_cast<Message*>(data));
  if (env == nullptr || callback == nullptr) return;
  napi_value arguments[3], undefined;
  napi_get_undefined(env, &undefined);
  napi_create_double(env, static_cast<double>(message->tag), &arguments[0]);
  napi_create_int32(env, static_cast<int>(message->kind), &arguments[1]);
  if (message->make_string(env, &arguments[2]) != napi_ok) {
    // The text is longer than a JavaScript string can be.
    napi_value pending;
    bool threw = false;
    if (napi_is_exception_pending(env, &threw) == napi_ok && threw) napi_get_and_clear_last_exception(env, &pending);
    napi_create_int32(env, static_cast<int>(Kind::error), &arguments[1]);
    napi_create_string_utf8(env, R"({"error":{"code":"too_large","message":"the answer is too long for a string"}})",
                            NAPI_AUTO_LENGTH, &arguments[2]);
  }
  napi_call_function(env, undefined, callback, 3, arguments, nullptr);
}

std::string text_of(napi_env env, napi_value value) {
  std::size_t size = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &size) != napi_ok) return {};
  std::string text(size, '\0');
  napi_get_value_string_utf8(env, value, text.data(), size + 1, &size);
  return text;
}

struct Arguments {
  napi_value values[4] = {};
  std::shared_ptr<Client>* client = nullptr;

  Arguments(napi_env env, napi_callback_info info, bool with_client = true) : env_(env) {
    std::size_t count = 4;
    napi_get_cb_info(env, info, &count, values, nullptr, nullptr);
    void* data = nullptr;
    if (with_client && napi_get_value_external(env, values[0], &data) == napi_ok)
      client = static_cast<std::shared_ptr<Client>*>(data);
  }
  std::string text(int at) const { return text_of(env_, values[at]); }
  double number(int at) const {
    double value = 0;
    napi_get_value_double(env_, values[at], &value);
    return value;
  }
  std::uint64_t tag() const { return static_cast<std::uint64_t>(number(1)); }

 private:
  napi_env env_;
};

napi_value nothing(napi_env env) {
  napi_value value = nullptr;
  napi_get_undefined(env, &value);
  return value;
}

napi_value boolean(napi_env env, bool yes) {
  napi_value value = nullptr;
  napi_get_boolean(env, yes, &value);
  return value;
}

// JavaScript has released the client, but its threads may still run. The environment waits for them if it ends first.
void collected(napi_env, void* data, void*) {
  const std::unique_ptr<std::shared_ptr<Client>> client(static_cast<std::shared_ptr<Client>*>(data));
  (*client)->close(true);
}

// Called when the threadsafe function is destroyed. No thread of the client is left.
void told_all(napi_env env, void* data, void*) {
  const std::unique_ptr<std::shared_ptr<Client>> client(static_cast<std::shared_ptr<Client>*>(data));
  napi_remove_env_cleanup_hook(env, end_with_environment, data);
}

// open(options, tell): returns a client, or the error as JSON text.
napi_value open(napi_env env, napi_callback_info info) {
  const Arguments given(env, info, false);
  auto client = std::make_shared<Client>();
  char* error = nullptr;
  if (hf_open(given.text(0).c_str(), &client->handle, &error) != 0) {
    napi_value text = nullptr;
    napi_create_string_utf8(env, error != nullptr ? error : "{}", NAPI_AUTO_LENGTH, &text);
    hf_free(error);
    return text;
  }
  napi_value name = nullptr, handle = nullptr;
  napi_create_string_utf8(env, "holdfast", NAPI_AUTO_LENGTH, &name);
  auto* const hooked = new std::shared_ptr<Client>(client);
  if (napi_create_threadsafe_function(env, given.values[1], nullptr, name, 0, 1, hooked, told_all, nullptr,
                                      tell_javascript, &client->tell) != napi_ok) {
    delete hooked;
    hf_free(client->handle);
    napi_throw_error(env, nullptr, "no threadsafe function");
    return nullptr;
  }
  napi_unref_threadsafe_function(env, client->tell);
  napi_add_env_cleanup_hook(env, end_with_environment, hooked);
  napi_create_external(env, new std::shared_ptr<Client>(client), collected, nullptr, &handle);
  return handle;
}

Job job_of(const Arguments& given) { return {given.tag(), given.text(2), given.text(3)}; }

napi_value call(napi_env env, napi_callback_info info) {
  const Arguments given(env, info);
  return boolean(env, given.client != nullptr && (*given.client)->call(job_of(given)));
}

napi_value stream(napi_env env, napi_callback_info info) {
  const Arguments given(env, info);
  return boolean(env, given.client != nullptr && (*given.client)->stream(job_of(given)));
}

napi_value credit(napi_env env, napi_callback_info info) {
  const Arguments given(env, info);
  if (given.client != nullptr) (*given.client)->credit(given.tag(), static_cast<int>(given.number(2)));
  return nothing(env);
}

napi_value cancel(napi_env env, napi_callback_info info) {
  const Arguments given(env, info);
  if (given.client != nullptr) (*given.client)->cancel(given.tag());
  return nothing(env);
}

napi_value close(napi_env env, napi_callback_info info) {
  const Arguments given(env, info);
  if (given.client != nullptr) (*given.client)->close(false);
  return nothing(env);
}

// hold(client, yes): sets whether the client keeps the process alive.
napi_value hold(napi_env env, napi_callback_info info) {
  const Arguments given(env, info);
  bool yes = false;
  napi_get_value_bool(env, given.values[1], &yes);
  if (given.client == nullptr) return nothing(env);
  const std::scoped_lock lock((*given.client)->mutex);
  if ((*given.client)->freed) return nothing(env);
  if (yes)
    napi_ref_threadsafe_function(env, (*given.client)->tell);
  else
    napi_unref_threadsafe_function(env, (*given.client)->tell);
  return nothing(env);
}

napi_value version(napi_env env, napi_callback_info) {
  napi_value text = nullptr;
  napi_create_string_utf8(env, hf_version(), NAPI_AUTO_LENGTH, &text);
  return text;
}

}  // namespace

NAPI_MODULE_INIT() {
  const struct {
    const char* name;
    napi_callback function;
  } functions[] = {{"open", open},     {"call", call},   {"stream", stream}, {"credit", credit},
                   {"cancel", cancel}, {"close", close}, {"hold", hold},     {"version", version}};
  for (const auto& one : functions) {
    napi_value function = nullptr;
    napi_create_function(env, one.name, NAPI_AUTO_LENGTH, one.function, nullptr, &function);
    napi_set_named_property(env, exports, one.name, function);
  }
  return exports;
}
