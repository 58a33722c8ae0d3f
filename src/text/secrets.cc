#include "text/secrets.h"

#include "text/secret_anchors.h"
#include "text/secret_names.h"

namespace holdfast::inline v1 {
namespace {

constexpr std::string_view kOpen = "[redacted: ";

// Returns the known shape of the whole value, if it has one: a shape is more specific than a name.
std::optional<FoundSecret> whole_shape(std::string_view text, SecretSpan value) {
  std::optional<FoundSecret> found;
  if (value.at + 4 > text.size()) return found;
  SecretAnchors::all().at(text, value.at, [&](const SecretAnchors::Anchor& anchor) {
    if (anchor.rule == SecretAnchors::kNamed) return false;
    const auto span = match_secret(anchor.rule, text, value.at, value.at);
    if (!span || span->at != value.at || span->end < value.end) return false;
    const SecretRule& rule = secret_rules()[anchor.rule];
    found = FoundSecret{span->at, span->end - span->at, rule.what, rule.tier};
    return true;
  });
  return found;
}

std::optional<FoundSecret> named(std::string_view text, std::size_t at, std::size_t floor, bool with_inner) {
  const auto assigned = assigned_secret(text, at, floor, with_inner);
  if (!assigned) return std::nullopt;
  if (auto shape = whole_shape(text, assigned->value)) return shape;
  const SecretSpan value = assigned->value;
  return FoundSecret{value.at, value.end - value.at, assigned->name == SecretName::password ? "password" : "secret",
                     SecretTier::likely};
}

std::optional<FoundSecret> shaped(std::size_t rule, std::string_view text, std::size_t at, std::size_t floor) {
  const auto span = match_secret(rule, text, at, floor);
  if (!span) return std::nullopt;
  return FoundSecret{span->at, span->end - span->at, secret_rules()[rule].what, secret_rules()[rule].tier};
}

std::vector<FoundSecret> find(std::string_view text, bool with_inner) {
  const SecretAnchors& anchors = SecretAnchors::all();
  std::vector<FoundSecret> all;
  std::size_t floor = 0;
  for (std::size_t at = anchors.next(text, 0); at < text.size(); at = anchors.next(text, at)) {
    std::optional<FoundSecret> found;
    anchors.at(text, at, [&](const SecretAnchors::Anchor& anchor) {
      found = anchor.rule == SecretAnchors::kNamed ? named(text, at, floor, with_inner)
                                                   : shaped(anchor.rule, text, at, floor);
      return found.has_value();
    });
    ++at;
    if (!found) continue;
    floor = found->at + found->length;
    if (floor > at) at = floor;
    all.push_back(*found);
  }
  return all;
}

}  // namespace

std::vector<FoundSecret> find_secrets(std::string_view text) { return find(text, false); }

std::string secret_placeholder(std::string_view what) { return std::string(kOpen).append(what).append("]"); }

bool is_secret_placeholder(std::string_view text) {
  return text.starts_with(kOpen) && text.size() < 80 && text.find(']') == text.size() - 1;
}

std::optional<std::string> redacted(std::string_view text) {
  // A placeholder can change how the text around it is read: for a=b=c=d, each round hides the last value. A
  // chain longer than anybody would write is hidden all at once.
  constexpr int kRounds = 16;
  std::optional<std::string> result;
  for (int round = 0; round < 2 * kRounds; ++round) {
    const std::string_view now = result ? std::string_view(*result) : text;
    const auto secrets = find(now, round >= kRounds);
    if (secrets.empty()) return result;
    std::string hidden;
    std::size_t from = 0;
    for (const FoundSecret& secret : secrets) {
      hidden.append(now.substr(from, secret.at - from)).append(secret_placeholder(secret.what));
      from = secret.at + secret.length;
    }
    hidden.append(now.substr(from));
    result = std::move(hidden);
  }
  return result;
}

}  // namespace holdfast::inline v1
