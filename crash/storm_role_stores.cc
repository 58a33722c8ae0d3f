// The storm's children that replace documents, commit, count and hold leases.
#include <holdfast/commit.h>
#include <holdfast/counter.h>
#include <holdfast/lease.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "base/hash.h"
#include "lab.h"
#include "peers_store.h"
#include "storm_roles.h"
#include "text/json_value.h"

namespace holdfast::lab {
namespace {

const Context kContext;

std::uint64_t monotonic() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

void short_pause(Random& random) { std::this_thread::sleep_for(std::chrono::microseconds(random.below(300))); }

}  // namespace

const std::vector<std::pair<std::string_view, Role>>& storm_roles() {
  static const std::vector<std::pair<std::string_view, Role>> roles{
      {"append", &role_append},     {"foreign", &role_foreign},     {"read", &role_read},
      {"compact", &role_compact},   {"soak", &role_soak},           {"soak_foreign", &role_soak_foreign},
      {"document", &role_document}, {"commit", &role_commit},       {"counter", &role_counter},
      {"lease", &role_lease},       {"peer_ours", &role_peer_ours}, {"peer_sqlite", &role_peer_sqlite},
  };
  return roles;
}

int trouble(const Job& job, bool opening, std::string_view what) {
  Message message{Kind::trouble, 0, job.writer, opening ? 1U : 0U, UINT64_MAX, {}};
  what.copy(message.text, sizeof message.text - 1);
  report(message);
  return 1;
}

std::optional<std::shared_ptr<Root>> open_root(const Job& job, const std::string& path) {
  RootOptions options;
  options.create = true;
  auto root = Root::open(kContext, real_file_system(), path, options);
  if (!root) {
    trouble(job, true, root.error().text());
    return std::nullopt;
  }
  return std::move(*root);
}

std::string make_document(std::uint64_t seed, std::uint64_t number, std::uint64_t writer, Profile profile) {
  const std::string body = make_record(seed, {writer, number}, profile);
  return "{\"schema_version\":1,\"n\":" + std::to_string(number) + ",\"by\":" + std::to_string(writer) +
         ",\"sum\":" + std::to_string(crc32c(body)) + ",\"body\":" + body + "}\n";
}

std::optional<std::uint64_t> document_number(std::string_view text) {
  const JsonView json(text);
  const auto number = json.find("n").as_int64();
  const auto sum = json.find("sum").as_int64();
  const auto body = json.find("body").raw();
  if (!number || !sum || static_cast<std::uint32_t>(*sum) != crc32c(body) || !checksum_holds(body)) return std::nullopt;
  if (text.substr(text.size() - std::min<std::size_t>(text.size(), 2)) != "}\n") return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::string make_commit_line(std::uint64_t number, std::uint64_t writer) {
  return "{\"n\":" + std::to_string(number) + ",\"by\":" + std::to_string(writer) + "}";
}

int role_document(const Job& job) {
  Random random(job.seed ^ (job.writer * 31));
  const auto root = open_root(job, job.root);
  if (!root) return 1;
  report({Kind::opened, 0, job.writer, 0, UINT64_MAX, {}});
  for (std::uint64_t done = 0; job.limit == 0 || done < job.limit;) {
    const auto loaded = load_document(kContext, **root, kDocument);
    if (!loaded && loaded.error().code != Code::not_found) return trouble(job, false, loaded.error().text());
    if (loaded && loaded->restored_from_backup) return trouble(job, false, "the document was found damaged");
    std::uint64_t number = 0;
    if (loaded) {
      const auto found = document_number(loaded->bytes);
      if (!found) return trouble(job, false, "the document does not hold what was written");
      number = *found;
    }
    ++number;
    ReplaceOptions how;
    how.expected = loaded ? loaded->revision : Revision(kAbsent);
    how.durability = random.chance(50) ? Durability::power : Durability::process;
    report({Kind::intent, 0, job.writer, number, UINT64_MAX, {}});
    const auto profile = random.chance(50) ? Profile::storm : Profile::small;
    const auto replaced =
        replace_document(kContext, **root, kDocument, make_document(job.seed, number, job.writer, profile), how);
    if (!replaced && replaced.error().code == Code::conflict) {
      report({Kind::withdrawn, 0, job.writer, number, UINT64_MAX, {}});
      short_pause(random);
      continue;
    }
    if (!replaced) return trouble(job, false, replaced.error().text());
    report({Kind::ack, 0, job.writer, number, UINT64_MAX, {}});
    ++done;
  }
  report({Kind::finished, 0, job.writer, job.limit, UINT64_MAX, {}});
  return 0;
}

int role_commit(const Job& job) {
  Random random(job.seed ^ (job.writer * 37));
  const auto one = open_root(job, job.root);
  if (!one) return 1;
  const auto two = open_root(job, job.path);
  if (!two) return 1;
  report({Kind::opened, 0, job.writer, 0, UINT64_MAX, {}});
  // Either root may be the home of the journal.
  const bool home_is_one = random.chance(50);
  for (std::uint64_t done = 0; job.limit == 0 || done < job.limit;) {
    LoadOptions plain;
    plain.use_backup = false;
    const auto loaded = load_document(kContext, **one, kCommitOne, plain);
    if (!loaded && loaded.error().code != Code::not_found) return trouble(job, false, loaded.error().text());
    const auto found = loaded ? document_number(loaded->bytes) : std::optional<std::uint64_t>(0);
    if (!found) return trouble(job, false, "a committed document does not hold what was written");
    const std::uint64_t number = *found + 1;
    Commit commit(home_is_one ? *one : *two);
    commit.put(*one, std::string(kCommitOne), make_document(job.seed, number, job.writer, Profile::small),
               loaded ? loaded->revision : Revision(kAbsent));
    commit.put(*two, std::string(kCommitTwo), make_document(job.seed, number, job.writer + 1, Profile::small));
    commit.append(*one, std::string(kCommitLog), {make_commit_line(number, job.writer)});
    commit.symlink(*two, std::string(kCommitLink), "v" + std::to_string(number));
    report({Kind::intent, 0, job.writer, number, UINT64_MAX, {}});
    const auto committed = commit.run(kContext);
    if (!committed && committed.error().code == Code::conflict) {
      report({Kind::withdrawn, 0, job.writer, number, UINT64_MAX, {}});
      short_pause(random);
      continue;
    }
    if (!committed) return trouble(job, false, committed.error().text());
    report({Kind::ack, 0, job.writer, number, UINT64_MAX, {}});
    ++done;
  }
  report({Kind::finished, 0, job.writer, job.limit, UINT64_MAX, {}});
  return 0;
}

int role_counter(const Job& job) {
  const auto root = open_root(job, job.root);
  if (!root) return 1;
  report({Kind::opened, 0, job.writer, 0, UINT64_MAX, {}});
  for (std::uint64_t done = 0; job.limit == 0 || done < job.limit; ++done) {
    const auto number = next_number(kContext, *root, kCounter);
    if (!number) return trouble(job, false, number.error().text());
    report({Kind::ack, 0, job.writer, *number, UINT64_MAX, {}});
  }
  report({Kind::finished, 0, job.writer, job.limit, UINT64_MAX, {}});
  return 0;
}

int role_lease(const Job& job) {
  Random random(job.seed ^ (job.writer * 41));
  const auto root = open_root(job, job.root);
  if (!root) return 1;
  report({Kind::opened, 0, job.writer, 0, UINT64_MAX, {}});
  for (std::uint64_t done = 0; job.limit == 0 || done < job.limit; ++done) {
    auto lease = random.chance(10) ? Lease::take_over(kContext, *root, kLease, "storm")
                                   : Lease::acquire(kContext, *root, kLease, "storm");
    if (!lease && lease.error().code == Code::busy) continue;
    if (!lease) return trouble(job, false, lease.error().text());
    report({Kind::held, 0, job.writer, monotonic(), UINT64_MAX, {}});
    for (auto turns = 1 + random.below(30); turns > 0; --turns) {
      const std::uint64_t asked = monotonic();
      const auto ours = lease->still_ours();
      if (!ours) return trouble(job, false, ours.error().text());
      if (!*ours) break;
      report({Kind::checked, 0, job.writer, asked, UINT64_MAX, {}});
      short_pause(random);
    }
  }
  report({Kind::finished, 0, job.writer, job.limit, UINT64_MAX, {}});
  return 0;
}

}  // namespace holdfast::lab
