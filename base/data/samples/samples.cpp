// Loading and removing the sample catalogue.
#include "base/data/samples/samples.hpp"

#include <algorithm>
#include <span>

#include "base/catalog/classifications/service.hpp"
#include "base/data/samples/sample_rows.hpp"
#include "base/data/samples/scenery.hpp"
#include "base/sales/availability/rules/wire.hpp"
#include "shared/api/steps.hpp"
#include "shared/core/embedded.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::embedded {
std::span<const Embedded> samples();
}

namespace svc::samples {
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
    const auto created = service.create(tx, kind, *body);
    return created ? Result<std::int64_t>(created->id) : created.error();
}

const char* const first_step = "samples";
constexpr std::int64_t steps_over = -1;

Error loaded_already() { return Error{errc::conflict, "The samples are already loaded."_sentence}; }

}  // namespace

// One loader at a time, of all processes: the row is there or it is not.
Result<void> Samples::claim(Resuming resuming) {
    const api::Step step(first_step);
    try {
        return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            rows::remember(tx, "import", 0, parts_.clock.now());
            if (resuming == Resuming::yes)
                rows::remember_step(tx, 0, 0, parts_.clock.now());
            return {};
        });
    } catch (const store::UniqueViolation&) {
        return loaded_already();
    }
}

Result<void> Samples::import_classes(SampleCounts& counts) {
    const json::Value document = samples::document("classes.json");
    for (const auto& [type, records] : document.members()) {
        auto done = parts_.store.transact<std::int64_t>(
            [&, &type = type, &records = records](store::Transaction& tx) -> Result<std::int64_t> {
                std::int64_t count = 0;
                for (json::Value record : records.items()) {
                    // One of that name that is there already is the operator's own, and serves as well.
                    if (rows::classification(tx, type, record["slug"].text()))
                        continue;
                    if (const auto* parent = record.find("parent"))
                        if (const auto id = rows::classification(tx, type, parent->text()))
                            record.set("parent_id", *id);
                    SVC_ASSIGN_OR_RETURN(const auto created, create_class(tx, parts_.classifications, type, record));
                    rows::remember(tx, "classification", created, parts_.clock.now());
                    ++count;
                }
                return count;
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

Result<std::int64_t> Samples::import_trip(const json::Value& sample, SampleCounts& counts, std::int64_t step) {
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
    SVC_ASSIGN_OR_RETURN(auto picture, upload());
    counts.media += picture.fresh ? 1 : 0;
    const Date today = parts_.availability.dates.moment().zone.date_at(parts_.clock.now());
    std::int64_t count = 0;
    auto done = parts_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        count = 0;
        SVC_ASSIGN_OR_RETURN(const auto body, body_of(tx, sample, picture.media.id));
        const auto trip =
            parts_.trips.editor().create(tx, trips::change_of(body, parts_.trips.showing().parts), std::nullopt);
        if (!trip)
            return trip.error();
        rows::remember(tx, "trip", trip->id, parts_.clock.now());
        if (step > 0)
            rows::remember_step(tx, step, trip->id, parts_.clock.now());
        const json::Value& dates = sample["dates"];
        for (std::int64_t i = 0; i < dates["count"].integer(); ++i) {
            const auto ahead = dates["first"].integer() + i * dates["gap"].integer();
            SVC_ASSIGN_OR_RETURN(
                const auto departure,
                parts_.availability.departures.create(
                    tx, *trip, departure_of(sample["trip"], today.plus_days(static_cast<std::int32_t>(ahead))),
                    availability::Origin::fixed, {}));
            ++count;
        }
        return trip->id;
    });
    if (!done)
        return done.error();
    parts_.trips.public_trips().refresh(*done);
    ++counts.trips;
    counts.departures += count;
    if (!sample.find("rule"))
        return *done;
    SVC_RETURN_IF_ERROR(import_rule(*done, sample["rule"]));
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
    SVC_ASSIGN_OR_RETURN(const auto body, availability::rule_fields().check(wish));
    const auto new_rule = parts_.availability.rules.create(
        trip_id, [&](store::Session&, availability::Rule rule) { return availability::changed(std::move(rule), body); },
        {});
    return new_rule ? Result<void>{} : Result<void>{new_rule.error()};
}

Result<SampleCounts> Samples::import(bool overwrite, What what) {
    // By the same request, which was interrupted: whatever it has loaded so far is loaded again.
    const bool is_begun = api::Steps::before(first_step).has_value();
    if (overwrite || is_begun)
        SVC_RETURN_IF_ERROR(clean_up());
    SVC_RETURN_IF_ERROR(claim(Resuming::no));
    SampleCounts counts;
    SVC_RETURN_IF_ERROR(import_classes(counts));
    if (what == What::classes)
        return counts;
    std::vector<std::int64_t> created;
    const json::Value all = document("trips.json");
    for (const json::Value& sample : all.items()) {
        SVC_ASSIGN_OR_RETURN(auto trip, import_trip(sample, counts));
        created.push_back(trip);
    }
    parts_.availability.calendar.reload_changed();
    if (what == What::bookings && sales_)
        counts.bookings = sales_->import(created);
    return counts;
}

// Creates rules that a crash left out, then marks the catalogue as complete.
Result<void> Samples::end_steps(const json::Value& all, SampleCounts& counts) {
    const auto steps = parts_.store.reading<std::map<std::int64_t, std::int64_t>>(
        [](store::Session& session) { return rows::steps(session); });
    for (const auto& [step, trip] : steps) {
        if (step <= 0 || step > static_cast<std::int64_t>(all.size()) ||
            !all[static_cast<std::size_t>(step - 1)].find("rule"))
            continue;
        const bool has_rule = parts_.store.reading<bool>(
            [&, id = trip](store::Session& session) { return rows::dates_of(session, id).rules > 0; });
        if (has_rule)
            continue;
        SVC_RETURN_IF_ERROR(import_rule(trip, all[static_cast<std::size_t>(step - 1)]["rule"]));
        ++counts.rules;
    }
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        rows::remember_step(tx, steps_over, 0, parts_.clock.now());
        return {};
    });
}

