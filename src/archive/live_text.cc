#include "archive/live_text.h"

#include <algorithm>
#include <map>
#include <set>

#include "layout/belongings.h"
#include "layout/serialized_rows.h"
#include "layout/title_file.h"
#include "store/rescue_copies.h"
#include "store/session_rows.h"

namespace holdfast::inline v1 {
namespace {

class StoreSearch {
 public:
  StoreSearch(const Context& context, FileStore& store, const Belongings& belongings, std::string_view text,
              const ForgottenLines& lines, LiveText& found)
      : context_(context),
        store_(store),
        belongings_(belongings),
        rows_(belongings.rows == nullptr ? nullptr : &belongings.rows()),
        text_(text),
        lines_(lines),
        found_(found),
        feed_(store.looking(context)) {}

  Result<void> run(const ArchiveRules& rules) {
    HOLDFAST_LET(refs, store_.find_all(context_, found_.findings));
    HOLDFAST_LET(rows, rows_of_all(rules));
    for (const SessionRef& ref : refs) {
      HOLDFAST_TRY(context_.check());
      const ListedRow& row = rows[ref.id];
      if (is_excluded(rules, store_.layout_name(), row.project)) continue;
      HOLDFAST_TRY(session(ref, row.captured));
    }
    return copies();
  }

 private:
  struct ListedRow {
    std::string project, captured;  // the row that a capture would have
  };
  Result<std::map<std::string, ListedRow>> rows_of_all(const ArchiveRules& rules) {
    SessionFilter all;
    all.inner = true;
    HOLDFAST_LET(rows, store_.rows(context_, all));
    std::map<std::string, ListedRow> listed;
    for (const SessionRow& row : rows.all) {
      const Session session = row.session();
      ListedRow& its = listed.try_emplace(std::string(row.found.id), ListedRow{session.project, {}}).first->second;
      if (row.head.row.id == row.found.id) its.captured = captured_row(session, rules);
    }
    return listed;
  }

  Result<void> session(const SessionRef& ref, std::string_view row) {
    const CaptureKey key{std::string(store_.layout_name()), store_root(store_.name()), ref.id};
    HOLDFAST_TRY(files_of(ref, key));
    // A session that loses lines keeps no title and no prompt in its row, but everything else.
    if (holds_text(ref.id, text_) || holds_text(without_texts(row), text_)) found_.whole.insert(key);
    if (!in_files_.contains(key) && holds_text(row, text_)) found_.in_titles.insert(key);
    return {};
  }

  Result<void> files_of(const SessionRef& ref, const CaptureKey& key) {
    HOLDFAST_LET(files, files_of_session(context_, belongings_, feed_, ref));
    HOLDFAST_LET(memory, memory_beside(context_, belongings_, feed_, ref));
    if (belongings_.named != nullptr) add(belongings_.named(feed_, ref), files);
    if (rows_ != nullptr && rows_->place(ref)) {
      add(rows_->files(feed_, ref), files);
      HOLDFAST_TRY(spelled(ref, *rows_->place(ref), key));
    }
    for (const Place& place : files) HOLDFAST_TRY(file(place, key));
    for (const Place& place : memory) HOLDFAST_TRY(shared_file(place, key));
    note_folder(ref.place);
    if (belongings_.more != nullptr)
      for (const std::string& main : belongings_.more(ref)) note_folder({ref.place.root, main});
    return title(ref, key);
  }

  void note_folder(const Place& main) {
    const std::size_t slash = main.path.rfind('/');
    folders_[main.root].insert(slash == std::string::npos ? "" : main.path.substr(0, slash));
  }

  // No run captures what rescue kept beside a session, but an undo would put it back.
  Result<void> copies() {
    for (const auto& [name, folders] : folders_) {
      const auto root = store_.roots().directories().find(name);
      if (root == store_.roots().directories().end() || root->second == nullptr) continue;
      for (const std::string& path : rescue_copies(*root->second, folders)) {
        const auto before = found_.whole;
        HOLDFAST_TRY(shared_file({name, path}, {}));
        found_.whole = before;
      }
    }
    return {};
  }

  // The file of titles has those of other sessions too: only its path is used.
  Result<void> title(const SessionRef& ref, const CaptureKey& key) {
    const TitleFile* const titles = title_file_of(key.layout);
    if (titles == nullptr || std::exchange(saw_titles_, true)) return {};
    const auto before = found_.whole;
    const auto hashes = found_.hashes;
    HOLDFAST_TRY(shared_file({ref.place.root, std::string(titles->path)}, key));
    found_.whole = before;
    found_.hashes = hashes;
    return {};
  }

