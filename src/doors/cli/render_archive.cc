#include "doors/cli/render_archive.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "doors/cli/local_time.h"
#include "doors/cli/render_cells.h"
#include "text/clean.h"
#include "text/json_text.h"
#include "text/shell_word.h"
#include "text/sizes.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::size_t kWidest = 4096;  // bytes
constexpr std::size_t kNamed = 10;

bool is(JsonView answer, std::string_view name) { return answer.find(name).as_bool().value_or(false); }

std::string text_of(JsonView answer, std::string_view name) { return line_of(answer.find(name), kWidest); }

std::string time_of(JsonView answer, std::string_view name) {
  return clean_for_terminal(local_time(answer.find(name).as_string().value_or("")), {.one_line = true});
}

std::uint64_t count_of(JsonView list) {
  std::uint64_t count = 0;
  for (const JsonItem& item : list.elements()) count += item.value ? 1 : 0;
  return count;
}

// LAYOUT/ID of each. A session that was captured in several homes is one.
std::set<std::string> sessions_in(JsonView keys) {
  std::set<std::string> names;
  for (const JsonItem& item : keys.elements())
    names.insert(line_of(item.value.find("layout")) + "/" + text_of(item.value, "id"));
  return names;
}

// The first few.
std::string names_in(JsonView keys) {
  std::string names;
  std::size_t count = 0;
  for (const std::string& name : sessions_in(keys)) {
    if (++count > kNamed) continue;
    names += (names.empty() ? "" : ", ") + name;
  }
  return count > kNamed ? fmt::format("{} and {} more", names, count - kNamed) : names;
}

std::string left_out_lines(JsonView answer) {
  std::string out;
  for (const JsonItem& item : answer.find("left_out").elements())
    out += fmt::format("not kept: {} in {}: {}\n", counted(json_count(item.value, "sessions"), "session"),
                       text_of(item.value, "store"), text_of(item.value, "reason"));
  return out;
}

// What a run missed, as a part of a sentence.
std::string missed_words(JsonView run) {
  std::string words;
  if (is(run, "missed")) words += ", but not everything could be read";
  if (const std::uint64_t left = json_count(run, "no_room"); left > 0)
    words += fmt::format(", {} {} {} not fit on the disk of the archive", words.empty() ? "but" : "and",
                         counted(left, "session"), left == 1 ? "does" : "do");
  if (is(run, "out_of_space") && run.find("min_free"))
    words += fmt::format(", and stopped because only {} is free on the disk of {}; archive.min_free is {}",
                         human_size(json_count(run, "free_bytes")), text_of(run, "archive"),
                         human_size(json_count(run, "min_free")));
  else if (is(run, "out_of_space"))
    words += ", and stopped because too little space was free (archive.min_free)";
  return words;
}

// What the last run could not capture, without what is still so: the findings of the answer say that.
std::string missed_lines(JsonView run, JsonView now) {
  std::string out;
  for (const JsonItem& item : run.find("findings").elements()) {
    const std::string why = text_of(item.value, "consequence");
    const auto elements = now.elements();
    if (std::ranges::any_of(elements, [&](const JsonItem& one) {
          return text_of(one.value, "file") == text_of(item.value, "file") && text_of(one.value, "consequence") == why;
        }))
      continue;
    out += fmt::format("  {}: {}\n", text_of(item.value, "file"), why.empty() ? text_of(item.value, "kind") : why);
  }
  if (const std::uint64_t more = json_count(run, "more_findings"); more > 0)
    out += fmt::format("  and {} more; holdfast archive run lists all\n", more);
  return out;
}

