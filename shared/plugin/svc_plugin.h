/* All that crosses between the base and a plugin: C tables with sizes, no C++ type and no exception.
 *
 * Rules of the waist, true for every function below:
 * - A table begins with its size. Members are appended, never moved or removed; a changed meaning is a new id ("/2").
 *   In svc_host and svc_plugin, size and ABI numbers keep their place in every major to come.
 * - Memory stays on the side that made it. A svc_text, an array and a pointer passed to a call are borrowed: valid
 *   until that call returns. `context` is the plugin's, valid until detach returns.
 * - Nothing thrown leaves a side. A throw inside is SVC_FAILED outside.
 * - Structured values are JSON text. Unknown keys are ignored, except in a permission, where they are refused.
 * - Tags: [start-up] during attach, on its thread; [any thread] from the moment attach has returned SVC_OK until
 *   detach is called, several at once; [shut-down] once, nothing else running.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define SVC_ABI_MAJOR 1 /* another major is refused */
#define SVC_ABI_MINOR 7 /* +1 whenever a member or a service is appended below */

/* True when the other side's table is long enough to hold the member, and holds it. */
#define SVC_HAS(type, table, member) \
    ((table) && (table)->size >= offsetof(type, member) + sizeof((table)->member) && (table)->member)

/* UTF-8, not terminated; `data` may be NULL when `size` is 0. Borrowed. */
typedef struct svc_text {
    const char* data;
    size_t size;
} svc_text;

/* Zero is no status: a forgotten return is no success. Any value but these three counts as SVC_FAILED. */
typedef enum svc_status {
    SVC_OK = 1,                    /* done; the answer is complete */
    SVC_REFUSED = 2,               /* expected: the answer's error is what a client may be told */
    SVC_FAILED = 3,                /* not expected: the answer's error, if any, is for the log alone */
    SVC_STATUS_WIDEST = 0x7fffffff /* makes every 32-bit value a valid object; never returned */
} svc_status;

/* Where the callee writes its answer; the caller owns and copies. Never NULL unless said. Called on the callee's
 * thread before it returns: json once for SVC_OK where an answer is promised, error once otherwise. */
typedef struct svc_answer {
    uint32_t size;
    void* self;
    void (*json)(void* self, svc_text body);
    /* code: a row of the error table ("svc_not_found") or a SVC_FAILURE_*; field: the first at fault, may be empty. */
    void (*error)(void* self, svc_text code, svc_text message, svc_text field);
    /* After error. A JSON object: "status" (HTTP, for a code the other side may not know), "fields"
     * [[field, sentence], …], "data" {…}, "retry_after" seconds, "cause" (for the log alone). */
    void (*details)(void* self, svc_text object);
} svc_answer;

/* A session or transaction of the base, lent to one callback: usable on the callback's thread until it returns. Used
 * later or elsewhere every call answers SVC_FAILED with SVC_FAILURE_DETACHED. */
typedef struct svc_session svc_session;

/* What the base is to a plugin. The base owns it; it and every table it hands out stay valid until detach returns. */
typedef struct svc_host {
    uint32_t size;
    uint16_t abi_major, abi_minor;
    svc_text version; /* "3.0.16", for the log; never compared. Valid as long as the table */
    void* self;
    const void* (*service)(void* self, const char* id); /* that table; NULL: none here. [start-up] [any thread] */
} svc_host;

/* What a plugin is to the base. The plugin owns it; it lives as long as the process. */
typedef struct svc_plugin {
    uint32_t size;
    uint16_t abi_major, abi_minor; /* the lowest minor it runs on */
    svc_text name, version;        /* valid as long as the process */
    /* Registers all it brings. What is registered is put in place only when this returns SVC_OK; otherwise nothing
     * is, and why_not's error stands in the refusal's log line. *self is handed to detach. [start-up] */
    svc_status (*attach)(const svc_host* host, void** self, svc_answer* why_not);
    /* No call of either side is under way and none follows. Called only after an attach with SVC_OK. [shut-down] */
    void (*detach)(void* self);
} svc_plugin;

typedef const svc_plugin* svc_plugin_entry_fn(void); /* exported as svc_plugin_entry */

