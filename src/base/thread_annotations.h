// Annotations for clang's -Wthread-safety; empty for other compilers.
#pragma once

#if defined(__clang__)
#define HOLDFAST_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define HOLDFAST_THREAD_ATTRIBUTE(x)
#endif

#define HOLDFAST_CAPABILITY(name) HOLDFAST_THREAD_ATTRIBUTE(capability(name))
#define HOLDFAST_SCOPED_CAPABILITY HOLDFAST_THREAD_ATTRIBUTE(scoped_lockable)
#define HOLDFAST_GUARDED_BY(mutex) HOLDFAST_THREAD_ATTRIBUTE(guarded_by(mutex))
#define HOLDFAST_REQUIRES(...) HOLDFAST_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define HOLDFAST_EXCLUDES(...) HOLDFAST_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define HOLDFAST_ACQUIRE(...) HOLDFAST_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define HOLDFAST_RELEASE(...) HOLDFAST_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
// For code that the analysis cannot follow; say why beside each use.
#define HOLDFAST_NOT_ANALYSED HOLDFAST_THREAD_ATTRIBUTE(no_thread_safety_analysis)