  // Errors of the log are reported when it is read.
  static void add(Result<std::vector<Place>> more, std::vector<Place>& files) {
    if (more) std::ranges::move(*more, std::back_inserter(files));
  }

  void note(const TextInFile& text, std::unordered_set<std::string> lines, const CaptureKey& key, std::string path) {
    if (!text.in_lines && !text.whole) return;
    in_files_.insert(key);
    if (text.whole) found_.whole.insert(key);
    std::erase_if(lines, [&](const std::string& hash) { return lines_.hashes.contains(hash); });
    if (!lines.empty()) found_.in_lines.insert(key);
    found_.hashes.merge(lines);
    if (std::ranges::find(found_.files, path) == found_.files.end()) found_.files.push_back(std::move(path));
  }

  Result<void> miss(const Place& place, const Error& error) {
    if (error.code == Code::cancelled || error.code == Code::deadline_exceeded) return fail(error);
    if (error.code == Code::not_found) return {};
    found_.findings.push_back({place.path, 0, 0, std::string(code_name(error.code)),
                               error.message + "; whether it contains the text is unknown", 0});
    return {};
  }

  Result<void> file(const Place& place, const CaptureKey& key) {
    // A file of several sessions counts for each of them.
    const auto root = store_.roots().directories().find(place.root);
    if (root == store_.roots().directories().end() || root->second == nullptr) return {};
    if (holds_text(place.path, text_)) found_.whole.insert(key);
    auto open = root->second->open(place.path, OpenMode::read);
    if (!open) return miss(place, open.error());
    const auto stat = (*open)->stat();
    if (!stat) return miss(place, stat.error());
    std::string bytes(kBlockBytes, '\0');
    std::uint64_t at = 0;
    const auto more = [&]() -> Result<std::string_view> {
      HOLDFAST_LET(count, (*open)->read_at(at, bytes));
      at += count;
      return std::string_view(bytes).substr(0, count);
    };
    std::unordered_set<std::string> lines;
    const auto text = text_in_file(context_, place.path, stat->size, more, text_, lines_, lines);
    if (!text) {
      found_.hashes.merge(lines);
      return miss(place, text.error());
    }
    note(*text, std::move(lines), key, root->second->path() + "/" + place.path);
    return {};
  }

  // Lines of a file that several sessions share, or none, are not lines of this session.
  Result<void> shared_file(const Place& place, const CaptureKey& key) {
    const auto before = found_.in_lines;
    const auto in_files = in_files_;
    auto done = file(place, key);
    found_.in_lines = before;
    in_files_ = in_files;
    return done;
  }

  // Searches rows of a database in the form in which the archive would keep them.
  Result<void> spelled(const SessionRef& ref, const Place& place, const CaptureKey& key) {
    std::string all;
    const auto taken = rows_->spell(feed_, ref, [&](std::string_view bytes) -> Result<void> {
      all += bytes;
      return {};
    });
    if (!taken) return miss(ref.place, taken.error());
    std::string_view rest = all;
    const auto more = [&]() -> Result<std::string_view> { return std::exchange(rest, std::string_view()); };
    std::unordered_set<std::string> lines;
    HOLDFAST_LET(text, text_in_file(context_, place.path, all.size(), more, text_, lines_, lines));
    note(text, std::move(lines), key, key.store + "/" + ref.place.path);
    return {};
  }

  std::set<CaptureKey> in_files_;  // sessions with the text in a file of their own
  bool saw_titles_ = false;
  std::map<std::string, std::set<std::string>> folders_;  // of main files, by root
  const Context& context_;
  FileStore& store_;
  const Belongings& belongings_;
  const SerializedRows* const rows_;
  const std::string_view text_;
  const ForgottenLines& lines_;
  LiveText& found_;
  DirectoryFeed feed_;
};

}  // namespace

Result<void> find_live_text(const Context& context, FileStore& store, const ArchiveRules& rules, std::string_view text,
                            const ForgottenLines& lines, LiveText& found) {
  const Belongings* const belongings = belongings_of(store.layout());
  if (belongings == nullptr || is_excluded(rules, store.layout_name(), {})) return {};
  return StoreSearch(context, store, *belongings, text, lines, found).run(rules);
}

}  // namespace holdfast::inline v1
