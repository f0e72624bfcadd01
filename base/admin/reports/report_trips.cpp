// Sections of reports about trips, departures and who travels.
#include <algorithm>

#include "base/admin/reports/writer.hpp"

namespace svc::reports {

using json::Value;

namespace {

void add_bookings(std::map<std::int64_t, TripFigures>& trips, const std::vector<DayOfBookings>& days) {
    for (const DayOfBookings& day : days) {
        TripFigures& of = trips[day.trip_id];
        of.bookings += day.bookings;
        of.cancelled += day.is_gone() ? day.bookings : 0;
        if (!day.is_booked())
            continue;
        of.booked += day.bookings;
        of.booked_value += day.total;
        of.travelers += day.travelers;
    }
}

}  // namespace

std::vector<std::pair<std::int64_t, TripFigures>> Writer::named(std::map<std::int64_t, TripFigures> trips) {
    std::vector<std::int64_t> ids;
    for (const auto& [id, figures] : trips)
        ids.push_back(id);
    for (const auto& [id, title] : trip_titles(now_.session(), ids))
        trips[id].title = title;
    return {trips.begin(), trips.end()};
}

void Writer::trip_performance() {
    std::map<std::int64_t, TripFigures> trips;
    add_bookings(trips, now_.bookings());
    for (const DepartureSeats& each : now_.seats()) {
        trips[each.trip_id].capacity += each.capacity;
        trips[each.trip_id].seats += each.seats;
    }
    Table& list = table("trip_performance", {{"trip_id", "Trip"},
                                             {"title", "Title"},
                                             {"bookings", "Bookings"},
                                             {"booked", "Booked"},
                                             {"cancelled", "Cancelled"},
                                             {"travelers", "Travelers"},
                                             {"capacity", "Capacity"},
                                             {"seats", "Booked seats"},
                                             {"occupancyRate", "Occupancy in percent"}});
    if (query_.money)
        list.columns.push_back({"booked_value", "Booked value"});
    auto order = named(std::move(trips));
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.bookings > b.second.bookings; });
    for (const auto& [id, is] : order) {
        auto& row =
            list.rows.emplace_back(std::vector<Value>{id, is.title, is.bookings, is.booked, is.cancelled, is.travelers,
                                                      is.capacity, is.seats, share_of(is.seats, is.capacity)});
        if (query_.money)
            row.push_back(money(is.booked_value));
    }
}

void Writer::revenue_by_trip() {
    std::map<std::int64_t, TripFigures> trips;
    add_bookings(trips, now_.bookings());
    for (const DayOfMoney& day : now_.payments())
        trips[day.trip_id].paid += day.amount;
    for (const DayOfMoney& day : now_.refunds())
        trips[day.trip_id].refunded += day.amount;
    std::erase_if(trips, [](const auto& trip) {
        return trip.second.paid == 0 && trip.second.refunded == 0 && trip.second.booked == 0;
    });
    Table& list = table("revenue_by_trip", {{"trip_id", "Trip"},
                                            {"title", "Title"},
                                            {"bookings", "Booked"},
                                            {"booked_value", "Booked value"},
                                            {"payments", "Paid"},
                                            {"refunds", "Refunded"},
                                            {"revenue", "Revenue"}});
    auto order = named(std::move(trips));
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.revenue() > b.second.revenue(); });
    for (const auto& [id, is] : order)
        list.rows.push_back(
            {id, is.title, is.booked, money(is.booked_value), money(is.paid), money(is.refunded), money(is.revenue())});
}

void Writer::occupancy_trend() {
    struct Part {
        std::int64_t departures = 0, capacity = 0, seats = 0;
    };
    std::map<Date, Part> parts;
    for (const Date first : parts_of(query_.filter.span, query_.by))
        parts[first];
    for (const DepartureSeats& each : now_.seats()) {
        Part& part = parts[part_of(each.day, query_.by)];
        ++part.departures;
        part.capacity += each.capacity;
        part.seats += each.seats;
    }
    Table& list = table("occupancy_trend", {{"date", "From"},
                                            {"departures", "Departures"},
                                            {"capacity", "Capacity"},
                                            {"seats", "Booked seats"},
                                            {"occupancyRate", "Occupancy in percent"}});
    for (const auto& [date, is] : parts)
        list.rows.push_back({date, is.departures, is.capacity, is.seats, share_of(is.seats, is.capacity)});
}

