// Facts of the tables of bookings.
#include "base/sales/booking/facts.hpp"

#include "base/people/identity/whose.hpp"

namespace svc::booking {

std::vector<facts::Table> table_facts() {
    using facts::By;
    return {
        {.name = "svc_bookings",
         .refers = {{.column = "trip_id", .table = "svc_trips", .blocks = true},
                    {.column = "customer_id",
                     .table = "svc_customers",
                     .merged_as = "bookings",
                     .blocks = true,
                     .account = "user_id"}},
         // Trip, days, party and price stay.
         .erased = {{.of = {{By::booking, "id"}},
                     .blanked = {{"user_id", facts::null},
                                 {"contact_first_name"},
                                 {"contact_last_name"},
                                 {"contact_email"},
                                 {"contact_phone"},
                                 {"contact_country"},
                                 {"contact_data", facts::no_members},
                                 {"contact_sealed", facts::null},
                                 {"emergency_contact", facts::no_members},
                                 {"emergency_sealed", facts::null},
                                 {"special_requests"},
                                 {"internal_notes"},
                                 {"cancellation_reason", facts::null},
                                 {"search", "LOWER(reference)"},
                                 {"newsletter_optin", facts::zero}},
                     .is_record = true}},
         .listed = {{.type = "'booking'", .title = "r.reference"}},
         .uses =
             {// The members of a booking's counts are categories: {"7":2}.
              {facts::of_classification, "svc_bookings",
               "SELECT id FROM svc_bookings WHERE CAST(:type AS TEXT) = 'traveler_type' AND traveler_counts LIKE '%\"' "
               "||"
               " CAST(CAST(:id AS BIGINT) AS TEXT) || '\":%'"},
              {facts::of_trip_currency, "svc_bookings", "SELECT id FROM svc_bookings WHERE trip_id = :id"}},
         .carried = {{.name = "bookings",
                      .kinds = {"bookings"},
                      .key = {"reference"},
                      .left_out = {"user_id", "form_id", "contact_sealed", "emergency_sealed"}}},
         .noticed = {{"bookings", "svc_view_bookings", "status <> 'trash'"}},
         .known = {{By::booking, "SELECT id FROM svc_bookings WHERE " SVC_IS_OF_PERSON(
                                     "user_id", "LOWER(contact_email)") " ORDER BY id"}}},
        {.name = "svc_trip_cancellation_terms",
         .refers = {{"trip_id", "svc_trips"}},
         .uses = {{facts::of_trip_currency, "svc_trips",
                   "SELECT trip_id FROM svc_trip_cancellation_terms WHERE trip_id = :id AND amount_minor IS NOT NULL"}},
         .carried = {{.name = "trip_cancellation_terms", .kinds = {"trip_content"}, .parent = "trip_id"}}},
        {.name = "svc_booking_cancellation_terms",
         .refers = {{"booking_id", "svc_bookings"}},
         .carried = {{.name = "booking_cancellation_terms", .kinds = {"bookings"}, .parent = "booking_id"}}},
        {.name = "svc_booking_lines",
         .refers = {{"booking_id", "svc_bookings"}},
         .carried = {{.name = "booking_lines", .kinds = {"bookings"}, .parent = "booking_id"}}},
        {.name = "svc_booking_status_log",
         .refers = {{"booking_id", "svc_bookings"}},
         .erased = {{.of = {{By::booking, "booking_id"}}, .blanked = {{"reason"}}}},
         .carried =
             {{.name = "booking_status_log", .kinds = {"bookings"}, .parent = "booking_id", .left_out = {"actor_id"}}}},
        {.name = "svc_booking_changes",
         .refers = {{"booking_id", "svc_bookings"}},
         // A former address of another's booking is blanked too.
         .erased = {{.of = {{By::booking, "booking_id", "kind IN ('contact', 'travelers', 'note', 'other')"},
                            {By::mention, "fields", "kind IN ('contact', 'travelers')"}},
                     .blanked = {{"fields", facts::no_items}}}},
         .carried =
             {{.name = "booking_changes", .kinds = {"bookings"}, .parent = "booking_id", .left_out = {"actor_id"}}}},
        {.name = "svc_booking_travelers",
         .refers = {{"booking_id", "svc_bookings"}, {"category_id", "svc_classifications"}},
         .erased = {{.of = {{By::booking, "booking_id"}},
                     .blanked = {{"fields", facts::no_members}, {"sealed", facts::null}, {"search"}}}},
         .carried =
             {{.name = "booking_travelers", .kinds = {"travelers"}, .parent = "booking_id", .left_out = {"sealed"}}}},
        {.name = "svc_booking_form_files",
         .refers = {{"booking_id", "svc_bookings"}},
         .erased = {{.of = {{By::booking, "booking_id"}}}},
         .exported = {{.key = "form_files",
                       .of = {By::booking, "booking_id"},
                       .members = {{"file", "code"},
                                   {"field", "field"},
                                   {"type", "mime_type"},
                                   {"sent_at", "created_at", facts::Exported::Kind::instant}}}}},
        {.name = "svc_booking_clients", .erased = {{.of = {{By::booking, "booking_id"}}}}},
        {.name = "svc_booking_consents",
         .refers = {{"booking_id", "svc_bookings"}},
         .erased = {{.of = {{By::booking, "booking_id"}}}},
         .exported = {{.key = "tracking_consents",
                       .of = {By::booking, "booking_id"},
                       .members = {{"booking_id", "CAST(booking_id AS TEXT)"},
                                   {"analytics", "CASE WHEN analytics = 1 THEN 'allowed' ELSE 'refused' END"},
                                   {"marketing", "CASE WHEN marketing = 1 THEN 'allowed' ELSE 'refused' END"},
                                   {"ga_client_id", "ga_client_id"},
                                   {"fbp", "fbp"},
                                   {"fbc", "fbc"},
                                   {"client_address", "client_address"},
                                   {"user_agent", "user_agent"},
                                   {"decided_at", "decided_at", facts::Exported::Kind::instant}}}}},
        {.name = "svc_checkout_events",
         .erased = {{.of = {{By::booking, "(SELECT s.booking_id FROM svc_booking_sessions s WHERE s.id = session_id)"},
                            {By::user, "(SELECT s.user_id FROM svc_booking_sessions s WHERE s.id = session_id)"}}}}},
        {.name = "svc_booking_sessions",
         .erased = {{.of = {{By::booking, "booking_id"}, {By::user, "user_id"}},
                     .blanked = {{"form_data"}, {"country"}, {"user_id", facts::null}}}}},
    };
}

}  // namespace svc::booking
