// Loading and removing the sample catalogue.
#include "base/operations/samples.hpp"

#include <functional>
#include <span>

#include "base/availability/rules/wire.hpp"
#include "base/catalog/classifications/service.hpp"
#include "base/operations/sample_rows.hpp"
#include "base/operations/scenery.hpp"
#include "shared/api/steps.hpp"
#include "shared/core/embedded.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::embedded {
std::span<const Embedded> samples();
}

namespace svc::operations {
namespace {

namespace trips = catalog::trips;
namespace classes = catalog::classifications;

json::Value document(std::string_view name) {
    for (const auto& file : embedded::samples())
        if (file.name == name)
            return json::parse(file.text, {.depth = 32, .elements = 50'000, .text = 64 * 1024}).value();
    throw std::logic_error("a document of the samples is not built in");
}

// The members of a trip that name classifications, by the type of these.
constexpr std::pair<const char*, const char*> lists_of_classes[] = {
    {"destinations", "destination"}, {"activity_types", "activity"}, {"trip_category", "trip_category"}};

// ["meal", "Dinner", "20:00", null] as an entry of an itinerary.
json::Value entry_of(store::Session& session, const json::Value& brief) {
    auto entry = json::Value::object({{"title", brief[1]}});
    if (const auto type = rows::classification(session, "item_type", brief[0].text()))
        entry.set("item_type_id", *type);
    if (brief[2].is_string()) {
        entry.set("time_type", "exact");
        entry.set("start_time", brief[2]);
        if (brief[3].is_string())
            entry.set("end_time", brief[3]);
    }
    return entry;
}

availability::DepartureChange departure_of(const json::Value& trip, Date day) {
    availability::DepartureChange departure;
    departure.start_date = day;
    if (const auto time = ClockTime::parse(trip.text_or("departure_time")))
        departure.time = *time;
    return departure;
}

// As its route would make it of that body.
Result<std::int64_t> create_class(store::Transaction& tx, classes::Service& service, const std::string& type,
                                  json::Value record) {
    const classes::Type kind = classes::type_of(type).value();
    record.set("status", "publish");
    const auto body =
        classes::with_written_forms(classes::kind_of(kind), classes::record_of(kind).create_schema()).check(record);
    if (!body)
        return body.error();
    const auto made = service.create(tx, kind, *body);
    return made ? Result<std::int64_t>(made->id) : made.error();
}

const char* const first_step = "samples";

Error loaded_already() { return Error{errc::conflict, "The samples are already loaded."}; }

}  // namespace

// One loader at a time, of all processes: the row is there or it is not.
Result<void> Samples::claim() {
    const api::Step step(first_step);
    try {
        return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            rows::remember(tx, "import", 0, parts_.clock.now());
            return {};
        });
    } catch (const store::UniqueViolation&) {
        return loaded_already();
    }
}

Result<void> Samples::import_classes(SampleCounts& counts) {
    const json::Value document = operations::document("classes.json");
    for (const auto& [type, records] : document.members()) {
        auto done = parts_.store.transact<std::int64_t>(
            [&, &type = type, &records = records](store::Transaction& tx) -> Result<std::int64_t> {
                std::int64_t made = 0;
                for (json::Value record : records.items()) {
                    // One of that name that is there already is the operator's own, and serves as well.
                    if (rows::classification(tx, type, record["slug"].text()))
                        continue;
                    if (const auto* parent = record.find("parent"))
                        if (const auto id = rows::classification(tx, type, parent->text()))
                            record.set("parent_id", *id);
                    const auto created = create_class(tx, parts_.classifications, type, record);
                    if (!created)
                        return created.error();
                    rows::remember(tx, "classification", *created, parts_.clock.now());
                    ++made;
                }
                return made;
            });
        if (!done)
            return done.error();
        counts.classifications += *done;
    }
    return {};
}

// The body that an operator would send for the trip.
Result<json::Value> Samples::body_of(store::Session& session, const json::Value& sample, std::int64_t picture) const {
    json::Value body = sample["trip"];
    body.set("status", "publish");
    body.set("featured_image", picture);
    body.set("gallery_images", json::Value::array({json::Value::object(
                                   {{"id", picture}, {"alt_text", body["title"]}, {"is_featured", true}})}));
    const json::Value& classes = sample["classes"];
    for (const auto& [member, type] : lists_of_classes) {
        auto ids = json::Value::array();
        for (const auto& slug : classes[member].items())
            if (const auto id = rows::classification(session, type, slug.text()))
                ids.push(*id);
        body.set(member, std::move(ids));
    }
    if (const auto level = rows::classification(session, "difficulty", classes["difficulty_level"].text()))
        body.set("difficulty_level", *level);
    auto values = json::Value::object();
    for (const auto& [slug, value] : sample["values"].members())
        if (const auto id = rows::classification(session, "attribute", slug))
            values.set(std::to_string(*id), value);
    body.set("attributes", std::move(values));

    if (const auto* prices = sample.find("prices")) {
        auto types = json::Value::array();
        for (json::Value price : prices->items())
            if (const auto id = rows::classification(session, "traveler_type", price["category"].text())) {
                price.set("category_id", *id);
                types.push(std::move(price));
            }
        // Without its categories a trip is sold at their first price.
        if (types.size() == 0) {
            body.set("pricing_type", "regular");
            body.set("regular_price", (*prices)[std::size_t{0}]["regular_price"]);
        } else {
            body.set("price_types", std::move(types));
        }
    }
    auto days = json::Value::array();
    for (json::Value day : sample["days"].items()) {
        auto entries = json::Value::array();
        for (const auto& brief : day["entries"].items())
            entries.push(entry_of(session, brief));
        day.set("day_number", static_cast<std::int64_t>(days.size() + 1));
        day.set("entries", std::move(entries));
        days.push(std::move(day));
    }
    body.set("itinerary_days", std::move(days));
    return trips::trip_fields(parts_.trips.showing().parts).check(body);
}

Result<std::int64_t> Samples::import_trip(const json::Value& sample, SampleCounts& counts) {
    const std::string kind = sample["picture"].text();
    const std::string bytes = images::to_jpeg(scenery(kind, 960, 640));
    using Stored = catalog::media::Service::Stored;
    const auto upload = [&] {
        const store::LastOfAll remembered(std::in_place_type<Stored>,
                                          [&](store::Transaction& tx, const Stored& stored) {
                                              if (stored.fresh)
                                                  rows::remember(tx, "media", stored.media.id, parts_.clock.now());
                                          });
        return parts_.media.upload({.bytes = bytes, .name = kind + ".jpg", .alt_text = sample["trip"]["title"].text()},
                                   std::nullopt);
    };
    auto picture = upload();
    if (!picture)
        return picture.error();
    counts.media += picture->fresh ? 1 : 0;
    const Date today = parts_.availability.dates.moment().zone.date_at(parts_.clock.now());
    std::int64_t made = 0;
    auto done = parts_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        made = 0;
        const auto body = body_of(tx, sample, picture->media.id);
        if (!body)
            return body.error();
        const auto trip =
            parts_.trips.editor().create(tx, trips::change_of(*body, parts_.trips.showing().parts), std::nullopt);
        if (!trip)
            return trip.error();
        rows::remember(tx, "trip", trip->id, parts_.clock.now());
        const json::Value& dates = sample["dates"];
        for (std::int64_t i = 0; i < dates["count"].integer(); ++i) {
            const auto ahead = dates["first"].integer() + i * dates["gap"].integer();
            const auto departure = parts_.availability.departures.create(
                tx, *trip, departure_of(sample["trip"], today.plus_days(static_cast<std::int32_t>(ahead))),
                availability::Origin::fixed, {});
            if (!departure)
                return departure.error();
            ++made;
        }
        return trip->id;
    });
    if (!done)
        return done.error();
    parts_.trips.shown().refresh(*done);
    ++counts.trips;
    counts.departures += made;
    if (!sample.find("rule"))
        return *done;
    if (auto ruled = import_rule(*done, sample["rule"]); !ruled)
        return ruled.error();
    ++counts.rules;
    return *done;
}