/* The ELF note that tells the ABI numbers before any code of the library runs. One per library, at file scope. */
typedef struct svc_plugin_note {
    uint32_t name_size, body_size, type;
    char name[4];
    uint16_t abi_major, abi_minor;
} svc_plugin_note;
#define SVC_PLUGIN_NOTE_NAME "svc"
#define SVC_PLUGIN_NOTE_TYPE 1u
#define SVC_PLUGIN_NOTE(major, minor)                                                                             \
    __attribute__((used, aligned(4),                                                                              \
                   section(".note.svc.plugin"))) static const svc_plugin_note svc_plugin_note_of_this_library = { \
        4u, 4u, SVC_PLUGIN_NOTE_TYPE, SVC_PLUGIN_NOTE_NAME, (major), (minor)}

/* Codes of an answer's error with SVC_FAILED: the kinds that the other side tells apart. */
#define SVC_FAILURE_EXCEPTION "failure.exception"     /* anything else; the message is for the log */
#define SVC_FAILURE_DETACHED "failure.detached"       /* called outside its time */
#define SVC_FAILURE_STORE "failure.store"             /* the database, in another way than the next four */
#define SVC_FAILURE_UNAVAILABLE "failure.unavailable" /* the database is gone, full or too busy: answered 503 */
#define SVC_FAILURE_UNIQUE "failure.unique"           /* the message names the constraint or table.column */
#define SVC_FAILURE_CONSTRAINT "failure.constraint"   /* CHECK, NOT NULL or foreign key */
#define SVC_FAILURE_RETRYABLE "failure.retryable"     /* the transaction is run again; let it pass through */

/* ---- svc.routes/1: routes of the plugin in the base's table -------------------------------------------------------
 * spec: a RouteSpec as JSON: the members that shared/api/route.hpp describes by their names there, all but functions,
 * "errors" as [{code, status, sentence}], "limit" as {burst, seconds, per}, "beside" as [[field, field], …]; and
 * "headers": the names of the request headers the handler reads. CAPABILITIES.md tells since when each is known.
 * "who" is one of {"rule": "everyone"}, {"rule": "signed_in"}, {"rule": "any_of", "capabilities": […]},
 * {"rule": "decided_by", "says": "…"}. A rule, key or capability this base does not know refuses the route.
 * request: {"id", "address", "now" (microseconds), "caller" {"kind", "user_id", "login", "email", "capabilities",
 * "through"}, "path", "query", "body", "headers" {name: value}, "raw_body" (hexadecimal, raw_body_only alone),
 * "reply_key"}. answer: {"status", "data", "more_meta", "page" {page, per_page, total}, "message", "raw" or "raw_hex",
 * "content_type", "headers" [[name, value], …]}. SVC_REFUSED answers the error; SVC_FAILED is answered 500 or 503. */
#define SVC_ROUTES_1 "svc.routes/1"
typedef struct svc_route_1 { /* a route's functions: [any thread], several at once; NULL: it has none */
    uint32_t size;
    void* context;
    svc_status (*handle)(void* context, svc_text request, svc_answer* answer);
    svc_status (*check)(void* context, svc_text request, svc_answer* answer); /* as in add_decided */
    /* Asked when a body does not fit; the request's "body" holds what fits. Answers the faults that handle would find
     * in it: [[field, sentence], …]. Another refusal than svc_validation_error replaces them. Changes nothing. */
    svc_status (*rules)(void* context, svc_text request, svc_answer* answer);
} svc_route_1;
typedef struct svc_routes_1 {
    uint32_t size;
    void* self;
    /* SVC_REFUSED: malformed, or taken; the base logs the reason. handle: [any thread], after validation. [start-up] */
    svc_status (*add)(void* self, svc_text spec, void* context,
                      svc_status (*handle)(void* context, svc_text request, svc_answer* answer));
    /* For a "who" decided_by: SVC_OK of check, asked first, admits; SVC_REFUSED answers its error. [start-up] */
    svc_status (*add_decided)(void* self, svc_text spec, void* context,
                              svc_status (*check)(void* context, svc_text request, svc_answer* answer),
                              svc_status (*handle)(void* context, svc_text request, svc_answer* answer));
    /* Keeps handle's answer for a repeat of its request, which has a "reply_key", in the transaction (never NULL) that
     * decides it. SVC_REFUSED: no such request is handled now. [thread of the transaction's callback] */
    svc_status (*keep_reply)(void* self, svc_session* transaction, int64_t reply_key, svc_text reply,
                             svc_answer* answer);
    /* As add, with all functions of the route, which are copied. [start-up] */
    svc_status (*add_route)(void* self, svc_text spec, const svc_route_1* functions);
} svc_routes_1;

