// The binary: words -> a plain struct -> run it -> an exit code.
#include <malloc.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "api/configuration_keys.h"
#include "api/document.h"
#include "api/guarded.h"
#include "api/own_configuration.h"
#include "api/stores.h"
#include "base/lock_rank.h"
#include "base/version.h"
#include "demo/report.h"
#include "doors/cli/args.h"
#include "doors/cli/complete.h"
#include "doors/cli/complete_command.h"
#include "doors/cli/doctor_command.h"
#include "doors/cli/help.h"
#include "doors/cli/operation_command.h"
#include "doors/cli/pager.h"
#include "doors/cli/pick_command.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/tail_command.h"
#include "doors/cli/terminal.h"
#include "doors/mcp/server.h"
#include "doors/rpc/server.h"

namespace {

using namespace holdfast;

// Gives freed memory back to the system: listing 100,000 sessions leaves 25 MiB of it.
void release_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

// For a door that stays open; a named store replaces all others. A door that cannot create it (Use::read) refuses one
// that is not there, as ls does.
Result<StoreSettings> settings_for(const std::string& store, Use use) {
  HOLDFAST_LET(settings, default_stores(process_environment()));
  settings.looks_everywhere = use == Use::read;
  if (store.empty() && settings.current_defaults) return settings;  // none is named, not even by the configuration
  StoreOptions named = settings.home;
  if (!store.empty()) {
    HOLDFAST_LET(given, parse_store_name(store));
    named = std::move(given);
  }
  if (use == Use::read) {
    Stores stores(settings);
    HOLDFAST_TRY(stores.open({}, named, use));
  }
  settings.defaults = {named};
  settings.current_defaults = nullptr;
  settings.home = std::move(named);
  return settings;
}

class Run {
 public:
  Run(const Invocation& invocation, bool json) : colour_(invocation.colour), pager_(invocation.pager), json_(json) {}

  Result<int> operator()(const ShowOverview&) const { return run_overview(json_, colour_); }
  Result<int> operator()(const ShowVersion&) const {
    return json_ ? out(R"({"schema_version":1,"version":")" HOLDFAST_VERSION "\"}\n", OutputKind::json)
                 : out("holdfast " HOLDFAST_VERSION "\n", OutputKind::text);
  }
  Result<int> operator()(const ShowHelp& help) const {
    return help.markdown ? out(help_markdown(), OutputKind::data) : paged(help_text(help.command));
  }
  Result<int> operator()(const ShowCompletions& request) const {
    return out(completion_script(request.shell), OutputKind::data);
  }
  Result<int> operator()(const ShowManual& request) const { return run_manual(request); }
  Result<int> operator()(const RunDoctor& request) const { return run_doctor(request, json_, colour_); }
  Result<int> operator()(const PickSession& request) const { return run_pick(request, json_, colour_, pager_); }
  Result<int> operator()(const ResumeSession& request) const { return run_resume(request, json_); }
  Result<int> operator()(const Configure& request) const { return run_config(request, json_); }
  Result<int> operator()(const CompleteLine& line) const { return run_complete(line); }
  Result<int> operator()(const ShowApi& api) const {
    return api.markdown ? out(api_markdown(), OutputKind::data)
           : json_      ? out(api_json(), OutputKind::json)
                        : out(api_text(), OutputKind::text);
  }
  Result<int> operator()(const InitStore& init) const { return run_init(init, json_, colour_); }
  Result<int> operator()(const CallMethod& call) const { return run_call(call); }
  Result<int> operator()(const ServeRpc& serve) const {
    const Interrupts interrupts;
    RpcOptions options;
    options.stop = interrupts.token();
    HOLDFAST_LET(settings, settings_for(serve.store, Use::create));
    options.settings = std::move(settings);
    HOLDFAST_TRY(serve_rpc(std::move(options)));
    return 0;
  }
  Result<int> operator()(const ServeMcp& serve) const {
    const Interrupts interrupts;
    McpOptions options;
    options.stop = interrupts.token();
    HOLDFAST_LET(settings, settings_for(serve.store, Use::read));
    options.settings = std::move(settings);
    options.own_session = serve.own_session;
    options.write = serve.write;
    options.warn = [](const std::string& text) { print_error("warning: " + text + "\n"); };
    HOLDFAST_TRY(serve_mcp(std::move(options)));
    return 0;
  }
  Result<int> operator()(const ServeHttp& serve) const {
    HOLDFAST_LET(settings, settings_for(serve.store, Use::read));
    return run_serve(serve, std::move(settings), json_, release_memory);
  }
  Result<int> operator()(const TailSession& request) const { return run_tail(request, json_, colour_); }
  Result<int> operator()(const RunOperation& operation) const {
    return run_operation(operation, {json_, pager_, colour_});
  }
  Result<int> operator()(const HoldLease& request) const { return run_lease_holder(request); }
  Result<int> operator()(const DemoWriterOptions& options) const { return run_writer(options); }
  Result<int> operator()(DemoOptions options) const {
    const Interrupts interrupts;
    Context context;
    context.stop = interrupts.token();
    options.base = temporary_base();
    const Screen screen = screen_for(colour_, json_);
    HOLDFAST_LET(report, run_demo(context, options, screen));
    HOLDFAST_TRY(json_ ? out(report_json(report), OutputKind::json)
                       : out(report_text(report, screen.colour), OutputKind::text));
    return report.findings.good() ? 0 : 4;
  }

