// The columns of charges, for a booking or before one.
#pragma once

#include "base/payment/checkout/intent.hpp"
#include "shared/record/record.hpp"

namespace svc::payment {

// `at` returns the charge's members in T; a table adds its own columns. Other statements write the provider's
// responses.
template <class T, class At>
record::Entry<T> charge_columns(At at) {
    using record::fixed, record::counted, record::stored;
    const auto amount = record::currency_of(at(&PaymentIntent::amount));
    record::Entry<T> all;
    for (record::Entry<T>& one : std::vector<record::Entry<T>>{
             stored("id", at(&PaymentIntent::id)), stored("gateway", at(&PaymentIntent::gateway), fixed),
             stored("provider_id", at(&PaymentIntent::provider_id), counted),
             stored("call_key", at(&PaymentIntent::key), fixed),
             record::column("currency", amount, api::text(3), fixed),
             record::money("amount", at(&PaymentIntent::amount), amount, api::money(), fixed),
             stored("client_amount", at(&PaymentIntent::client_amount), fixed),
             stored("status", at(&PaymentIntent::status)), stored("page", at(&PaymentIntent::page), counted),
             stored("return_url", at(&PaymentIntent::return_url)), stored("cancel_url", at(&PaymentIntent::cancel_url)),
             stored("save_method", at(&PaymentIntent::save_method), fixed),
             stored("is_test", at(&PaymentIntent::is_test), fixed),
             stored("last_error", at(&PaymentIntent::last_error), counted),
             stored("reconciliation", at(&PaymentIntent::reconciliation), counted),
             stored("asks", at(&PaymentIntent::asks), counted), stored("ask_at", at(&PaymentIntent::schedule_inquiry)),
             stored("expires_at", at(&PaymentIntent::expires_at), fixed),
             stored("created_at", at(&PaymentIntent::created_at), fixed)})
        all.columns.push_back(std::move(one.columns.front()));
    return all;
}

}  // namespace svc::payment
