// A feed for finding sessions: whatever may not be read is reported and left out, so that it hides no other session.
// Only for finding. Whoever reads or changes one session has to fail instead.
// Thread-safety: that of the feed below.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/forward_feed.h"

namespace holdfast::inline v1 {

class LenientFeed final : public ForwardFeed {
 public:
  using ForwardFeed::ForwardFeed;

  // The first error that was reported and not returned.
  const std::optional<Error>& left_out() const { return left_out_; }

  Result<std::vector<FeedEntry>> list(const Place& directory) override {
    auto entries = below_.list(directory);
    if (entries || !may_pass(directory, entries.error())) return entries;
    leave_out(directory, std::move(entries).error());
    return std::vector<FeedEntry>();
  }
  Result<std::optional<FeedStat>> stat(const Place& file) override {
    auto stat = below_.stat(file);
    if (stat || !may_pass(file, stat.error())) return stat;
    leave_out(folder_of(file), std::move(stat).error());
    return std::nullopt;
  }
  Result<std::optional<std::string>> document(const Place& file, std::uint64_t limit) override {
    auto bytes = below_.document(file, limit);
    if (bytes || !may_pass(file, bytes.error())) return bytes;
    const bool examined = below_.stat(file).has_value();  // then it is the file itself, not its folder
    leave_out(examined ? file : folder_of(file), std::move(bytes).error());
    return std::nullopt;
  }

 private:
  // A store whose own directory may not be read is no empty store.
  bool may_pass(const Place& what, const Error& error) {
    return error.code == Code::permission_denied && !what.path.empty() && below_.list({what.root, ""}).has_value();
  }
  static Place folder_of(const Place& file) {
    const std::size_t slash = file.path.rfind('/');
    return {file.root, slash == std::string::npos ? file.path : file.path.substr(0, slash)};
  }
  void leave_out(const Place& what, Error error) {
    if (told_.insert(what).second)
      complain(what, 0, code_name(error.code), error.message + "; what is in it is left out");
    if (!left_out_) left_out_ = std::move(error);
  }

  std::set<Place> told_;
  std::optional<Error> left_out_;
};

}  // namespace holdfast::inline v1
