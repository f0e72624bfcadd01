// Counts of trips, from their bookings alone.
#include "base/sales/booking/upkeep/trip_counts.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/upkeep/counts_due.hpp"
#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

using catalog::trips::TripSales;

constexpr int most_at_once = 500;

struct Due {
    std::int64_t trip_id = 0, marks = 0;
};

std::vector<Due> due(store::Session& session) {
    return store::all_rows(session, "SELECT trip_id, marks FROM svc_trip_counts_due ORDER BY trip_id LIMIT :most",
                           {{"most", most_at_once}}, [](std::int64_t trip_id, std::int64_t marks) {
                               return Due{trip_id, marks};
                           });
}

void note(store::Transaction& tx, std::int64_t booking_id) {
    store::run_later(
        tx,
        "INSERT INTO svc_trip_counts_due (trip_id, marks) SELECT trip_id, 1 FROM svc_bookings WHERE id = :id"
        " ON CONFLICT (trip_id) DO UPDATE SET marks = svc_trip_counts_due.marks + 1",
        {{"id", booking_id}});
}

// Money in another currency than the trip's is not part of the sum.
TripSales counted(store::Session& session, std::int64_t trip_id, const json::Value& excluded) {
    TripSales sales;
    store::each_row(
        session,
        "SELECT b.status, COUNT(*), CAST(SUM(CASE WHEN b.currency = t.currency THEN b.amount_paid_minor ELSE 0 END) AS"
        " BIGINT), MAX(b.created_at) FROM svc_bookings b JOIN svc_trips t ON t.id = b.trip_id"
        " WHERE b.trip_id = :trip GROUP BY b.status",
        {{"trip", trip_id}},
        [&](const std::string& booked, std::int64_t bookings, std::int64_t paid_minor, Instant last) {
            for (const json::Value& status : excluded.items())
                if (status.is_string() && status.text() == booked)
                    return;
            sales.bookings += bookings;
            sales.revenue_minor += paid_minor;
            sales.last_booked_at = std::max(sales.last_booked_at.value_or(last), last);
        });
    return sales;
}

}  // namespace

void count_again(store::Transaction& tx, std::span<const std::int64_t> trip_ids) {
    static constexpr auto due =
        SVC_BY_IDS("INSERT INTO svc_trip_counts_due (trip_id, marks) SELECT id, 1 FROM svc_trips WHERE", "id",
                   "ON CONFLICT (trip_id) DO UPDATE SET marks = svc_trip_counts_due.marks + 1");
    store::run_of(tx, due, trip_ids);
}

void TripCounts::listen() {
    for (const hooks::Action* action : {&booking_created, &booking_updated, &booking_deleted}) {
        const auto subscribed =
            events_.on(action->name, {.name = "trip_counts", .takes = 1}, [this](const json::Array& arguments) {
                events_.write([id = arguments.at(0).integer()](store::Transaction& tx) {
                    note(tx, id);
                    return Result<void>{};
                });
            });
        if (!subscribed)
            throw std::logic_error("trips cannot be counted: " + subscribed.error().cause());
    }
}

Result<json::Value> TripCounts::run() {
    auto excluded = json::Value::array();
    for (const std::string_view status : status::all)
        if (!holds_seats(status))
            excluded.push(status);
    const auto trips = store_.reading<std::vector<Due>>([](store::Session& session) { return due(session); });
    for (const Due& each : trips) {
        const json::Value left_out = events_.apply(uncounted_statuses, excluded, {each.trip_id});
        const auto sales = store_.reading<TripSales>(
            [&](store::Session& session) { return counted(session, each.trip_id, left_out); });
        auto written = store_.write([&](store::Transaction& tx) -> Result<void> {
            catalog::trips::Service::set_sales(tx, each.trip_id, sales);
            tx.run("DELETE FROM svc_trip_counts_due WHERE trip_id = :trip AND marks = :marks",
                   {{"trip", each.trip_id}, {"marks", each.marks}});
            return {};
        });
        if (!written)
            return written.error();
    }
    if (!trips.empty())
        trips_.public_trips().reload_changed();
    return json::Value::object({{"trips", static_cast<std::int64_t>(trips.size())}});
}

void TripCounts::add_job(jobs::Jobs& jobs) {
    jobs.add({.name = "trip_counts",
              .help = "Recounts bookings and revenue of trips whose bookings changed, 500 per run.",
              .every = std::chrono::minutes(1),
              .run = [this](Instant) { return run(); }});
}

}  // namespace svc::booking
