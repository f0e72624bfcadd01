/* The ability svc.limits/1: a part of svc_plugin.h, which includes it; its rules and types hold here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* ---- svc.limits/1: how often something may be done ------------------------------------------------------------------
 * use: {"action" (a word of the plugin's own), "by": "address" (of a network: the base counts an IPv6 /64 once),
 * "mailbox" (case and blanks do not matter; stored as a hash) or "key", "subject" (that address, mailbox or key),
 * "burst" (uses at once, 1 to 100000), "seconds" (in which all of them are refilled, 1 to 86400), "strict"}. Uses that
 * are not strict are counted in memory and added up between processes within a second; strict ones are counted in the
 * database, exactly, at the cost of a commit: for guesses at secrets. */
#define SVC_LIMITS_1 "svc.limits/1"
typedef struct svc_limits_1 {
    uint32_t size;
    void* self;
    /* Counts one use. Answers {"limit", "rest", "reset" (seconds until all are left again)}. SVC_REFUSED with
     * svc_rate_limited and "retry_after": over the limit, and nothing was counted. A strict use waits and is not
     * counted inside a transaction or a session's callback: SVC_FAILURE_DETACHED. [any thread] */
    svc_status (*take)(void* self, svc_text use, svc_answer* answer);
} svc_limits_1;

#ifdef __cplusplus
}
#endif
