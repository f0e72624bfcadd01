// Blanks a person's data, table by table. Issued invoices and credit notes (svc_issued_documents) stay as they are, and
// so do amounts, dates, gateways and references of payments and refunds; of bookings trip, days, party and price. None
// of these names the person. Travelers of the person's bookings are blanked with them, since the person entered their
// data. An address is compared as a whole value, never as a part of a text. Stored replies to requests and drafts of
// checkout sessions are sealed and expire within days.
#include "base/privacy/person.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::privacy {
namespace {

// A table and what is done to the rows of many ids.
struct OfIds {
    std::string_view table;
    store::ByIds statement;
};
// A table and what is done to the rows of :user, :customer or :email.
struct OfPerson {
    std::string_view table, statement;
};

constexpr OfIds of_bookings[] = {
    // Sealed answers that an import replaced.
    {"svc_task_rows",
     SVC_BY_IDS("UPDATE svc_task_rows SET before = NULL WHERE entity = 'booking_travelers' AND before IS NOT NULL AND"
                " new_id IN (SELECT id FROM svc_booking_travelers WHERE",
                "booking_id", ")")},
    {"svc_booking_travelers",
     SVC_BY_IDS("UPDATE svc_booking_travelers SET fields = '{}', sealed = NULL, search = '' WHERE", "booking_id", "")},
    {"svc_booking_status_log", SVC_BY_IDS("UPDATE svc_booking_status_log SET reason = '' WHERE", "booking_id", "")},
    {"svc_booking_changes",
     SVC_BY_IDS("UPDATE svc_booking_changes SET fields = '[]' WHERE kind IN ('contact', 'travelers', 'note', 'other')"
                " AND",
                "booking_id", "")},
    {"svc_booking_clients", SVC_BY_IDS("DELETE FROM svc_booking_clients WHERE", "booking_id", "")},
    {"svc_booking_sessions",
     SVC_BY_IDS("UPDATE svc_booking_sessions SET form_data = '', country = '', user_id = NULL WHERE", "booking_id",
                "")},
    {"svc_discount_redemptions",
     SVC_BY_IDS("UPDATE svc_discount_redemptions SET email_lower = '' WHERE", "booking_id", "")},
    {"svc_payment_intents",
     SVC_BY_IDS("UPDATE svc_payment_intents SET page = NULL, return_url = '', cancel_url = '', last_error = NULL WHERE",
                "booking_id", "")},
    {"svc_payments", SVC_BY_IDS("UPDATE svc_payments SET notes = '', gateway_response = '{}' WHERE", "booking_id", "")},
    {"svc_refunds", SVC_BY_IDS("UPDATE svc_refunds SET reason = '', last_error = '', gateway_response = '{}' WHERE",
                               "booking_id", "")},
    {"svc_gateway_events",
     SVC_BY_IDS("UPDATE svc_gateway_events SET payload = '{}', note = '' WHERE", "booking_id", "")},
    {"svc_email_outbox", SVC_BY_IDS("DELETE FROM svc_email_outbox WHERE", "booking_id", "")},
    {"svc_access_tokens",
     SVC_BY_IDS("DELETE FROM svc_access_tokens WHERE subject_type = 'booking' AND", "subject_id", "")},
    {"svc_bookings",
     SVC_BY_IDS("UPDATE svc_bookings SET user_id = NULL, contact_first_name = '', contact_last_name = '',"
                " contact_email = '', contact_phone = '', contact_country = '', contact_data = '{}', contact_sealed ="
                " NULL, emergency_contact = '{}', emergency_sealed = NULL, special_requests = '', internal_notes = '',"
                " cancellation_reason = NULL, search = LOWER(reference), newsletter_optin = 0, updated_at = :now,"
                " row_version = row_version + 1 WHERE",
                "id", "")}};

constexpr OfIds of_enquiries[] = {
    {"svc_email_outbox", SVC_BY_IDS("DELETE FROM svc_email_outbox WHERE", "enquiry_id", "")},
    {"svc_enquiry_messages", SVC_BY_IDS("DELETE FROM svc_enquiry_messages WHERE", "enquiry_id", "")},
    {"svc_enquiries",
     SVC_BY_IDS("UPDATE svc_enquiries SET user_id = NULL, name = '', name_folded = '', email = '', email_lower = '', "
                "phone = '',"
                " message = '', response_notes = NULL, referrer = '', ip_hash = '', user_agent = '', search = '',"
                " traveler_counts = NULL, created_by = NULL, updated_at = :now, row_version = row_version + 1 WHERE",
                "id", "")}};

// Deletes the account's row and the data that only belongs to it (sessions, application passwords, rights).
constexpr OfPerson of_person[] = {
    // A former address of another's booking, as a whole value.
    {"svc_booking_changes",
     "UPDATE svc_booking_changes SET fields = '[]' WHERE kind IN ('contact', 'travelers') AND"
     " REPLACE(LOWER(fields), '\"' || CAST(:email AS TEXT) || '\"', '') <> LOWER(fields)"},
    {"svc_email_outbox", "DELETE FROM svc_email_outbox WHERE LOWER(to_email) = :email"},
    {"svc_discount_redemptions", "UPDATE svc_discount_redemptions SET email_lower = '' WHERE email_lower = :email"},
    {"svc_access_tokens",
     "DELETE FROM svc_access_tokens WHERE (subject_type = 'user' AND subject_id = :user) OR LOWER(email) = :email"},
    {"svc_saved_payment_methods",
     "DELETE FROM svc_saved_payment_methods WHERE user_id = :user OR (user_id IS NULL AND customer_id = :customer)"},
    {"svc_customer_addresses",
     "DELETE FROM svc_customer_addresses WHERE customer_id = :customer OR email_lower = :email"},
    // Whoever waits for a proof of the address waits in vain.
    {"svc_users", "UPDATE svc_users SET pending_email = NULL WHERE LOWER(pending_email) = :email AND id <> :user"},
    {"svc_held_charges",
     "UPDATE svc_held_charges SET user_id = NULL, page = NULL, return_url = '', cancel_url = '', last_error = ''"
     " WHERE user_id = :user"},
    {"svc_booking_sessions",
     "UPDATE svc_booking_sessions SET form_data = '', country = '', user_id = NULL WHERE user_id = :user"},
    {"svc_users", "DELETE FROM svc_users WHERE id = :user"},
    // Replaced by a generated address, since each customer needs a unique one.
    {"svc_customers",
     "UPDATE svc_customers SET user_id = NULL, email = 'erased-' || id || '@erased.invalid',"
     " email_lower = 'erased-' || id || '@erased.invalid', first_name = '', last_name = '', full_name = '',"
     " name_order = '', search = 'erased-' || id, email_key = '', phone_key = '', person_key = '', tag_key = '',"
     " phone = '', secondary_phone = NULL, country = '', address = '', city = '', state = NULL, postal_code = NULL,"
     " date_of_birth = NULL, gender = NULL, nationality = NULL, emergency_name = '', emergency_phone = '',"
     " emergency_relationship = '', dietary_requirements = '', medical_conditions = '', special_needs = '',"
     " extra_fields = '',"
     " newsletter_optin = 0, newsletter_optin_at = NULL, marketing_optin = 0, marketing_optin_at = NULL, notes = NULL,"
     " tags = '[]', loyalty_points = 0, created_by = NULL, updated_by = NULL, erased_at = :now, updated_at = :now,"
     " row_version = row_version + 1 WHERE id = :customer"}};

}  // namespace

json::Value Repository::erase(store::Transaction& tx, const Person& person, const std::vector<hooks::Action>& actions,
                              Instant now) {
    auto changed = json::Value::object();
    const auto count = [&](std::string_view table, std::int64_t rows) {
        if (rows > 0)
            changed.set(std::string(table), changed.maybe_integer(table).value_or(0) + rows);
    };
    const Traces traces = erase_traces(tx, person, actions, now);
    count("svc_domain_events", traces.events);
    count("svc_task_rows", traces.imported_rows);
    count("svc_rate_limits", traces.limits);
    count("bookings_of_others", traces.bookings_of_others);
    for (const OfIds& each : of_bookings)
        count(each.table, store::run_of(tx, each.statement, person.booking_ids, {{"now", now}}));
    for (const OfIds& each : of_enquiries)
        count(each.table, store::run_of(tx, each.statement, person.enquiry_ids, {{"now", now}}));
    for (const OfPerson& each : of_person)
        count(each.table, tx.run(each.statement, {{"email", person.email},
                                                  {"user", person.user_id.value_or(0)},
                                                  {"customer", person.customer_id.value_or(0)},
                                                  {"now", now}}));
    return changed;
}

}  // namespace svc::privacy
