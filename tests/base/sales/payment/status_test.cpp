// The payment status of a booking for its owner, in one statement.
#include "base/sales/payment/routes.hpp"
#include "tests/base/sales/payment/paying_site.hpp"
#include "tests/support/call_route.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

// The site's route, called by whoever holds a secret, and how many statements the last call took.
struct StatusDesk {
    explicit StatusDesk(PayingSite& at) : site(at) {
        payment::add_routes(routes, site.payments, site.bookings.records, site.store, site.settings,
                            booking::Ownership({site.bookings.records, site.store, limits, site.clock}), site.refunds);
    }

    std::string token_of(std::int64_t booking_id, std::chrono::hours lives = std::chrono::hours(24)) {
        return site.real
            ->transact<std::string>([&](store::Transaction& tx) -> Result<std::string> {
                return identity::tokens::issue(tx, "booking_guest", "booking", booking_id, site.clock.now(), lives);
            })
            .value();
    }

    api::Reply status(std::int64_t booking_id, const std::string& secret, const api::Caller& caller = {}) {
        site.store.reset();
        auto reply =
            call_route(routes, "GET", "/payment/status/" + std::to_string(booking_id),
                       {.caller = caller, .headers = {{"X-Svc-Booking-Token", secret}}, .now = site.clock.now()},
                       [](api::Request& request) {
                           auto admitted = request.route->who.admits(request);
                           return admitted ? request.route->handle(request) : api::failed(admitted.error());
                       });
        statements = site.store.statements();
        return reply;
    }
    std::string refused(std::int64_t booking_id, const std::string& secret, const api::Caller& caller = {}) {
        const auto reply = status(booking_id, secret, caller);
        return reply.error ? std::string(reply.error->code().name) : "200";
    }

    PayingSite& site;
    limits::RateLimits limits{site.clock, &site.store};
    api::RouteTable routes;
    int statements = 0;
};

api::Caller staff() {
    api::Caller caller = signed_in(900);
    caller.capabilities = {"svc_view_bookings", "svc_view_customers"};
    return caller;
}

}  // namespace

TEST_CASE("one statement reads a booking's payments and its owner") {
    each_paying_site([](PayingSite& site) {
        StatusDesk desk(site);
        const auto made = site.priced_booking();
        const std::string token = desk.token_of(made.id);
        const auto before = desk.status(made.id, token);
        REQUIRE_FALSE(before.error);
        CHECK(desk.statements == 1);
        CHECK(before.data["payment"].is_null());
        CHECK(before.data["amount_due"].number_text() == "80.00");

        CHECK(site.pay(made.id, "30"));
        const auto paid = site.paid_payment(made.id);
        const auto guest = desk.status(made.id, token);
        REQUIRE_FALSE(guest.error);
        CHECK(desk.statements == 1);
        CHECK(guest.data["payment"]["id"].integer() == paid.id);
        CHECK(guest.data["payment"]["customer_email"].text() == made.email);
        CHECK(guest.data["payment"].find("fee") == nullptr);
        CHECK(guest.data["transaction_id"].text() == *paid.transaction_id);
        CHECK(guest.data["amount_paid"].number_text() == "80.00");
        CHECK(guest.data["payment_status"].text() == "paid");

        const auto for_staff = desk.status(made.id, {}, staff());
        REQUIRE_FALSE(for_staff.error);
        CHECK(desk.statements == 1);
        CHECK(for_staff.data["payment"]["fee"].number_text() == "0.30");
        CHECK(for_staff.data["payment"]["reconciliation"].text() == "matched");
    });
}

TEST_CASE("a wrong, an ended and another booking's token, and one for a booking that is not there, are refused alike") {
    each_paying_site([](PayingSite& site) {
        StatusDesk desk(site);
        const auto made = site.priced_booking(), other = site.priced_booking();
        const std::string token = desk.token_of(made.id), ends = desk.token_of(made.id, std::chrono::hours(1));
        constexpr std::int64_t nobody = 999'999;
        CHECK(desk.refused(made.id, {}) == "svc_unauthorized");
        CHECK(desk.refused(nobody, {}) == "svc_unauthorized");
        CHECK(desk.statements == 0);
        CHECK(desk.refused(other.id, token) == "svc_forbidden");
        CHECK(desk.refused(made.id, std::string(43, 'x')) == "svc_forbidden");
        CHECK(desk.refused(nobody, token) == "svc_forbidden");
        CHECK(desk.refused(made.id, "short") == "svc_forbidden");
        CHECK(desk.refused(made.id, {}, signed_in(901)) == "svc_forbidden");
        CHECK(desk.refused(nobody, {}, signed_in(901)) == "svc_forbidden");
        CHECK(desk.refused(nobody, {}, staff()) == "booking_not_found");
        CHECK(desk.refused(made.id, token, signed_in(901)) == "200");
        CHECK(desk.refused(made.id, ends) == "200");  // and its use renews it
        site.clock.advance(std::chrono::hours(23));
        CHECK(desk.refused(made.id, ends) == "200");
        site.clock.advance(std::chrono::hours(25));
        CHECK(desk.refused(made.id, ends) == "svc_forbidden");
        for (int i = 0; i < 40; ++i)  // one that has ended is no guess
            CHECK(desk.refused(made.id, ends) == "svc_forbidden");
        int limited = 0;
        for (int i = 0; i < 40; ++i)
            limited += desk.refused(nobody, std::string(40, 'y') + std::to_string(100 + i)) == "svc_rate_limited";
        CHECK(limited >= 10);
    });
}