// Steps behind those of the trips, each taken before its booking is made: one that a crash cut off is left out.
void Samples::import_sales(std::int64_t trips, SampleCounts& counts, Progress& progress) {
    const auto steps = parts_.store.reading<std::map<std::int64_t, std::int64_t>>(
        [](store::Session& session) { return rows::steps(session); });
    std::vector<std::int64_t> sold;
    for (std::int64_t step = 1; step <= trips; ++step)
        if (const auto trip = steps.find(step); trip != steps.end()) {
            parts_.trips.public_trips().refresh(trip->second);  // another process may have made it
            sold.push_back(trip->second);
        }
    const std::int64_t total = SampleSales::count();
    parts_.availability.calendar.reload_changed();
    counts.bookings = sales_->import(sold, [&](std::int64_t number) {
        if (progress.is_stopped())
            throw std::runtime_error(std::to_string(number) + " of " + std::to_string(total) +
                                     " sample bookings are made; run svc samples to make the rest.");
        const std::int64_t step = trips + 1 + number;
        const bool is_mine = !steps.contains(step) && claim_step(step);
        progress.at("sample bookings", number + 1, total);
        return is_mine;
    });
}

// False: another process was first.
bool Samples::claim_step(std::int64_t step) {
    try {
        return static_cast<bool>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            rows::remember_step(tx, step, 0, parts_.clock.now());
            return {};
        }));
    } catch (const store::UniqueViolation&) {
        return false;
    }
}

// A step is the number of a trip in its document, made in that trip's transaction.
Result<SampleCounts> Samples::import_into_empty(Progress& progress) {
    SampleCounts counts;
    bool any = false;
    std::map<std::int64_t, std::int64_t> steps;
    parts_.store.read([&](store::Session& session) {
        steps = rows::steps(session);
        any = trips::Service::any(session) || rows::import_date(session).has_value();
    });
    if (steps.empty() ? any : steps.contains(steps_over))
        return counts;
    if (steps.empty()) {
        if (auto claimed = claim(Resuming::yes); !claimed)
            return counts;  // another process was first
        steps.emplace(0, 0);
    }
    SVC_RETURN_IF_ERROR(import_classes(counts));
    const json::Value all = document("trips.json");
    const auto total = static_cast<std::int64_t>(all.size());
    auto done = std::count_if(steps.begin(), steps.end(),
                              [&](const auto& step) { return step.first > 0 && step.first <= total; });
    progress.at("sample trips", done, total);
    try {
        for (std::int64_t step = 1; step <= total; ++step) {
            if (steps.contains(step))
                continue;
            if (progress.is_stopped())
                throw std::runtime_error(std::to_string(done) + " of " + std::to_string(total) +
                                         " sample trips are loaded; run svc samples to load the rest.");
            SVC_RETURN_IF_ERROR(import_trip(all[static_cast<std::size_t>(step - 1)], counts, step));
            parts_.media.make_sizes();  // no job runs in a command, and whoever looks next sees the samples first
            progress.at("sample trips", ++done, total);
        }
        if (sales_)
            import_sales(total, counts, progress);
        SVC_RETURN_IF_ERROR(end_steps(all, counts));
    } catch (const store::UniqueViolation&) {
        // Another process continues the same load and completes it.
    }
    parts_.availability.calendar.reload_changed();
    return counts;
}

}  // namespace svc::samples
