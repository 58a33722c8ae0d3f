// Whether this build has a sanitizer in it: it is slow, needs terabytes of address space, and a thread to end with.
#pragma once

namespace holdfast {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HOLDFAST_SANITIZED_BUILD 1
#endif
#endif
#if defined(HOLDFAST_SANITIZED_BUILD)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace holdfast
