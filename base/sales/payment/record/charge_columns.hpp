// The columns of charges, for a booking or before one.
#pragma once

#include "base/sales/payment/record/intent.hpp"
#include "shared/record/rows.hpp"

namespace svc::payment {

// `at` returns the charge's members in T; a table adds its own columns. Other statements write the provider's
// responses.
template <class T, class At>
record::Entry<T> charge_columns(At at) {
    using record::by_server_on_create, record::by_other, record::stored;
    const auto amount = record::currency_of(at(&PaymentIntent::amount));
    record::Entry<T> all;
    for (record::Entry<T>& one : std::vector<record::Entry<T>>{
             stored("id", at(&PaymentIntent::id)), stored("gateway", at(&PaymentIntent::gateway), by_server_on_create),
             stored("provider_id", at(&PaymentIntent::provider_id), by_other),
             stored("call_key", at(&PaymentIntent::key), by_server_on_create),
             record::column("currency", amount, api::text(3), by_server_on_create),
             record::money("amount", at(&PaymentIntent::amount), amount, api::money(), by_server_on_create),
             stored("client_amount", at(&PaymentIntent::client_amount), by_server_on_create),
             stored("status", at(&PaymentIntent::status)), stored("page", at(&PaymentIntent::page), by_other),
             stored("return_url", at(&PaymentIntent::return_url)), stored("cancel_url", at(&PaymentIntent::cancel_url)),
             stored("save_method", at(&PaymentIntent::save_method), by_server_on_create),
             stored("is_test", at(&PaymentIntent::is_test), by_server_on_create),
             stored("last_error", at(&PaymentIntent::last_error), by_other),
             stored("reconciliation", at(&PaymentIntent::reconciliation), by_other),
             stored("asks", at(&PaymentIntent::asks), by_other), stored("ask_at", at(&PaymentIntent::schedule_inquiry)),
             stored("expires_at", at(&PaymentIntent::expires_at), by_server_on_create),
             stored("created_at", at(&PaymentIntent::created_at), by_server_on_create)})
        all.columns.push_back(std::move(one.columns.front()));
    return all;
}

}  // namespace svc::payment
