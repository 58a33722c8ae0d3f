#include "doors/cli/complete_command.h"

#include <unistd.h>

#include "api/dispatch.h"
#include "doors/cli/complete.h"
#include "doors/cli/manual.h"
#include "doors/cli/pager.h"
#include "doors/cli/process_environment.h"
#include "doors/cli/render_cells.h"
#include "doors/cli/resume_command.h"
#include "doors/cli/terminal.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

std::vector<Candidate> newest_sessions() {
  std::vector<Candidate> all;
  auto settings = default_stores(process_environment());
  if (!settings) return all;
  Stores stores(std::move(*settings));
  const auto answer = dispatch({}, stores, "session.list", R"({"limit":200})");
  const std::string_view json = answer ? std::string_view(*answer) : "{}";
  for (const JsonItem& item : JsonView(json).find("sessions").elements()) {
    const JsonView session = item.value;
    std::string title = line_of(session.find("title"), 80);
    if (title.empty()) title = line_of(session.find("first_prompt"), 80);
    // An id that is not a plain word could become several words, or a command.
    const std::string id = session.find("id").as_string().value_or("");
    if (is_plain_word(id)) all.push_back({id, line_of(session.find("layout"), 80) + "  " + title});
  }
  return all;
}

std::vector<Candidate> known_stores() {
  std::vector<Candidate> all;
  const auto settings = default_stores(process_environment());
  if (!settings) return all;
  for (const StoreOptions& store : settings->defaults)
    if (is_plain_word(store_name(store))) all.push_back({store_name(store), ""});
  return all;
}

}  // namespace

Result<int> run_complete(const CompleteLine& line) {
  (void)print_out(completion_lines(complete_words(line.words, {newest_sessions, known_stores})), OutputKind::text);
  return 0;
}

Result<int> run_manual(const ShowManual& request) {
  std::string text;
  if (request.list) {
    for (const ManualPage& page : manual_pages()) text += page.name + "\n";
  } else {
    text = manual_page(request.topic);
    if (::isatty(STDOUT_FILENO) == 1 && print_through("exec man -l -", text)) return 0;
  }
  HOLDFAST_TRY(print_out(text, OutputKind::data));
  return 0;
}

}  // namespace holdfast::inline v1
