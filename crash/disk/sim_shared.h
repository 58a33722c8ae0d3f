// A copy-on-write value: copies share it until one of them edits it, so a copy
// of a whole simulated disk costs a few reference counts. Thread-safety: copies
// may be used in different threads; one object only by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace holdfast::inline v1 {

template <typename T>
class SimShared {
 public:
  SimShared() = default;
  explicit SimShared(T value) : box_(new Box(std::move(value))) {}
  SimShared(const SimShared& other) : box_(other.box_) {
    if (box_ != nullptr) box_->references.fetch_add(1, std::memory_order_relaxed);
  }
  SimShared(SimShared&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
  SimShared& operator=(SimShared other) noexcept {
    std::swap(box_, other.box_);
    return *this;
  }
  ~SimShared() {
    // The last owner must see what the others read or wrote before releasing it.
    if (box_ != nullptr && box_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete box_;
  }

  explicit operator bool() const { return box_ != nullptr; }
  const T& operator*() const { return box_->value; }
  const T* operator->() const { return &box_->value; }

  // The value, owned by this copy alone; created if there is none yet.
  T& edit() {
    if (box_ == nullptr) {
      box_ = new Box(T{});
    } else if (box_->references.load(std::memory_order_acquire) != 1) {
      *this = SimShared(T(box_->value));
    }
    return box_->value;
  }

 private:
  struct Box {
    explicit Box(T given) : value(std::move(given)) {}
    std::atomic<std::uint32_t> references{1};
    T value;
  };

  Box* box_ = nullptr;
};

}  // namespace holdfast::inline v1
