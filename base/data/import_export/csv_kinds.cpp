// Customers, trips and departures from rows of a table.
#include "base/data/import_export/csv_kinds.hpp"

#include <algorithm>

#include "base/catalog/itineraries/part.hpp"
#include "base/catalog/trips/record/wire.hpp"
#include "base/sales/availability/record/departure_rows.hpp"
#include "base/sales/booking/cancellation/trip_terms.hpp"
#include "shared/api/rename_fields.hpp"
#include "shared/core/text.hpp"

namespace svc::import_export {
namespace {

using json::Value;

// Fields that a cell of a table can hold.
api::Schema plain_fields(const api::Schema& schema) {
    std::vector<api::Field> fields;
    for (const api::Field& field : schema.fields()) {
        const auto shape = field.type.shape;
        if (shape != api::Shape::object && shape != api::Shape::map && shape != api::Shape::anything &&
            shape != api::Shape::list && !field.ignored)
            fields.push_back(field);
    }
    return api::Schema(std::move(fields));
}

std::optional<std::int64_t> id_where(store::Session& session, std::string_view sql, const store::Params& params) {
    const auto id = session.number(sql, params);
    return id > 0 ? std::optional(id) : std::nullopt;
}

template <class T>
std::optional<T> in_body(const Value& body, std::string_view name) {
    const std::string text = body.text_or(name);
    return text.empty() ? std::nullopt : T::parse(text);
}

// The number without zeros at its end: 499 and 499.00 are one.
std::string plain_number(std::string text) {
    if (text.find('.') == std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

bool says_nothing(const Value& value) { return value.is_null() || (value.is_string() && value.text().empty()); }

bool is_same(const Value& a, const Value& b) {
    if (says_nothing(a) || says_nothing(b))
        return says_nothing(a) && says_nothing(b);
    if (a.is_number() && b.is_number())
        return plain_number(a.number_text()) == plain_number(b.number_text());
    return a == b;
}

// The names of a departure's fields in a table.
Error by_table_names(const Error& error) {
    return api::rename_fields(error, [](const std::string& field) -> std::string {
        return field == "capacity" ? "seats" : field == "regular_price" || field == "original_price" ? "price" : field;
    });
}

}  // namespace

Value changes_of(const Value& given, const Value& shown) {
    auto changes = Value::object();
    for (const auto& [name, value] : given.members())
        if (!is_same(value, shown[name]))
            changes.set(name, value);
    return changes;
}

CsvKinds::CsvKinds(const Site& site, const Needs& lower)
    : site_(site),
      hooks_(site.hooks),
      quiet_(with_hooks(site, hooks_, features_)),
      customers_(quiet_, lower.identity),
      trips_(quiet_, lower.settings, lower.media, lower.classifications),
      availability_(quiet_, trips_),
      bookings_({.store = site.store,
                 .hooks = hooks_,
                 .settings = site.settings,
                 .trips = lower.trips.service,
                 .availability = availability_.services,
                 .pricing = lower.pricing.service,
                 .discounts = lower.discounts.service,
                 .clock = site.clock,
                 .keyring = *site.keyring,
                 .module_enabled = site.module_enabled}) {
    // Members of a trip that other features bring.
    trips_.service.add_part(catalog::itineraries::make_part(lower.media.service));
    trips_.service.add_part(catalog::attributes::make_part(shown_));
    trips_.service.add_part(booking::cancellation_terms_part());
    kinds_.push_back(customers_kind());
    kinds_.push_back(trips_kind());
    kinds_.push_back(departures_kind());
    kinds_.push_back(bookings_kind());
    kinds_.push_back(travelers_kind({}));
    kinds_.back().now = [this] { return travelers_kind(bookings_.forms.form(std::nullopt, false).value()); };
}

const CsvKind* CsvKinds::named(std::string_view name) const {
    const auto found =
        std::find_if(kinds_.begin(), kinds_.end(), [&](const CsvKind& kind) { return kind.name == name; });
    return found == kinds_.end() ? nullptr : &*found;
}

std::shared_ptr<const CsvKind> CsvKinds::current(std::string_view name) const {
    const CsvKind* kind = named(name);
    // It lives as long as this.
    return kind && kind->now ? std::make_shared<const CsvKind>(kind->now())
                             : std::shared_ptr<const CsvKind>(std::shared_ptr<void>(), kind);
}

const CsvKind* CsvKinds::restoring(std::string_view part) const {
    const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                    [&](const CsvKind& kind) { return kind.part == part && kind.restore; });
    return found == kinds_.end() ? nullptr : &*found;
}

const char* CsvKinds::names() { return "customers, trips, departures, bookings, travelers"; }

CsvKind CsvKinds::customers_kind() const {
    const auto& resource = customers_.customers();
    const auto writer = [this] { return record::Writer{.user_id = std::nullopt, .now = site_.clock.now()}; };
    return {.name = "customers",
            .part = "customers",
            .fields = plain_fields(customers_.record().create_schema()),
            .whole = customers_.record().create_schema(),
            .key = "email",
            .list = "/customers",
            .edits = "svc_edit_customers",
            .find =
                [](store::Session& session, const Value& body) {
                    return id_where(session, "SELECT id FROM svc_customers WHERE email_lower = :email",
                                    {{"email", text::folded(body.text_or("email"))}});
                },
            .create = [&resource, writer](store::Transaction& tx, const Value& body) -> Result<std::int64_t> {
                auto created = resource.create(tx, {}, body, writer());
                return created ? Result<std::int64_t>(created->id) : Result<std::int64_t>(created.error());
            },
            .update = [&resource, writer](store::Transaction& tx, std::int64_t id, const Value& body) -> Result<void> {
                auto done = resource.update(tx, id, body, writer());
                return done ? Result<void>() : Result<void>(done.error());
            },
            .show = [this](store::Session& session, std::int64_t id) -> Value {
                const auto found = customers_.record().find(session, id);
                return found ? customers_.record().to_json(*found) : Value();
            }};
}

CsvKind CsvKinds::trips_kind() {
    auto& service = trips_.service;
    return {
        .name = "trips",
        .part = "trips",
        .fields = plain_fields(catalog::trips::trip_fields(service.showing().parts)),
        .whole = catalog::trips::trip_fields(service.showing().parts),
        .key = "slug",
        .list = "/trips",
        .edits = "svc_edit_trips",
        .find =
            [](store::Session& session, const Value& body) {
                const std::string slug = body.text_or("slug");
                return slug.empty()
                           ? id_where(session, "SELECT id FROM svc_trips WHERE title = :title AND status <> 'trash'",
                                      {{"title", body.text_or("title")}})
                           : id_where(session, "SELECT id FROM svc_trips WHERE slug = :slug", {{"slug", slug}});
            },
        .create = [&service](store::Transaction& tx, const Value& body) -> Result<std::int64_t> {
            auto created = service.editor().create(tx, catalog::trips::change_of(body, service.showing().parts), {});
            return created ? Result<std::int64_t>(created->id) : Result<std::int64_t>(created.error());
        },
        .update = [&service](store::Transaction& tx, std::int64_t id, const Value& body) -> Result<void> {
            auto done = service.editor().update(tx, id, catalog::trips::change_of(body, service.showing().parts), {});
            return done ? Result<void>() : Result<void>(done.error());
        },
        .show = [this, &service](store::Session& session, std::int64_t id) -> Value {
            const auto found = catalog::trips::Service::find(session, id);
            return found ? catalog::trips::staff_json(session, *found, service.showing(), hooks_,
                                                      catalog::trips::Members::all)
                         : Value();
        }};
}

namespace {

availability::DepartureChange change_of(const Value& body) {
    availability::DepartureChange change;
    change.start_date = in_body<Date>(body, "start_date");
    if (const auto end = in_body<Date>(body, "end_date"))
        change.end_date = end;
    if (const auto time = in_body<ClockTime>(body, "time"))
        change.time = time;
    if (const auto seats = body.maybe_integer("seats"))
        change.capacity = static_cast<int>(*seats);
    if (const Value* price = body.find("price"); price && price->is_number())
        change.regular_price = price->number_text();
    if (const auto notes = body.maybe_text("notes"))
        change.notes = *notes;
    return change;
}

Value departure_row(store::Session& session, std::int64_t id) {
    const auto found = availability::rows::find(session, id);
    if (!found)
        return {};
    return Value::object({{"trip_slug", found->trip_slug},
                          {"start_date", found->start_date},
                          {"time", found->time},
                          {"end_date", found->end_date},
                          {"seats", found->capacity},
                          {"price", found->regular_price ? Value(*found->regular_price) : Value()},
                          {"notes", found->notes}});
}

}  // namespace

CsvKind CsvKinds::departures_kind() {
    const api::Schema fields{
        {.name = "trip_slug", .type = api::text(255), .help = "Slug of the trip.", .required = true, .also = {"trip"}},
        {.name = "start_date", .type = api::date(), .required = true, .also = {"date", "departure_date"}},
        {.name = "time", .type = api::time().or_null(), .also = {"start_time", "departure_time"}},
        {.name = "end_date", .type = api::date().or_null(), .also = {"return_date"}},
        {.name = "seats", .type = api::integer(1, 100'000), .also = {"max_capacity", "capacity", "seats_total"}},
        {.name = "price", .type = api::decimal(0).or_null(), .also = {"original_price"}},
        {.name = "notes", .type = api::text(2'000)}};
    auto& departures = availability_.services.departures;
    const auto trip_of = [](store::Session& session, const Value& body) {
        return id_where(session, "SELECT id FROM svc_trips WHERE slug = :slug AND status <> 'trash'",
                        {{"slug", body.text_or("trip_slug")}});
    };
    return {
        .name = "departures",
        .part = "departures",
        .fields = fields,
        .whole = fields,
        .key = "start_date",
        .list = "/departures",
        .edits = "svc_manage_departures",
        .find =
            [trip_of](store::Session& session, const Value& body) {
                const auto trip = trip_of(session, body);
                return trip ? id_where(session,
                                       "SELECT id FROM svc_departures WHERE trip_id = :trip AND start_date = :date AND"
                                       " COALESCE(start_time, '') = :time AND deleted_at IS NULL",
                                       {{"trip", *trip},
                                        {"date", body.text_or("start_date")},
                                        {"time", body.text_or("time")}})
                            : std::nullopt;
            },
        .create = [this, trip_of, &departures](store::Transaction& tx, const Value& body) -> Result<std::int64_t> {
            const auto id = trip_of(tx, body);
            const auto trip =
                id ? catalog::trips::Service::find(tx, *id) : Result<catalog::trips::Trip>(errc::trip_not_found);
            if (!trip)
                return invalid("trip_slug", "There is no trip with this slug."_sentence);
            auto created = departures.create(tx, *trip, change_of(body), availability::Origin::manual,
                                             {.user_id = std::nullopt, .any_date = true});
            return created ? Result<std::int64_t>(created->id) : Result<std::int64_t>(by_table_names(created.error()));
        },
        .update = [&departures](store::Transaction& tx, std::int64_t id, const Value& body) -> Result<void> {
            auto done = departures.update(tx, id, change_of(body), {.user_id = std::nullopt, .any_date = true});
            return done ? Result<void>() : Result<void>(by_table_names(done.error()));
        },
        .show = departure_row};
}

}  // namespace svc::import_export
