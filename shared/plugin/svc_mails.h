/* The ability svc.mails/1: a part of svc_plugin.h, which includes it; its rules and types hold here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* ---- svc.mails/1: e-mail templates, e-mails queued with a change, and their log ------------------------------------
 * A TEXT is a string (English) or an object {"en": …, "de": …}; "en" is required, and other languages read it.
 * template: {"key" (small letters, digits, underscores; "admin_…" is for staff), "event_key" (or ""), "name", "module"
 * (without it the template is not listed and sends nothing), "subject" TEXT, "body" TEXT (mustache, as the base's own;
 * the body is HTML), "category" of its tags, "tags" [{"key", "label", "sentence" (what it stands for), "sample" TEXT,
 * "is_secret" (its value holds a link that grants access)}], "is_about_booking" (its texts may use the base's tags of a
 * booking, and balance_payment_url)}. The base declares the settings email_template_KEY, email_tpl_KEY_subject, _body,
 * _cc and _bcc, lists and previews it as its own, and a file svc/mail/KEY.html or KEY.subject of the theme replaces its
 * text.
 * mail: {"template", "dedupe_key" (1 to 200 characters; a second e-mail of that template with the same key is not
 * made), "booking_id", "to", "locale", "values" {tag: TEXT}, "asks_for_payment" (not sent for a booking whose payments
 * are not known)}. A value whose name ends in _html is HTML, any other plain text. Recipient: staff for a template of
 * staff; else "to", in "locale" or the site's language, without the booking's tags; else the booking's contact, in the
 * booking's language. */
#define SVC_MAILS_1 "svc.mails/1"
typedef struct svc_mails_1 {
    uint32_t size;
    void* self;
    /* SVC_REFUSED: malformed, a tag in a text is not known, or the key is taken. Copied. [start-up] */
    svc_status (*declare)(void* self, svc_text mail_template);
    /* Part of the transaction: rolled back with it, composed and sent after its commit, once however often the process
     * dies; not at all while the operator has switched it or its module off. Kept sealed until then. SVC_REFUSED with
     * svc_validation_error: the member named by the error's field does not fit. [thread of the transaction's callback]
     */
    svc_status (*queue)(void* self, svc_session* transaction, svc_text mail, svc_answer* answer);
    /* query: {"template", "dedupe_key", "booking_id", "limit" (1 to 100; 20)}, each optional. Answers the plugin's own
     * e-mails, newest first: [{"id", "template", "dedupe_key", "to", "subject", "status" (queued, sending, sent,
     * failed, suppressed), "error", "booking_id", "created_at", "sent_at" (microseconds)}]. The base deletes rows after
     * email_retention_days. [any thread], not inside a session's callback */
    svc_status (*log)(void* self, svc_text query, svc_answer* answer);
} svc_mails_1;

#ifdef __cplusplus
}
#endif
