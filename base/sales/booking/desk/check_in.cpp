// The rows of check-in, and who may be asked before.
#include "base/sales/booking/desk/check_in.hpp"

#include "base/sales/booking/record/guided.hpp"
#include "shared/json/sentence.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

#define SVC_CHECK_IN "SELECT t.id, t.booking_id, t.traveler_index, t.checked_in_at, t.checked_in_by"
#define SVC_CHECKED_IN_OF_DEPARTURE                                                              \
    SVC_CHECK_IN                                                                                 \
    " FROM svc_booking_travelers t JOIN svc_booking_departures l ON l.booking_id = t.booking_id" \
    " AND l.released_at IS NULL WHERE l.departure_id = :departure_id AND t.checked_in_at IS NOT NULL"

const auto checked_in = [](std::int64_t id, std::int64_t booking_id, std::int64_t index, std::optional<Instant> at,
                           std::optional<std::int64_t> by) {
    return CheckedIn{.traveler_id = id, .booking_id = booking_id, .index = index, .at = at, .by = by};
};

std::optional<CheckedIn> found(store::Session& session, std::int64_t traveler_id) {
    auto rows = store::all_rows(session, SVC_CHECK_IN " FROM svc_booking_travelers t WHERE t.id = :id",
                                {{"id", traveler_id}}, checked_in);
    return rows.empty() ? std::nullopt : std::optional(rows.front());
}

// Why a listener refuses: its sentence with values, or an older one's text.
Sentence reason_of(const json::Value& answer) {
    for (const char* member : {"sentence", "reason"})
        if (Sentence sentence = json::sentence_from(answer[member]); !sentence.empty())
            return sentence;
    return "This traveler cannot be checked in yet."_sentence;
}

}  // namespace

std::optional<CheckedIn> CheckIns::find(std::int64_t traveler_id) const {
    return store_.reading<std::optional<CheckedIn>>(
        [&](store::Session& session) { return found(session, traveler_id); });
}

Result<CheckedIn> CheckIns::set(std::int64_t traveler_id, bool is_in, std::int64_t user_id) const {
    return store_.transact<CheckedIn>([&](store::Transaction& tx) -> Result<CheckedIn> {
        auto traveler = found(tx, traveler_id);
        const auto booking = traveler ? Service::lock(tx, traveler->booking_id) : std::nullopt;
        traveler = booking ? found(tx, traveler_id) : std::nullopt;  // again: another one may have been first
        if (!traveler)
            return errc::not_found;
        if (traveler->at.has_value() == is_in)
            return std::move(*traveler);
        if (is_in && !holds_seats(booking->status))
            return Error{errc::conflict, "This booking has no seats: its travelers cannot be checked in."_sentence};
        if (is_in && hooks_.filtered(check_in_allowed.name)) {
            const json::Value answer =
                hooks_.apply(check_in_allowed, json::Value::object({{"allowed", true}, {"reason", ""}}),
                             {traveler->booking_id, json::Value::array({traveler->index})}, &tx);
            if (!answer["allowed"].is_boolean() || !answer["allowed"].boolean())
                return Error{errc::conflict, reason_of(answer)};
        }
        traveler->at = is_in ? std::optional(clock_.now()) : std::nullopt;
        traveler->by = is_in ? std::optional(user_id) : std::nullopt;
        tx.run("UPDATE svc_booking_travelers SET checked_in_at = :at, checked_in_by = :by WHERE id = :id",
               {{"at", traveler->at}, {"by", traveler->by}, {"id", traveler_id}});
        return std::move(*traveler);
    });
}

std::vector<CheckedIn> CheckIns::of_departure(std::int64_t departure_id, std::optional<std::int64_t> guide_id) const {
    return store_.reading<std::vector<CheckedIn>>([&](store::Session& session) {
        return store::all_rows(session,
                               guide_id ? SVC_CHECKED_IN_OF_DEPARTURE
                                   " AND" SVC_GUIDED_OF("t.booking_id") " ORDER BY t.id"
                                        : SVC_CHECKED_IN_OF_DEPARTURE " ORDER BY t.id",
                               {{"departure_id", departure_id}, {"guide", guide_id.value_or(0)}}, checked_in);
    });
}

}  // namespace svc::booking
