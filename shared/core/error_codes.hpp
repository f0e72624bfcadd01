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
#define SVC_ERROR_CODES(X)                                                                                             \
    X(validation_error, "svc_validation_error", 400, "A value is missing or invalid.")                                 \
    X(invalid_json, "svc_invalid_json", 400, "The body is not valid JSON.")                                            \
    X(bad_request, "invalid_request", 400, "The request is malformed.")                                                \
    X(webhook_rejected, "svc_webhook_rejected", 400, "The event was rejected.")                                        \
    X(date_unavailable, "date_unavailable", 400, "This date is not available.")                                        \
    X(cutoff_passed, "cutoff_passed", 400, "Booking for this date is closed.")                                         \
    X(group_size, "group_size", 400, "The number of travelers is not allowed on this trip.")                           \
    X(payment_method_unavailable, "payment_method_unavailable", 400, "This payment method is not available.")          \
    X(coupon_inactive, "coupon_inactive", 400, "This coupon code is not active.")                                      \
    X(coupon_not_started, "coupon_not_started", 400, "This coupon code is not valid yet.")                             \
    X(coupon_expired, "coupon_expired", 400, "This coupon code has expired.")                                          \
    X(coupon_usage_limit, "coupon_usage_limit", 400, "This coupon code has reached its usage limit.")                  \
    X(coupon_customer_limit, "coupon_customer_limit", 400,                                                             \
      "You have already used this coupon code the maximum number of times.")                                           \
    X(coupon_first_time_only, "coupon_first_time_only", 400, "This coupon code is only valid for a first booking.")    \
    X(coupon_not_applicable, "coupon_not_applicable", 400, "This coupon code does not apply to this booking.")         \
    X(coupon_min_amount, "coupon_min_amount", 400, "The price is below the minimum for this coupon code.")             \
    X(already_paid, "already_paid", 400, "This booking is already paid.")                                              \
    X(no_balance_due, "no_balance_due", 400, "This booking has no balance due.")                                       \
    X(offline_gateway_manual, "offline_gateway_manual", 400,                                                           \
      "Payments through this gateway are recorded by our staff.")                                                      \
    X(payment_error, "payment_error", 400, "The payment could not be processed.")                                      \
    X(invalid_token, "invalid_token", 400, "The token is invalid.")                                                    \
    X(malformed_token, "malformed_token", 400, "This link is incomplete.")                                             \
    X(invalid_signature, "invalid_signature", 400, "This link has an invalid signature.")                              \
    X(invalid_taxonomy, "invalid_taxonomy", 400, "Unknown taxonomy.")                                                  \
    X(recaptcha_failed, "recaptcha_failed", 400, "The reCAPTCHA check failed. Please try again.")                      \
    X(unauthorized, "svc_unauthorized", 401, "Please sign in.")                                                        \
    X(invalid_credentials, "invalid_credentials", 401, "The user name or password is incorrect.")                      \
    X(login_required, "login_required", 401, "Please sign in to book.")                                                \
    X(guest_not_allowed, "guest_not_allowed", 401, "Booking requires an account. Please sign in or register.")         \
    X(payment_failed, "payment_failed", 402, "The payment failed.")                                                    \
    X(forbidden, "svc_forbidden", 403, "You are not allowed to do this.")                                              \
    X(invalid_nonce, "svc_invalid_nonce", 403, "The nonce is missing or expired. Request a new one.")                  \
    X(needs_verification, "needs_verification", 403, "Please confirm your e-mail address first.")                      \
    X(reviews_disabled, "reviews_disabled", 403, "Reviews are not accepted at the moment.")                            \
    X(booking_required, "booking_required", 403, "Only travelers whose trip is over can review it.")                   \
    X(customer_blocked, "customer_blocked", 403, "This account cannot book.")                                          \
    X(module_not_available, "module_not_available", 403, "Your plan does not include this module.")                    \
    X(link_expired, "svc_link_expired", 403, "This link has expired.")                                                 \
    X(registration_disabled, "registration_disabled", 403, "Registration is currently disabled.")                      \
    X(not_found, "svc_not_found", 404, "This record does not exist.")                                                  \
    X(no_route, "svc_no_route", 404, "This route does not exist.")                                                     \
    X(trip_not_found, "trip_not_found", 404, "This trip does not exist.")                                              \
    X(booking_not_found, "booking_not_found", 404, "This booking does not exist.")                                     \
    X(payment_not_found, "payment_not_found", 404, "This payment does not exist.")                                     \
    X(invalid_gateway, "invalid_gateway", 404, "This payment gateway does not exist.")                                 \
    X(coupon_not_found, "coupon_not_found", 404, "This coupon code does not exist.")                                   \
    X(session_expired, "session_expired", 404, "The booking session has expired. Please start again.")                 \
    X(method_not_allowed, "svc_method_not_allowed", 405, "This route does not support this method.")                   \
    X(request_timeout, "svc_request_timeout", 408, "The request took too long to arrive.")                             \
    X(conflict, "svc_conflict", 409,                                                                                   \
      "The record was changed in the meantime or its state does not allow this. Reload it and try again.")             \
    X(in_use, "svc_in_use", 409, "The record is in use and cannot be deleted.")                                        \
    X(transaction_mismatch, "transaction_mismatch", 409, "This transaction belongs to another booking.")               \
    X(duplicate_transaction, "duplicate_transaction", 409, "This transaction is already recorded.")                    \
    X(sold_out, "sold_out", 409, "There are not enough seats left on this date.")                                      \
    X(unpaid_seats_limit, "unpaid_seats_limit", 409, "Your network already holds too many unpaid seats on this date.") \
    X(date_blocked, "date_blocked", 409, "This date is not open for booking.")                                         \
    X(price_changed, "price_changed", 409, "The price has changed. Please check it again.")                            \
    X(invalid_transition, "svc_invalid_transition", 409, "This change of status is not allowed.")                      \
    X(not_payable, "not_payable", 409, "This booking cannot be paid in its current status.")                           \
    X(charge_in_progress, "charge_in_progress", 409, "A charge for this booking is in progress.")                      \
    X(email_exists, "email_exists", 409, "This e-mail address is already in use.")                                     \
    X(duplicate_review, "duplicate_review", 409, "You have already reviewed this trip.")                               \
    X(account_link_confirmation_required, "account_link_confirmation_required", 409,                                   \
      "This address has an account. Confirm that the customer is linked to it.")                                       \
    X(email_changed, "email_changed", 409, "The e-mail address of this booking was changed.")                          \
    X(request_in_progress, "svc_request_in_progress", 409, "The same request is still being processed.")               \
    X(request_interrupted, "svc_request_interrupted", 409,                                                             \
      "The same request was interrupted. Check its effects before sending it again with a different key.")             \
    X(token_expired, "token_expired", 410, "This link has expired.")                                                   \
    X(payload_too_large, "svc_payload_too_large", 413, "The request is too large.")                                    \
    X(uri_too_long, "svc_uri_too_long", 414, "The address is too long.")                                               \
    X(unsupported_media_type, "svc_unsupported_media_type", 415, "The content type must be application/json.")         \
    X(expectation_failed, "svc_expectation_failed", 417, "This expectation cannot be met.")                            \
    X(key_reused, "svc_idempotency_key_reused", 422, "This Idempotency-Key was used with another request.")            \
    X(rate_limited, "svc_rate_limited", 429, "Too many requests. Please try again later.")                             \
    X(too_many_attempts, "too_many_attempts", 429, "Too many attempts. Please try again later.")                       \
    X(headers_too_large, "svc_headers_too_large", 431, "The request's headers are too large.")                         \
    X(internal_error, "svc_internal_error", 500, "Something went wrong on our side.")                                  \
    X(enquiry_failed, "svc_enquiry_failed", 500, "The enquiry could not be stored. Please try again.")                 \
    X(not_implemented, "svc_not_implemented", 501, "This kind of request is not supported.")                           \
    X(http_version, "svc_http_version_not_supported", 505, "Only HTTP/1.1 is supported.")                              \
    X(upstream_error, "svc_upstream_error", 502, "An external service did not answer as expected.")                    \
    X(gateway_unavailable, "svc_gateway_unavailable", 502, "The payment provider could not be reached.")               \
    X(unavailable, "svc_unavailable", 503, "The service is temporarily unavailable. Please try again.")

#define SVC_ERROR_CODE_DECLARE(id, name, status, sentence) inline constexpr ErrorCode id{name, status, sentence};
SVC_ERROR_CODES(SVC_ERROR_CODE_DECLARE)
#undef SVC_ERROR_CODE_DECLARE

#define SVC_ERROR_CODE_ADDRESS(id, name, status, sentence) &id,
inline constexpr const ErrorCode* all[] = {SVC_ERROR_CODES(SVC_ERROR_CODE_ADDRESS)};
#undef SVC_ERROR_CODE_ADDRESS
#undef SVC_ERROR_CODES

// The code of that name, null when there is none.
constexpr const ErrorCode* find(std::string_view name) {
    for (const ErrorCode* code : all)
        if (code->name == name)
            return code;
    return nullptr;
}

}  // namespace errc
}  // namespace svc
