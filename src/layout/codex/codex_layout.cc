#include "layout/codex/codex_layout.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/ascii.h"
#include "layout/codex/belongings.h"
#include "layout/codex/lineage.h"
#include "layout/codex/rollout_reader.h"
#include "layout/codex/thread_files.h"
#include "layout/json_pick.h"
#include "layout/known_records.h"
#include "layout/new_sessions.h"
#include "layout/tool_names.h"

namespace holdfast::inline v1::codex {
namespace {

// The content of SessionRef::hint: the title on the first line, then the thread's
// further files, one per line. A change of either changes the ref.
struct Hint {
  std::string title;
  std::vector<std::string> more_files;
};

std::string write_hint(const std::string& title, const std::vector<ThreadFile>& files) {
  std::string hint = title;
  std::ranges::replace(hint, '\n', ' ');
  for (std::size_t i = 1; i < files.size(); ++i) (hint += '\n') += files[i].path;
  return hint;
}

Hint read_hint(std::string_view text) {
  Hint hint;
  std::size_t end = text.find('\n');
  hint.title = text.substr(0, end);
  while (end != std::string_view::npos) {
    const std::size_t from = end + 1;
    end = text.find('\n', from);
    hint.more_files.emplace_back(text.substr(from, end == std::string_view::npos ? end : end - from));
  }
  return hint;
}

// Titles that people or Codex gave; the last line about a thread wins.
Result<std::map<std::string, std::string>> read_titles(Feed& feed) {
  std::map<std::string, std::string> titles;
  HOLDFAST_TRY(feed.records({kRoot, "session_index.jsonl"}, {}, [&](const FeedRecord& record) {
    const auto [id, title] = pick<2>(JsonView(record.bytes), {"id", "thread_name"});
    if (id.kind() == JsonKind::string) titles[text_of(id)] = text_of(title);
    return true;
  }));
  return titles;
}

ThreadFile file_at(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return {path, parse_rollout_name(path.substr(slash == std::string::npos ? 0 : slash + 1)).value_or(RolloutName{})};
}

SessionFacts outer_facts(const SessionRef& ref) {
  SessionFacts facts;
  facts.title = read_hint(ref.hint).title;
  facts.archived = is_archived(ref.place.path);
  return facts;
}

constexpr std::uint64_t kCheckpointBytes = std::uint64_t{64} << 10;

bool is_year(std::string_view name) { return name.size() == 4 && std::ranges::all_of(name, is_ascii_digit); }

class CodexLayout final : public Layout {
 public:
  std::string_view name() const override { return "codex"; }
  std::string_view agent() const override { return "Codex"; }
  std::span<const RootName> roots() const override;
  const ToolDialect* tools() const override { return &codex::tools(); }
  const SessionRescue* rescue() const override { return &codex::rescue(); }
  const AgentHome* home() const override { return &codex::home(); }
  std::span<const ToolName> tool_names() const override { return codex::tool_names(); }
  const NewSessions* new_sessions() const override { return &codex::new_sessions(); }
  bool is_record(JsonView object) const override {
    return has_keys(object, {"timestamp", "type", "payload"}) ||
           has_keys(object, {"id", "thread_name", "updated_at"}) || has_keys(object, {"session_id", "ts", "text"});
  }
  Result<bool> recognise(Feed& feed) const override;
  Result<void> find(Feed& feed, const TakeRef& take) const override;
  Result<void> read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const override;
  Result<bool> read_head(Feed& feed, const SessionRef& ref, Events& events) const override;
  LayoutTraits traits() const override {
    return {.raw_text = RawText::lines, .own_phrases = kOwnPhrases, .one_branch = true, .references_history = true};
  }
};

std::span<const RootName> CodexLayout::roots() const {
  static constexpr std::array<RootName, 1> kRoots = {{{kRoot, "the Codex home", true}}};
  return kRoots;
}

Result<bool> CodexLayout::recognise(Feed& feed) const {
  HOLDFAST_LET(top, feed.list({kRoot, ""}));
  constexpr std::string_view kOthers[] = {"config.toml", "history.jsonl", "session_index.jsonl", "auth.json"};
  bool sessions = false, archive = false, others = false;
  for (const FeedEntry& entry : top) {
    sessions = sessions || (entry.directory && entry.name == "sessions");
    archive = archive || (entry.directory && entry.name == "archived_sessions");
    others = others || std::ranges::find(kOthers, entry.name) != std::end(kOthers);
  }
  if (archive || (sessions && others)) return true;
  if (!sessions) return false;
  HOLDFAST_LET(inside, feed.list({kRoot, "sessions"}));
  return std::ranges::any_of(inside, [](const FeedEntry& entry) {
    return entry.directory ? is_year(entry.name) : parse_rollout_name(entry.name).has_value();
  });
}

Result<void> CodexLayout::find(Feed& feed, const TakeRef& take) const {
  HOLDFAST_LET(threads, list_threads(feed));
  HOLDFAST_LET(titles, read_titles(feed));
  for (const auto& [thread, files] : threads) {
    const auto title = titles.find(thread);
    SessionRef ref{thread, {kRoot, files[0].path}, {}, {}};
    ref.hint = write_hint(title == titles.end() ? std::string() : title->second, files);
    if (!take(std::move(ref))) break;
  }
  return {};
}

Result<void> CodexLayout::read(Feed& feed, const SessionRef& ref, const ReadOptions& options, Events& events) const {
  std::vector<std::string> paths{ref.place.path};
  for (std::string& path : read_hint(ref.hint).more_files) paths.push_back(std::move(path));

  std::vector<Head> heads(paths.size());
  if (options.history || paths.size() > 1) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      HOLDFAST_LET(head, codex::read_head(feed, paths[i]));
      heads[i] = std::move(head);
    }
  }
  if (options.history && heads[0].base && heads[0].base->thread != ref.id) {
    HOLDFAST_LET(wanted, read_history(feed, *heads[0].base, file_at(paths[0]), options.raw, events));
    if (!wanted) return {};
  }

