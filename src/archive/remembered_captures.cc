#include "archive/remembered_captures.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "base/version.h"
#include "model/packing.h"
#include "text/json_value.h"

namespace holdfast::inline v1 {
namespace {

// Must change when the state that a log is folded into changes.
constexpr std::string_view kMagic = "holdfast captures 1 " HOLDFAST_VERSION "\n";
constexpr std::size_t kWindow = std::size_t{1} << 20;
constexpr std::uint64_t kLooseBytes = std::uint64_t{256} << 10;  // before the file is written anew
constexpr std::uint8_t kWorse = 1, kGone = 2, kIsHead = 4;

void pack_name(Packer& out, std::string_view name) {
  const RawChunkName raw = raw_chunk_name(name).value_or(RawChunkName());
  out.text({raw.data(), raw.size()});
}

std::string unpack_name(Unpacker& in) {
  const std::string_view raw = in.view();
  if (raw.size() != RawChunkName().size()) in.reject();
  return hex_of(raw);
}

void pack_version(Packer& out, const FileVersion& version, bool is_head) {
  out.byte(
      static_cast<std::uint8_t>((version.worse ? kWorse : 0) | (version.gone ? kGone : 0) | (is_head ? kIsHead : 0)));
  out.number(version.size);
  out.number(version.mode);
  out.signed_number(version.mtime_ns);
  out.signed_number(version.ctime_ns);
  out.number(version.inode);
  out.number(version.holed);
  out.number(version.lacks);
  out.number(version.blocks.size());
  for (const FileBlock& block : version.blocks) {
    pack_name(out, block.name);
    out.number(block.size == kBlockBytes ? 0 : block.size);
  }
}

std::shared_ptr<const FileVersion> unpack_version(Unpacker& in, bool& is_head) {
  auto version = std::make_shared<FileVersion>();
  const std::uint8_t marks = in.byte();
  version->worse = (marks & kWorse) != 0;
  version->gone = (marks & kGone) != 0;
  is_head = (marks & kIsHead) != 0;
  version->size = in.number();
  version->mode = static_cast<std::uint32_t>(in.number());
  version->mtime_ns = in.signed_number();
  version->ctime_ns = in.signed_number();
  version->inode = in.number();
  version->holed = in.number();
  version->lacks = in.number();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    FileBlock& block = version->blocks.emplace_back();
    block.name = unpack_name(in);
    if (const std::uint64_t size = in.number(); size != 0) block.size = static_cast<std::uint32_t>(size);
  }
  return version;
}

// The files of `versions` that are not the same version in `except`.
void pack_files(Packer& out, const Versions& versions, const Versions& heads, const Versions* except) {
  std::vector<const Versions::value_type*> all;
  for (const auto& file : versions) {
    const auto other = except == nullptr ? Versions::const_iterator() : except->find(file.first);
    if (except == nullptr || other == except->end() || other->second != file.second) all.push_back(&file);
  }
  out.number(all.size());
  for (const auto* const file : all) {
    const auto head = heads.find(file->first);
    out.text(file->first.root);
    out.text(file->first.path);
    pack_version(out, *file->second, head != heads.end() && head->second == file->second);
  }
}

std::string pack_session(const CaptureKey& key, const CapturedSession& session) {
  Packer out;
  out.text(key.layout);
  out.text(key.store);
  out.text(key.id);
  out.text(session.row);
  out.number(session.number);
  out.text(session.at);
  out.text(session.first_at);
  out.text(session.shown_at);
  out.text(session.device);
  out.byte(session.inner ? 1 : 0);
  out.text(session.origin);
  pack_files(out, session.last, session.head, nullptr);
  pack_files(out, session.head, session.head, &session.last);
  return out.take();
}

bool unpack_session(std::string_view packed, std::map<CaptureKey, CapturedSession>& into) {
  Unpacker in(packed);
  CaptureKey key;
  key.layout = in.text();
  key.store = in.text();
  key.id = in.text();
  CapturedSession session;
  session.row = in.text();
  session.number = in.number();
  session.at = in.text();
  session.first_at = in.text();
  session.shown_at = in.text();
  session.device = in.text();
  session.inner = in.byte() != 0;
  session.origin = in.text();
  for (const bool last : {true, false}) {
    for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
      Place place;
      place.root = in.text();
      place.path = in.text();
      bool is_head = false;
      const auto version = unpack_version(in, is_head);
      if (is_head) session.head.insert_or_assign(place, version);
      if (last) session.last.emplace_hint(session.last.end(), std::move(place), version);
    }
  }
  if (!in.done()) return false;
  into.insert_or_assign(into.end(), std::move(key), std::move(session));
  return true;
}

// The beginning of a packed session: which store it is in, and its project.
using StoreProject = std::array<std::string_view, 3>;
StoreProject project_of(std::string_view packed) {
  Unpacker in(packed);
  const std::string_view layout = in.view(), store = in.view();
  in.view();
  return {layout, store, JsonView(in.view()).find("project").raw()};
}

