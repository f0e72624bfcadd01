// The rules of departures and seats: what staff may change, which dates are offered, and the only way to a seat.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/availability/calendar.hpp"
#include "base/availability/departure.hpp"
#include "base/availability/repository.hpp"
#include "base/catalog/trips/service.hpp"
#include "base/settings/settings.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::availability {

// The change-feed channel of departures and seats: on it `Service::calendar().reload_changed()` is due.
inline constexpr std::string_view channel = "departures";

// What a write asks for: outside empty: not sent; inside empty: null. Amounts are decimals in the trip's currency.
template <class T>
using Sent = std::optional<std::optional<T>>;
struct DepartureChange {
    std::optional<Date> start_date = {};
    Sent<Date> end_date = {}, cutoff_date = {};
    Sent<ClockTime> time = {};
    Sent<int> capacity = {}, cutoff_hours = {};
    Sent<std::string> regular_price = {}, sale_price = {};
    std::optional<std::string> notes = {}, sale_state = {}, status = {};
    std::optional<std::int64_t> row_version = {};
};

struct DatesQuery {
    std::optional<Date> from = {}, to = {};
    std::optional<ClockTime> time = {};
    int travelers = 1;
    [[nodiscard]] bool is_plain() const { return !from && !to && !time && travelers == 1; }
};

// Any thread. What this process commits is in calendar() when the call that commits returns.
class Service {
  public:
    struct Parts {
        store::Store& store;
        hooks::Hooks& hooks;
        const settings::Settings& settings;
        const catalog::trips::Service& trips;
        const Clock& clock;
    };
    explicit Service(const Parts& parts);

    // Memory: load() at the start, reload_changed() when the change feed tells of `channel`.
    [[nodiscard]] Calendar& calendar() { return calendar_; }
    [[nodiscard]] const Calendar& calendar() const { return calendar_; }
    [[nodiscard]] const catalog::trips::Service& trips() const { return parts_.trips; }
    [[nodiscard]] Moment moment() const;

    // -- staff
    struct Listed {
        std::vector<Departure> departures;
        std::vector<Link> links;  // active ones of these departures
        std::int64_t total = 0;
        TabCounts counts;
    };
    [[nodiscard]] Listed list(DepartureQuery query) const;
    // svc_not_found for a departure of another trip.
    [[nodiscard]] Result<Departure> find(std::int64_t trip_id, std::int64_t id) const;
    [[nodiscard]] std::vector<std::int64_t> bookings_of(std::int64_t departure_id) const;

    struct Actor {
        std::optional<std::int64_t> user_id;
        bool any_date = false;  // may create departures in the past
    };
    // Called in the write's own transaction with what will be answered. May be empty.
    using Kept = std::function<void(store::Transaction&, const Departure&)>;
    Result<Departure> create(std::int64_t trip_id, const DepartureChange& change, const Actor& actor,
                             const Kept& kept = {});
    // Inside the caller's transaction; `origin` fixed for a date put on sale. The calendar follows after the commit.
    Result<Departure> create(store::Transaction& tx, const catalog::trips::Trip& trip, const DepartureChange& change,
                             Origin origin, const Actor& actor);
    Result<Departure> update(std::int64_t trip_id, std::int64_t id, const DepartureChange& change, const Actor& actor,
                             const Kept& kept = {});
    // To the trash; svc_in_use while bookings hold seats.
    Result<void> remove(std::int64_t trip_id, std::int64_t id, const Actor& actor);
    // Everything of a trip that is deleted for good; svc_in_use when bookings have used it.
    static Result<void> remove_all(store::Transaction& tx, std::int64_t trip_id);

    // -- buyers
    // trip_not_found unless published. From memory.
    [[nodiscard]] Result<std::vector<Bookable>> available_dates(std::int64_t trip_id, const DatesQuery& query,
                                                                const Moment& moment) const;
    // What available_dates covers for a query.
    [[nodiscard]] Result<Span> span_of(const catalog::trips::Trip& trip, const DatesQuery& query,
                                       const Moment& moment) const;
    // One date as the database has it, on its way to be priced. Staff may go past the cut-off, never past the seats.
    // date_unavailable, date_blocked, cutoff_passed, sold_out with data.available.
    [[nodiscard]] Result<Bookable> find_bookable(store::Session& session, const catalog::trips::Trip& trip, Date date,
                                                 std::optional<ClockTime> time, int seats, bool by_staff,
                                                 Instant now) const;

    // The same from memory, for what is only shown. What it refuses, find_bookable may still allow.
    [[nodiscard]] Result<Bookable> find_shown(const catalog::trips::Trip& trip, Date date,
                                              std::optional<ClockTime> time, int seats, Instant now) const;

    // -- seats, inside the transaction that makes or ends the booking
    // Finds the date's departure, or makes it on an open date, and takes the seats; the departure's id. Call it last:
    // on PostgreSQL every other buyer of the date waits from here to the commit. Errors as find_bookable, without the
    // cut-off.
    Result<std::int64_t> take(store::Transaction& tx, const catalog::trips::Trip& trip, Date date,
                              std::optional<ClockTime> time, std::int64_t booking_id, std::int64_t seats, Instant now);
    // The same for a date that this transaction has just found.
    Result<std::int64_t> take(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& found,
                              std::int64_t booking_id, std::int64_t seats, Instant now);
    // On a departure known already. A booking that holds seats already is a broken invariant (UniqueViolation).
    Result<void> acquire(store::Transaction& tx, std::int64_t departure_id, std::int64_t booking_id, std::int64_t seats,
                         Instant now);
    // On the departure the booking held last.
    Result<void> take_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats, Instant now);
    // Gives a booking's seats back; nothing happens when it holds none. `reason` is a release reason of the ledger or
    // a booking status that holds no seats. False when it held none.
    bool release(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now);
    // Locks the departure that a booking holds or held seats of, before the booking's own row: every writer takes its
    // locks in that order.
    static void lock_of(store::Transaction& tx, std::int64_t booking_id);

    // -- daily
    // Statuses by today's date; the departures whose count is not their ledger's are logged and told.
    Result<json::Value> refresh_statuses(Instant now);

  private:
    template <class Work>
    Result<Departure> writing(Work work, const Kept& kept);
    [[nodiscard]] int horizon() const;
    void saved(store::Transaction& tx, std::int64_t departure_id);
    void remember(store::Transaction& tx, const Slot& slot);
    [[nodiscard]] Result<Bookable> offered(Result<Bookable> found, std::int64_t trip_id, bool by_staff,
                                           Instant now) const;
    Result<Slot> materialised(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& open,
                              Instant now) const;

    Parts parts_;
    Calendar calendar_;
};

}  // namespace svc::availability
