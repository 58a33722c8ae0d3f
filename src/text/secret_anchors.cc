#include "text/secret_anchors.h"

#include <array>
#include <string>

#include "base/ascii.h"
#include "text/secret_rules.h"

namespace holdfast::inline v1 {
namespace {

// Every name that secret_name accepts contains one of these.
constexpr std::array<std::string_view, 13> kNameParts = {
    "password", "passwd",     "passphrase",    "passcode", "secret", "token", "_pass",
    "_pwd",     "credential", "authorization", "oauth",    "cookie", "bearer"};
// The same for names that end in a word too common to stop at everywhere: only before a character that can follow
// a name.
constexpr std::array<std::string_view, 5> kEndParts = {"key", "pass", "pwd", "auth", "jwt"};
constexpr std::string_view kBehindName = "0123456789=: \t\n\"'`\\]_-.>";

// What may follow an anchor of three bytes.
constexpr std::string_view kFollowers = "abcdefghijklmnopqrstuvwxyz0123456789_-%.~!$&'()*+,;=:@";

char fold(char c) { return static_cast<char>(static_cast<unsigned char>(c) | 0x20U); }

}  // namespace

const SecretAnchors& SecretAnchors::all() {
  static const SecretAnchors anchors;
  return anchors;
}

SecretAnchors::SecretAnchors() : slots_(std::size_t{1} << kBits), chains_(1) {
  const auto rules = secret_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    for (const std::string_view anchor : rules[i].anchors) add({anchor, rules[i].any_case, i});
  }
  for (const std::string_view part : kNameParts) add({part, true, kNamed});
  for (const std::string_view part : kEndParts)
    for (const char behind : kBehindName) add({kept_.emplace_back(std::string(part) + behind), true, kNamed});
  add({"keydata", true, kNamed});
}

void SecretAnchors::add(const Anchor& anchor) {
  if (anchor.text.size() >= 4) return add_key(anchor.text.substr(0, 4), anchor);
  if (anchor.text.size() == 2) {
    constexpr std::string_view kHex = "0123456789abcdef";
    for (const char a : kHex) {
      for (const char b : kHex) add_key(std::string(anchor.text) + a + b, anchor);
    }
    return;
  }
  std::string folded_before;
  for (const char follower : kFollowers) {
    if (folded_before.find(fold(follower)) != std::string::npos) continue;
    folded_before += fold(follower);
    add_key(std::string(anchor.text) + follower, anchor);
  }
}

void SecretAnchors::add_key(std::string_view four, const Anchor& anchor) {
  std::uint16_t* tail = &slots_[slot(folded(four.data()))];
  while (*tail != 0) {
    if (chains_[*tail].anchor.text == anchor.text && chains_[*tail].anchor.rule == anchor.rule) return;
    tail = &chains_[*tail].next;
  }
  *tail = static_cast<std::uint16_t>(chains_.size());
  chains_.push_back({anchor, 0});
}

bool SecretAnchors::stands(const Anchor& anchor, std::string_view text, std::size_t at) {
  const std::string_view here = text.substr(at, anchor.text.size());
  if (here.size() < anchor.text.size()) return false;
  if (!anchor.any_case) return here == anchor.text;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (ascii_lower(here[i]) != anchor.text[i]) return false;
  }
  return true;
}

}  // namespace holdfast::inline v1
