// Sections of reports that are single numbers.
#include "base/admin/reports/writer.hpp"

namespace svc::reports {

using json::Value;

void Writer::revenue_stats() {
    const MoneyTotals is = totals_of(now_);
    const BookingTotals booked = totals_of(now_.bookings());
    auto stats = Value::object({{"total", money(is.revenue())},
                                {"payments", money(is.paid)},
                                {"payments_count", is.payments},
                                {"refunds", money(is.refunded)},
                                {"bookings", booked.booked},
                                {"booked_value", money(booked.booked_value)},
                                {"average", money(booked.booked == 0 ? 0 : booked.booked_value / booked.booked)}});
    if (compares()) {
        stats.set("previous", money(before_.revenue()));
        stats.set("change", change_of(is.revenue(), before_.revenue()));
        stats.set("previous_booked_value", money(before_.booking_sums().booked_value));
    }
    numbers("revenue_stats", std::move(stats));
}

void Writer::booking_stats() {
    const BookingTotals is = totals_of(now_.bookings());
    // A session knows no travel that could be counted by its day.
    const std::int64_t sessions =
        query_.filter.basis == Basis::booking ? quoted_sessions(now_.session(), now_.filter()) : 0;
    auto stats = Value::object({{"total", is.bookings},
                                {"booked", is.booked},
                                {"confirmed", is.confirmed},
                                {"pending", is.pending},
                                {"cancelled", is.cancelled},
                                {"completed", is.completed},
                                {"travelers", is.travelers},
                                {"averageGroupSize", average_of(is.travelers, is.booked)},
                                {"cancellationRate", share_of(is.cancelled, is.bookings)},
                                {"sessions", sessions},
                                {"conversionRate",
                                 // Of what came from the site: staff and channels book without one.
                                 sessions == 0 ? Value() : Value(share_of(now_.facts().web_bookings, sessions))}});
    if (query_.money)
        stats.set("averageBookingValue", money(is.booked == 0 ? 0 : is.booked_value / is.booked));
    if (compares()) {
        const BookingSums& was = before_.booking_sums();
        stats.set("previous", was.bookings);
        stats.set("change", change_of(is.bookings, was.bookings));
        stats.set("previousCancelled", was.cancelled);
    }
    numbers("booking_stats", std::move(stats));
}

void Writer::operational_stats() {
    std::int64_t departures = 0, upcoming = 0, capacity = 0, seats = 0;
    for (const DepartureSeats& each : now_.seats()) {
        ++departures;
        upcoming += each.day >= query_.today ? 1 : 0;
        capacity += each.capacity;
        seats += each.seats;
    }
    const bool is_guided = query_.guide_id != 0;  // the size of a group is known of the whole company alone
    const BookingTotals is = is_guided ? BookingTotals{} : totals_of(now_.bookings());
    auto stats =
        Value::object({{"departures", departures},
                       {"upcomingDepartures", upcoming},
                       {"totalCapacity", capacity},
                       {"bookedCapacity", seats},
                       {"occupancyRate", share_of(seats, capacity)},
                       {"averageGroupSize", is_guided ? Value() : Value(average_of(is.travelers, is.booked))}});
    if (compares()) {
        std::int64_t had = 0, held = 0;
        for (const DepartureSeats& each : before_.seats()) {
            had += each.capacity;
            held += each.seats;
        }
        stats.set("previousOccupancyRate", share_of(held, had));
    }
    numbers("operational_stats", std::move(stats));
}

void Writer::customer_analytics() {
    const auto customers = static_cast<std::int64_t>(now_.facts().customers.size());
    const std::int64_t returning = customers_returning(now_.session(), now_.facts().customers);
    auto stats = Value::object({{"customers", customers},
                                {"new", customers - returning},
                                {"returning", returning},
                                {"returningRate", share_of(returning, customers)}});
    if (compares())
        stats.set("previous", before_.customers());
    numbers("customer_analytics", std::move(stats));
}

void Writer::lead_times() {
    const LeadTime& is = now_.facts().lead_time;
    auto buckets = Value::array();
    for (std::size_t i = 0; i < std::size(lead_names); ++i)
        buckets.push(Value::object({{"days", lead_names[i]}, {"bookings", is.buckets[i]}}));
    numbers("lead_time",
            Value::object({{"averageDays", average_of(is.days, is.bookings)}, {"buckets", std::move(buckets)}}));
}

void Writer::outstanding() {
    const Owed& is = now_.facts().owed;
    numbers("outstanding", Value::object({{"bookings", is.bookings},
                                          {"amount", money(is.due)},
                                          {"deposits", is.deposits},
                                          {"deposits_amount", money(is.deposits_due)}}));
}

void Writer::refund_stats() {
    const MoneyTotals is = totals_of(now_);
    auto methods = Value::array();
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> by;
    for (const DayOfMoney& day : now_.refunds()) {
        by[day.gateway].first += day.count;
        by[day.gateway].second += day.amount;
    }
    for (const auto& [gateway, sums] : by)
        methods.push(Value::object({{"method", gateway}, {"count", sums.first}, {"amount", money(sums.second)}}));
    numbers("refunds", Value::object({{"count", is.refunds},
                                      {"total", money(is.refunded)},
                                      {"refundRate", share_of(is.refunded, is.paid)},
                                      {"avgRefund", money(is.refunds == 0 ? 0 : is.refunded / is.refunds)},
                                      {"byMethod", std::move(methods)}}));
}

}  // namespace svc::reports
