// Departures as staff see and change them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/sales/availability/departures/change.hpp"
#include "base/sales/availability/departures/repository.hpp"
#include "base/sales/availability/record/departure_rows.hpp"
#include "base/sales/availability/waitlist/service.hpp"

namespace svc::availability {

// Any thread. The calendar shows a change of this process when the call that commits it returns.
class Departures {
  public:
    Departures(const Parts& parts, Calendar& calendar, Waitlist& waitlist)
        : parts_(parts), calendar_(calendar), waitlist_(waitlist) {}
    // The port to bookings; null: none.
    void followed_by(Bookings* bookings) { bookings_ = bookings; }  // [start-up]

    [[nodiscard]] Calendar& calendar() { return calendar_; }
    [[nodiscard]] const catalog::trips::Service& trips() const { return parts_.trips; }
    [[nodiscard]] store::Store& store() const { return parts_.store; }
    [[nodiscard]] Moment moment() const { return {parts_.clock.now(), parts_.settings.zone()}; }

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

    struct Actor {
        std::optional<std::int64_t> user_id;
        bool any_date = false;  // may create departures in the past
    };
    // Each write of one departure is one transact<Departure>().
    Result<Departure> create(std::int64_t trip_id, const DepartureChange& change, Origin origin, const Actor& actor);
    Result<Departure> create(std::int64_t trip_id, const DepartureChange& change, const Actor& actor) {
        return create(trip_id, change, Origin::manual, actor);
    }
    // Inside the caller's transaction; `origin` fixed for a date put on sale. The calendar follows after the commit.
    Result<Departure> create(store::Transaction& tx, const catalog::trips::Trip& trip, const DepartureChange& change,
                             Origin origin, const Actor& actor);
    // A new one like that one, on another day: arrival and return shifted by as many days, its bookings not copied.
    Result<Departure> duplicate(std::int64_t id, const DepartureChange& change, const Actor& actor);
    // How to treat the bookings of a departure that is cancelled.
    struct Ending {
        bool cancel_bookings = false;
        std::string reason = {};
    };
    struct Updated {
        Departure departure;
        std::vector<std::int64_t> affected = {};  // bookings that need a person, as the departure was cancelled
        std::int64_t cancelled = 0;               // how many of them were cancelled
    };
    // With bookings to cancel it is several writes: a repeated request continues after the step of this name
    // (api::Steps).
    static constexpr const char* first_step = "departure";
    Result<Updated> update(std::optional<std::int64_t> trip_id, std::int64_t id, const DepartureChange& change,
                           const Actor& actor, const Ending& ending);
    Result<Departure> update(std::int64_t trip_id, std::int64_t id, const DepartureChange& change, const Actor& actor);
    // Inside the caller's transaction: svc_in_use when it would move the days of somebody's booking. The calendar
    // follows after the commit; nobody moves up from the waitlist.
    Result<Departure> update(store::Transaction& tx, std::int64_t id, const DepartureChange& change,
                             const Actor& actor);
    // The fields that either would refuse, for a write of which others do not fit anyway; nothing is written.
    [[nodiscard]] std::vector<FieldError> faults_of_new(std::int64_t trip_id, const DepartureChange& change,
                                                        const Actor& actor) const;
    [[nodiscard]] std::vector<FieldError> faults_of_change(std::optional<std::int64_t> trip_id, std::int64_t id,
                                                           const DepartureChange& change) const;
    // The departure that create() would store.
    [[nodiscard]] Result<Departure> checked_new(store::Session& session, const catalog::trips::Trip& trip,
                                                const DepartureChange& change, Origin origin, const Actor& actor) const;
    // To the trash, as which it is answered; svc_in_use while bookings hold seats or wait for some.
    Result<Departure> remove(std::optional<std::int64_t> trip_id, std::int64_t id, const Actor& actor);
    // Deletes all dates of a trip that is deleted permanently; svc_in_use when bookings have used it.
    static Result<void> remove_all(store::Transaction& tx, std::int64_t trip_id);

  private:
    [[nodiscard]] static Error no_such(bool of_trip);
    // Of another trip; or deleted, which a status alone takes back.
    [[nodiscard]] static bool is_out_of_reach(const Departure& departure, std::optional<std::int64_t> trip_id,
                                              const DepartureChange& change);
    Result<Departure> writing(const std::function<Result<Departure>(store::Transaction&)>& work);
    Result<Departure> updated(store::Transaction& tx, const Departure& before, const DepartureChange& change,
                              const Actor& actor);
    // Those who hold seats of it and those who wait for some.
    [[nodiscard]] static std::vector<std::int64_t> everybody_of(store::Session& session, std::int64_t departure_id);
    static void check_references(store::Session& session, const DepartureChange& change, Faults& faults);
    static Result<Departure> checked_change(store::Session& session, const Departure& before,
                                            const catalog::trips::Trip& trip, const DepartureChange& change);
    void saved(store::Transaction& tx, std::int64_t departure_id, const hooks::Action& what);

    const Parts parts_;
    Calendar& calendar_;
    Waitlist& waitlist_;
    Bookings* bookings_ = nullptr;
};

}  // namespace svc::availability
