// Departures as a member of their trip: a trip can be created with new ones; existing ones have their own routes.
#include "base/sales/availability/departures/trip_part.hpp"

#include <algorithm>

#include "base/sales/availability/departures/service.hpp"
#include "base/sales/availability/departures/wire.hpp"
#include "shared/api/named.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;
using json::Value;

constexpr std::int64_t most_told = 1000;

api::Type written_date() {
    const api::Schema known{{.name = "id", .type = api::id().or_null()}};
    return api::object("TripDateInput", known.plus(sale_fields().partial()));
}

// Whether the sent date equals the stored one, so that sending a trip back unchanged changes nothing. Ignores seats and
// the statuses derived from them, which change meanwhile.
bool equals_stored(const Departure& stored, Value sent, const Trip& trip) {
    if (const std::string status = sent.text_or("status"); status == "sold_out" || status == "limited")
        sent.erase("status");
    Faults faults;
    const Departure after = changed(stored, sale_change_of(sent), trip, faults);
    return faults.none() && to_sale_json(after) == to_sale_json(stored);
}

class DatesPart final : public catalog::trips::Part {
  public:
    DatesPart(const settings::Settings& settings, const Clock& clock, Departures& departures)
        : settings_(settings), clock_(clock), departures_(departures) {}

    [[nodiscard]] std::string_view name() const override { return "availability_dates"; }
    [[nodiscard]] bool is_content() const override { return false; }
    [[nodiscard]] api::Type body_type() const override { return api::list(written_date(), most_told).or_null(); }
    [[nodiscard]] api::Type answer_type() const override { return api::list(sale_answer(), most_told); }

    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        const Date today = settings_.zone().date_at(clock_.now());
        for (const std::int64_t id : trip_ids) {
            auto dates = json::Value::array();
            for (const Departure& departure :
                 rows::list(session, {.trip_id = id, .from = today, .limit = most_told, .today = today}))
                dates.push(to_sale_json(departure));
            take(id, std::move(dates));
        }
    }

    [[nodiscard]] Result<void> check(store::Session& session, const Trip& trip, const Value& value,
                                     const Writing& writing) const override {
        if (!value.is_array() || writing.lenient)
            return {};
        Faults faults;
        std::vector<DepartureChange> fresh;
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string place = place_of(i);
            if (const auto id = value[i].maybe_integer("id"))
                check_known(session, trip, *id, value[i], place, faults);
            else if (const auto change = checked_new(session, trip, value[i], fresh, place, faults)) {
                const auto departure =
                    departures_.checked_new(session, trip, *change, Origin::fixed, {.user_id = writing.user_id});
                if (!departure)
                    add_faults(departure.error(), place, faults);
                fresh.push_back(*change);
            }
        }
        return faults.outcome();
    }

    // Dates are added alone: one that is taken off sale may hold bookings.
    Result<void> write(store::Transaction& tx, const Trip& trip, const Value& value,
                       const Writing& writing) const override {
        if (!value.is_array() || writing.lenient)
            return {};
        Faults faults;
        bool created = false;
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string place = place_of(i);
            if (const auto id = value[i].maybe_integer("id"))
                check_known(tx, trip, *id, value[i], place, faults);
            else
                created = add(tx, trip, value[i], writing, place, faults) || created;
        }
        if (created)
            tx.after_commit([this, id = trip.id] { departures_.calendar().refresh(id); });
        return faults.outcome();
    }

  private:
    static std::string place_of(std::size_t i) { return "availability_dates." + std::to_string(i + 1); }
    static void add_faults(const Error& error, const std::string& place, Faults& faults) {
        for (const FieldError& fault : error.fields())
            faults.at(place + "." + fault.field, fault.sentence);
    }

    static void check_known(store::Session& session, const Trip& trip, std::int64_t id, const Value& sent,
                            const std::string& place, Faults& faults) {
        const auto stored = rows::find(session, id);
        if (!stored || stored->trip_id != trip.id || stored->is_deleted())
            faults.at(place + ".id", "This trip has no such date."_sentence);
        else if (!equals_stored(*stored, sent, trip))
            faults.at(place, "Change existing dates at /availability."_sentence);
    }

    // `fresh` are the dates of the same body that are not stored yet.
    std::optional<DepartureChange> checked_new(store::Session& session, const Trip& trip, const Value& sent,
                                               const std::vector<DepartureChange>& fresh, const std::string& place,
                                               Faults& faults) const {
        DepartureChange change = sale_change_of(sent);
        const auto is_same = [&](const DepartureChange& other) {
            return other.start_date == change.start_date &&
                   other.time.value_or(std::nullopt) == change.time.value_or(std::nullopt);
        };
        if (change.status == "cancelled")
            faults.at(place + ".status", "A new date cannot be cancelled."_sentence);
        else if (change.start_date &&
                 (is_taken(session, trip, change) || std::any_of(fresh.begin(), fresh.end(), is_same)))
            faults.at(place + ".departure_date", "A departure on this date and time already exists."_sentence);
        else
            return change;
        return std::nullopt;
    }

    bool add(store::Transaction& tx, const Trip& trip, const Value& sent, const Writing& writing,
             const std::string& place, Faults& faults) const {
        const auto change = checked_new(tx, trip, sent, {}, place, faults);
        if (!change)
            return false;
        const auto departure = departures_.create(tx, trip, *change, Origin::fixed, {.user_id = writing.user_id});
        if (!departure)
            add_faults(departure.error(), place, faults);
        return static_cast<bool>(departure);
    }

    // Reported before the row is written, since what breaks an index ends the transaction.
    bool is_taken(store::Session& session, const Trip& trip, const DepartureChange& change) const {
        if (trip.id == 0)
            return false;
        const auto of_day = rows::list(session, {.trip_id = trip.id,
                                                 .from = change.start_date,
                                                 .to = change.start_date,
                                                 .limit = most_told,
                                                 .today = settings_.zone().date_at(clock_.now())});
        const auto time = change.time.value_or(std::nullopt);
        return std::any_of(of_day.begin(), of_day.end(), [&](const Departure& other) { return other.time == time; });
    }

    const settings::Settings& settings_;
    const Clock& clock_;
    Departures& departures_;
};

}  // namespace

std::shared_ptr<const catalog::trips::Part> make_dates_part(const settings::Settings& settings, const Clock& clock,
                                                            Departures& departures) {
    return std::make_shared<DatesPart>(settings, clock, departures);
}

}  // namespace svc::availability
