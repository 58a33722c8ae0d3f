/* Holdfast for C, and for every language that can call C: the table of operations (docs/api.md), JSON in and out.
 *
 * Durability: what changes a store is on the disk when hf_call returns 0, unless less was asked for.
 * Threads: any thread, any number of calls at a time on one client. No global state.
 * Memory: answers and clients belong to the caller, who gives each to hf_free once.
 * Strings are UTF-8 and end with a NUL. No function throws, prints, or ends the process. */
#ifndef HOLDFAST_H
#define HOLDFAST_H

#include <holdfast/export.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_client hf_client;

/* One item of a stream, a JSON object that lives as long as the call. 0 ends the stream. */
typedef int (*hf_item)(void *data, const char *item);

/* options: {"home": "LAYOUT:ROOT", "stores": ["LAYOUT:ROOT", ...], "cache": "DIRECTORY"}. `home` is what calls write to
 * that name no store; it is made when absent. `stores` are what they look at besides. At least one is needed.
 * 0: *client is a new client. Otherwise *error is an error, as below; `error` may be NULL. Opens no file yet. */
HOLDFAST_EXPORT int hf_open(const char *options, hf_client **client, char **error);

/* params: a JSON object, or NULL for none. 0: *answer is the operation's answer, a JSON object on one line. Otherwise
 * *answer is {"error": {"code", "message", "path", "os_error"}}, with a code of the closed list in docs/api.md, or NULL
 * when no memory is left. `tag` is the caller's own name for this call, for hf_cancel; 0 for none. */
HOLDFAST_EXPORT int hf_call(hf_client *client, uint64_t tag, const char *method, const char *params, char **answer);

/* The same for streams: `take` gets each item on this thread, until it answers 0 or the stream ends. */
HOLDFAST_EXPORT int hf_stream(hf_client *client, uint64_t tag, const char *method, const char *params, hf_item take,
                              void *data, char **answer);

/* Ends every running call with that tag early: it answers `cancelled`, or what it had finished by then. */
HOLDFAST_EXPORT void hf_cancel(hf_client *client, uint64_t tag);

/* An answer, an error or a client; NULL is nothing to do. A client's calls must have returned; its leases end. */
HOLDFAST_EXPORT void hf_free(void *what);

/* "0.2.0"; lives for ever. */
HOLDFAST_EXPORT const char *hf_version(void);

#ifdef __cplusplus
}
#endif

#endif
