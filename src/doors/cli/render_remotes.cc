#include "doors/cli/render_remotes.h"

#include <fmt/core.h>

#include <vector>

#include "doors/cli/local_time.h"
#include "doors/cli/render_cells.h"
#include "text/clean.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWidest = 1000;

std::int64_t number(JsonView object, std::string_view key) { return object.find(key).as_int64().value_or(0); }

std::string names_in(JsonView list) {
  std::string names;
  for (const JsonItem& item : list.elements()) names += (names.empty() ? "" : ", ") + line_of(item.value);
  return names;
}

std::string sent_words(JsonView sent) {
  std::string out = "sent " + counted(number(sent, "sessions"), "session");
  if (number(sent, "bytes") > 0) out += fmt::format(" ({} bytes)", number(sent, "bytes"));
  if (number(sent, "withdrawn") > 0) out += ", withdrew " + std::to_string(number(sent, "withdrawn"));
  if (number(sent, "cut") > 0) out += ", erased forgotten text from " + counted(number(sent, "cut"), "session");
  return out;
}

std::string repaired_words(JsonView sent) {
  const JsonView repaired = sent.find("repaired");
  if (!repaired) return {};
  return "repaired damage on the remote: " + counted(number(repaired, "segments"), "segment") + ", " +
         counted(number(repaired, "chunks"), "chunk");
}

std::string received_words(JsonView received) {
  std::string out = "received " + counted(number(received, "sessions"), "session");
  if (number(received, "fetched") > 0) out += ", fetched " + std::to_string(number(received, "fetched"));
  if (number(received, "chunks") > 0) out += fmt::format(" ({} bytes)", number(received, "bytes"));
  if (number(received, "withdrawn") > 0) out += fmt::format(", {} no longer shared", number(received, "withdrawn"));
  return out;
}

void add_run(std::string& out, JsonView remote) {
  const bool ok = remote.find("ok").as_bool().value_or(false);
  const JsonView received = remote.find("received");
  if (ok)
    out += "  " + sent_words(remote.find("sent")) + "; " + received_words(received) + "\n";
  else if (number(received, "sessions") + number(received, "fetched") + number(received, "withdrawn") > 0)
    out += "  " + received_words(received) + "\n";
  if (const std::string words = repaired_words(remote.find("sent")); ok && !words.empty()) out += "  " + words + "\n";
  if (number(received, "not_complete") > 0)
    out += "  the remote does not have all of " + counted(number(received, "not_complete"), "session") + " yet\n";
  if (const std::string names = names_in(remote.find("new_machines")); !names.empty())
    out += "  new here: " + names + "; run holdfast ls --machine " +
           (names.contains(',') ? std::string("all to list their sessions\n") : names + " to list its sessions\n");
  if (const std::string names = names_in(remote.find("already_read_by")); ok && !names.empty())
    out += "  erased data had already been read by: " + names + "\n";
  if (const std::string kept = line_of(remote.find("out_of_reach"), kWidest); ok && !kept.empty())
    out += "  out of reach: " + kept + "\n";
  if (!ok) out += "  failed: " + line_of(remote.find("error"), kWidest) + "\n";
}

void add_status(std::string& out, JsonView remote) {
  out += fmt::format("  this machine is {}; {} shared, {} published", line_of(remote.find("machine")),
                     counted(number(remote, "shared_projects"), "project"),
                     counted(number(remote, "published"), "session"));
  if (number(remote, "epoch") > 1) out += fmt::format(", epoch {}", number(remote, "epoch"));
  out += remote.find("unfinished").as_bool().value_or(false) ? "; a sync was interrupted; the next one resumes it\n"
                                                             : "\n";
  for (const JsonItem& item : remote.find("machines").elements()) {
    const JsonView machine = item.value;
    const std::string name = line_of(machine.find("machine"));
    const std::string trust = line_of(machine.find("trust"));
    out += fmt::format("  {}  {}, {} here{}\n", name.empty() ? line_of(machine.find("device")) : name,
                       counted(number(machine, "sessions"), "session"), number(machine, "here"),
                       trust == "seen" ? "" : ", " + trust);
  }
}

void add_settings(std::string& out, JsonView remote) {
  out += "  this machine is " + line_of(remote.find("machine")) + "\n";
  bool shares = false;
  for (const JsonItem& item : remote.find("shares").elements()) {
    const bool withheld = item.value.find("policy").is_string("withheld");
    shares = shares || !withheld;
    out += fmt::format("  {} {} ({}), {}\n", withheld ? "withholds" : "shares",
                       line_of(item.value.find("project"), kWidest), line_of(item.value.find("identity"), kWidest),
                       line_of(item.value.find("policy")));
  }
  if (!shares) out += "  shares nothing\n";
  for (const JsonItem& item : remote.find("devices").elements())
    out += fmt::format("  {}  device {}, {}\n", line_of(item.value.find("name")), line_of(item.value.find("id")),
                       line_of(item.value.find("trust")));
}

}  // namespace