  const auto left = where_left(heads, ref.id);
  RolloutReader reader(events, ref.id, options.raw, options.whole);
  bool wanted = true;
  for (std::size_t i = 0; i < paths.size() && wanted; ++i) {
    reader.begin_file(left[i]);
    if (!options.state.empty()) reader.go_on(options.state);
    std::uint64_t next_checkpoint = options.from + kCheckpointBytes;
    HOLDFAST_TRY(feed.records({kRoot, paths[i]}, {options.from}, [&](const FeedRecord& record) {
      if (paths.size() == 1 && record.offset >= next_checkpoint && !record.salvaged) {
        if (const auto state = reader.rest()) {
          events.checkpoint(record.offset, *state);
          next_checkpoint = record.offset + kCheckpointBytes;
        }
      }
      wanted = reader.take(record);
      return wanted;
    }));
  }
  if (!wanted) return {};
  if (paths.size() == 1 && !options.history) {
    if (const auto state = reader.rest()) events.rest(*state);
  }
  if (!reader.finish()) return {};
  SessionFacts facts = reader.facts();
  facts.merge(outer_facts(ref));
  events.facts(facts);
  return {};
}

Result<bool> CodexLayout::read_head(Feed& feed, const SessionRef& ref, Events& events) const {
  SessionFacts facts;
  HOLDFAST_TRY(feed.records(ref.place, {}, [&](const FeedRecord& record) {
    const auto [type, payload] = pick<2>(JsonView(record.bytes), {"type", "payload"});
    if (type.is_string("session_meta")) facts = read_meta(payload, ref.id).facts;
    return false;
  }));
  facts.merge(outer_facts(ref));
  events.facts(facts);
  return true;
}

}  // namespace

std::vector<std::string> further_files(const SessionRef& ref) { return read_hint(ref.hint).more_files; }

}  // namespace holdfast::inline v1::codex

namespace holdfast::inline v1 {

const Layout& codex_layout() {
  static const codex::CodexLayout layout;
  return layout;
}

}  // namespace holdfast::inline v1
