// The dates that buyers are offered: shown from memory, sold by the database.
#pragma once

#include <optional>
#include <vector>

#include "base/sales/availability/dates/calendar.hpp"
#include "base/sales/availability/dates/remembered.hpp"
#include "base/sales/availability/record/parts.hpp"

namespace svc::availability {

struct DatesQuery {
    std::optional<Date> from = {}, to = {};
    std::optional<ClockTime> time = {};
    int travelers = 1;
    [[nodiscard]] bool is_plain() const { return !from && !to && !time && travelers == 1; }
};

// Any thread.
class OfferedDates {
  public:
    OfferedDates(const Parts& parts, const Calendar& calendar) : parts_(parts), calendar_(calendar) {}

    [[nodiscard]] const Calendar& calendar() const { return calendar_; }
    // On all dates of a trip, as they were answered last.
    [[nodiscard]] RememberedAnswers& remembered() const { return remembered_; }
    [[nodiscard]] const catalog::trips::Service& trips() const { return parts_.trips; }
    [[nodiscard]] const settings::Settings& settings() const { return parts_.settings; }
    [[nodiscard]] Moment moment() const { return {parts_.clock.now(), parts_.settings.zone()}; }
    [[nodiscard]] int horizon() const;  // months that dates are offered ahead
    // Whether listeners can change dates, so that a response must not be cached.
    [[nodiscard]] bool dates_are_filtered() const;
    // Whether people may wait for this trip at all, by settings, trip and listeners.
    [[nodiscard]] bool has_waitlist(const catalog::trips::Trip& trip) const;

    // trip_not_found unless published. From memory.
    [[nodiscard]] Result<std::vector<Bookable>> available_dates(std::int64_t trip_id, const DatesQuery& query,
                                                                const Moment& moment) const;
    struct Offered {
        std::vector<Bookable> dates;
        std::optional<Date> goes_on;  // the first day that was left out, as there were span.most dates before it
    };
    // Dates from memory, after listeners.
    [[nodiscard]] Offered offered_dates(const catalog::trips::Trip& trip, const TripDates& dates, const Span& span,
                                        const Moment& moment) const;
    // find_shown with the listeners' price.
    [[nodiscard]] Result<Bookable> shown_date(const catalog::trips::Trip& trip, Date date,
                                              std::optional<ClockTime> time, int seats, const Moment& moment) const;
    // The span that available_dates covers for a query.
    [[nodiscard]] Result<Span> span_of(const catalog::trips::Trip& trip, const DatesQuery& query,
                                       const Moment& moment) const;
    // One date as the database has it, on its way to be priced. Staff may go past the cut-off, never past the seats.
    // date_unavailable, date_blocked, cutoff_passed, sold_out with data.available.
    [[nodiscard]] Result<Bookable> find_bookable(store::Session& session, const catalog::trips::Trip& trip, Date date,
                                                 std::optional<ClockTime> time, int seats, bool by_staff,
                                                 Instant now) const;
    // The same without price, notice, cut-off and listeners: its seats are about to be taken.
    [[nodiscard]] Result<Bookable> find_to_take(store::Session& session, const catalog::trips::Trip& trip, Date date,
                                                std::optional<ClockTime> time, int seats, Instant now) const;
    // The same from memory, for display. find_bookable may accept a date that this rejects.
    [[nodiscard]] Result<Bookable> find_shown(const catalog::trips::Trip& trip, Date date,
                                              std::optional<ClockTime> time, int seats, Instant now) const;
    // Whether a request without a time selects one departure: invalid when the day has several times. Without a session
    // from memory.
    [[nodiscard]] Result<void> check_time(store::Session* session, const catalog::trips::Trip& trip, Date date,
                                          bool by_staff, Instant now) const;

  private:
    [[nodiscard]] bool asks(const hooks::Filter& filter) const;
    [[nodiscard]] bool allowed(const catalog::trips::Trip& trip, Bookable& date) const;
    void apply_price_filter(const catalog::trips::Trip& trip, Bookable& date, int travelers) const;
    [[nodiscard]] Result<Bookable> sellable(Result<Bookable> found, const catalog::trips::Trip& trip, int seats,
                                            bool by_staff, Instant now) const;

    const Parts parts_;
    const Calendar& calendar_;
    mutable RememberedAnswers remembered_;
};

}  // namespace svc::availability
