// The states of a booking: the whole table, pair by pair, and what is due in each.
#include <set>
#include <tuple>

#include <doctest/doctest.h>

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/booking_record.hpp"

using namespace svc;
using booking::Cause;

namespace {

using Names = std::set<std::string_view>;

// The table as docs/rules.md has it, written a second time by hand.
bool ruled(std::string_view from, std::string_view to, Cause cause) {
    const Names open{"pending", "processing", "on-hold", "confirmed", "completed", "cancelled", "failed"};
    if (from == to)
        return false;
    switch (cause) {
        case Cause::staff:
            if (open.contains(from))
                return open.contains(to) || to == "refunded";
            if (from == "pending_verification" || from == "waitlist")
                return Names{"pending", "confirmed", "cancelled"}.contains(to);
            return false;
        case Cause::payment:
            return (to == "confirmed" && (from == "pending" || from == "processing")) ||
                   (from == "pending" && to == "processing") || (from == "processing" && to == "pending");
        case Cause::customer:
        case Cause::channel:
            return to == "cancelled" &&
                   Names{"pending", "pending_verification", "waitlist", "processing", "on-hold", "confirmed"}.contains(
                       from);
        case Cause::sweep:
            return from == "pending" && to == "cancelled";
        case Cause::promotion:
            return from == "waitlist" && (to == "pending" || to == "confirmed");
        case Cause::removal:
            return to == "trash";
        case Cause::restoring:
            return from == "trash";
        case Cause::verification:
            return from == "pending_verification" && to == "pending";
        case Cause::clock:
            return from == "confirmed" && to == "completed";
    }
    return false;
}

Money usd(std::int64_t minor) { return {minor, Currency::usd()}; }

booking::Booking one_of(std::string_view status, std::int64_t total, std::int64_t pay_now, std::int64_t paid) {
    return {.subtotal = usd(total),
            .discount = usd(0),
            .services = usd(0),
            .itinerary = usd(0),
            .tax = usd(0),
            .total = usd(total),
            .pay_now = usd(pay_now),
            .amount_paid = usd(paid),
            .status = std::string(status)};
}

}  // namespace

TEST_CASE("a status changes by the table and in no other way") {
    int allowed = 0;
    for (const Cause cause : {Cause::staff, Cause::payment, Cause::customer, Cause::sweep, Cause::channel,
                              Cause::promotion, Cause::removal, Cause::restoring, Cause::verification, Cause::clock})
        for (const std::string_view from : booking::status::all)
            for (const std::string_view to : booking::status::all) {
                CAPTURE(from);
                CAPTURE(to);
                CAPTURE(static_cast<int>(cause));
                CHECK(booking::may_change(from, to, cause) == ruled(from, to, cause));
                allowed += booking::may_change(from, to, cause) ? 1 : 0;
            }
    CHECK(allowed == static_cast<int>(booking::transitions().size()));
}

TEST_CASE("no row is in the table twice") {
    std::set<std::tuple<std::string_view, std::string_view, Cause>> seen;
    for (const auto& row : booking::transitions())
        CHECK(seen.emplace(row.from, row.to, row.cause).second);
}

TEST_CASE("seats are held by the statuses that still count on travelling") {
    const Names holding{"pending", "pending_verification", "confirmed", "processing", "completed", "on-hold"};
    for (const std::string_view status : booking::status::all)
        CHECK(booking::holds_seats(status) == holding.contains(status));
}

TEST_CASE("what is due: nothing once it ended, checkout's part first, then the balance") {
    for (const char* ended : {"cancelled", "refunded", "failed", "trash", "waitlist"})
        CHECK(one_of(ended, 1000, 1000, 0).amount_due() == usd(0));
    for (const char* live : {"pending", "pending_verification", "confirmed", "processing", "on-hold", "completed"}) {
        CHECK(one_of(live, 1000, 200, 0).amount_due() == usd(200));
        CHECK(one_of(live, 1000, 200, 200).amount_due() == usd(800));
        CHECK(one_of(live, 1000, 200, 1200).amount_due() == usd(0));
    }
    CHECK(one_of("pending", 1000, 200, 1200).balance() == usd(0));
}

TEST_CASE("no write of a booking's record sets its status; that is the lifecycle's statement alone") {
    const std::string& update = booking::booking_record().update_statement();
    CHECK(update.find("payment_method = :payment_method") != std::string::npos);
    CHECK(update.find(" status = ") == std::string::npos);
    CHECK(update.find("payment_status = ") == std::string::npos);
}

TEST_CASE("the payment status follows from the sums, the first rule that fits") {
    const auto status = [](std::int64_t total, std::int64_t paid, std::int64_t refunded, bool failed) {
        return std::string(booking::payment_status_of(usd(total), usd(paid), usd(refunded), failed));
    };
    CHECK(status(1000, 1000, 1000, false) == "refunded");
    CHECK(status(1000, 1000, 400, false) == "partial");
    CHECK(status(1000, 1000, 0, false) == "paid");
    CHECK(status(1000, 1001, 0, true) == "paid");
    CHECK(status(0, 0, 0, false) == "paid");
    CHECK(status(1000, 1, 0, true) == "partial");
    CHECK(status(1000, 0, 0, true) == "failed");
    CHECK(status(1000, 0, 0, false) == "pending");
    // Example 16: 127.71 of 638.55 paid, 27.71 given back.
    CHECK(status(63855, 12771, 2771, false) == "partial");
}
