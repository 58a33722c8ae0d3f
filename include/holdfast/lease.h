// A lease says that somebody alive is working on a thing. Alive = the kernel
// lock on the lease file is held; it vanishes with its process. Process id,
// start time, boot id and host are written beside it for people (decision 14).
// Thread-safety: one thread a Lease object.
#pragma once

#include <holdfast/export.h>
#include <holdfast/root.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::inline v1 {

struct LeaseOwner {
  std::int64_t pid = 0;
  std::uint64_t start_time = 0;  // of the process, in clock ticks since boot
  std::string boot_id;
  std::string host;
  std::string since;  // ISO-8601
  std::string note;   // the holder's own words
};

class HOLDFAST_EXPORT Lease {
 public:
  // busy, with the owner in words, while another one lives.
  static Result<Lease> acquire(const Context& context, std::shared_ptr<Root> root, std::string_view name,
                               std::string note = {});
  // Takes it from a living owner, who notices at its next still_ours().
  static Result<Lease> take_over(const Context& context, std::shared_ptr<Root> root, std::string_view name,
                                 std::string note = {});

  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) noexcept = default;

  // Gives it up and removes its file: who finds a lease file that nobody holds
  // knows that its owner died. Without this, destruction leaves the file.
  Result<void> release();

  // False once somebody took it over or the file is gone.
  Result<bool> still_ours() const;

 private:
  Lease(std::shared_ptr<Root> root, std::string path, std::unique_ptr<File> file);
  std::shared_ptr<Root> root_;
  std::string path_;
  std::unique_ptr<File> file_;
};

struct LeaseState {
  bool alive = false;
  std::optional<LeaseOwner> owner;  // the last one that was written down
};

// Looks without taking or changing anything.
HOLDFAST_EXPORT Result<LeaseState> look_at_lease(Root& root, std::string_view name);

}  // namespace holdfast::inline v1
