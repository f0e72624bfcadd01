// Trash, restore, permanent deletion, and bulk actions.
#include "base/sales/booking/desk/removal.hpp"

#include "base/sales/booking/desk/lists.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/locks.hpp"

namespace svc::booking {
namespace {

constexpr std::string_view marks = "mark_";

}  // namespace

Result<void> Removal::trash(std::int64_t id, const Actor& actor) {
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto booking = lock_with_seats(tx, id);
        if (!booking)
            return errc::booking_not_found;
        if (booking->status == status::trash)
            return errc::invalid_transition;
        parts_.hooks.emit(tx, booking_deleted, {id, records_.record_of(tx, *booking)});
        return lifecycle_.change(tx, *booking, status::trash, Cause::removal, actor, "deleted", parts_.clock.now());
    });
}

Result<Booking> Removal::restore(std::int64_t id, const Actor& actor, bool forced) {
    return parts_.store.transact<Booking>([&](store::Transaction& tx) -> Result<Booking> {
        const auto booking = lock_with_seats(tx, id);
        if (!booking)
            return errc::booking_not_found;
        if (booking->status != status::trash)
            return errc::invalid_transition;
        const std::string before = Repository::status_before_trash(tx, id);
        SVC_RETURN_IF_ERROR(lifecycle_.change(tx, *booking, before.empty() ? status::pending : std::string_view(before),
                                              Cause::restoring, actor, "restored", parts_.clock.now(), forced));
        return Repository::find(tx, id).value();
    });
}

Result<void> Removal::remove(std::int64_t id, const Actor* forced_by) {
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto booking = lock_with_seats(tx, id);
        if (!booking)
            return errc::booking_not_found;
        const bool in_trash = booking->status == status::trash;
        if (!in_trash && !forced_by)
            return Error{errc::conflict, "Move the booking to the trash before you delete it permanently."_sentence};
        parts_.hooks.emit(tx, booking_deleted, {id, records_.record_of(tx, *booking)});
        if (!in_trash)
            if (auto left = lifecycle_.change(tx, *booking, status::trash, Cause::removal, *forced_by, "deleted",
                                              parts_.clock.now());
                !left)
                return left;
        if (ports_.payments)
            SVC_RETURN_IF_ERROR(ports_.payments->forget(tx, id));
        lifecycle_.end_secrets(tx, id, parts_.clock.now());
        availability::Seats::forget(tx, id);
        Repository::remove(tx, id);
        return {};
    });
}

std::vector<Outcome> Removal::bulk(std::string_view action, const std::vector<std::int64_t>& ids, const Actor& actor) {
    const auto done = [&](std::int64_t id) -> Result<void> {
        if (action == "trash")
            return trash(id, actor);
        if (action == "delete") {  // as DELETE of one: to the trash first
            const auto booking = records_.find(id);
            return booking && booking->status != status::trash ? trash(id, actor) : remove(id);
        }
        auto changed = action == "restore" ? restore(id, actor)
                                           : lifecycle_.set_status(id, action.substr(marks.size()), "", actor);
        return changed ? Result<void>{} : Result<void>{changed.error()};
    };
    return each_of_many(ids, done);
}

}  // namespace svc::booking
