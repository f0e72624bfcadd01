// The rules of a payment record: which payment confirms, and how its status moves.
#include <set>

#include <doctest/doctest.h>

#include "base/sales/payment/record/payment.hpp"

using namespace svc;
using payment::Channel;

TEST_CASE("which payment confirms its booking, row by row") {
    struct Row {
        const char* mode;
        Channel channel;
        bool settles, confirms, automatic;
    };
    const Row rows[] = {
        {"none", Channel::online, true, false, false},     {"none", Channel::online, false, false, false},
        {"none", Channel::offline, true, false, false},    {"none", Channel::offline, false, false, false},
        {"none", Channel::scheduled, true, false, false},  {"none", Channel::scheduled, false, false, false},
        {"online", Channel::online, true, true, false},    {"online", Channel::online, false, false, false},
        {"online", Channel::offline, true, false, false},  {"online", Channel::offline, false, false, false},
        {"online", Channel::scheduled, true, true, false}, {"online", Channel::scheduled, false, false, false},
        {"all", Channel::online, true, true, true},        {"all", Channel::online, false, true, true},
        {"all", Channel::offline, true, true, true},       {"all", Channel::offline, false, true, true},
        {"all", Channel::scheduled, true, true, true},     {"all", Channel::scheduled, false, true, true}};
    for (const Row& row : rows) {
        CAPTURE(row.mode);
        CAPTURE(static_cast<int>(row.channel));
        CAPTURE(row.settles);
        const auto decided = payment::confirmation(row.mode, row.channel, row.settles);
        CHECK(decided.should == row.confirms);
        CHECK(decided.automatic == row.automatic);
    }
}

TEST_CASE("a payment's status moves by the table and in no other way") {
    const auto ruled = [](std::string_view from, std::string_view to, bool manual) {
        if (from == to)
            return true;
        if (from == "pending")
            return to == "completed" || to == "failed" || to == "cancelled";
        if (from == "failed" || from == "cancelled")
            return to == "completed" || to == "pending";
        if (from == "completed")
            return manual && (to == "pending" || to == "failed" || to == "cancelled");
        return false;
    };
    for (const char* source : {"manual", "gateway", "scheduled", "channel", "import"})
        for (const std::string_view from : payment::status::all)
            for (const std::string_view to : payment::status::all) {
                CAPTURE(source);
                CAPTURE(from);
                CAPTURE(to);
                CHECK(payment::may_change(from, to, source) == ruled(from, to, source == std::string_view("manual")));
            }
}

TEST_CASE("a payment's reference has six digits and grows") {
    CHECK(payment::Payment{.id = 7, .amount = Money::zero(Currency::usd())}.reference() == "PAY-000007");
    CHECK(payment::Payment{.id = 1234567, .amount = Money::zero(Currency::usd())}.reference() == "PAY-1234567");
}
