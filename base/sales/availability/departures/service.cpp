// Departures read, listed and checked.
#include "base/sales/availability/departures/service.hpp"

#include <algorithm>

#include "base/sales/availability/record/slot_rows.hpp"
#include "shared/core/date_format.hpp"
#include "shared/core/words.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

// Days whose text in the site's format contains the search, separated by blanks.
std::string days_named(const std::vector<Date>& days, const std::string& format, const std::string& search) {
    const std::string needle = text::search_key(search);
    std::string found;
    for (const Date day : days)
        if (text::search_key(formatted(day, format)).find(needle) != std::string::npos)
            found += day.text() + ' ';
    return found;
}

}  // namespace

Error Departures::no_such(bool of_trip) {
    return {errc::not_found,
            of_trip ? "This trip has no such departure."_sentence : "This departure does not exist."_sentence};
}

bool Departures::is_out_of_reach(const Departure& departure, std::optional<std::int64_t> trip_id,
                                 const DepartureChange& change) {
    return (trip_id && departure.trip_id != *trip_id) || (departure.is_deleted() && !change.status);
}

Departures::Listed Departures::list(DepartureQuery query) const {
    query.today = moment().today();
    const std::string format = parts_.settings.text("date_format");
    return parts_.store.reading<Listed>([&](store::Session& session) {
        if (!query.search.empty() && !format.empty())
            query.site_dates = days_named(rows::days(session, query.trip_id), format, query.search);
        Listed listed{rows::list(session, query), {}, {}, rows::count(session, query), rows::counts(session, query)};
        if (listed.departures.empty())
            return listed;
        const auto [least, most] =
            std::minmax_element(listed.departures.begin(), listed.departures.end(),
                                [](const Departure& a, const Departure& b) { return a.id < b.id; });
        listed.links = rows::links(session, least->id, most->id);
        if (bookings_)
            listed.parties = bookings_->parties(session, least->id, most->id);
        return listed;
    });
}

Result<Departure> Departures::find(std::optional<std::int64_t> trip_id, std::int64_t id) const {
    auto departure = parts_.store.reading<std::optional<Departure>>(
        [&](store::Session& session) { return rows::find(session, id); });
    if (!departure || (trip_id && departure->trip_id != *trip_id) || departure->is_deleted())
        return no_such(trip_id.has_value());
    return std::move(*departure);
}

std::vector<std::int64_t> Departures::bookings_of(store::Session& session, std::int64_t departure_id) {
    std::vector<std::int64_t> ids;
    for (const Link& link : rows::links(session, departure_id, departure_id))
        ids.push_back(link.booking_id);
    return ids;
}

std::vector<Party> Departures::parties_of(store::Session& session, std::int64_t departure_id) const {
    return bookings_ ? bookings_->parties(session, departure_id, departure_id) : std::vector<Party>{};
}

void Departures::check_references(store::Session& session, const DepartureChange& change, Faults& faults) {
    if (change.guide_user_id && *change.guide_user_id && !rows::is_user(session, **change.guide_user_id))
        faults.at("guide_user_id", "This user does not exist."_sentence);
    for (const CategoryPriceChange& price : change.prices.value_or(std::vector<CategoryPriceChange>{}))
        if (!rows::is_category(session, price.category_id))
            faults.at(change.by_sale_names ? "price_types" : "price_by_traveler_type",
                      "Unknown traveler category {category_id}."_sentence.with("category_id", price.category_id));
}

// As it will be, or every field at fault.
Result<Departure> Departures::checked_new(store::Session& session, const Trip& trip, const DepartureChange& change,
                                          Origin origin, const Actor& actor) const {
    const Date today = moment().today();
    const char* start = change.by_sale_names ? "departure_date" : "start_date";
    Faults faults;
    if (!change.start_date)
        faults.at(start, missing(start).message());
    else if (*change.start_date < today && !actor.any_date)
        faults.at(start, "This date is over."_sentence);
    check_references(session, change, faults);
    Departure departure = changed(fresh_departure(trip, today, origin), change, trip, faults);
    SVC_RETURN_IF_ERROR(faults.outcome());
    return departure;
}

Result<Departure> Departures::checked_change(store::Session& session, const Departure& before, const Trip& trip,
                                             const DepartureChange& change) {
    Faults faults;
    if (trip.id != before.trip_id && trip.currency != before.currency)
        faults.at("trip_id", "This trip is priced in another currency."_sentence);
    check_references(session, change, faults);
    Departure departure = changed(before, change, trip, faults);
    SVC_RETURN_IF_ERROR(faults.outcome());
    return departure;
}

std::vector<FieldError> Departures::faults_of_new(std::int64_t trip_id, const DepartureChange& change,
                                                  const Actor& actor) const {
    return parts_.store.reading<std::vector<FieldError>>([&](store::Session& session) -> std::vector<FieldError> {
        const auto trip = catalog::trips::Service::find(session, trip_id);
        const auto departure =
            trip ? checked_new(session, *trip, change, Origin::manual, actor) : Result<Departure>(trip.error());
        return departure ? std::vector<FieldError>{} : departure.error().fields();
    });
}

std::vector<FieldError> Departures::faults_of_change(std::optional<std::int64_t> trip_id, std::int64_t id,
                                                     const DepartureChange& change) const {
    return parts_.store.reading<std::vector<FieldError>>([&](store::Session& session) -> std::vector<FieldError> {
        const auto before = rows::find(session, id);
        if (!before || is_out_of_reach(*before, trip_id, change))
            return {};
        const auto trip = catalog::trips::Service::find(session, change.trip_id.value_or(before->trip_id));
        if (!trip)
            return {{"trip_id", "There is no such trip."_sentence}};
        const auto departure = checked_change(session, *before, *trip, change);
        return departure ? std::vector<FieldError>{} : departure.error().fields();
    });
}

}  // namespace svc::availability
