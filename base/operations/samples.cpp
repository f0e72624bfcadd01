// The sample catalogue's texts and dates.
#include "base/operations/samples.hpp"

namespace svc::operations {
namespace {

struct Sample {
    const char *title, *summary, *description;
    int days, hours;  // hours only for a single day
    const char *price, *discounted;
    int seats;
    const char* time;       // empty: none
    int first, gap, dates;  // days from today to the first departure, days between them, how many
};

constexpr Sample samples[] = {
    {"Lisbon rooftops at dusk", "An evening walk over three hills, with a tram ride and a glass of ginjinha.",
     "We meet below the castle, climb by the back stairs and watch the river turn to copper from two terraces that"
     " most visitors never find.\n\nThe walk is about four kilometres, uphill at first and downhill to the music.",
     1, 4, "45.00", "", 14, "18:30", 15, 7, 12},
    {"Slow train through the Scottish Highlands", "Five days by rail from Glasgow to the Kyle of Lochalsh and back.",
     "Local trains only: time to look out, to get off at request stops and to walk an hour before the next one"
     " comes.\n\nNights are in small inns by the line; your bags travel ahead of you.",
     5, 0, "890.00", "790.00", 12, "", 30, 14, 10},
    {"Kyoto by bicycle", "Temples before breakfast, markets at noon, tea gardens in the afternoon.",
     "Three easy days on quiet streets and river paths, never more than twenty-five kilometres, with a guide who"
     " was born two canals away from the first stop.",
     3, 0, "420.00", "", 10, "08:00", 25, 10, 11},
    {"Desert nights in Wadi Rum", "Camel tracks, red sand and a sky without a lamp, from Aqaba.",
     "Four days with a Zalabieh family: on foot in the cool hours, by truck in the hot ones, and asleep on a ridge"
     " where the only light is the fire's.",
     4, 0, "610.00", "560.00", 8, "07:00", 40, 12, 9},
    {"Patagonia: the quiet side of the lake", "Nine days of day walks around Lago Posadas and the Caracoles canyon.",
     "Two lakes of different blue with a road between them, guanacos at breakfast and nobody at lunch.\n\nWe stay"
     " on one farm and walk a new valley every day, between ten and eighteen kilometres.",
     9, 0, "2350.00", "", 10, "", 60, 21, 8},
    {"Cape Town kitchens", "A day of cooking in Bo-Kaap and Langa, market included.",
     "Shop with Auntie Faldela, fold samoosas at her table, then cross the city for umngqusho on an open fire. You"
     " go home with both recipes and no appetite.",
     1, 7, "72.50", "65.00", 9, "09:30", 12, 6, 12},
};

catalog::trips::TripChange trip_of(const Sample& sample) {
    catalog::trips::TripChange trip;
    trip.title = sample.title;
    trip.summary = sample.summary;
    trip.description = sample.description;
    trip.duration = sample.days;
    if (sample.hours > 0)
        trip.duration_hours = sample.hours;
    trip.regular_price = sample.price;
    if (*sample.discounted)
        trip.discounted_price = sample.discounted;
    trip.max_travelers = sample.seats;
    if (const auto time = ClockTime::parse(sample.time))
        trip.departure_time = *time;
    trip.payment_terms = "Pay now or later; free cancellation until the booking closes.";
    trip.status = "publish";
    return trip;
}

availability::DepartureChange departure_of(const Sample& sample, Date day) {
    availability::DepartureChange departure;
    departure.start_date = day;
    if (const auto time = ClockTime::parse(sample.time))
        departure.time = *time;
    return departure;
}

// One loader at a time: SQLite has one writer, PostgreSQL is asked for a lock until the end of the transaction.
void wait_for_other_loaders(store::Transaction& tx) {
    constexpr std::int64_t key = 7'305'204'118;  // of no other meaning
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT 1 FROM (SELECT pg_advisory_xact_lock(:key)) AS locked", {{"key", key}});
}

}  // namespace

Result<int> load_samples(store::Store& store, catalog::trips::Service& trips, availability::Service& availability,
                         const Clock& clock) {
    std::vector<std::int64_t> made;
    auto loaded = store.transact<int>([&](store::Transaction& tx) -> Result<int> {
        made.clear();
        wait_for_other_loaders(tx);
        if (catalog::trips::Service::any(tx))
            return 0;
        const Date today = availability.moment().zone.date_at(clock.now());
        for (const Sample& sample : samples) {
            const auto trip = trips.create(tx, trip_of(sample), std::nullopt);
            if (!trip)
                return trip.error();
            for (int i = 0; i < sample.dates; ++i)
                if (const auto departure = availability.create(
                        tx, *trip, departure_of(sample, today.plus_days(sample.first + i * sample.gap)),
                        availability::Origin::fixed, {});
                    !departure)
                    return departure.error();
            made.push_back(trip->id);
        }
        return static_cast<int>(made.size());
    });
    if (loaded && !made.empty()) {
        trips.shown().reload_changed();
        availability.calendar().reload_changed();
    }
    return loaded;
}

}  // namespace svc::operations
