#include "sim_world.h"

#include <array>

#include "text/json_value.h"

namespace holdfast::lab {
namespace {

// Sizes that stay in a sector, cross sectors, and cross pages.
constexpr std::array<std::size_t, 5> kPadding{8, 60, 700, 8, 5000};

LogOptions log_options(int which) {
  LogOptions options;
  options.mode = which == 0 ? LogMode::ours : LogMode::shared;
  options.sync_interval = {};
  return options;
}

struct ReadCount {
  std::uint64_t count = 0;
  Revision revision{kAbsent};
};

Result<ReadCount> read_count(const Context& context, Root& root, std::string_view path) {
  auto loaded = load_document(context, root, path);
  if (!loaded && loaded.error().code == Code::not_found) return ReadCount{};
  if (!loaded) return fail(std::move(loaded).error());
  const auto count = JsonView(loaded->bytes).find("count").as_int64();
  return ReadCount{static_cast<std::uint64_t>(count.value_or(0)), loaded->revision};
}

}  // namespace

void OracleLog::synced(std::uint64_t before) {
  for (auto& line : lines)
    if (line.acknowledged == Durability::process && line.ended <= before) line.acknowledged = Durability::power;
}

std::string count_text(std::uint64_t count) { return "{\"count\":" + std::to_string(count) + "}\n"; }

std::string document_text(std::uint64_t generation) {
  std::string text = "{\"schema_version\":1,\"generation\":" + std::to_string(generation) + ",\"pad\":\"";
  text.append(generation % 3 == 0 ? 900 : 20, 'd');
  return text + "\"}\n";
}

std::optional<std::uint64_t> generation_of(std::string_view document) {
  const auto number = JsonView(document).find("generation").as_int64();
  if (!number || document != document_text(static_cast<std::uint64_t>(*number))) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

const char* op_name(Op op) {
  static constexpr std::array<const char*, kOpCount> kNames{
      "append", "append_batch", "append_process", "append_shared", "foreign_line", "foreign_torn", "replace",
      "remove", "commit",       "number",         "reopen",        "torn_tail",    "increment",    "tally"};
  return kNames[static_cast<std::size_t>(op)];
}

World::World(std::uint64_t seed, unsigned writers) : disk_(std::make_unique<SimFileSystem>(seed)), writers_(writers) {
  (void)disk_->put_file("/a/keep", "");
  (void)disk_->put_file("/b/keep", "");
}

void World::drop_handles() {
  for (auto& writer : writers_) close(writer);
}

void World::lead(unsigned writer, FileSystem& way, const Context& context) {
  writers_[writer].way = &way;
  writers_[writer].context = context;
}

void World::close(Writer& writer) {
  for (auto& log : writer.logs) log.reset();
  writer.a.reset();
  writer.b.reset();
}

std::string World::new_line(std::size_t padding) {
  const std::uint64_t id = next_id_++;
  std::string line = "{\"id\":" + std::to_string(id) + ",\"nested\":{\"t\":\"\\u00e9\\n{\"},\"pad\":\"";
  line.append(padding, static_cast<char>('a' + id % 26));
  return line + "\"}";
}

Result<void> World::open_roots(Writer& writer) {
  FileSystem& way = writer.way != nullptr ? *writer.way : *disk_;
  if (!writer.a) {
    HOLDFAST_LET(root, Root::open(writer.context, way, kRootA));
    writer.a = std::move(root);
  }
  if (!writer.b) {
    HOLDFAST_LET(root, Root::open(writer.context, way, kRootB));
    writer.b = std::move(root);
  }
  return {};
}

Result<AppendLog*> World::open_log(Writer& writer, int which) {
  const std::uint64_t began = now_;
  HOLDFAST_TRY(open_roots(writer));
  auto& log = writer.logs[which];
  if (!log) {
    HOLDFAST_LET(opened, AppendLog::open(writer.context, writer.a, kLogs[which], log_options(which)));
    log = std::move(opened);
    oracle_.logs[which].synced(began);
  }
  return log.get();
}

Result<void> World::append(Writer& writer, int which, int count, Durability durability) {
  const std::uint64_t began = now_;
  HOLDFAST_LET(log, open_log(writer, which));
  auto& lines = oracle_.logs[which].lines;
  const std::size_t first = lines.size();
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) texts.push_back(new_line(kPadding[next_id_ % kPadding.size()]));
  for (const auto& text : texts) lines.push_back({.text = text, .began = ++now_});
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto done = log->append(writer.context, views, durability);
  ++now_;
  for (std::size_t i = first; i < first + texts.size(); ++i) lines[i].ended = now_;
  HOLDFAST_LET(ack, done);
  const std::string bytes = disk_->read_file(std::string(kRootA) + "/" + kLogs[which]).value_or("");
  if (ack.offset > 0 && (ack.offset > bytes.size() || bytes[ack.offset - 1] != '\n'))
    return fail(Code::internal, "a record is glued to what was before it");
  for (std::size_t i = first; i < first + texts.size(); ++i) lines[i].acknowledged = ack.durability;
  if (ack.durability == Durability::power) oracle_.logs[which].synced(began);
  return {};
}

Result<void> World::replace(Writer& writer) {
  HOLDFAST_TRY(open_roots(writer));
  auto& group = oracle_.document;
  const std::uint64_t generation = ++generation_;
  group.in_flight = generation;
  auto done = replace_document(writer.context, *writer.a, "one.json", document_text(generation));
  group.in_flight.reset();
  if (!done) {
    group.undecided.push_back(generation);
    return fail(std::move(done).error());
  }
  group = {generation, {}, {}};
  oracle_.removed = false;
  oracle_.removing = false;  // an earlier removal that failed cannot happen any more
  return {};
}

Result<void> World::remove(Writer& writer) {
  HOLDFAST_TRY(open_roots(writer));
  oracle_.removing = true;
  auto done = remove_document(writer.context, *writer.a, "one.json");
  if (!done && done.error().code != Code::not_found) return done;  // undecided: may be gone
  oracle_.removing = false;
  oracle_.removed = true;
  oracle_.document = {};
  return {};
}

Result<void> World::commit(Writer& writer) {
  const std::uint64_t began = now_;
  HOLDFAST_TRY(open_roots(writer));
  auto& group = oracle_.commit;
  const std::uint64_t generation = ++generation_;
  const std::string line = new_line(40);
  oracle_.logs[0].lines.push_back({.text = line, .commit = true});
  const std::size_t index = oracle_.logs[0].lines.size() - 1;
  oracle_.generations[generation] = line;
  Commit commit(writer.a);
  commit.put(writer.a, "two.json", document_text(generation));
  commit.put(writer.b, "sub/three.json", document_text(generation));
  commit.append(writer.a, kLogs[0], {line});
  commit.symlink(writer.a, "latest", std::to_string(generation));
  group.in_flight = generation;
  auto done = commit.run(writer.context);
  group.in_flight.reset();
  if (!done) {
    group.undecided.push_back(generation);
    return fail(std::move(done).error());
  }
  // Otherwise the next process would repeat it, over what others did since (I-13).
  if (disk_->read_file(std::string(kRootA) + "/.holdfast/journal")
          .value_or("")
          .starts_with("holdfast-journal 1 pending"))
    return fail(Code::internal, "the journal of an acknowledged commit is still pending");
  group = {generation, {}, {}};
  oracle_.logs[0].lines[index].acknowledged = Durability::power;
  oracle_.logs[0].synced(began);
  return {};
}

Result<void> World::increment(Writer& writer) {
  HOLDFAST_TRY(open_roots(writer));
  while (true) {
    HOLDFAST_LET(read, read_count(writer.context, *writer.a, "count.json"));
    ++oracle_.count.undecided;
    auto done = replace_document(writer.context, *writer.a, "count.json", count_text(read.count + 1),
                                 {.expected = read.revision});
    if (done) ++oracle_.count.acknowledged;
    if (done || done.error().code == Code::conflict) --oracle_.count.undecided;
    if (done) return {};
    if (done.error().code != Code::conflict) return fail(std::move(done).error());
  }
}

Result<void> World::tally(Writer& writer) {
  HOLDFAST_TRY(open_roots(writer));
  while (true) {
    Commit commit(writer.b);  // roots in the opposite order of commit()
    for (const auto& root : {writer.b, writer.a}) {
      HOLDFAST_LET(read, read_count(writer.context, *root, "tally.json"));
      commit.put(root, "tally.json", count_text(read.count + 1), read.revision);
    }
    ++oracle_.tally.undecided;
    auto done = commit.run(writer.context);
    if (done) ++oracle_.tally.acknowledged;
    if (done || done.error().code == Code::conflict) --oracle_.tally.undecided;
    if (done) return {};
    if (done.error().code != Code::conflict) return fail(std::move(done).error());
  }
}

Result<void> World::perform(Op op, unsigned index) {
  Writer& writer = writers_[index];
  switch (op) {
    case Op::append: return append(writer, 0, 1, Durability::power);
    case Op::append_batch: return append(writer, 0, 3, Durability::power);
    case Op::append_process: return append(writer, 0, 1, Durability::process);
    case Op::append_shared: return append(writer, 1, 1, Durability::power);
    case Op::foreign_line: {
      const std::string line = new_line(30);
      HOLDFAST_TRY(open_log(writer, 1));
      // A foreign program does not look at the last byte: it may append its
      // line to a fragment, from which readers salvage it.
      oracle_.logs[1].lines.push_back({.text = line, .foreign = true, .began = ++now_});
      oracle_.logs[1].lines.back().ended = now_;
      return disk_->foreign_append(std::string(kRootA) + "/" + kLogs[1], line + "\n");
    }
    case Op::foreign_torn: {
      HOLDFAST_TRY(open_log(writer, 1));
      const std::string line = new_line(30);
      return disk_->foreign_append(std::string(kRootA) + "/" + kLogs[1], line.substr(0, line.size() / 2));
    }
    case Op::replace: return replace(writer);
    case Op::remove: return remove(writer);
    case Op::commit: return commit(writer);
    case Op::number: {
      HOLDFAST_TRY(open_roots(writer));
      HOLDFAST_LET(number, next_number(writer.context, writer.a, "n"));
      if (!oracle_.numbers.insert(number).second) return fail(Code::internal, "a number was handed out twice");
      return {};
    }
    case Op::reopen: {
      close(writer);
      HOLDFAST_TRY(open_log(writer, 0));
      HOLDFAST_TRY(open_log(writer, 1));
      return {};
    }
    case Op::torn_tail: {
      HOLDFAST_TRY(open_log(writer, 0));
      const std::string line = new_line(30);
      const std::string fragment = line.substr(0, line.size() - 3);
      oracle_.logs[0].fragments.push_back(fragment);
      HOLDFAST_TRY(disk_->foreign_append(std::string(kRootA) + "/" + kLogs[0], fragment));
      disk_->sync_all();
      for (auto& log : oracle_.logs) log.synced();
      close(writer);
      HOLDFAST_TRY(open_log(writer, 0));
      return {};
    }
    case Op::increment: return increment(writer);
    case Op::tally: return tally(writer);
    case Op::count: break;
  }
  return fail(Code::internal, "no such operation");
}

}  // namespace holdfast::lab
