// The states of a booking and the money derived from its record.
#include "base/sales/booking/record/booking.hpp"

#include <algorithm>

namespace svc::booking {

bool is_active(std::string_view status) {
    return status != status::cancelled && status != status::failed && status != status::refunded &&
           status != status::trash;
}

bool holds_seats(std::string_view value) {
    return value == status::pending || value == status::confirmed || value == status::processing ||
           value == status::completed || value == status::on_hold || value == status::pending_verification;
}

const std::vector<Transition>& transitions() {
    static const std::vector<Transition> table = [] {
        std::vector<Transition> rows;
        const std::string_view open[] = {status::pending,   status::processing, status::on_hold, status::confirmed,
                                         status::completed, status::cancelled,  status::failed};
        for (const std::string_view from : open)
            for (const std::string_view to : {status::pending, status::processing, status::on_hold, status::confirmed,
                                              status::completed, status::cancelled, status::refunded, status::failed})
                if (from != to)
                    rows.push_back({from, to, Cause::staff});
        for (const std::string_view from : {status::pending_verification, status::waitlist})
            for (const std::string_view to : {status::pending, status::confirmed, status::cancelled})
                rows.push_back({from, to, Cause::staff});

        rows.push_back({status::pending, status::confirmed, Cause::payment});
        rows.push_back({status::processing, status::confirmed, Cause::payment});
        rows.push_back({status::pending, status::processing, Cause::payment});
        rows.push_back({status::processing, status::pending, Cause::payment});
        for (const std::string_view from : {status::pending, status::pending_verification, status::waitlist,
                                            status::processing, status::on_hold, status::confirmed})
            for (const Cause cause : {Cause::customer, Cause::channel})
                rows.push_back({from, status::cancelled, cause});
        rows.push_back({status::pending, status::cancelled, Cause::sweep});
        rows.push_back({status::pending_verification, status::pending, Cause::verification});
        rows.push_back({status::confirmed, status::completed, Cause::clock});
        for (const std::string_view to : {status::pending, status::confirmed})
            rows.push_back({status::waitlist, to, Cause::promotion});
        for (const std::string_view from : status::all)
            if (from != status::trash) {
                rows.push_back({from, status::trash, Cause::removal});
                rows.push_back({status::trash, from, Cause::restoring});
            }
        return rows;
    }();
    return table;
}

bool may_change(std::string_view from, std::string_view to, Cause cause) {
    const auto& rows = transitions();
    return std::any_of(rows.begin(), rows.end(),
                       [&](const Transition& row) { return row.from == from && row.to == to && row.cause == cause; });
}

std::string Booking::customer_name() const {
    return last_name.empty() ? first_name : first_name.empty() ? last_name : first_name + " " + last_name;
}

Account Booking::account() const {
    return {.status = status,
            .payment_status = payment_status,
            .total = total,
            .pay_now = pay_now,
            .amount_paid = amount_paid,
            .payments_unknown = payments_unknown};
}

Money Account::balance() const { return max(Money::zero(total.currency()), total - amount_paid); }

Money Account::amount_owed() const {
    if (payments_unknown)
        return Money::zero(total.currency());
    for (const std::string_view ended : {status::cancelled, status::refunded, status::failed, status::trash})
        if (status == ended)
            return Money::zero(total.currency());
    return balance();
}

Money Account::amount_due() const {
    if (status == status::waitlist || amount_owed().is_zero())
        return Money::zero(total.currency());
    // A refunded first payment counts: from then on the balance is due.
    return amount_paid.is_zero() && payment_status != "refunded" ? min(pay_now, balance()) : balance();
}

std::string_view payment_status_of(const Money& total, const Money& paid, const Money& refunded, bool last_failed) {
    const Money zero = Money::zero(total.currency());
    const Money net = paid - refunded;
    // Compares with payments only, since refunds may have lowered the total.
    if (refunded > zero && net <= zero)
        return "refunded";
    if (net >= total)
        return "paid";
    if (net > zero)
        return "partial";
    return last_failed ? "failed" : "pending";
}

}  // namespace svc::booking
