// Facts of the tables of payments.
#include "base/sales/payment/facts.hpp"

namespace svc::payment {

std::vector<facts::Table> table_facts() {
    using facts::By;
    return {
        {.name = "svc_payment_gateways",
         .listed = {{.type = "'payment_gateway'", .title = "r.slug", .key = "slug"}},
         .uses = {{facts::of_media, "svc_payment_gateways",
                   "SELECT slug FROM svc_payment_gateways WHERE " SVC_SHOWS_MEDIA("config")}}},
        {.name = "svc_payments",
         .refers = {{"booking_id", "svc_bookings"},
                    {.column = "customer_id", .table = "svc_customers", .merged_as = "payments", .blocks = true}},
         // Amounts, dates, gateways and references of payments and refunds stay.
         .erased = {{.of = {{By::booking, "booking_id"}},
                     .blanked = {{"notes"}, {"gateway_response", facts::no_members}}}},
         .carried = {{.name = "payments",
                      .kinds = {"payments"},
                      .key = {"booking_id", "gateway", "amount_minor", "created_at"},
                      .left_out = {"intent_id", "recorded_by", "gateway_response"}}},
         .noticed = {{"payments", "svc_view_bookings"}}},
        {.name = "svc_refunds",
         .refers = {{"booking_id", "svc_bookings"}, {"payment_id", "svc_payments"}},
         .erased = {{.of = {{By::booking, "booking_id"}},
                     .blanked = {{"reason"}, {"last_error"}, {"gateway_response", facts::no_members}}}},
         .carried = {{.name = "refunds",
                      .kinds = {"payments"},
                      .key = {"call_key"},
                      .left_out = {"initiated_by", "gateway_response"}}}},
        {.name = "svc_payment_intents",
         .erased = {{.of = {{By::booking, "booking_id"}},
                     .blanked = {{"page", facts::null}, {"return_url"}, {"cancel_url"}, {"last_error"}}}}},
        {.name = "svc_gateway_events",
         .erased = {{.of = {{By::booking, "booking_id"}}, .blanked = {{"payload", facts::no_members}, {"note"}}}}},
        {.name = "svc_held_charges",
         .erased = {{.of = {{By::user, "user_id"}},
                     .blanked = {{"user_id", facts::null},
                                 {"page", facts::null},
                                 {"return_url"},
                                 {"cancel_url"},
                                 {"last_error"}}}}},
        {.name = "svc_saved_payment_methods",
         .refers = {{.column = "customer_id", .table = "svc_customers", .merged_as = "saved_payment_methods"}},
         .erased = {{.of = {{By::user, "user_id"}, {By::customer, "customer_id", "user_id IS NULL"}}}}},
    };
}

}  // namespace svc::payment
