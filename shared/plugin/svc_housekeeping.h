/* The ability svc.housekeeping/1: a part of svc_plugin.h, which includes it; its rules and types hold here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* ---- svc.housekeeping/1: old rows of the plugin that the base deletes each night ------------------------------------
 * piece: {"name" (a word of the plugin's own), "sql" (a DELETE that deletes at most :most rows older than :before, UTC
 * microseconds), "days" (how long rows stay) or "days_setting" (the key of a setting with them; 0 or less: for ever),
 * "module" (nothing is deleted while it is off; empty: always)}. The base repeats the statement, a transaction each,
 * until fewer than :most rows were deleted, so that writers wait briefly. */
#define SVC_HOUSEKEEPING_1 "svc.housekeeping/1"
typedef struct svc_housekeeping_1 {
    uint32_t size;
    void* self;
    /* SVC_REFUSED: malformed, or the name is taken. [start-up] */
    svc_status (*add)(void* self, svc_text piece);
} svc_housekeeping_1;

#ifdef __cplusplus
}
#endif
