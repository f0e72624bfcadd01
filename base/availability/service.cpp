// Departures as staff see and change them, and the dates buyers are offered.
#include "base/availability/service.hpp"

#include <algorithm>

#include "base/availability/hooks.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/core/log.hpp"
#include "shared/core/text.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

Error taken() {
    Error error{errc::conflict, "There is a departure on this date and time already."};
    error.at("start_date", error.message());
    return error;
}

Error changed_meanwhile() {
    return {errc::conflict, "The departure was changed in the meantime. Please read it again."};
}

template <class T>
void take(std::optional<T>& field, const Sent<T>& sent) {
    if (sent)
        field = *sent;
}

Result<void> take_money(std::optional<Money>& field, const Sent<std::string>& sent, Currency currency,
                        const char* name) {
    if (!sent)
        return {};
    field.reset();
    if (!*sent)
        return {};
    const auto amount = Money::parse(**sent, currency);
    if (!amount || amount->is_negative())
        return invalid(name, "This must be an amount of at least 0.");
    field = *amount;
    return {};
}

// The departure as it will be, or the first field at fault. The status is what staff set; the rest follows from it.
Result<Departure> changed(Departure departure, const DepartureChange& change, const Trip& trip) {
    const auto length = departure.end_date.days() - departure.start_date.days();
    if (change.start_date && *change.start_date != departure.start_date) {
        departure.start_date = *change.start_date;
        departure.end_date = departure.start_date.plus_days(length);
    }
    if (change.end_date)
        departure.end_date = change.end_date->value_or(departure.start_date.plus_days(trip.length() - 1));
    if (departure.end_date < departure.start_date)
        return invalid("end_date", "This must not be before start_date.");
    take(departure.time, change.time);
    if (change.capacity)
        departure.capacity = change.capacity->value_or(trip.default_capacity());
    take(departure.cutoff_date, change.cutoff_date);
    take(departure.cutoff_hours, change.cutoff_hours);
    if (auto read = take_money(departure.regular_price, change.regular_price, departure.currency, "price_override");
        !read)
        return read.error();
    if (auto read = take_money(departure.sale_price, change.sale_price, departure.currency, "sale_price"); !read)
        return read.error();
    if (departure.sale_price && (!departure.regular_price || *departure.sale_price >= *departure.regular_price))
        return invalid("sale_price", "This must be lower than price_override.");
    if (change.notes)
        departure.notes = text::clean_lines(*change.notes);
    if (change.sale_state)
        departure.sale_state = sale_state_of(*change.sale_state).value();
    if (change.status) {
        const bool cancelled = *change.status == name_of(Status::cancelled);
        const bool was_cancelled = departure.status == Status::cancelled;
        departure.status = cancelled ? Status::cancelled : Status::upcoming;
        if (cancelled)
            departure.sale_state = SaleState::cancelled;
        else if (was_cancelled && !change.sale_state)
            departure.sale_state = SaleState::open;
    }
    return departure;
}

Status status_on(const Departure& departure, Date today) {
    if (departure.status == Status::cancelled)
        return Status::cancelled;
    if (departure.end_date < today)
        return Status::past;
    return departure.booked >= departure.capacity ? Status::full : Status::upcoming;
}

}  // namespace

Service::Service(const Parts& parts) : parts_(parts), calendar_(parts.store, parts.clock) {}

Moment Service::moment() const { return {parts_.clock.now(), parts_.settings.zone()}; }

void Service::saved(store::Transaction& tx, std::int64_t departure_id) {
    parts_.hooks.emit(tx, departure_saved, {departure_id});
    parts_.hooks.emit(tx, availability_updated, {departure_id});
    store::touch(tx, channel);
}