std::string status_text(JsonView answer) {
  const std::string place = text_of(answer, "archive");
  std::string out;
  if (!is(answer, "exists")) {
    out = "there is no archive yet; run holdfast archive run to create it in " + place + "\n";
  } else {
    out = fmt::format("{}, {}, {} in {}", counted(json_count(answer, "sessions"), "session"),
                      counted(json_count(answer, "files"), "file"), human_size(json_count(answer, "bytes")), place);
    if (json_count(answer, "packed_bytes") > 0)
      out += fmt::format(" ({} on disk)", human_size(json_count(answer, "packed_bytes")));
    out += "\n";
    if (const std::string since = time_of(answer, "since"); !since.empty()) out += "since " + since + "\n";
    const std::uint64_t only = json_count(answer, "only_in_archive");
    std::uint64_t partly = 0;
    for (const JsonItem& item : answer.find("findings").elements())
      partly += item.value.find("kind").is_string("only_here") ? 1 : 0;
    out += only == 0 ? "all of them are still where their agents keep them"
                     : fmt::format("{} only in the archive", counted(only, "session"));
    out += partly == 0 ? "\n" : fmt::format(", {} of them in part\n", partly);
    if (const JsonView run = answer.find("last_run"); run.kind() != JsonKind::object)
      out += "what the last run did is not known: it did not end, or the disk of the archive was full\n";
    else if (const std::string why = text_of(run, "failed"); !why.empty())
      out += fmt::format("last run {} failed: {}; not everything that is new is captured\n", time_of(run, "at"), why) +
             missed_lines(run, answer.find("findings"));
    else
      out += fmt::format("last run {}: {} of {} had something new{}\n", time_of(run, "at"), json_count(run, "captured"),
                         counted(json_count(run, "sessions"), "session"),
                         missed_words(run).empty() ? ", nothing was missed" : missed_words(run)) +
             missed_lines(run, answer.find("findings"));
    if (answer.find("free_bytes"))
      out += fmt::format("{} free on its disk; a run stops below {}\n", human_size(json_count(answer, "free_bytes")),
                         human_size(json_count(answer, "min_free")));
  }
  out += is(answer, "timer") ? "the timer is on: capturing runs automatically\n"
                             : "the timer is off; turn it on with holdfast archive enable\n";
  for (const JsonItem& item : answer.find("exclude").elements())
    out += "excluded by your settings: " + line_of(item.value, kWidest) + "\n";
  return out + left_out_lines(answer);
}

std::string verify_text(JsonView answer, const RenderStyle& style) {
  std::string out = fmt::format("{}, {}, {}: ", counted(json_count(answer, "sessions"), "session"),
                                counted(json_count(answer, "files"), "file"), human_size(json_count(answer, "bytes")));
  const std::uint64_t damage = json_count(answer, "total");
  if (damage == 0) return out + painted(style.colour, "32", "everything is intact") + "\n";
  out += painted(style.colour, "31", counted(damage, "damaged place"));
  if (const std::uint64_t broken = json_count(answer, "broken_sessions"); broken > 0)
    out += "; " + counted(broken, "session") + (broken == 1 ? " is" : " are") + " incomplete";
  out += "\n";
  for (const JsonItem& item : answer.find("damage").elements()) {
    const JsonView place = item.value;
    const std::string why = text_of(place, "consequence");
    out += fmt::format("  {}, byte {}: {}\n", text_of(place, "file"), json_count(place, "offset"),
                       why.empty() ? text_of(place, "kind") : why);
  }
  return out + "the next holdfast archive run heals what agents still have\n";
}

