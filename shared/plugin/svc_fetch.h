/* The ability svc.fetch/2: a part of svc_plugin.h, which includes it; its rules and types hold here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* ---- svc.fetch/2: svc.fetch/1 with a client's certificate, limits by host and the time it took ----------------------
 * request: as in svc.fetch/1 ("method": GET, HEAD, POST, PUT, PATCH or DELETE), and "certificate" {"chain", "key"}
 * (PEM, never logged), "host_limit" {"burst", "seconds"} (calls of this plugin to the URL's host and port). Redirects
 * are not followed: a 3xx is the answer. answer: {"status", "headers" [[name, value], …], "body", "duration_ms"}. */
#define SVC_FETCH_2 "svc.fetch/2"
typedef struct svc_fetch_2 {
    uint32_t size;
    void* self;
    /* SVC_REFUSED with svc_rate_limited and "retry_after": over the host's limit, nothing was sent. Any other refusal:
     * unreachable, slow, too long, or an address that is not public and that the operator has not allowed; "cause" has
     * the reason. Waits; never in a session's or transaction's callback: SVC_FAILURE_DETACHED. [any thread] */
    svc_status (*fetch)(void* self, svc_text request, svc_answer* answer);
} svc_fetch_2;

#ifdef __cplusplus
}
#endif
