// Selling and taking back the samples.
#include "base/data/samples/sample_sales.hpp"

#include "base/data/samples/sample_rows.hpp"
#include "shared/core/embedded.hpp"
#include "shared/core/log.hpp"

namespace svc::embedded {
std::span<const Embedded> samples();
}

namespace svc::samples {
namespace {

using booking::NewBooking;
using json::Value;

constexpr booking::Actor importer{.kind = "system"};

Value sold() {
    for (const auto& file : embedded::samples())
        if (file.name == "bookings.json")
            return json::parse(file.text, {.depth = 8, .elements = 5'000, .text = 4096}).value();
    throw std::logic_error("the sample bookings are not built in");
}

NewBooking draft_of(const Value& sample, const catalog::trips::Trip& trip, const availability::Bookable& date) {
    const Value& lead = sample["people"][std::size_t{0}];
    const auto people = static_cast<std::int64_t>(sample["people"].size());
    NewBooking draft{.choice = {.trip_id = trip.id,
                                .travel_date = date.date,
                                .departure_time = date.time,
                                .travelers = people,
                                .payment_method = "full"},
                     .contact = {.first_name = lead["first_name"].text(),
                                 .last_name = lead["last_name"].text(),
                                 .email = sample["email"].text(),
                                 .phone = sample["phone"].text(),
                                 .country = sample["country"].text()},
                     .travelers = sample["people"],
                     .special_requests = sample.text_or("requests"),
                     .source = "import",
                     .by_staff = true};
    if (date.traveler_based)
        if (const auto* type = trip.shown_price_type())
            draft.choice.traveler_counts = {{type->category_id, people}};
    return draft;
}

}  // namespace

// The features take no place of the installation's own: none of their steps runs.
SampleSales::SampleSales(const Site& site, const booking::Feature::Needs& lower)
    : hooks_(site.hooks),
      quiet_(with_hooks(site, hooks_, features_)),
      trips_(lower.trips.service),
      bookings_(quiet_, lower),
      payments_(quiet_, bookings_) {
    bookings_.ports.payments = &payments_.for_bookings;
}

bool SampleSales::sell(std::int64_t trip_id, const Value& sample) {
    const auto trip = trips_.published(trip_id);
    const auto dates = bookings_.offers.dates_of(trip_id);
    const auto nth = static_cast<std::size_t>(sample["date"].integer());
    if (!trip || !dates || nth >= dates->size())
        return false;
    const auto remembered = [&](store::Transaction& tx, const booking::CreatedBooking& created) {
        rows::remember(tx, "booking", created.booking.id, created.booking.created_at);
        if (rows::is_new_customer(tx, created.booking.customer_id, created.booking.created_at))
            rows::remember(tx, "customer", created.booking.customer_id, created.booking.created_at);
    };
    const auto created = bookings_.creator.create("", draft_of(sample, *trip, (*dates)[nth]), {}, remembered);
    if (!created) {
        log::info("sample_left_out", {{"trip_id", trip_id}, {"why", created.error().message().english()}});
        return false;
    }
    const std::int64_t id = created->booking.id;
    if (const std::int64_t percent = sample["paid_percent"].integer(); percent > 0) {
        const Money paid = created->booking.total.share(percent, 100);
        static_cast<void>(payments_.service.record({.booking_id = id,
                                                    .amount = paid.decimal(),
                                                    .gateway = "other",
                                                    .status = "completed",
                                                    .notes = "Recorded with the sample."},
                                                   0));
    }
    if (const std::string status = sample["status"].text(); status != booking::status::pending)
        static_cast<void>(bookings_.records.lifecycle().set_status(id, status, sample.text_or("reason"), importer));
    static_cast<void>(quiet_.store.write([&](store::Transaction& tx) -> Result<void> {
        rows::recount(tx, trip_id);
        return {};
    }));
    return true;
}

std::int64_t SampleSales::count() { return static_cast<std::int64_t>(sold().size()); }

std::int64_t SampleSales::import(const std::vector<std::int64_t>& trips, const MaySell& may_sell) {
    std::int64_t count = 0, number = -1;
    const Value all = sold();
    for (const Value& sample : all.items()) {
        ++number;
        const auto nth = static_cast<std::size_t>(sample["trip"].integer());
        if (nth < trips.size() && (!may_sell || may_sell(number)))
            count += sell(trips[nth], sample) ? 1 : 0;
    }
    return count;
}

Result<void> SampleSales::remove(std::int64_t id) {
    if (const auto booking = bookings_.records.find(id); !booking)
        return errc::booking_not_found;
    else if (booking->status != booking::status::trash)
        SVC_RETURN_IF_ERROR(bookings_.removal.trash(id, importer));
    auto unpaid = quiet_.store.write([&](store::Transaction& tx) -> Result<void> {
        rows::forget_money(tx, id);
        return {};
    });
    return unpaid ? bookings_.removal.remove(id) : unpaid;
}

SampleSales::Removed SampleSales::clean_up() {
    Removed removed;
    const auto of_kind = [&](const char* kind) {
        return quiet_.store.reading<std::vector<std::int64_t>>(
            [&](store::Session& session) { return rows::remembered(session, kind); });
    };
    const auto forget = [&](const char* kind, std::int64_t id) {
        static_cast<void>(quiet_.store.write([&](store::Transaction& tx) -> Result<void> {
            if (std::string_view(kind) == "customer")
                rows::remove_idle_customer(tx, id);
            rows::forget(tx, kind, id);
            return {};
        }));
    };
    for (const std::int64_t id : of_kind("booking")) {
        const auto deleted = remove(id);
        if (!deleted && deleted.error().code().status != 404) {
            ++removed.kept;
            continue;
        }
        removed.bookings += deleted ? 1 : 0;
        forget("booking", id);
    }
    if (removed.kept == 0)
        for (const std::int64_t id : of_kind("customer"))
            forget("customer", id);
    return removed;
}

}  // namespace svc::samples