// Departures by how full they are; an overbooked one is full.
void Writer::seat_utilization() {
    struct Step {
        std::string_view name;
        std::int64_t most;  // percent, rounded up
        std::int64_t departures = 0, capacity = 0, seats = 0;
    };
    Step steps[] = {{"0", 0}, {"1-25", 25}, {"26-50", 50}, {"51-75", 75}, {"76-99", 99}, {"100", 100}};
    for (const DepartureSeats& each : now_.seats()) {
        const std::int64_t percent =
            each.seats == 0 ? 0
            : each.seats >= each.capacity
                ? 100
                : std::min<std::int64_t>(99, (each.seats * 100 + each.capacity - 1) / each.capacity);
        Step& step =
            *std::find_if(std::begin(steps), std::end(steps), [&](const Step& one) { return percent <= one.most; });
        ++step.departures;
        step.capacity += each.capacity;
        step.seats += each.seats;
    }
    Table& list = table("seat_utilization", {{"percent", "Percent full"},
                                             {"departures", "Departures"},
                                             {"capacity", "Capacity"},
                                             {"seats", "Booked seats"}});
    for (const Step& step : steps)
        list.rows.push_back({std::string(step.name), step.departures, step.capacity, step.seats});
}

RowQuery Writer::table_rows(Figure figure) const {
    return {.filter = query_.filter, .figure = figure, .limit = rows_in_table, .guide_id = query_.guide_id};
}

// The newest of the span.
void Writer::bookings_table() {
    Table& list = table("bookings_table", {{"id", "Booking"},
                                           {"reference", "Reference"},
                                           {"created_at", "Booked"},
                                           {"travel_date", "Travel"},
                                           {"trip_id", "Trip"},
                                           {"title", "Title"},
                                           {"customer", "Customer"},
                                           {"status", "Status"},
                                           {"travelers", "Travelers"}});
    if (query_.money)
        list.columns.push_back({"total", "Total"});
    for (const ReportRow& is : rows_of(now_.session(), table_rows(Figure::bookings))) {
        auto& row = list.rows.emplace_back(std::vector<Value>{is.id, is.reference, is.at, is.travel_date, is.trip_id,
                                                              is.trip_title, is.customer, is.word, is.quantity});
        if (query_.money)
            row.push_back(money(is.amount));
    }
}

// The first of the span.
void Writer::departures_table() {
    Table& list = table("departures_table", {{"id", "Departure"},
                                             {"date", "Date"},
                                             {"trip_id", "Trip"},
                                             {"title", "Title"},
                                             {"status", "Status"},
                                             {"capacity", "Capacity"},
                                             {"seats", "Booked seats"},
                                             {"occupancyRate", "Occupancy in percent"}});
    for (const ReportRow& is : rows_of(now_.session(), table_rows(Figure::departures)))
        list.rows.push_back({is.id, is.travel_date, is.trip_id, is.trip_title, is.word, is.capacity, is.quantity,
                             share_of(is.quantity, is.capacity)});
}

// Bookings by the size of their party, and travelers by their category.
void Writer::traveler_segments() {
    std::int64_t solo = 0, couples = 0, small = 0, large = 0, travelers = 0;
    for (const PartySize& is : now_.facts().parties) {
        (is.travelers == 1 ? solo : is.travelers == 2 ? couples : is.travelers <= 5 ? small : large) += is.bookings;
        travelers += is.travelers * is.bookings;
    }
    auto categories = Value::array();
    std::vector<std::int64_t> ids;
    for (const CategoryFigure& is : now_.facts().categories)
        ids.push_back(is.id);
    auto names = category_names(now_.session(), ids);
    for (const CategoryFigure& is : now_.facts().categories)
        categories.push(Value::object({{"category_id", is.id}, {"name", names[is.id]}, {"travelers", is.travelers}}));
    numbers("traveler_segments", Value::object({{"solo", solo},
                                                {"couples", couples},
                                                {"small_groups", small},
                                                {"large_groups", large},
                                                {"travelers", travelers},
                                                {"categories", std::move(categories)}}));
}

}  // namespace svc::reports
