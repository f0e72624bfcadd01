// Declares the record of enquiries.
#include "base/people/enquiries/enquiry.hpp"

#include "base/people/enquiries/old_enquiries.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"
#include "shared/core/text.hpp"

namespace svc::enquiries {
namespace {

api::Type traveler_counts() {
    return api::list(api::object("TravelerCount", {api::sometimes_sent({.name = "id",
                                                                        .type = api::id().or_null(),
                                                                        .help = "Id of a traveler category."}),
                                                   {.name = "title", .type = api::text(100), .required = true},
                                                   {.name = "count", .type = api::integer(0, 500), .required = true}}),
                     50)
        .or_null();
}

}  // namespace

const record::Record<Enquiry>& enquiry_record() {
    using namespace record;
    static const Record<Enquiry> enquiry{
        {.table = "svc_enquiries",
         .component = "Enquiry",
         .search_column = "search",
         .tuning = {.grams = "svc_enquiries_grams", .tallied = true},
         .sorts = {{"created_at", {"r.created_at"}},
                   {"id", {"r.id"}},
                   {"name", {"r.name_folded"}},
                   {"email", {"r.email_lower"}},
                   {"status", {"r.status"}},
                   {"travel_date", {"COALESCE(r.travel_date, '')"}}},
         .default_sort = "created_at",
         .conditions = {{"trip_id", "r.trip_id = :trip_id"}}},
        {id(&Enquiry::id),
         column("trip_id", &Enquiry::trip_id, api::id(), by_client_on_create | also({"tripId"}), "Id of the trip."),
         derived("trip_title", &Enquiry::trip_title, "(SELECT t.title FROM svc_trips t WHERE t.id = r.trip_id)",
                 api::text(255)),
         derived("trip_slug", &Enquiry::trip_slug, "(SELECT t.slug FROM svc_trips t WHERE t.id = r.trip_id)",
                 api::text(255)),
         column("customer_name", &Enquiry::name, api::text(150, 1),
                by_client | required | searched | also({"name"}) | stored_as("name"), "Name of the sender."),
         stored_text<Enquiry>("name_folded", [](const Enquiry& e) { return text::folded(e.name); }),
         column("customer_email", &Enquiry::email, api::email(),
                by_client | required | searched | also({"email"}) | stored_as("email"),
                "E-mail address of the sender."),
         stored_text<Enquiry>("email_lower", [](const Enquiry& e) { return text::folded(e.email); }),
         column("phone", &Enquiry::phone, api::text(40), by_client | searched | also({"customer_phone"})),
         column("message", &Enquiry::message, api::raw_text(5'000), required | searched | by_client_on_create),
         column("travel_date", &Enquiry::travel_date, api::date(), by_client, "When the sender would like to travel."),
         column("travelers_count", &Enquiry::travelers_count, api::integer(1, 50'000), by_client),
         column("metadata", &Enquiry::traveler_counts, traveler_counts(), by_client | stored_as("traveler_counts"),
                "Travelers by category."),
         column("locale", &Enquiry::locale, api::text(20), by_client_on_create,
                "Language of the e-mails to the sender, for example de or pt-BR; null for the site's."),
         choice("status", &Enquiry::status, statuses, by_client_on_update),
         column("response_notes", &Enquiry::response_notes, api::raw_text(5'000), by_client_on_update,
                "The last response."),
         column("responded_by", &Enquiry::responded_by, api::id(), by_server),
         column("responded_at", &Enquiry::responded_at, api::instant(), by_server),
         column("source", &Enquiry::source, api::text(50), by_server_on_create),
         column("customer_id", &Enquiry::customer_id, api::id(), by_server, "The customer with this address."),
         column("booking_id", &Enquiry::booking_id, api::id(), by_server, "The booking made from the enquiry."),
         column("referrer", &Enquiry::referrer, api::text(2'000), hidden | by_server_on_create),
         column("ip_hash", &Enquiry::ip_hash, api::text(100), hidden | by_server_on_create),
         column("user_agent", &Enquiry::user_agent, api::text(300), hidden | by_server_on_create),
         row_version<Enquiry>(),
         timestamps<Enquiry>(),
         authors<Enquiry>(Names::left_out, hidden),
         trashed_at<Enquiry>(),
         status_before_trash<Enquiry>()}};
    return enquiry;
}

std::int64_t delete_unchanged_since(store::Transaction& tx, Instant moment, int most) {
    return tx.run(
        "DELETE FROM svc_enquiries WHERE id IN (SELECT id FROM svc_enquiries WHERE updated_at < :moment ORDER BY id"
        " LIMIT :most)",
        {{"moment", moment}, {"most", most}});
}

}  // namespace svc::enquiries