 private:
  static Result<int> out(std::string_view text, OutputKind what) {
    HOLDFAST_TRY(print_out(text, what));
    return 0;
  }

  Result<int> paged(std::string_view text) const {
    HOLDFAST_TRY(print_paged(text, OutputKind::text, pager_));
    return 0;
  }

  ColourChoice colour_;
  bool pager_;
  bool json_;
};

// An unknown key is usually a typo. The command itself reports a file that cannot be read at all.
template <typename Action>
void warn_of_configuration(const Action& action) {
  if (std::holds_alternative<Configure>(action) || std::holds_alternative<CompleteLine>(action) ||
      std::holds_alternative<HoldLease>(action) || std::holds_alternative<DemoWriterOptions>(action))
    return;
  const Environment env = process_environment();
  const auto unknown = unknown_settings(env);
  const auto file = own_configuration_file(env);
  if (!unknown || !file) return;
  for (const std::string& name : *unknown) print_error("warning: " + *file + ": " + unknown_key_words(name) + "\n");
}

Result<int> run(const std::vector<std::string>& words, bool json) {
  HOLDFAST_LET(invocation, parse_arguments(words));
  allow_colours(screen_for(invocation.colour, json).colour);
  warn_of_configuration(invocation.action);
  return std::visit(Run(invocation, json), invocation.action);
}

[[noreturn]] void abort_on_lock_complaint(const char* text) noexcept {
  print_error(text);
  std::abort();
}

}  // namespace

int main(int count, char** arguments) {
  const auto held = reserve_standard_descriptors();
#if defined(__GLIBC__)
  // Allocate memory in large steps and keep it for the next session instead of
  // returning it: a list of thousands takes 5 % less time.
  ::mallopt(M_TOP_PAD, 1 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 512 << 10);
  ::mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
  // Set by tests; a user's process never aborts because of this.
  if (::getenv("HOLDFAST_LOCK_ORDER") != nullptr) set_lock_complaint(abort_on_lock_complaint);
  ::signal(SIGPIPE, SIG_IGN);  // write fails instead, and everything is still cleaned up
  ::signal(SIGXFSZ, SIG_IGN);  // likewise for a file over the size limit: disk_full
  const std::vector<std::string> words(arguments + std::min(count, 1), arguments + count);
  // Commands for programs answer in JSON, errors included.
  const bool json = std::ranges::find(words, "--json") != words.end() ||
                    (!words.empty() && (words.front() == "call" || words.front() == "rpc"));
  const auto result = guarded([&]() -> Result<int> {
    HOLDFAST_TRY(held);
    return run(words, json);
  });
  if (result) return *result;
  print_error(error_text(result.error(), json));
  return exit_code_of(result.error().code);
}