// Drops the sessions that nobody asks for, those of the same projects excepted: readers compare neighbors.
void keep_containing(std::vector<std::string_view>& packed, std::string_view text) {
  std::set<StoreProject> projects;
  for (const std::string_view session : packed)
    if (session.contains(text)) projects.insert(project_of(session));
  if (projects.empty()) return packed.clear();
  std::erase_if(packed, [&](std::string_view session) { return !projects.contains(project_of(session)); });
}

// Frames that follow each other, each from where the log had ended to where it ends.
struct Batch {
  std::uint64_t end = 0;
  std::string_view hash = {};
  CaptureState facts = {};  // without sessions
  std::vector<std::string_view> sessions = {};
};

std::optional<Batch> unpack_batch(std::string_view payload, std::uint64_t from) {
  Unpacker in(payload);
  Batch batch;
  if (in.number() != from) return std::nullopt;  // another process was faster
  batch.end = in.number();
  batch.hash = in.view();
  batch.facts.captures = in.number();
  batch.facts.last_number = in.number();
  batch.facts.first_at = in.text();
  batch.facts.last_at = in.text();
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    const auto pack = static_cast<std::uint32_t>(in.number());
    auto& named = batch.facts.named_until[pack];
    named.end = in.number();
    named.name = unpack_name(in);
  }
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) batch.sessions.push_back(in.view());
  return in.done() && batch.end > from ? std::optional(std::move(batch)) : std::nullopt;
}

bool has_named(const Packs& packs, const CaptureState& state) {
  return std::ranges::all_of(state.named_until, [&](const auto& named) {
    const ChunkPlace* const place = packs.find(named.second.name);
    return place != nullptr && place->pack == named.first && place->end() == named.second.end;
  });
}

}  // namespace

RememberedCaptures::RememberedCaptures(FileSystem& file_system, const std::string& cache, const std::string& archive)
    : file_(file_system, cache, "captures-" + xxh3_hex(archive) + ".index", std::string(kMagic) + archive + "\n") {}

bool RememberedCaptures::hash_log(File& log, std::uint64_t end) {
  std::string window;
  while (hashed_ < end) {
    window.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kWindow, end - hashed_)));
    const auto count = log.read_at(hashed_, window);
    if (!count || *count == 0) return false;
    hash_.add(std::string_view(window).substr(0, *count));
    hashed_ += *count;
  }
  return true;
}

std::optional<CaptureState> RememberedCaptures::recall(File& log, const Packs& packs, std::string_view containing) {
  const std::vector<Frame> frames = file_.load();
  Batch last;
  std::vector<std::string_view> sessions;
  for (const Frame& frame : frames) {
    auto batch = unpack_batch(frame.payload, last.end);
    if (!batch) continue;
    if (last.end == 0) first_ = frame.payload.size();
    sessions.insert(sessions.end(), batch->sessions.begin(), batch->sessions.end());
    last = std::move(*batch);
  }
  if (last.end == 0 || !has_named(packs, last.facts)) return std::nullopt;
  const auto stat = log.stat();
  if (!stat || stat->size < last.end || !hash_log(log, last.end) || hash_.hex() != last.hash) {
    drop();
    return std::nullopt;
  }
  is_part_ = !containing.empty() && stat->size == last.end;
  if (is_part_) keep_containing(sessions, containing);
  CaptureState state = std::move(last.facts);
  for (const std::string_view session : sessions)
    if (!unpack_session(session, state.sessions)) return std::nullopt;
  state.log_end = recalled_ = last.end;
  return state;
}

void RememberedCaptures::drop() {
  hash_ = Xxh3Stream();
  hashed_ = recalled_ = 0;
}

void RememberedCaptures::note(File& log, const CaptureState& state, const std::set<CaptureKey>& changed) {
  if (!state.findings.empty() || state.log_end <= recalled_) return;
  if (!hash_log(log, state.log_end) || hashed_ != state.log_end) return;
  const bool anew = recalled_ == 0 || file_.broken() || file_.size() > first_ + first_ / 2 + kLooseBytes;
  Packer out;
  out.number(anew ? 0 : recalled_);
  out.number(state.log_end);
  out.text(hash_.hex());
  out.number(state.captures);
  out.number(state.last_number);
  out.text(state.first_at);
  out.text(state.last_at);
  out.number(state.named_until.size());
  for (const auto& [pack, named] : state.named_until) {
    out.number(pack);
    out.number(named.end);
    pack_name(out, named.name);
  }
  const auto is_told = [&](const auto& session) { return anew || changed.contains(session.first); };
  out.number(static_cast<std::uint64_t>(std::ranges::count_if(state.sessions, is_told)));
  for (const auto& session : state.sessions)
    if (is_told(session)) out.text(pack_session(session.first, session.second));
  const std::string payload = out.take();
  const Frame frame{0, payload};
  if (anew)
    file_.rewrite({&frame, 1});
  else
    file_.add({&frame, 1});
}

}  // namespace holdfast::inline v1
