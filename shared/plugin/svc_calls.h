/* The ability svc.calls/1: a part of svc_plugin.h, which includes it; its rules and types hold here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* ---- svc.calls/1: a route of the base or of a plugin, called in this process -------------------------------------
 * request: {"method", "path" (below the namespace, "/trips/3"), "query" {name: text, number, boolean or a list of
 * them}, "body" (an object; absent: none), "as" ("visitor", "user" or "system"), "user_id" (with "user" alone),
 * "address" (the visitor's, for limits; absent: this process's own), "language" (as in Accept-Language), "headers"
 * [[name, value], …]}. Headers that prove an identity or tell of a transport (Authorization, Cookie, Host,
 * X-Forwarded-For, …) are refused. The call passes the gate as one from a socket does: "user" has the rights that user
 * has now and its limits, "visitor" none and the limits of the address, "system" every right and no limit; what it
 * writes has no author. answer: {"status", "headers" [[name, value], …], "body" (the envelope or the error; null: none)
 * or "raw_hex" (an answer that is no JSON, at most 8 MiB)}. An error of the route is an answer with its status. */
#define SVC_CALLS_1 "svc.calls/1"
typedef struct svc_calls_1 {
    uint32_t size;
    void* self;
    /* SVC_REFUSED: the request is malformed, or no such user is active. Waits; from a handler, a job or a listener of
     * an action, never in a session's or transaction's callback: that answers SVC_FAILURE_DETACHED. Calls that are
     * made by calls are at most eight deep. SVC_FAILURE_UNAVAILABLE: the base does not serve yet. [any thread] */
    svc_status (*call)(void* self, svc_text request, svc_answer* answer);
} svc_calls_1;

#ifdef __cplusplus
}
#endif
