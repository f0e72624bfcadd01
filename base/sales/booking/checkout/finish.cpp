// Staff's payment and status for a booking they create.
#include "base/sales/booking/checkout/creator.hpp"
#include "base/sales/booking/record/price.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::booking {

Result<Booking> Creator::finish_for_staff(store::Transaction& tx, std::int64_t id, const NewBooking& draft,
                                          const api::Caller& caller, Instant now) {
    Booking booking = Repository::find(tx, id).value();
    Repository::log_creation(tx, booking, draft.made_by);
    if (draft.enquiry_id && ports_.enquiries)
        SVC_RETURN_IF_ERROR(ports_.enquiries->convert(tx, *draft.enquiry_id, booking, caller.user_id, now));
    if (draft.paid) {
        const auto paid = parse_exact(*draft.paid, booking.total.currency());
        if (!paid)
            return invalid("amount_paid", paid.error().message());
        if (*paid > booking.total)
            return invalid("amount_paid", "More than the total cannot have been paid."_sentence);
        if (!paid->is_zero() && ports_.payments) {
            SVC_RETURN_IF_ERROR(ports_.payments->receive(tx, booking, *paid, caller.user_id, now));
            booking = Repository::find(tx, id).value();
        }
    }
    // pending is the initial value, whatever was paid since.
    if (const std::string& status_sent = draft.payment_status;
        !status_sent.empty() && status_sent != "pending" && status_sent != booking.payment_status) {
        if (status_sent != "paid" || !ports_.payments)
            return invalid("payment_status", follows_from_payments);
        SVC_RETURN_IF_ERROR(ports_.payments->receive(tx, booking, booking.balance(), caller.user_id, now));
        booking = Repository::find(tx, id).value();
    }
    if (!draft.status.empty() && booking.status != status::waitlist)
        if (auto changed = records_.lifecycle().change(tx, booking, draft.status, Cause::staff, draft.made_by,
                                                       "made so by staff", now, draft.forced);
            !changed)
            return changed.error();
    return Repository::find(tx, id).value();
}

}  // namespace svc::booking
