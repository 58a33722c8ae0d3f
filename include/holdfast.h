/* Holdfast for C, and for every language that can call C: the table of operations (docs/api.md), JSON in and out.
 *
 * Durability: a change to a store is on the disk when hf_call returns 0, unless the call asked for less.
 * Threads: any thread may call; a client can run any number of calls at a time. There is no global state.
 * Fork: a client belongs to the process that opened it. In a child made by fork, calls on it answer `invalid_argument`
 * and hf_free leaves it alone, so that the parent keeps its leases; the child opens its own. A lease of a parent that
 * dies without hf_free ends when such children have ended too, or have called exec.
 * Memory: the caller owns answers, errors and clients, and must pass each of them to hf_free once.
 * Strings are UTF-8 and end with a NUL. No function throws, prints, or ends the process. */
#ifndef HOLDFAST_H
#define HOLDFAST_H

#include <holdfast/export.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_client hf_client;

/* Receives one item of a stream, a JSON object that is valid only during this call. Return 0 to end the stream. */
typedef int (*hf_item)(void *data, const char *item);

/* options: {"home": "LAYOUT:ROOT", "stores": ["LAYOUT:ROOT", ...], "cache": "DIRECTORY"}. A call that names no store
 * writes to `home`, which is created if it does not exist, and reads `home` and `stores`. At least one is required.
 * Returns 0 and sets *client, or sets *error to an error as below; `error` may be NULL. Opens no file yet. */
HOLDFAST_EXPORT int hf_open(const char *options, hf_client **client, char **error);

/* params: a JSON object, or NULL for none. Returns 0 and sets *answer to the operation's answer, a JSON object on one
 * line. Otherwise *answer is {"error": {"code", "message", "path", "os_error"}}, with a code from the closed list in
 * docs/api.md, or NULL if memory ran out. `tag` is the caller's own name for this call, for hf_cancel; 0 for none. */
HOLDFAST_EXPORT int hf_call(hf_client *client, uint64_t tag, const char *method, const char *params, char **answer);

/* The same for streams: calls `take` with each item, on this thread, until it returns 0 or the stream ends. An
 * operation that is not a stream is refused. */
HOLDFAST_EXPORT int hf_stream(hf_client *client, uint64_t tag, const char *method, const char *params, hf_item take,
                              void *data, char **answer);

/* Stops every running call with that tag: it answers `cancelled`, or what it had finished by then. With 0, does
 * nothing. */
HOLDFAST_EXPORT void hf_cancel(hf_client *client, uint64_t tag);

/* Frees an answer, an error or a client; NULL does nothing. A client's calls must have returned; its leases end. */
HOLDFAST_EXPORT void hf_free(void *what);

/* "0.2.0". Must not be freed. */
HOLDFAST_EXPORT const char *hf_version(void);

#ifdef __cplusplus
}
#endif

#endif