/* ---- svc.store/1: the base's database ------------------------------------------------------------------------------
 * A call is made per row, so cells are C values and no JSON. Cell and parameter never grow within "/1". */
typedef enum svc_cell_kind {
    SVC_NULL = 0,
    SVC_INTEGER = 1, /* numbers, money in minor units, instants in UTC microseconds, flags 0/1 */
    SVC_STRING = 2,  /* UTF-8 without NUL */
    SVC_CELL_KIND_WIDEST = 0x7fffffff
} svc_cell_kind;
typedef struct svc_cell {
    svc_cell_kind kind;
    int64_t integer; /* when SVC_INTEGER */
    svc_text text;   /* when SVC_STRING; borrowed */
} svc_cell;
typedef struct svc_param {
    svc_text name; /* without the colon */
    svc_cell value;
} svc_param;
#define SVC_STORE_1 "svc.store/1"
#define SVC_DIALECT_SQLITE 1u
#define SVC_DIALECT_POSTGRESQL 2u
typedef struct svc_store_1 {
    uint32_t size;
    void* self;
    uint32_t (*dialect)(void* self); /* SVC_DIALECT_*. [start-up] [any thread] */
    /* Lends a session for reads, each statement by itself. Status and error of work are passed on. [any thread], not
     * inside another session's callback: that answers SVC_FAILURE_DETACHED */
    svc_status (*read)(void* self, void* context,
                       svc_status (*work)(void* context, svc_session* session, svc_answer* answer), svc_answer* answer);
    /* Runs work in a transaction of its own: committed and durable when this returns SVC_OK, rolled back when work
     * returns anything else. work may run more than once and on another thread; it touches the transaction and
     * context alone and waits for nothing. [any thread], not inside another session's callback */
    svc_status (*write)(void* self, void* context,
                        svc_status (*work)(void* context, svc_session* transaction, svc_answer* answer),
                        svc_answer* answer);
    /* SELECT or … RETURNING: calls row for each row. columns: 'i' or 't' for each cell. A row that returns anything but
     * SVC_OK ends the statement, which answers that status and no error. [thread of the session's callback] */
    svc_status (*each)(void* self, svc_session* session, svc_text sql, svc_text columns, const svc_param* params,
                       size_t param_count, void* context,
                       svc_status (*row)(void* context, const svc_cell* cells, size_t cell_count), svc_answer* answer);
    /* INSERT, UPDATE, DELETE; *affected (never NULL) is the number of rows. [thread of the session's callback] */
    svc_status (*run)(void* self, svc_session* session, svc_text sql, const svc_param* params, size_t param_count,
                      int64_t* affected, svc_answer* answer);
    /* then runs once after the commit, never when it rolled back; release (may be NULL) runs once in either case, last.
     * SVC_REFUSED: no transaction; release is not called. [thread of the session's callback] */
    svc_status (*after_commit)(void* self, svc_session* transaction, void* context, void (*then)(void* context),
                               void (*release)(void* context));
    /* Runs part in a savepoint, kept with SVC_OK alone; passes its status on. [thread of the session's callback] */
    svc_status (*attempt)(void* self, svc_session* transaction, void* context,
                          svc_status (*part)(void* context, svc_answer* answer), svc_answer* answer);
} svc_store_1;

/* ---- svc.hooks/1: actions and filters ------------------------------------------------------------------------------
 * declaration: {"name", "since", "says", "arguments": [names], "deprecated_since", "instead"}, for a filter also "like"
 * and "value": "boolean", "number", "string", "array" or "object".
 * listener: {"name", "priority" (10), "takes" (255), "module"}: lower priority first, then the base's before a
 * plugin's, then by name; muted while the module is off. Arguments are a JSON array, cut to "takes". */
