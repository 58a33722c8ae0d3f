#include "doors/cli/serve_command.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <optional>

#include "api/dispatch.h"
#include "api/entry_page.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/terminal.h"
#include "doors/http/server.h"
#include "text/json_write.h"
#include "text/percent.h"

namespace holdfast::inline v1 {
namespace {

// Runs it directly, without a shell. Returns false if it is not installed. It is unknown whether a window opened, so
// the address is printed anyway.
bool open_browser(std::string file) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaddset(&usual, signal);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setpgroup(&attributes, 0);  // Ctrl-C is not for it
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string program = "xdg-open";
  std::array<char*, 3> words{program.data(), file.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, program.c_str(), &files, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  return failed == 0;
}

// What the page shows first, as the query of its address.
std::string query_of(const ServeHttp& request) {
  return request.remote.empty() ? std::string() : "?remote=" + percent_encoded(request.remote);
}

// The path of a socket is no URL.
std::string address_json(const ServeHttp& request, const HttpOptions::Address& address) {
  JsonWriter json;
  json.begin_object().key("schema_version").int64(1).key("url");
  request.socket.empty() ? json.string(address.url) : json.null().key("socket").string(address.url);
  json.key("code").string(address.code);
  return json.key("token").string(address.token).end_object().take() + "\n";
}

// Returns why no browser was opened; empty if one was. Without the page none is: its command line would reveal the
// address to everybody.
std::string open_through_page(FileSystem& files, const std::string& entry, std::optional<EntryPage>& page) {
  const std::string port = entry.substr(entry.rfind(':') + 1);
  const std::string name = "serve-" + port.substr(0, port.find('/')) + ".html";
  auto made = EntryPage::make(files, process_environment().variable, name, entry);
  if (!made) return made.error().text();
  page.emplace(std::move(*made));
  return open_browser(page->path()) ? "" : "there is no xdg-open to open a browser with";
}

Result<void> tell(const ServeHttp& request, const HttpOptions::Address& address, bool json, FileSystem& files,
                  std::optional<EntryPage>& page) {
  if (json) return print_out(address_json(request, address), OutputKind::json);
  if (!request.socket.empty()) {
    HOLDFAST_TRY(print_out(address.url + "#code=" + address.code + "\n", OutputKind::text));
    print_error("holdfast: listening on a socket; run ssh -L 8000:" + address.url +
                " HOST, then open http://localhost:8000/" + query_of(request) + "#code=" + address.code + "\n");
    return {};
  }
  const std::string entry = address.url + query_of(request) + "#code=" + address.code;
  if (!request.open) return print_out(entry + "\n", OutputKind::text);
  const std::string why_not = open_through_page(files, entry, page);
  print_error("holdfast: " + (why_not.empty() ? "opening " : why_not + "; open it yourself: ") + entry +
              "\nholdfast: the address works for one browser only; press Ctrl-C to stop the server\n");
  return {};
}

// Fails if the remote cannot be listed: there is none, it has no server, nobody has indexed it.
Result<void> check_remote(const Context& context, const StoreSettings& settings, const std::string& name) {
  if (name.empty()) return {};
  Stores stores(settings);
  const std::string params =
      JsonWriter().begin_object().key("remote").string(name).key("limit").int64(1).end_object().take();
  HOLDFAST_TRY(dispatch(context, stores, "session.list", params));
  return {};
}

}  // namespace

Result<int> run_serve(const ServeHttp& request, StoreSettings settings, bool json, std::function<void()> idle) {
  const Interrupts interrupts;
  std::optional<EntryPage> page;  // lives until the server ends
  FileSystem& files = *settings.files;
  Context context;
  context.stop = interrupts.token();
  HOLDFAST_TRY(check_remote(context, settings, request.remote));
  HttpOptions options;
  options.settings = std::move(settings);
  if (!request.bind.empty()) options.bind = request.bind;
  options.port = request.port;
  options.socket = request.socket;
  options.write = request.write;
  options.stop = interrupts.token();
  options.idle = std::move(idle);
  options.ready = [&](const HttpOptions::Address& address) { return tell(request, address, json, files, page); };
  HOLDFAST_TRY(serve_http(std::move(options)));
  return 0;
}

}  // namespace holdfast::inline v1
