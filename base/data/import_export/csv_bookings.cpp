// Bookings from rows of a table: their contact and their notes, by their reference. Money, status, seats and days are
// the program's own and are left as they are.
#include "base/data/import_export/csv_kinds.hpp"
#include "shared/store/typed.hpp"

namespace svc::import_export {
namespace {

using json::Value;

booking::Edit edit_of(const Value& body) {
    booking::Edit edit;
    edit.first_name = body.maybe_text("contact_first_name");
    edit.last_name = body.maybe_text("contact_last_name");
    edit.email = body.maybe_text("contact_email");
    edit.phone = body.maybe_text("contact_phone");
    edit.country = body.maybe_text("contact_country");
    edit.special_requests = body.maybe_text("special_requests");
    edit.internal_notes = body.maybe_text("internal_notes");
    return edit;
}

}  // namespace

CsvKind CsvKinds::bookings_kind() {
    const api::Schema fields{
        {.name = "reference", .type = api::text(40, 1), .help = "Reference of the booking.", .required = true},
        {.name = "contact_first_name", .type = api::text(100, 1)},
        {.name = "contact_last_name", .type = api::text(100)},
        {.name = "contact_email", .type = api::email(), .help = "The holder of the former address loses access."},
        {.name = "contact_phone", .type = api::text(40)},
        {.name = "contact_country", .type = api::text(60)},
        {.name = "special_requests", .type = api::raw_text(10'000)},
        {.name = "internal_notes", .type = api::raw_text(10'000), .help = "Visible to staff only.", .also = {"notes"}}};
    return {.name = "bookings",
            .part = "bookings",
            .fields = fields,
            .whole = fields,
            .key = "reference",
            .list = "/bookings",
            .edits = "svc_edit_bookings",
            .leaves_the_rest = true,
            .undone = {"contact_first_name", "contact_last_name", "contact_email", "contact_phone", "contact_country",
                       "customer_id", "special_requests", "internal_notes", "search"},
            .find =
                [](store::Session& session, const Value& body) {
                    return store::value<std::int64_t>(session,
                                                      "SELECT id FROM svc_bookings WHERE reference = :reference",
                                                      {{"reference", body.text_or("reference")}});
                },
            .create = [](store::Transaction&, const Value&) -> Result<std::int64_t> {
                return invalid("reference",
                               "There is no booking with this reference. An import creates no bookings."_sentence);
            },
            .update = [this](store::Transaction& tx, std::int64_t id, const Value& body) -> Result<void> {
                auto done = bookings_.desk.edit_contact(tx, id, edit_of(body), {.kind = "admin", .through = "import"});
                return done ? Result<void>() : Result<void>(done.error());
            },
            .show = [](store::Session& session, std::int64_t id) -> Value {
                const auto row = store::tuple<std::string, std::string, std::string, std::string, std::string,
                                              std::string, std::string, std::string>(
                    session,
                    "SELECT reference, contact_first_name, contact_last_name, contact_email, contact_phone,"
                    " contact_country, special_requests, internal_notes FROM svc_bookings WHERE id = :id",
                    {{"id", id}});
                if (!row)
                    return {};
                const auto& [reference, first, last, email, phone, country, requests, notes] = *row;
                return Value::object({{"reference", reference},
                                      {"contact_first_name", first},
                                      {"contact_last_name", last},
                                      {"contact_email", email},
                                      {"contact_phone", phone},
                                      {"contact_country", country},
                                      {"special_requests", requests},
                                      {"internal_notes", notes}});
            }};
}

}  // namespace svc::import_export
