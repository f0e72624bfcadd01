// The numbers of reports: each one statement over all rows of the span, added up by the database (behaviour: reports).
//
// Trashed bookings never count. These statuses count as booked: pending, confirmed, processing,
// on-hold or completed. Revenue is completed payments minus completed refunds, by the day on which they were processed;
// by travel they count on the day of their booking's travel. Amounts are of one currency.
#pragma once

#include <map>
#include <vector>

#include "base/admin/reports/range.hpp"
#include "shared/core/money.hpp"
#include "shared/store/store.hpp"

namespace svc::reports {

// The span and the filters of a statement.
struct ReportFilter {
    Span span = {};
    Basis basis = Basis::booking;
    Currency currency = Currency::usd();
    Zone zone = Zone::utc();
    std::int64_t guide_id = 0;  // only departures that this user guides; 0: all
};

// Bookings of one day, status and trip.
struct DayOfBookings {
    Date day;
    std::string status;
    std::int64_t trip_id = 0, bookings = 0, total = 0, travelers = 0;
    [[nodiscard]] bool is_booked() const;
    [[nodiscard]] bool is_gone() const { return status == "cancelled" || status == "refunded"; }
};

// What an earlier span is compared by.
struct BookingSums {
    std::int64_t bookings = 0, booked_value = 0, cancelled = 0;
};
BookingSums booking_sums(store::Session& session, const ReportFilter& filter);
std::int64_t revenue(store::Session& session, const ReportFilter& filter);

// Money of one day through one gateway for one trip.
struct DayOfMoney {
    Date day;
    std::string gateway;
    std::int64_t trip_id = 0, count = 0, amount = 0;
};
class BookingPlaces;
// `places`: of the bookings of the same span; see booking_facts.hpp.
std::vector<DayOfMoney> payment_days(store::Session& session, const ReportFilter& filter, const BookingPlaces& places);
std::vector<DayOfMoney> refund_days(store::Session& session, const ReportFilter& filter, const BookingPlaces& places);

// A departure that starts in the span, with the seats that its ledger holds.
struct DepartureSeats {
    Date day;
    std::int64_t trip_id = 0, capacity = 0, seats = 0;
};
std::vector<DepartureSeats> departure_seats(store::Session& session, const ReportFilter& filter);

std::map<std::int64_t, std::string> trip_titles(store::Session& session, const std::vector<std::int64_t>& ids);

// Of bookings that stand: travelers by category, where bookings tell it, payment states, what is owed.
struct CategoryFigure {
    std::int64_t id = 0;
    std::string name;  // by category_names()
    std::int64_t travelers = 0;
};
struct PaymentState {
    std::string status;
    std::int64_t bookings = 0, total = 0, due = 0;
};
struct Owed {
    std::int64_t bookings = 0, due = 0, deposits = 0, deposits_due = 0;
};
std::map<std::int64_t, std::string> category_names(store::Session& session, const std::vector<std::int64_t>& ids);

// Of the invoices and credit notes of the span, negative where more was credited than invoiced.
struct TaxFigure {
    std::string label;
    std::int64_t bookings = 0, amount = 0;
};
std::vector<TaxFigure> taxes(store::Session& session, const ReportFilter& filter);

// Days from the booking to the travel, in steps: 0 to 6, 7 to 29, 30 to 89, 90 to 179, 180 and more.
struct LeadTime {
    std::int64_t bookings = 0, days = 0;
    std::int64_t buckets[5] = {};
};
inline constexpr std::string_view lead_names[] = {"0-6", "7-29", "30-89", "90-179", "180+"};

struct PartySize {
    std::int64_t travelers = 0, bookings = 0;
};

struct Cancellation {
    std::string via;
    std::int64_t bookings = 0, total = 0;
};

struct Share {
    std::string name;
    std::int64_t bookings = 0, total = 0;
};
// At each destination of the trips, of booked ones; a trip with several counts at each.
std::vector<Share> by_destination(store::Session& session, const std::vector<DayOfBookings>& days);

// Who came back has booked twice in the span, or before it.
struct CustomerSums;
std::int64_t customers_returning(store::Session& session, const std::vector<CustomerSums>& customers);
std::int64_t customers_of(store::Session& session, const ReportFilter& filter);
struct TopCustomer {
    std::int64_t id = 0;
    std::string name, email;
    std::int64_t bookings = 0, total = 0;
};
std::vector<TopCustomer> top_customers(store::Session& session, std::vector<CustomerSums> customers, std::size_t most);

// Checkout sessions with a trip and a day that were begun in the span.
std::int64_t quoted_sessions(store::Session& session, const ReportFilter& filter);

// Bookings of the span in other currencies, which no figure counts.
std::vector<Share> other_currencies(store::Session& session, const ReportFilter& filter);

}  // namespace svc::reports