template <class Work>
Result<Departure> Service::writing(Work work, const Kept& kept) {
    try {
        auto departure = parts_.store.transact<Departure>([&](store::Transaction& tx) -> Result<Departure> {
            Result<Departure> written = work(tx);
            if (written && kept)
                kept(tx, *written);
            return written;
        });
        if (departure)
            calendar_.refresh(departure->trip_id);
        return departure;
    } catch (const store::UniqueViolation&) {
        return taken();
    }
}

Service::Listed Service::list(DepartureQuery query) const {
    query.today = moment().today();
    return parts_.store.reading<Listed>([&](store::Session& session) {
        Listed listed{rows::list(session, query), {}, rows::count(session, query), rows::counts(session, query)};
        if (!listed.departures.empty()) {
            const auto [least, most] =
                std::minmax_element(listed.departures.begin(), listed.departures.end(),
                                    [](const Departure& a, const Departure& b) { return a.id < b.id; });
            listed.links = rows::links(session, least->id, most->id);
        }
        return listed;
    });
}

Result<Departure> Service::find(std::int64_t trip_id, std::int64_t id) const {
    auto departure = parts_.store.reading<std::optional<Departure>>(
        [&](store::Session& session) { return rows::find(session, id); });
    if (!departure || departure->trip_id != trip_id)
        return Error{errc::not_found, "This trip has no such departure."};
    return std::move(*departure);
}

std::vector<std::int64_t> Service::bookings_of(std::int64_t departure_id) const {
    return parts_.store.reading<std::vector<std::int64_t>>([&](store::Session& session) {
        std::vector<std::int64_t> ids;
        for (const Link& link : rows::links(session, departure_id, departure_id))
            ids.push_back(link.booking_id);
        return ids;
    });
}

Result<Departure> Service::create(std::int64_t trip_id, const DepartureChange& change, const Actor& actor,
                                  const Kept& kept) {
    return writing(
        [&](store::Transaction& tx) -> Result<Departure> {
            const auto trip = catalog::trips::Service::find(tx, trip_id);
            if (!trip)
                return trip.error();
            return create(tx, *trip, change, Origin::manual, actor);
        },
        kept);
}

Result<Departure> Service::create(store::Transaction& tx, const Trip& trip, const DepartureChange& change,
                                  Origin origin, const Actor& actor) {
    const Moment here = moment();
    if (!change.start_date)
        return missing("start_date");
    if (*change.start_date < here.today() && !actor.any_date)
        return invalid("start_date", "This date is over.");
    Departure fresh;
    fresh.trip_id = trip.id;
    fresh.origin = origin;
    fresh.start_date = *change.start_date;
    fresh.end_date = fresh.start_date.plus_days(trip.length() - 1);
    fresh.capacity = trip.default_capacity();
    fresh.currency = trip.currency;
    auto departure = changed(std::move(fresh), change, trip);
    if (!departure)
        return departure;
    departure->status = status_on(*departure, here.today());
    departure->created_at = departure->updated_at = here.now;
    departure->id = rows::insert(tx, *departure, actor.user_id);
    saved(tx, departure->id);
    return rows::find(tx, departure->id).value();
}

Result<Departure> Service::update(std::int64_t trip_id, std::int64_t id, const DepartureChange& change,
                                  const Actor& actor, const Kept& kept) {
    return writing(
        [&](store::Transaction& tx) -> Result<Departure> {
            rows::lock(tx, id);
            const auto before = rows::find(tx, id);
            if (!before || before->trip_id != trip_id)
                return Error{errc::not_found, "This trip has no such departure."};
            if (change.row_version && *change.row_version != before->row_version)
                return changed_meanwhile();
            if (before->deleted && !change.status)
                return Error{errc::conflict, "The departure is in the trash. A status takes it out."};
            auto departure = changed(*before, change, catalog::trips::Service::find(tx, trip_id).value());
            if (!departure)
                return departure;
            const Moment here = moment();
            departure->updated_at = here.now;
            const bool moved = departure->start_date != before->start_date || departure->time != before->time;
            if (!rows::update(tx, *departure, moved, here.today(), actor.user_id)) {
                const auto now = rows::find(tx, id);
                if (!now || now->row_version != before->row_version)
                    return changed_meanwhile();
                if (moved && now->booked > 0)
                    return Error{errc::in_use, "Bookings hold seats on this date, so it cannot be moved."};
                Error error{errc::conflict, "More seats are booked than that."};
                error.at("max_capacity", error.message());
                return error.with("booked_count", std::to_string(now->booked));
            }
            saved(tx, id);
            return rows::find(tx, id).value();
        },
        kept);
}