// As an operator would send it, from the first day on for some weeks.
Result<void> Samples::import_rule(std::int64_t trip_id, const json::Value& sample) {
    const Date first = parts_.availability.dates.moment()
                           .zone.date_at(parts_.clock.now())
                           .plus_days(static_cast<std::int32_t>(sample["first"].integer()));
    auto wish = sample;
    wish.set("rule_type", "weekly");
    wish.set("start_date", first);
    wish.set("end_date", first.plus_days(static_cast<std::int32_t>(7 * sample["weeks"].integer() - 1)));
    const auto body = availability::rule_fields().check(wish);
    if (!body)
        return body.error();
    const auto made = parts_.availability.rules.create(
        trip_id,
        [&](store::Session&, availability::Rule rule) { return availability::changed(std::move(rule), *body); }, {});
    return made ? Result<void>{} : Result<void>{made.error()};
}

Result<SampleCounts> Samples::import(bool overwrite, What what) {
    // By the same request, which was interrupted: whatever it has loaded so far is loaded anew.
    const bool is_begun = api::Steps::before(first_step).has_value();
    if (overwrite || is_begun)
        if (auto removed = clean_up(); !removed)
            return removed;
    if (auto claimed = claim(); !claimed)
        return claimed.error();
    SampleCounts counts;
    if (auto classes = import_classes(counts); !classes)
        return classes.error();
    if (what == What::classes)
        return counts;
    std::vector<std::int64_t> made;
    const json::Value all = document("trips.json");
    for (const json::Value& sample : all.items()) {
        auto trip = import_trip(sample, counts);
        if (!trip)
            return trip.error();
        made.push_back(*trip);
    }
    parts_.availability.calendar.reload_changed();
    if (what == What::bookings && sales_)
        counts.bookings = sales_->import(made);
    return counts;
}