std::string run_text(JsonView answer) {
  if (is(answer, "busy")) return text_of(answer, "note") + "\n";
  const std::uint64_t captured = json_count(answer, "captured"), gone = json_count(answer, "gone");
  const std::string sessions = counted(json_count(answer, "sessions"), "session");
  std::string out;
  if (json_count(answer, "files") > 0)
    out = fmt::format("captured changes in {} of {}: {}, {} more on disk", captured, sessions,
                      counted(json_count(answer, "files"), "file"), human_size(json_count(answer, "added_bytes")));
  else if (captured > 0 && gone == 0)
    out = fmt::format("captured new titles for {} of {}", captured, sessions);
  else if (json_count(answer, "no_room") > 0)
    out = "captured nothing of " + sessions;
  else
    out = "nothing new in " + sessions;
  if (const std::uint64_t healed = json_count(answer, "healed"); healed > 0)
    out += fmt::format("; healed {}", counted(healed, "damaged piece"));
  if (gone > 0)
    out += fmt::format("; {} {} gone from {} and kept here", counted(gone, "file"), gone == 1 ? "is" : "are",
                       gone == 1 ? "its agent" : "their agents");
  if (const std::uint64_t forgotten = json_count(answer, "forgotten"); forgotten > 0)
    out +=
        fmt::format("; {} {} forgotten and not captured", counted(forgotten, "session"), forgotten == 1 ? "is" : "are");
  if (const std::uint64_t excluded = json_count(answer, "excluded"); excluded > 0)
    out += fmt::format("; {} excluded by your settings", counted(excluded, "session"));
  return out + missed_words(answer) + "\n" + left_out_lines(answer);
}

std::string restored_text(JsonView answer) {
  const std::string store = text_of(answer, "store");
  const std::size_t colon = std::min(store.find(':'), store.size());
  const std::string root = store.substr(std::min(colon + 1, store.size()));
  const std::uint64_t written = json_count(answer, "written"), there = json_count(answer, "already_there");
  std::string out = fmt::format("restored {}/{} as it was captured {}: ", store.substr(0, colon), text_of(answer, "id"),
                                time_of(answer, "captured_at"));
  const JsonView next = answer.find("next");
  if (next)
    out += "it is in " + text_of(answer, "import_file");
  else if (written == 0)
    out = fmt::format("{}/{} already exists in {}; nothing was written", store.substr(0, colon), text_of(answer, "id"),
                      root);
  else
    out += counted(written, "file") + " in " + root + (there == 0 ? "" : fmt::format(", {} already there", there));
  out += "\n";
  if (const std::string before = text_of(answer, "was_in"); !before.empty())
    out += "it was captured in " + before + "; its agent now looks elsewhere, so it was restored there\n";
  if (next) out += "now run: " + text_of(answer, "next") + "\n";
  return out;
}

std::string forgotten_text(JsonView answer) {
  const JsonView whole = answer.find("forgotten"), holed = answer.find("holed"), still = answer.find("still_there");
  const JsonView kept_out = answer.find("kept_out");
  const std::uint64_t sessions = sessions_in(whole).size(), lines = json_count(answer, "lines");
  std::string out;
  if (sessions > 0) out += fmt::format("forgot {}: {}\n", counted(sessions, "session"), names_in(whole));
  if (lines > 0) {
    out += "forgot " + counted(lines, "line");
    if (count_of(holed) > 0) out += " out of " + names_in(holed);
    if (count_of(kept_out) > 0)
      out += (count_of(holed) > 0 ? ", and lines that would have been captured next out of "
                                  : " that would have been captured next out of ") +
             names_in(kept_out);
    else if (count_of(holed) == 0 && sessions == 0)
      out += " that would have been captured next";
    out += "\n";
  }
  std::string here, machines;
  for (const JsonItem& item : answer.find("of_machines").elements()) {
    const std::string machine = line_of(item.value.find("machine"));
    here += (here.empty() ? "" : ", ") + line_of(item.value.find("layout")) + "/" + line_of(item.value.find("id")) +
            " of " + machine;
    if (item.value.find("removed").as_bool().value_or(false) && !machines.contains(machine))
      machines += (machines.empty() ? "" : ", ") + machine;
  }
  if (!here.empty()) out += "removed here: " + here + "\n";
  if (!machines.empty())
    out += "it is still on " + machines + "; run the same command there to remove it; it does not come back here\n";
  const JsonView notes = answer.find("notes");
  if (count_of(notes) > 0) out += "removed from your notes about " + names_in(notes) + "\n";
  const std::uint64_t removed = json_count(answer, "files_removed");
  const auto beyond = answer.find("out_of_reach").elements();
  const bool published = std::ranges::any_of(beyond, [](const JsonItem& item) {
    const std::string place = item.value.as_string().value_or("");
    return !place.starts_with('/') && place.ends_with(", until the next holdfast sync");
  });
  if (sessions == 0 && lines == 0 && here.empty() && count_of(notes) == 0 && published) {
    out += "only what this machine published earlier contains that text; the next holdfast sync withdraws it\n";
  } else if (sessions == 0 && lines == 0 && here.empty() && count_of(notes) == 0) {
    if (removed > 0)
      out += "nothing in the archive contains that text; copies that did were removed\n";
    else if (count_of(answer.find("findings")) > 0 || count_of(answer.find("unreadable")) > 0)
      out += "nothing was forgotten: what could be read does not contain that text, but not everything could be read\n";
    else
      out += "nothing was forgotten: the archive does not contain that text and would not capture it\n";
  }
  if (count_of(still) > 0) out += "still in the archive: " + names_in(still) + "\n";
  if (const JsonView unread = answer.find("unreadable"); count_of(unread) > 0)
    out += "could not read all of " + names_in(unread) +
           ": the text may still be in there; run holdfast forget ID to remove a whole session\n";
  const JsonView looked = answer.find("looked_at");
  out += fmt::format("searched {} and {} of the archive", counted(json_count(looked, "sessions"), "session"),
                     counted(json_count(looked, "chunks"), "piece"));
  if (json_count(looked, "files") > 0) out += ", and " + counted(json_count(looked, "files"), "file") + " of Holdfast";
  out += "\nout of reach:\n";
  for (const JsonItem& item : answer.find("out_of_reach").elements()) out += "  " + line_of(item.value, kWidest) + "\n";
  return out;
}