Result<void> Service::remove(std::int64_t trip_id, std::int64_t id, const Actor& actor) {
    auto gone = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto departure = rows::find(tx, id);
        if (!departure || departure->trip_id != trip_id || departure->deleted)
            return Error{errc::not_found, "This trip has no such departure."};
        saved(tx, id);
        if (!rows::trash(tx, id, actor.user_id, parts_.clock.now()))
            return Error{errc::in_use, "Bookings hold seats on this departure, so it cannot be deleted."};
        return {};
    });
    if (gone)
        calendar_.refresh(trip_id);
    return gone;
}

Result<void> Service::remove_all(store::Transaction& tx, std::int64_t trip_id) {
    if (!rows::remove_all(tx, trip_id))
        return Error{errc::in_use, "Bookings refer to this trip, so it cannot be deleted."};
    return {};
}

int Service::horizon() const {
    const auto months = parts_.settings.integer("availability_horizon_months");
    const auto asked = parts_.hooks.apply(horizon_months, months, {});
    const std::string& digits = asked.number_text();
    const bool whole = !digits.empty() && digits.size() <= 2 &&
                       std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    const int value = whole ? std::stoi(digits) : 0;
    return value >= 1 && value <= 36 ? value : static_cast<int>(months);
}

Result<Span> Service::span_of(const Trip& trip, const DatesQuery& query, const Moment& moment) const {
    const Date today = moment.today();
    if (query.from && query.to && *query.from > *query.to)
        return invalid("from_date", "This must not be after to_date.");
    Span span;
    span.first = std::max(query.from.value_or(today), today);
    span.last = query.to ? *query.to : today.plus_months(horizon());
    span.last = std::min(span.last, span.first.plus_days(farthest_days));
    if (trip.available_from)
        span.first = std::max(span.first, *trip.available_from);
    if (trip.available_to)
        span.last = std::min(span.last, *trip.available_to);
    span.sold_out_too = parts_.settings.flag("show_sold_out");
    span.time = query.time;
    span.travelers = query.travelers;
    return span;
}

Result<std::vector<Bookable>> Service::available_dates(std::int64_t trip_id, const DatesQuery& query,
                                                       const Moment& moment) const {
    const auto trip = parts_.trips.published(trip_id);
    if (!trip)
        return errc::trip_not_found;
    const auto span = span_of(*trip, query, moment);
    if (!span)
        return span.error();
    return bookable_dates(*trip, calendar_.of(trip_id)->known(), *span, moment);
}

Result<json::Value> Service::refresh_statuses(Instant now) {
    rows::Refreshed done;
    auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        done = rows::refresh_statuses(tx, parts_.settings.zone().date_at(now), now);
        if (done.past + done.full + done.upcoming > 0)
            store::touch(tx, channel);
        return {};
    });
    if (!written)
        return written.error();
    const auto wrong =
        parts_.store.reading<std::vector<Mismatch>>([](store::Session& session) { return rows::mismatches(session); });
    for (const Mismatch& each : wrong)
        log::error("seat_ledger_mismatch",
                   {{"departure_id", each.departure_id}, {"booked", each.booked}, {"ledger", each.ledger}});
    return json::Value::object({{"past", done.past},
                                {"full", done.full},
                                {"upcoming", done.upcoming},
                                {"mismatches", static_cast<std::int64_t>(wrong.size())}});
}

}  // namespace svc::availability
