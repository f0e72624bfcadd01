// The rules of departures and seats: what staff may change, which dates are offered, and the only way to a seat.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/availability/dates/calendar.hpp"
#include "base/availability/dates/remembered.hpp"
#include "base/availability/departures/change.hpp"
#include "base/availability/record/bookings.hpp"
#include "base/availability/record/departure_rows.hpp"
#include "base/availability/rules/rule_book.hpp"
#include "base/catalog/trips/service.hpp"
#include "base/platform/metrics/metrics.hpp"
#include "base/settings/settings.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::availability {

// The change-feed channel of departures and seats: on it `Service::calendar().reload_changed()` is due.
inline constexpr std::string_view channel = "departures";

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
        metrics::Registry* metrics = nullptr;  // null: nothing is counted
        // Whether anyone listens to a filter, so that nothing is made up for nobody. Empty: somebody may.
        std::function<bool(std::string_view filter)> filtered = {};
    };
    explicit Service(const Parts& parts);
    // Who follows departures; null, as without: nobody.
    void followed_by(Bookings* bookings) { bookings_ = bookings; }  // [start-up]

    // Memory: load() at the start, reload_changed() when the change feed tells of `channel`.
    [[nodiscard]] Calendar& calendar() { return calendar_; }
    [[nodiscard]] const Calendar& calendar() const { return calendar_; }
    // On all dates of a trip, as they were answered last.
    [[nodiscard]] RememberedAnswers& remembered() const { return remembered_; }
    [[nodiscard]] const catalog::trips::Service& trips() const { return parts_.trips; }
    [[nodiscard]] const settings::Settings& settings() const { return parts_.settings; }
    [[nodiscard]] Moment moment() const;
    [[nodiscard]] RuleBook& rules() { return rules_; }

    // -- staff
    struct Listed {
        std::vector<Departure> departures;
        std::vector<Link> links;     // active ones of these departures
        std::vector<Party> parties;  // of these departures, where there are bookings
        std::int64_t total = 0;
        TabCounts counts;
    };
    [[nodiscard]] Listed list(DepartureQuery query) const;
    // svc_not_found for a departure of another trip and for one in the trash; `trip_id` empty: of any.
    [[nodiscard]] Result<Departure> find(std::optional<std::int64_t> trip_id, std::int64_t id) const;
    [[nodiscard]] static std::vector<std::int64_t> bookings_of(store::Session& session, std::int64_t departure_id);
    [[nodiscard]] std::vector<Party> parties_of(store::Session& session, std::int64_t departure_id) const;
    [[nodiscard]] store::Store& store() const { return parts_.store; }

    struct Actor {
        std::optional<std::int64_t> user_id;
        bool any_date = false;  // may create departures in the past
    };
    // Called in the write's own transaction with what will be answered. May be empty.
    using Kept = std::function<void(store::Transaction&, const Departure&)>;
    Result<Departure> create(std::int64_t trip_id, const DepartureChange& change, Origin origin, const Actor& actor,
                             const Kept& kept = {});
    Result<Departure> create(std::int64_t trip_id, const DepartureChange& change, const Actor& actor,
                             const Kept& kept = {}) {
        return create(trip_id, change, Origin::manual, actor, kept);
    }
    // Inside the caller's transaction; `origin` fixed for a date put on sale. The calendar follows after the commit.
    Result<Departure> create(store::Transaction& tx, const catalog::trips::Trip& trip, const DepartureChange& change,
                             Origin origin, const Actor& actor);
    // A new one like that one, on another day: arrival and return shifted by as many days, its bookings not copied.
    Result<Departure> duplicate(std::int64_t id, const DepartureChange& change, const Actor& actor,
                                const Kept& kept = {});
    // What becomes of the bookings on a departure that is being cancelled.
    struct Ending {
        bool cancel_bookings = false;
        std::string reason = {};
    };
    struct Updated {
        Departure departure;
        std::vector<std::int64_t> affected = {};  // bookings that need a person, as the departure was cancelled
        std::int64_t cancelled = 0;               // how many of them were cancelled
    };
    // With its bookings cancelled it is several writes: a request that is sent again goes on behind the step of that
    // name, which api::Steps know.
    static constexpr const char* begun_step = "departure";
    Result<Updated> update(std::optional<std::int64_t> trip_id, std::int64_t id, const DepartureChange& change,
                           const Actor& actor, const Ending& ending);
    Result<Departure> update(std::int64_t trip_id, std::int64_t id, const DepartureChange& change, const Actor& actor);
    // The fields that either would refuse, for a write of which others do not fit anyway; nothing is written.
    [[nodiscard]] std::vector<FieldError> faults_of_new(std::int64_t trip_id, const DepartureChange& change,
                                                        const Actor& actor) const;
    [[nodiscard]] std::vector<FieldError> faults_of_change(std::optional<std::int64_t> trip_id, std::int64_t id,
                                                           const DepartureChange& change) const;
    // To the trash, as which it is answered; svc_in_use while bookings hold seats or wait for some.
    Result<Departure> remove(std::optional<std::int64_t> trip_id, std::int64_t id, const Actor& actor);
    // Everything of a trip that is deleted for good; svc_in_use when bookings have used it.
    static Result<void> remove_all(store::Transaction& tx, std::int64_t trip_id);

    // -- buyers
    // trip_not_found unless published. From memory.
    [[nodiscard]] Result<std::vector<Bookable>> available_dates(std::int64_t trip_id, const DatesQuery& query,
                                                                const Moment& moment) const;
    [[nodiscard]] int horizon() const;  // months that dates are offered ahead
    // Whether listeners have a say in dates: then an answer holds for its moment alone.
    [[nodiscard]] bool dates_are_filtered() const;
    struct Offered {
        std::vector<Bookable> dates;
        std::optional<Date> goes_on;  // the first day that was left out, as there were span.most dates before it
    };
    // Dates from memory, listeners asked.
    [[nodiscard]] Offered dates_offered(const catalog::trips::Trip& trip, const TripDates& dates, const Span& span,
                                        const Moment& moment) const;
    // find_shown, with the price that listeners make of it.
    [[nodiscard]] Result<Bookable> shown_date(const catalog::trips::Trip& trip, Date date,
                                              std::optional<ClockTime> time, int seats, const Moment& moment) const;
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

    // Whether a wish without a time names one departure: a field at fault where the day has several times. By memory
    // without a session.
    [[nodiscard]] Result<void> check_time(store::Session* session, const catalog::trips::Trip& trip, Date date,
                                          bool by_staff, Instant now) const;

    // -- seats, inside the transaction that makes or ends the booking
    // Finds the date's departure, or makes it on an open date, and takes the seats; the departure's id. Call it last:
    // on PostgreSQL every other buyer of the date waits from here to the commit. Errors as find_bookable, without the
    // cut-off.
    Result<std::int64_t> take(store::Transaction& tx, const catalog::trips::Trip& trip, Date date,
                              std::optional<ClockTime> time, std::int64_t booking_id, std::int64_t seats, Instant now);
    // The same for a date that this transaction has just found.
    Result<std::int64_t> take(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& found,
                              std::int64_t booking_id, std::int64_t seats, Instant now) {
        return take(tx, trip, found, booking_id, seats, now, Hold{});
    }
    struct Hold {
        bool by_staff = false;              // beyond the capacity where the departure says that staff may
        bool forced = false;                // beyond it in any case; that opens it to nobody else
        std::optional<Instant> until = {};  // set: a soft hold, given back then unless it is made firm
    };
    Result<std::int64_t> take(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& found,
                              std::int64_t booking_id, std::int64_t seats, Instant now, const Hold& hold);
    // On a departure known already; answers it as it is then. A booking that holds seats already is a broken invariant:
    // UniqueViolation, on PostgreSQL perhaps not before the commit.
    Result<Slot> acquire(store::Transaction& tx, std::int64_t departure_id, std::int64_t booking_id, std::int64_t seats,
                         Instant now, const Hold& hold);
    Result<Slot> acquire(store::Transaction& tx, std::int64_t departure_id, std::int64_t booking_id, std::int64_t seats,
                         Instant now) {
        return acquire(tx, departure_id, booking_id, seats, now, Hold{});
    }
    // On the departure the booking waits for or held last; it may be on another day by now, even of another
    // trip. Answers it as it is.
    Result<Slot> take_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats, Instant now,
                            const Hold& hold);
    // When the booking loses its seats by itself: the end of a soft hold or of an offer from the waitlist.
    [[nodiscard]] static std::optional<Instant> holds_until(store::Session& session, std::int64_t booking_id) {
        return rows::holds_until(session, booking_id);
    }
    // By staff, from the departure it is on to another one: the new seats are taken before the old ones are given back.
    Result<void> move(store::Transaction& tx, std::int64_t booking_id, std::int64_t to_departure_id, std::int64_t seats,
                      Instant now);
    // The same to a date that this transaction has just found, whose departure is made when there is none yet.
    Result<void> move(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& to,
                      std::int64_t booking_id, std::int64_t seats, Instant now);
    // The traces of a booking that is deleted; it holds no seats by now.
    static void forget(store::Transaction& tx, std::int64_t booking_id) { rows::forget(tx, booking_id); }
    // Gives a booking's seats back; nothing happens when it holds none. `reason` is a release reason of the ledger or
    // a booking status that holds no seats. The departure; nothing when it held none. Those who wait are served by
    // promote(), which the caller owes once its own change is told.
    std::optional<std::int64_t> release(store::Transaction& tx, std::int64_t booking_id, std::string_view reason,
                                        Instant now);
    // A soft hold is a firm one from now on.
    static void make_firm(store::Transaction& tx, std::int64_t booking_id) { rows::make_firm(tx, booking_id); }
    // Locks the departure that a booking holds or held seats of or waits for, before the booking's own row: every
    // writer takes its locks in that order.
    static void lock_of(store::Transaction& tx, std::int64_t booking_id);

    // -- the waitlist of a full departure, first come, first served (waitlist.cpp)
    // Whether people may wait for this trip at all, by settings, trip and listeners.
    [[nodiscard]] bool has_waitlist(const catalog::trips::Trip& trip) const;
    // The sold-out date somebody wants to wait for, as find_bookable; sold_out when waiting is not possible either.
    [[nodiscard]] Result<Bookable> find_waitable(store::Session& session, const catalog::trips::Trip& trip, Date date,
                                                 std::optional<ClockTime> time, int seats, bool by_staff,
                                                 Instant now) const;
    // Puts a booking at the end of the queue; the departure's id. The caller owes promote(): seats may have come back
    // meanwhile, and nobody would tell the queue of them any more.
    Result<std::int64_t> join(store::Transaction& tx, const catalog::trips::Trip& trip, Date date,
                              std::optional<ClockTime> time, std::int64_t booking_id, std::int64_t seats, Instant now);
    // Back to its place in the queue it stood in, if there is room to wait; the departure's id. The caller owes
    // promote(). One that waits: with another party, or where `to` is at another date, made a departure if it is none
    // yet; its place in the line is kept at the date where it was before. sold_out where there is no room to wait.
    Result<void> wait_anew(store::Transaction& tx, const catalog::trips::Trip& trip, const std::optional<Bookable>& to,
                           std::int64_t booking_id, std::int64_t seats, Instant now);
    Result<std::int64_t> join_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats, Instant now);
    // It waits no longer: it gave up, or `served` by staff. The departure it waited for, whose next the caller owes
    // promote().
    std::optional<std::int64_t> leave(store::Transaction& tx, std::int64_t booking_id, bool served, Instant now);
    // Bookings that were given seats from the waitlist and whose time to take them is over; see end_offer.
    [[nodiscard]] static std::vector<std::int64_t> ended_offers(store::Session& session, Instant now,
                                                                std::int64_t most) {
        return rows::ended_offers(session, now, most);
    }
    static void end_offer(store::Transaction& tx, std::int64_t booking_id) { rows::end_offer(tx, booking_id); }
    // Gives free seats to those who wait, the oldest first, nobody skipped, at most 25 at a time.
    void promote(store::Transaction& tx, std::int64_t departure_id, Instant now);

    // -- by the clock
    // promote() for every departure with free seats that somebody waits for: what a chain left, and what no release
    // told of. How many seats were given.
    Result<std::int64_t> serve_waiting(Instant now);
    // Statuses by today's date.
    Result<json::Value> refresh_statuses(Instant now);
    // Counts that are not their ledger's are logged, counted and set right.
    Result<json::Value> audit_seats(Instant now);
    // Soft holds that ended are given back.
    Result<json::Value> release_lapsed(Instant now);

  private:
    template <class Work>
    Result<Departure> writing(Work work, const Kept& kept);
    Result<Departure> updated(store::Transaction& tx, const Departure& before, const DepartureChange& change,
                              const Actor& actor);
    [[nodiscard]] std::vector<std::int64_t> everybody_of(store::Session& session, std::int64_t departure_id) const;
    static void check_references(store::Session& session, const DepartureChange& change, Faults& faults);
    [[nodiscard]] Result<Departure> checked_new(store::Session& session, const catalog::trips::Trip& trip,
                                                const DepartureChange& change, Origin origin, const Actor& actor) const;
    static Result<Departure> checked_change(store::Session& session, const Departure& before,
                                            const catalog::trips::Trip& trip, const DepartureChange& change);
    void tell_low(store::Transaction& tx, const Slot& slot);
    [[nodiscard]] std::optional<Instant> offer_end(Instant now, Instant start) const;
    void saved(store::Transaction& tx, std::int64_t departure_id, const hooks::Action& what);
    void remember(store::Transaction& tx, const Slot& slot);
    [[nodiscard]] bool asks(const hooks::Filter& filter) const;
    [[nodiscard]] bool allowed(const catalog::trips::Trip& trip, Bookable& date) const;
    void let_price(const catalog::trips::Trip& trip, Bookable& date, int travelers) const;
    [[nodiscard]] Result<Bookable> sellable(Result<Bookable> found, const catalog::trips::Trip& trip, int seats,
                                            bool by_staff, Instant now) const;
    Result<Slot> materialised(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& open,
                              Instant now) const;

    Parts parts_;
    Calendar calendar_;
    mutable RememberedAnswers remembered_;
    RuleBook rules_;
    Bookings* bookings_ = nullptr;
};

}  // namespace svc::availability