// For archive.prune and archive.compact.
std::string smaller_text(JsonView answer) {
  const std::string sizes = fmt::format("{} before, {} now\n", human_size(json_count(answer, "bytes_before")),
                                        human_size(json_count(answer, "bytes_after")));
  const JsonView removed = answer.find("removed");
  if (!removed) return "compacted the archive: " + sizes;
  if (count_of(removed) == 0) return "nothing to prune\n";
  return fmt::format("removed {}: {}; {}", counted(count_of(removed), "session"), names_in(removed), sizes);
}

std::string versions_text(JsonView answer) {
  std::string out = fmt::format("{}/{}\n", text_of(answer, "layout"), text_of(answer, "id"));
  for (const JsonItem& item : answer.find("versions").elements()) {
    out += fmt::format("  {}  {:>9}  {}", text_of(item.value, "captured_at"),
                       human_size(json_count(item.value, "bytes")), counted(json_count(item.value, "files"), "file"));
    if (is(item.value, "worse"))
      out += "  lacks data that an earlier version has";
    else if (const std::uint64_t lacks = json_count(item.value, "lacks"); lacks > 0)
      out += "  lacks " + counted(lacks, "line") + " of an earlier version";
    if (is(item.value, "shown")) out += "  shown and restored by default";
    out += '\n';
  }
  return out + fmt::format("run holdfast restore {} --as-of TIME --to DIR to restore one of them\n",
                           session_word(text_of(answer, "layout"), text_of(answer, "id")));
}

}  // namespace

std::optional<std::string> render_archive_answer(JsonView answer, const RenderStyle& style) {
  if (answer.find("only_in_archive")) return status_text(answer);
  if (answer.find("versions") && answer.find("layout")) return versions_text(answer);
  if (answer.find("broken_sessions")) return verify_text(answer, style);
  if (answer.find("archive") && answer.find("busy")) return run_text(answer);
  if (answer.find("out_of_reach")) return forgotten_text(answer);
  if (answer.find("from").is_string("archive") && answer.find("captured_at")) return restored_text(answer);
  if (answer.find("bytes_before") && answer.find("bytes_after")) return smaller_text(answer);
  return std::nullopt;
}

}  // namespace holdfast::inline v1
