// Through the same sums as a total that staff set.
#include "base/sales/booking/record/lowered_total.hpp"

#include "base/sales/booking/record/changes.hpp"
#include "base/sales/booking/record/price.hpp"
#include "base/sales/booking/record/repository.hpp"

namespace svc::booking {

Result<Booking> lower_total(store::Transaction& tx, const Booking& booking, const Money& by, const Actor& actor,
                            Instant now) {
    Booking lowered = booking;
    std::vector<Line> lines = Repository::lines(tx, booking.id, booking.total.currency());
    SVC_RETURN_IF_ERROR(set_total(lowered, lines, booking.total - by, Repository::quote(tx, booking.id)));
    Repository::replace_lines(tx, booking.id, lines);
    Repository::update(tx, lowered, now);
    log_changes(tx, booking, lowered, actor, now);
    return Repository::find(tx, booking.id).value();
}

}  // namespace svc::booking
