// A report's figures of the bookings of its span, read in one pass over them (behaviour: reports).
#pragma once

#include "base/admin/reports/figures.hpp"

namespace svc::reports {

// Where money of a booking counts, also of a trashed one: found by its id.
struct BookingPlace {
    std::int64_t id = 0;
    Date day;
    std::int64_t trip_id = 0;
};
class BookingPlaces {
  public:
    void add(BookingPlace place) { places_.push_back(place); }
    void sort();
    // nullptr: no booking of the span.
    [[nodiscard]] const BookingPlace* find(std::int64_t id) const;
    // Whether reading all rows between the first and the last booking costs less than looking for those of each.
    [[nodiscard]] bool is_dense() const;
    [[nodiscard]] std::int64_t first() const { return places_.empty() ? 0 : places_.front().id; }
    [[nodiscard]] std::int64_t last() const { return places_.empty() ? -1 : places_.back().id; }

  private:
    std::vector<BookingPlace> places_;
};

struct CustomerSums {
    std::int64_t id = 0, first_booking = 0, bookings = 0, total = 0;
};

struct BookingFacts {
    std::vector<DayOfBookings> days;
    BookingPlaces places;  // on SQLite: PostgreSQL joins faster than it sends rows
    // Of a composed reading:
    std::vector<PaymentState> payment_states;
    Owed owed;
    LeadTime lead_time;
    std::vector<PartySize> parties;
    std::vector<Cancellation> cancellations;
    std::vector<Share> sources, countries;
    std::vector<CategoryFigure> categories;  // without names
    std::vector<CustomerSums> customers;
    std::int64_t web_bookings = 0;  // all that came from the site
};

// `composed`: also what the bookings consist of, which costs twice the time.
BookingFacts booking_facts(store::Session& session, const ReportFilter& filter, bool composed);

}  // namespace svc::reports