Result<SampleCounts> Samples::import_into_empty() {
    const bool any = parts_.store.reading<bool>(
        [](store::Session& session) { return trips::Service::any(session) || rows::import_date(session).has_value(); });
    if (any)
        return SampleCounts{};
    auto made = import(false, What::trips);
    // Another process was first.
    if (!made && &made.error().code() == &errc::conflict)
        return SampleCounts{};
    return made;
}

// Bookings first and then trips, since they refer to the rest. What cannot go is kept and remembered.
Result<SampleCounts> Samples::clean_up() {
    SampleCounts counts;
    if (sales_) {
        const auto gone = sales_->clean_up();
        counts.bookings = gone.bookings;
        counts.kept = gone.kept;
    }
    const auto each = [&](const std::string& kind, const std::function<Result<void>(std::int64_t id)>& remove,
                          std::int64_t& removed) {
        const auto ids = parts_.store.reading<std::vector<std::int64_t>>(
            [&](store::Session& session) { return rows::remembered(session, kind); });
        for (const std::int64_t id : ids) {
            const auto gone = remove(id);
            const bool missing = !gone && gone.error().code().status == 404;
            if (!gone && !missing) {
                ++counts.kept;
                continue;
            }
            removed += missing ? 0 : 1;
            static_cast<void>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
                rows::forget(tx, kind, id);
                return {};
            }));
        }
    };
    each(
        "trip",
        [&](std::int64_t id) -> Result<void> {
            if (auto trashed = parts_.trips.lifecycle().trash(id, std::nullopt);
                !trashed && trashed.error().code().status != 409)  // 409: it lies there already
                return trashed.error();
            rows::Dates dates;
            auto gone = parts_.trips.lifecycle().remove(id, [&](store::Transaction& tx, std::int64_t trip_id) {
                dates = rows::dates_of(tx, trip_id);
                return availability::Departures::remove_all(tx, trip_id);
            });
            counts.departures += gone ? dates.departures : 0;
            counts.rules += gone ? dates.rules : 0;
            return gone;
        },
        counts.trips);
    each(
        "classification",
        [&](std::int64_t id) -> Result<void> {
            const auto type = parts_.store.reading<std::optional<std::string>>(
                [&](store::Session& session) { return rows::type_of(session, id); });
            if (!type)
                return errc::not_found;
            return parts_.classifications.remove(classes::type_of(*type).value(), id);
        },
        counts.classifications);
    each(
        "media", [&](std::int64_t id) { return parts_.media.remove(id); }, counts.media);
    static_cast<void>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        rows::forget(tx, "import", 0);
        return {};
    }));
    parts_.availability.calendar.reload_changed();
    return counts;
}

SampleStatus Samples::status() const {
    return parts_.store.reading<SampleStatus>([](store::Session& session) {
        SampleStatus status{.import_date = rows::import_date(session)};
        status.is_imported = status.import_date.has_value();
        status.trips = static_cast<std::int64_t>(rows::remembered(session, "trip").size());
        status.bookings = static_cast<std::int64_t>(rows::remembered(session, "booking").size());
        status.classifications = static_cast<std::int64_t>(rows::remembered(session, "classification").size());
        return status;
    });
}

}  // namespace svc::operations
