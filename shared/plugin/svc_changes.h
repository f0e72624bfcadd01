/* The ability svc.changes/1: a part of svc_plugin.h, which includes it; its rules and types hold here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* ---- svc.changes/1: what has changed since, in any process of the installation -------------------------------------
 * A channel is a set of records. The plugin's own is a word (a-z, 0-9, _; at most 40), which no other plugin names;
 * "base:" and a word is one that the base counts: trips, departures, classifications, discounts, settings, modules. */
#define SVC_CHANGES_1 "svc.changes/1"
typedef struct svc_changes_1 {
    uint32_t size;
    void* self;
    /* changed runs within a second after the commit of a change, this process's included, once when the base has
     * started, and now and then without a change; several changes may be one call. It runs on the base's thread that
     * follows changes, one at a time: it waits for nothing. changed may be NULL: for token alone. SVC_REFUSED: no such
     * channel. [start-up] */
    svc_status (*follow)(void* self, svc_text channel, void* context, void (*changed)(void* context));
    /* Counts a change of an own channel, reported once the transaction has committed; call it last. SVC_REFUSED: no own
     * channel. [thread of the transaction's callback] */
    svc_status (*touch)(void* self, svc_session* transaction, svc_text channel, svc_answer* answer);
    /* *token differs from that of a call before when a followed channel has changed since; it counts from the start of
     * this process and reads no database. SVC_REFUSED: not followed. [any thread] */
    svc_status (*token)(void* self, svc_text channel, int64_t* token);
} svc_changes_1;

#ifdef __cplusplus
}
#endif