#define SVC_HOOKS_1 "svc.hooks/1"
typedef struct svc_hooks_1 {
    uint32_t size;
    void* self;
    /* SVC_REFUSED: the name is taken or the declaration is malformed. [start-up] */
    svc_status (*declare_action)(void* self, svc_text declaration);
    svc_status (*declare_filter)(void* self, svc_text declaration);
    /* SVC_REFUSED: no such action. call: after the commit, at least once; failures are logged. [start-up] */
    svc_status (*on)(void* self, svc_text action, svc_text listener, void* context,
                     svc_status (*call)(void* context, svc_text arguments));
    /* SVC_REFUSED: no such filter. call answers the new value; any status but SVC_OK leaves it. transaction: the
     * caller's, or NULL; what call writes there is part of it. call: [any thread]. [start-up] */
    svc_status (*filter)(void* self, svc_text filter, svc_text listener, void* context,
                         svc_status (*call)(void* context, svc_session* transaction, svc_text value_and_arguments,
                                            svc_answer* answer));
    /* 1 when an action or filter of that name is declared, else 0. [start-up] [any thread] */
    int32_t (*knows)(void* self, svc_text name);
    /* Its listeners run after the commit. SVC_REFUSED: no such action. [thread of the transaction's callback] */
    svc_status (*fire)(void* self, svc_session* transaction, svc_text action, svc_text arguments, svc_answer* answer);
    /* The value as the listeners leave it; transaction may be NULL. SVC_REFUSED: no such filter. [any thread] */
    svc_status (*apply)(void* self, svc_session* transaction, svc_text filter, svc_text value, svc_text arguments,
                        svc_answer* answer);
} svc_hooks_1;

/* ---- svc.settings/1: settings of the site --------------------------------------------------------------------------
 * setting: {"key", "type", "fresh", "says", "group", "secret", "module", "also"}. */
#define SVC_SETTINGS_1 "svc.settings/1"
typedef struct svc_settings_1 {
    uint32_t size;
    void* self;
    svc_status (*declare)(void* self, svc_text setting); /* SVC_REFUSED: the key is taken or malformed. [start-up] */
    /* The value or its default, secrets opened. SVC_REFUSED: no such key. [any thread] */
    svc_status (*get)(void* self, svc_text key, svc_answer* answer);
    /* values: an object. All or nothing; answers {"updated": […], "rejected_keys": […]}. transaction may be NULL: a
     * transaction of its own. user_id 0: the plugin itself. SVC_REFUSED: a bad value. [any thread] */
    svc_status (*write)(void* self, svc_session* transaction, svc_text values, int64_t user_id, svc_answer* answer);
} svc_settings_1;

/* ---- svc.modules/1: parts the operator turns on and off, and the plugin's storage ----------------------------------
 * module: {"slug", "name", "description", "category", "plan", "requires_pro", "depends_on", "settings" (schema),
 * "secret_settings"}. A disabled module's routes do not exist and its listeners are muted. */
#define SVC_MODULES_1 "svc.modules/1"
/* One storage step, forward only. The base runs it once in a transaction and keeps name and checksum for ever: a
 * released step never changes. Names are unique over all of the plugin's steps. Copied. */
typedef struct svc_step {
    svc_text name; /* "0001_additional_services" */
    svc_text sql;  /* statements, each ended by ';' at a line's end */
} svc_step;
typedef struct svc_modules_1 {
    uint32_t size;
    void* self;
    /* steps run when the module is first enabled, and at start-up after an update; then prepare (may be NULL, [any
     * thread]), without whose SVC_OK the module stays off. SVC_REFUSED: the slug is taken or malformed. [start-up] */
    svc_status (*declare)(void* self, svc_text module, const svc_step* steps, size_t step_count, void* context,
                          svc_status (*prepare)(void* context, svc_answer* why_not));
    /* Steps of the plugin's own, run before what it registered is put in place; a failure refuses it. [start-up] */
    svc_status (*storage)(void* self, const svc_step* steps, size_t step_count);
    int32_t (*enabled)(void* self, svc_text slug); /* 1 or 0; 0 for an unknown slug. [any thread] */
    svc_status (*settings)(void* self, svc_text slug, svc_answer* answer); /* secrets opened. [any thread] */
} svc_modules_1;

/* ---- svc.gateways/1: payment gateways ------------------------------------------------------------------------------
 * info: {"id", "title", "description", "icon", "is_offline", "supports", "module", "requires_pro", "fields": [{"id",
 * "type", "label", "description", "fallback", "options", "secret", "least", "most"}]}. config: the values of the
 * fields, secrets opened; it is never logged. */
typedef struct svc_gateway_1 {
    uint32_t size;
    void* context;
    /* 1 when a payment of that amount can be offered, else 0; in minor units of the currency. [any thread] */
    int32_t (*available)(void* context, svc_text config, int64_t amount_minor, svc_text currency);
    /* What the customer of an offline one reads after booking: a JSON string of plain text. May be NULL. */
    svc_status (*instructions)(void* context, svc_text config, svc_text booking, svc_answer* answer);
} svc_gateway_1;
#define SVC_GATEWAYS_1 "svc.gateways/1"
typedef struct svc_gateways_1 {
    uint32_t size;
    void* self;
    /* The plugin's table, valid until detach returns. SVC_REFUSED: the id is taken or malformed. [start-up] */
    svc_status (*add)(void* self, svc_text info, const svc_gateway_1* gateway);
} svc_gateways_1;

