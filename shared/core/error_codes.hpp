// Every error a caller can be answered with: name on the wire, HTTP status, default sentence (docs/rules.md, Errors).
#pragma once

#include <string_view>

namespace svc {

struct ErrorCode {
    std::string_view name;
    int status;
    std::string_view sentence;
};

namespace errc {

// One row each; discovery, OpenAPI and docs/errors.md are made from `all`.
#define SVC_ERROR_CODES(X)                                                                                          \
    X(validation_error, "svc_validation_error", 400, "A value is missing or not valid.")                            \
    X(invalid_json, "svc_invalid_json", 400, "The body is not valid JSON.")                                         \
    X(bad_request, "invalid_request", 400, "The request cannot be read.")                                           \
    X(webhook_rejected, "svc_webhook_rejected", 400, "The event was not accepted.")                                 \
    X(date_unavailable, "date_unavailable", 400, "This date cannot be booked.")                                     \
    X(cutoff_passed, "cutoff_passed", 400, "Bookings for this date have closed.")                                   \
    X(group_size, "group_size", 400, "The number of travelers is not allowed on this trip.")                        \
    X(payment_method_unavailable, "payment_method_unavailable", 400, "This payment method is not offered here.")    \
    X(coupon_inactive, "coupon_inactive", 400, "This code is not in use.")                                          \
    X(coupon_not_started, "coupon_not_started", 400, "This code does not count yet.")                               \
    X(coupon_expired, "coupon_expired", 400, "This code has ended.")                                                \
    X(coupon_usage_limit, "coupon_usage_limit", 400, "This code has been used as often as it may be.")              \
    X(coupon_customer_limit, "coupon_customer_limit", 400, "You have used this code as often as you may.")          \
    X(coupon_first_time_only, "coupon_first_time_only", 400, "This code is for a first booking.")                   \
    X(coupon_not_applicable, "coupon_not_applicable", 400, "This code does not count for this booking.")            \
    X(coupon_min_amount, "coupon_min_amount", 400, "The price is too low for this code.")                           \
    X(already_paid, "already_paid", 400, "This booking is already paid.")                                           \
    X(no_balance_due, "no_balance_due", 400, "Nothing is left to pay on this booking.")                             \
    X(offline_gateway_manual, "offline_gateway_manual", 400, "Payments by this gateway are recorded by our staff.") \
    X(payment_error, "payment_error", 400, "The payment could not be processed.")                                   \
    X(invalid_token, "invalid_token", 400, "The token is not valid.")                                               \
    X(malformed_token, "malformed_token", 400, "This link is not complete.")                                        \
    X(invalid_signature, "invalid_signature", 400, "This link is not ours, or it was changed.")                     \
    X(invalid_taxonomy, "invalid_taxonomy", 400, "There is no such taxonomy.")                                      \
    X(recaptcha_failed, "recaptcha_failed", 400, "We could not tell that you are a person. Please try again.")      \
    X(unauthorized, "svc_unauthorized", 401, "Please sign in.")                                                     \
    X(invalid_credentials, "invalid_credentials", 401, "The user name or the password is not right.")               \
    X(login_required, "login_required", 401, "Please sign in to book.")                                             \
    X(guest_not_allowed, "guest_not_allowed", 401, "Bookings need an account here.")                                \
    X(payment_failed, "payment_failed", 402, "The payment failed.")                                                 \
    X(forbidden, "svc_forbidden", 403, "You are not allowed to do this.")                                           \
    X(invalid_nonce, "svc_invalid_nonce", 403, "The request's nonce is missing or too old.")                        \
    X(needs_verification, "needs_verification", 403, "Please confirm your e-mail address first.")                   \
    X(customer_blocked, "customer_blocked", 403, "Bookings with this account are not possible.")                    \
    X(module_not_available, "module_not_available", 403, "This module is not part of your plan.")                   \
    X(link_expired, "svc_link_expired", 403, "This link is no longer valid.")                                       \
    X(registration_disabled, "registration_disabled", 403, "New accounts are not being made at present.")           \
    X(not_found, "svc_not_found", 404, "There is nothing here.")                                                    \
    X(no_route, "svc_no_route", 404, "There is no such route.")                                                     \
    X(trip_not_found, "trip_not_found", 404, "There is no such trip.")                                              \
    X(booking_not_found, "booking_not_found", 404, "There is no such booking.")                                     \
    X(payment_not_found, "payment_not_found", 404, "There is no such payment.")                                     \
    X(invalid_gateway, "invalid_gateway", 404, "There is no such payment gateway.")                                 \
    X(coupon_not_found, "coupon_not_found", 404, "There is no such code.")                                          \
    X(session_expired, "session_expired", 404, "The booking session has ended. Please start again.")                \
    X(method_not_allowed, "svc_method_not_allowed", 405, "This method is not offered here.")                        \
    X(request_timeout, "svc_request_timeout", 408, "The request took too long to arrive.")                          \
    X(conflict, "svc_conflict", 409, "The record was changed in the meantime or is in another state.")              \
    X(in_use, "svc_in_use", 409, "The record is still in use.")                                                     \
    X(transaction_mismatch, "transaction_mismatch", 409, "This transaction belongs to another booking.")            \
    X(duplicate_transaction, "duplicate_transaction", 409, "This transaction is already recorded.")                 \
    X(sold_out, "sold_out", 409, "There are not enough seats left on this date.")                                   \
    X(unpaid_seats_limit, "unpaid_seats_limit", 409,                                                                \
      "Too many unpaid seats of this date are held from where you are.")                                            \
    X(date_blocked, "date_blocked", 409, "This date is not open for booking.")                                      \
    X(price_changed, "price_changed", 409, "The price has changed.")                                                \
    X(invalid_transition, "svc_invalid_transition", 409, "This status cannot follow the present one.")              \
    X(not_payable, "not_payable", 409, "This booking cannot be paid in its present state.")                         \
    X(charge_in_progress, "charge_in_progress", 409, "A charge of this booking is under way.")                      \
    X(email_exists, "email_exists", 409, "This e-mail address is already in use.")                                  \
    X(email_changed, "email_changed", 409, "This booking has another e-mail address by now.")                       \
    X(request_in_progress, "svc_request_in_progress", 409, "The same request is still being worked on.")            \
    X(request_interrupted, "svc_request_interrupted", 409,                                                          \
      "The same request was begun and interrupted. See what it has changed before you send it under another key.")  \
    X(token_expired, "token_expired", 410, "This link is no longer valid.")                                         \
    X(payload_too_large, "svc_payload_too_large", 413, "The request is too large.")                                 \
    X(uri_too_long, "svc_uri_too_long", 414, "The address is too long.")                                            \
    X(unsupported_media_type, "svc_unsupported_media_type", 415, "Please send application/json.")                   \
    X(expectation_failed, "svc_expectation_failed", 417, "This expectation cannot be met.")                         \
    X(key_reused, "svc_idempotency_key_reused", 422, "This Idempotency-Key was used with another request.")         \
    X(rate_limited, "svc_rate_limited", 429, "Too many requests. Please wait a little.")                            \
    X(too_many_attempts, "too_many_attempts", 429, "Too many attempts. Please wait a little.")                      \
    X(headers_too_large, "svc_headers_too_large", 431, "The request's headers are too large.")                      \
    X(internal_error, "svc_internal_error", 500, "Something went wrong on our side.")                               \
    X(enquiry_failed, "svc_enquiry_failed", 500, "We could not take your enquiry. Please try again in a moment.")   \
    X(not_implemented, "svc_not_implemented", 501, "This kind of request is not supported.")                        \
    X(http_version, "svc_http_version_not_supported", 505, "Please speak HTTP/1.1.")                                \
    X(upstream_error, "svc_upstream_error", 502, "A partner system did not answer as expected.")                    \
    X(gateway_unavailable, "svc_gateway_unavailable", 502, "The payment provider could not be reached.")            \
    X(unavailable, "svc_unavailable", 503, "The service is not available right now. Please try again.")

#define SVC_ERROR_CODE_DECLARE(id, name, status, sentence) inline constexpr ErrorCode id{name, status, sentence};
SVC_ERROR_CODES(SVC_ERROR_CODE_DECLARE)
#undef SVC_ERROR_CODE_DECLARE

#define SVC_ERROR_CODE_ADDRESS(id, name, status, sentence) &id,
inline constexpr const ErrorCode* all[] = {SVC_ERROR_CODES(SVC_ERROR_CODE_ADDRESS)};
#undef SVC_ERROR_CODE_ADDRESS
#undef SVC_ERROR_CODES

// The row of that name, null when there is none.
constexpr const ErrorCode* find(std::string_view name) {
    for (const ErrorCode* code : all)
        if (code->name == name)
            return code;
    return nullptr;
}

}  // namespace errc
}  // namespace svc