std::string render_remotes(JsonView answer, const RenderStyle& style) {
  std::string out;
  for (const JsonItem& item : answer.find("remotes").elements()) {
    const JsonView remote = item.value;
    const bool ran = static_cast<bool>(remote.find("ok"));
    out += painted(style.colour, "1", line_of(remote.find(ran ? "remote" : "name")));
    if (!ran)
      out += "  " + line_of(remote.find("url"), kWidest) +
             (remote.find("encrypted").as_bool().value_or(false) ? ", encrypted" : "");
    out += "\n";
    if (ran)
      add_run(out, remote);
    else if (remote.find("machines"))
      add_status(out, remote);
    else
      add_settings(out, remote);
  }
  return out;
}

std::string render_sync_event(JsonView item) {
  const JsonView event = item.find("event");
  std::string out = clean_for_terminal(local_time(item.find("at").as_string().value_or("")), {.one_line = true}) +
                    "  " + line_of(item.find("remote")) + ": ";
  if (event.is_string("back")) return out + "reachable again\n";
  if (event.is_string("unreachable"))
    return out + "cannot be reached, trying again later: " + line_of(item.find("error"), kWidest) + "\n";
  if (event.is_string("failed"))
    return out + "failed, trying again later: " + line_of(item.find("error"), kWidest) + "\n";
  const JsonView sent = item.find("sent"), received = item.find("received");
  std::vector<std::string> news;
  if (number(sent, "sessions") + number(sent, "withdrawn") > 0) news.push_back(sent_words(sent));
  if (std::string words = repaired_words(sent); !words.empty()) news.push_back(std::move(words));
  if (number(received, "sessions") + number(received, "withdrawn") + number(received, "fetched") > 0)
    news.push_back(received_words(received));
  if (const std::string names = names_in(item.find("new_machines")); !names.empty())
    news.push_back("new here: " + names);
  if (const std::string names = names_in(item.find("already_read_by")); !names.empty())
    news.push_back("erased data had already been read by: " + names);
  if (const std::string kept = line_of(item.find("out_of_reach"), kWidest); !kept.empty())
    news.push_back("out of reach: " + kept);
  if (news.empty()) return out + "nothing new\n";
  for (const std::string& one : news) out += (&one == news.data() ? "" : "; ") + one;
  return out + "\n";
}

std::string render_watched(JsonView answer) {
  std::string out = "sent " + counted(number(answer, "sent"), "session");
  if (number(answer, "withdrawn") > 0) out += ", withdrew " + std::to_string(number(answer, "withdrawn"));
  return out + "; received " + counted(number(answer, "received"), "session") + "\n";
}

std::string render_indexed(JsonView answer) {
  std::string out = "indexed " + counted(number(answer, "sessions"), "session");
  if (number(answer, "messages") > 0) out += fmt::format(" ({})", counted(number(answer, "messages"), "message"));
  out += " at " + line_of(answer.find("remote"));
  if (number(answer, "removed") > 0) out += ", removed " + std::to_string(number(answer, "removed"));
  if (number(answer, "cut") > 0) out += fmt::format("; {} cut", counted(number(answer, "cut"), "message"));
  if (number(answer, "left_out") > 0)
    out += fmt::format("; {} left out", counted(number(answer, "left_out"), "session"));
  return out + "\n";
}

std::string render_added(JsonView answer, const RenderStyle& style) {
  const auto is = [&](std::string_view key) { return answer.find(key).as_bool().value_or(false); };
  std::string out = fmt::format("{} {}, {} at {}; this machine is called {} there\n", is("made") ? "created" : "joined",
                                painted(style.colour, "1", line_of(answer.find("name"))),
                                is("encrypted") ? "an encrypted remote" : "a remote",
                                line_of(answer.find("url"), kWidest), line_of(answer.find("machine")));
  if (const JsonView phrase = answer.find("recovery_phrase")) out += "  recovery phrase: " + line_of(phrase) + "\n";
  return out + line_of(answer.find("note"), kWidest) + "\n";
}

std::string render_revoked(JsonView answer, const RenderStyle& style) {
  constexpr std::size_t kNamed = 20;
  const std::string name = line_of(answer.find("machine"));
  std::string out = painted(style.colour, "1", name.empty() ? line_of(answer.find("device")) : name) + " is revoked\n";
  std::size_t count = 0;
  for (const JsonItem& item : answer.find("had_read").elements()) {
    if (count++ == 0) out += "  it had read:\n";
    // A session that lost forgotten lines has no title any more.
    const std::string title = line_of(item.value.find("title")), project = line_of(item.value.find("project"), kWidest);
    if (count <= kNamed)
      out += fmt::format("    {}  {}\n", line_of(item.value.find("id")).substr(0, 8),
                         !title.empty()     ? title
                         : !project.empty() ? "(no title, in " + project + ")"
                                            : "(no title)");
  }
  if (count > kNamed) out += fmt::format("    and {} more; --json lists all\n", count - kNamed);
  if (count == 0)
    out += "  it has reported reading nothing of what is published from here now; what was erased is not recorded\n";
  if (const JsonView readers = answer.find("readers"))
    out +=
        "  from now on readable by: " + (readers.raw() == "[]" ? std::string("nobody else") : names_in(readers)) + "\n";
  if (const JsonView phrase = answer.find("recovery_phrase")) out += "  new recovery phrase: " + line_of(phrase) + "\n";
  return out + line_of(answer.find("note"), kWidest) + "\n";
}

}  // namespace holdfast::inline v1