/* ---- svc.jobs/1: work by the clock, once across all processes ------------------------------------------------------
 * job: {"name", "says", "every" (seconds) or "daily_at" ("HH:MM" of the site)}. */
#define SVC_JOBS_1 "svc.jobs/1"
typedef struct svc_jobs_1 {
    uint32_t size;
    void* self;
    /* run answers an object of counts for the record, or fails until its next turn. now: UTC microseconds.
     * run: [any thread]. SVC_REFUSED: the name is taken. [start-up] */
    svc_status (*add)(void* self, svc_text job, void* context,
                      svc_status (*run)(void* context, int64_t now, svc_answer* answer));
    void (*wake)(void* self, svc_text name); /* due now; an unknown name is ignored. [any thread] */
} svc_jobs_1;

/* ---- svc.log/1: the base's log ----------------------------------------------------------------------------------- */
#define SVC_LOG_1 "svc.log/1"
#define SVC_LOG_DEBUG 0u
#define SVC_LOG_INFO 1u
#define SVC_LOG_WARNING 2u
#define SVC_LOG_ERROR 3u
typedef struct svc_log_1 {
    uint32_t size;
    void* self;
    /* fields: a flat object of strings and integers; the base redacts it. Never fails. [start-up] [any thread] */
    void (*write)(void* self, uint32_t level, svc_text event, svc_text fields);
} svc_log_1;

/* ---- svc.secrets/1: sealing at rest; the key never leaves the base -------------------------------------------------
 * bound_to names table, row and column: what was sealed for one place opens for no other, nor for another plugin. */
#define SVC_SECRETS_1 "svc.secrets/1"
typedef struct svc_secrets_1 {
    uint32_t size;
    void* self;
    svc_status (*seal)(void* self, svc_text secret, svc_text bound_to, svc_answer* answer); /* a string. [any thread] */
    /* Answers the secret as a string. SVC_REFUSED: not sealed by this installation for this place. [any thread] */
    svc_status (*open)(void* self, svc_text sealed, svc_text bound_to, svc_answer* answer);
} svc_secrets_1;

/* ---- svc.fetch/1: the base's one outbound call (http and https; private addresses only as the operator allows) -----
 * request: {"method", "url", "headers" [[name, value], …], "body", "timeout_ms" (at most 20000), "limit" (bytes of the
 * answer)}. answer: {"status", "headers" [[name, value], …], "body"}. */
#define SVC_FETCH_1 "svc.fetch/1"
typedef struct svc_fetch_1 {
    uint32_t size;
    void* self;
    /* SVC_REFUSED: unreachable, slow, too long or not allowed. Waits; never in a session's callback. [any thread] */
    svc_status (*fetch)(void* self, svc_text request, svc_answer* answer);
} svc_fetch_1;

/* ---- svc.booking.confirm_modes/1: whether a payment confirms its booking ----------------------------------------- */
#define SVC_CONFIRM_MODES_1 "svc.booking.confirm_modes/1"
typedef struct svc_confirm_modes_1 {
    uint32_t size;
    void* self;
    /* *confirms: 1 or 0, as the site's mode says of gateways' payments. SVC_REFUSED: no such booking. [any thread] */
    svc_status (*confirms)(void* self, int64_t booking_id, int32_t settles_in_full, int32_t* confirms,
                           svc_answer* answer);
} svc_confirm_modes_1;

/* ---- svc.gateways/2: gateways that charge, refund and tell of events ----------------------------------------------
 * info: as in svc.gateways/1, and "webhook_headers": the headers that webhook reads. "supports" names what it can do:
 * "payments" (intent, confirm), "webhooks", "refunds", "saved_methods" (charge_saved, forget_saved), "connection"
 * (probe), "holds" ("hold", "release"). A function that is not named is never called and may be NULL.
 * A request is an object with what stands at its function and "situation": {"config" (secrets opened), "sandbox",
 * "api_base" (empty: the provider's own), "webhook_url", "now" (microseconds)}; it is never logged. Money is {"minor",
 * "currency"}; "progress" is waiting, processing, paid, failed or cancelled. "key" is the same whenever a call is
 * repeated: the provider must not act twice on it. All may wait and are called with no transaction open. [any thread]
 * SVC_REFUSED with payment_error or payment_failed: the provider said no, nothing was charged. Any other refusal or
 * failure leaves the outcome unknown: the base asks again. */
