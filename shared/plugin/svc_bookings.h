/* The ability svc.bookings/1: a part of svc_plugin.h, which includes it; its rules and types hold here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* ---- svc.bookings/1: bookings that a plugin makes, confirms and cancels, by the base's own writers -----------------
 * wanted: of quote the members of a body of POST /booking/summary but the session's ("trip_id", "travel_date",
 * "departure_time", "availability_id", "travelers_count", "traveler_counts", "coupon_code", "selected_services", …), of
 * hold those of POST /booking/create ("contact_first_name", "contact_email", "travelers", "expected_total", …) and
 * "internal_notes"; OpenAPI describes them. by: {"cause": "staff", "customer" or "channel", "name" (of the channel, or
 * of what acts: a word), "reason"}. A booking is answered with the members that GET /bookings lists, and "expires_at".
 * Refusals are those of the routes: sold_out, price_changed, booking_not_found, svc_invalid_transition,
 * svc_validation_error with its fields, and others. */
#define SVC_BOOKINGS_1 "svc.bookings/1"
typedef struct svc_bookings_1 {
    uint32_t size;
    void* self;
    /* What it costs now and whether it can be booked, by the rules of a customer. Answers the quote as the checkout has
     * it. Reads; not inside a transaction or a session's callback: SVC_FAILURE_DETACHED. [any thread] */
    svc_status (*quote)(void* self, svc_text wanted, svc_answer* answer);
    /* Takes the seats: a pending booking, which ends unless it is confirmed or paid in time. All checks come first,
     * without a lock; then one transaction books, and `also` (may be NULL) runs last in it, so that what it writes is
     * there exactly when the booking is. What also refuses or fails ends the transaction and is passed on. It may run
     * more than once. Not inside a transaction or a session's callback: SVC_FAILURE_DETACHED. [any thread] */
    svc_status (*hold)(void* self, svc_text wanted, svc_text by, void* context,
                       svc_status (*also)(void* context, svc_session* transaction, svc_text booking,
                                          svc_answer* answer),
                       svc_answer* answer);
    /* The next two lock the booking's seats and the booking, and change its status in the plugin's transaction;
     * repeated they change nothing. They answer the booking as it is then. confirm needs no cause but
     * has one for its log. [thread of the transaction's callback] */
    svc_status (*confirm)(void* self, svc_session* transaction, int64_t booking_id, svc_text by, svc_answer* answer);
    /* A paid booking needs attention afterwards, unless staff cancelled it: refunds are a person's decision. */
    svc_status (*cancel)(void* self, svc_session* transaction, int64_t booking_id, svc_text by, svc_answer* answer);
} svc_bookings_1;

#ifdef __cplusplus
}
#endif
