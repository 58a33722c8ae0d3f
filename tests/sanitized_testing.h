// Whether this build has a sanitizer: it is slow, and needs terabytes of address space and a thread at exit.
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
