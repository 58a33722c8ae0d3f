#include "api/forget_live.h"

#include <algorithm>
#include <set>

#include "api/archive_capture.h"
#include "api/find_session.h"
#include "api/session_filter.h"
#include "layout/belongings.h"
#include "layout/holdfast/line.h"
#include "store/engine.h"
#include "store/rescue_copies.h"
#include "text/shell_word.h"

namespace holdfast::inline v1 {
namespace {

// Includes stores of earlier runs, which somebody may have named with --store.
Result<std::vector<StoreOptions>> stores_ever_captured(const Call& call, const CaptureState& state) {
  HOLDFAST_LET(stores, stores_to_read(call));
  std::set<std::pair<std::string, std::string>> known;
  for (const StoreOptions& options : stores) known.emplace(options.layout, store_root(store_name(options)));
  for (const auto& [key, session] : state.sessions) {
    if (!known.emplace(key.layout, key.store).second) continue;
    if (!call.stores.settings().files->open_directory(key.store, false)) continue;
    StoreOptions options;
    options.layout = key.layout;
    options.roots[""] = key.store;
    stores.push_back(std::move(options));
  }
  return stores;
}

// Finds sessions as session.get does: sessions of agents are only read.
Call reading(const Call& call) { return {call.context, *find_operation("session.get"), call.params, call.stores}; }

}  // namespace

Result<LiveText> live_text(const Call& call, const CaptureState& state, const Forgotten& forgotten) {
  LiveText found;
  HOLDFAST_LET(stores, stores_ever_captured(call, state));
  for (const StoreOptions& options : stores) {
    const auto look = [&]() -> Result<void> {
      HOLDFAST_LET(store, call.stores.open(call.context, options, Use::read));
      auto* const engine = engine_or_null(*store);
      if (engine == nullptr) return {};
      return find_live_text(call.context, *engine, archive_rules(call), call.text("match"), forgotten.lines, found);
    };
    const auto looked = look();
    HOLDFAST_TRY(call.context.check());
    if (!looked && !is_absent_default_store(call, looked.error()))
      found.findings.push_back(left_out(options, looked.error()));
  }
  for (const CaptureKey& key : found.in_titles) {
    const auto captured = state.sessions.find(key);
    // Of a session that has lost lines, titles and prompts are not captured.
    if (captured == state.sessions.end() || !is_holed(captured->second)) found.whole.insert(key);
  }
  std::erase_if(found.whole, [&](const CaptureKey& key) { return forgotten.sessions.contains(key); });
  std::erase_if(found.in_lines, [&](const CaptureKey& key) { return forgotten.sessions.contains(key); });
  std::erase_if(found.hashes, [&](const std::string& hash) { return forgotten.lines.hashes.contains(hash); });
  return found;
}

Result<CaptureKey> live_session(const Call& call, std::string_view id, bool* ambiguous) {
  HOLDFAST_LET(found, find_session(reading(call), id, Naming::sure_prefix, ambiguous));
  auto* const engine = engine_or_null(*found.store);
  if (engine == nullptr) return fail(Code::not_found, "the archive has no session " + std::string(id));
  DirectoryFeed feed = engine->looking(call.context);
  HOLDFAST_LET(ref, engine->resolve(call.context, feed, found.session.id));
  if (!ref.copy.empty())
    return fail(Code::unsupported, "the archive keeps all copies of a session together; name it as " +
                                       session_word(engine->layout_name(), ref.id));
  const FileStore& store = *engine;
  if (belongings_of(store.layout()) == nullptr)
    return fail(Code::not_found, "the archive has no session " + std::string(id) + "; it is in " + store.name() +
                                     ", which the archive does not capture");
  return CaptureKey{std::string(store.layout_name()), store_root(store.name()), found.session.id};
}

std::vector<std::string> live_files(const Call& call, const CaptureKey& key) {
  std::vector<std::string> files;
  const auto located = locate_session(reading(call), key.layout + "/" + key.id);
  if (!located) return files;
  const Belongings* const belongings = belongings_of(located->files->layout());
  DirectoryFeed feed = located->files->looking(call.context);
  std::vector<Finding> ignored;
  const auto refs = located->files->find_all(call.context, ignored);
  std::vector<std::string> own;
  for (const SessionRef& ref : refs ? *refs : std::vector{located->ref}) {
    if (ref.id != located->ref.id) continue;  // several files may have the id
    auto places = files_of_session(call.context, *belongings, feed, ref);
    if (!places) continue;
    if (places->empty()) places->push_back(ref.place);  // rows of a database
    SessionPaths paths(*belongings, key.id);
    paths.add_main(ref.place.path);
    for (const Place& place : *places) {
      if (!paths.is_shared(place.path) && std::ranges::find(own, place.path) == own.end()) own.push_back(place.path);
    }
  }
  for (const std::string& path : own) files.push_back(key.store + "/" + path);
  std::ranges::move(copies_of(call, key, own), std::back_inserter(files));
  return files;
}

std::vector<std::string> copies_of(const Call& call, const CaptureKey& key, const std::vector<std::string>& files) {
  std::vector<std::string> copies;
  const auto directory = call.stores.settings().files->open_directory(key.store, false);
  if (!directory) return copies;
  std::set<std::string> folders;
  for (const std::string& path : files) {
    const std::size_t slash = path.rfind('/');
    folders.insert(slash == std::string::npos ? "" : path.substr(0, slash));
  }
  for (const std::string& copy : rescue_copies(**directory, folders)) {
    const auto is_file = [&](std::string_view path) { return std::ranges::find(files, path) != files.end(); };
    if (is_file(rescued_from(copy)) && !is_file(copy)) copies.push_back(key.store + "/" + copy);
  }
  return copies;
}

std::vector<std::string> live_parts(const Call& call, const CaptureKey& key) {
  std::set<std::string> parts;
  const auto directory = call.stores.settings().files->open_directory(key.store, false);
  const auto located = locate_session(reading(call), key.layout + "/" + key.id);
  if (!directory || !located || store_root(located->files->name()) != key.store) return {};
  const auto transcript = located->files->read(call.context, located->ref.name(), {.branch = "all"});
  if (!transcript) return {};
  for (const Message& message : transcript->messages) {
    for (const Block& block : message.blocks)
      for (const std::string& path :
           {block.blob.empty() ? std::string() : native::blob_path(block.blob), block.spilled})
        if (!path.empty() && (*directory)->stat_to_read(path)) parts.insert(key.store + "/" + path);
  }
  return {parts.begin(), parts.end()};
}

}  // namespace holdfast::inline v1