typedef struct svc_gateway_2 {
    uint32_t size;
    void* context;
    int32_t (*available)(void* context, svc_text config, int64_t amount_minor, svc_text currency); /* + "test_mode" */
    svc_status (*instructions)(void* context, svc_text config, svc_text booking, svc_answer* answer);
    /* "wanted": {"key", "amount", "booking_id", "booking_reference", "description", "customer_name", "customer_email",
     * "return_url", "cancel_url", "save_method", "gateway_customer", "hold" (take nothing until confirm may capture)}.
     * Answers {"id", "progress", "client_secret", "payment_url", "client" (further members for the page)}. */
    svc_status (*intent)(void* context, svc_text request, svc_answer* answer);
    /* "inquiry": {"key", "intent_id", "transaction_id", "amount", "booking_id", "proof", "may_capture", "release"}.
     * Answers what the provider says: {"progress", "intent_id", "transaction_id", "amount", "fee", "reason", "saved"
     * {"customer", "method", "brand", "last4", "exp_month", "exp_year"}, "details"}; refused: a wrong "proof". */
    svc_status (*confirm)(void* context, svc_text request, svc_answer* answer);
    /* "headers" [[name, value], …]; body: the bytes as they came. Answers a list of {"id", "type", "kind" (other, paid,
     * processing, failed, refunded), "intent_id", "transaction_id", "refund_id", "booking_id", "amount",
     * "refunded_total", "reason", "action", "object"}. Refused with svc_webhook_rejected: its origin is not proven. */
    svc_status (*webhook)(void* context, svc_text request, svc_text body, svc_answer* answer);
    /* "wanted": {"key", "intent_id", "transaction_id", "amount", "captured", "reason"}. Answers {"progress" (paid: the
     * money is on its way), "id", "amount", "reason", "details"}. */
    svc_status (*refund)(void* context, svc_text request, svc_answer* answer);
    /* "wanted": {"key", "method" (as "saved"), "amount", "booking_id", …}. Answers as confirm. */
    svc_status (*charge_saved)(void* context, svc_text request, svc_answer* answer);
    /* "method" (as "saved"). Answers nothing. */
    svc_status (*forget_saved)(void* context, svc_text request, svc_answer* answer);
    /* Whether the provider takes the credentials: answers a sentence as a JSON string. */
    svc_status (*probe)(void* context, svc_text request, svc_answer* answer);
} svc_gateway_2;
#define SVC_GATEWAYS_2 "svc.gateways/2"
typedef struct svc_gateways_2 {
    uint32_t size;
    void* self;
    /* As in svc_gateways_1; SVC_REFUSED also when "supports" names a function that the table lacks. [start-up] */
    svc_status (*add)(void* self, svc_text info, const svc_gateway_2* gateway);
} svc_gateways_2;

/* ---- svc.booking.charges/1: charges without the customer there, by a method they let us keep -------------------- */
#define SVC_BOOKING_CHARGES_1 "svc.booking.charges/1"
typedef struct svc_booking_charges_1 {
    uint32_t size;
    void* self;
    /* What may be charged after that payment: answers {"method_id" (which its customer let us keep as they paid it, or
     * null), "gateway", "keeps_methods" (whether it can)}. SVC_REFUSED: no such payment. [any thread] */
    svc_status (*kept)(void* self, int64_t payment_id, svc_answer* answer);
    /* request: {"booking_id", "method_id", "amount" {"minor", "currency"}, "key"}. The same key is the same charge,
     * asked about, not made twice. Answers {"progress", "payment_id" (or null), "transaction_id", "gateway", "method",
     * "reason"}; what was paid has taken effect, with source "scheduled". SVC_REFUSED with svc_gateway_unavailable:
     * nobody knows yet; with payment_error: a person looks into it; else nothing was charged. Waits, as fetch does. */
    svc_status (*charge)(void* self, svc_text request, svc_answer* answer);
} svc_booking_charges_1;
#ifdef __cplusplus
}
#endif
#include "svc_services.h" /* the abilities with a header of their own */
