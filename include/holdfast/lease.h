// A lease says that a living process works on something. The owner lives while
// it holds the kernel lock on the lease file, which ends with its process. The
// file names process id, start time, boot id and host, for people (decision 14).
// Thread-safety: one thread per Lease object.
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
  std::string note;   // free text from the owner
};

class HOLDFAST_EXPORT Lease {
 public:
  // Fails with busy while another owner lives; the message describes that owner.
  static Result<Lease> acquire(const Context& context, std::shared_ptr<Root> root, std::string_view name,
                               std::string note = {});
  // Takes the lease even from a living owner, whose next still_ours() returns false.
  static Result<Lease> take_over(const Context& context, std::shared_ptr<Root> root, std::string_view name,
                                 std::string note = {});

  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) noexcept = default;

  // Gives up the lease and removes its file. The destructor does not remove it:
  // a lease file that nobody holds means that its owner died.
  Result<void> release();

  // Returns false once another owner took the lease or its file is gone.
  Result<bool> still_ours() const;

 private:
  Lease(std::shared_ptr<Root> root, std::string path, std::unique_ptr<File> file);
  std::shared_ptr<Root> root_;
  std::string path_;
  std::unique_ptr<File> file_;
};

struct LeaseState {
  bool alive = false;
  std::optional<LeaseOwner> owner;  // the last one recorded in the lease file
};

// Returns the state of a lease; takes and changes nothing.
HOLDFAST_EXPORT Result<LeaseState> look_at_lease(Root& root, std::string_view name);

}  // namespace holdfast::inline v1
