// Access: every route times every caller, against expectations kept by hand.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "base/people/identity/tokens.hpp"
#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

// A line of expected_access.txt.
struct Expected {
    std::string who;    // everyone, signed_in, owner, own, or capabilities joined by |
    std::string roles;  // letters of the roles let in; "-" none
};

const std::pair<const char*, char> roles[] = {{"administrator", '*'}, {"owner", 'O'},      {"manager", 'M'},
                                              {"sales_agent", 'S'},   {"front_desk", 'F'}, {"guide", 'G'},
                                              {"accountant", 'A'},    {"marketing", 'K'},  {"auditor", 'U'}};

std::map<std::string, Expected> expectations() {
    std::ifstream in(SVC_SOURCE_DIR "/tests/routes/expected_access.txt");
    std::map<std::string, Expected> expected;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string method, path;
        Expected row;
        if (line.empty() || line.front() == '#')
            continue;
        words >> method >> path >> row.who >> row.roles;
        CAPTURE(line);
        CHECK_FALSE(row.roles.empty());
        CHECK(expected.emplace(method + " " + path, row).second);
    }
    return expected;
}

std::string who_of(const api::RouteSpec& route) {
    if (route.who.is_decided())
        return route.who.text().starts_with("the booking's owner") ? "own" : "owner";
    if (route.who.is_public())
        return "everyone";
    std::string joined;
    for (const auto& capability : route.who.capabilities())
        joined += (joined.empty() ? "" : "|") + capability;
    return joined.empty() ? "signed_in" : joined;
}

bool admitted(int status) { return status != 401 && status != 403; }

std::string outcome(int status) {
    return status == 401 ? "401" : status == 403 ? "403" : status >= 500 ? "broken" : "in";
}

}  // namespace

TEST_CASE("the routes and their permissions are those of the hand-written list") {
    on_sqlite([](Walk& walk) {
        auto expected = expectations();
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            const auto found = expected.find(name);
            CHECK(found != expected.end());
            if (found == expected.end())
                continue;
            CHECK(found->second.who == who_of(*route));
            expected.erase(found);
        }
        for (const auto& [name, row] : expected) {
            CAPTURE(name);
            FAIL_CHECK("a line without a route");
        }
    });
}

TEST_CASE("every route refuses strangers and customers without the right, and admits whoever has one of its rights") {
    each_walk([](Walk& walk) {
        int admissions = 0;
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            const auto method = api::name_of(route->method);
            const auto path = Walk::missing(*route);
            const std::string body = !Walk::takes_json(*route) ? ""
                                     : route->who.is_decided() ? Walk::naming(*route, 999999999)
                                                               : "{}";
            if (route->who.is_public())
                continue;
            const auto stranger = walk.call(method, path, body);
            CHECK(stranger.status == 401);
            CHECK(stranger.code() == "svc_unauthorized");
            CHECK_FALSE(stranger.header("WWW-Authenticate").empty());
            for (const auto& capability : route->who.capabilities()) {
                CAPTURE(capability);
                CHECK(admitted(walk.call(method, path, body, walk.holding({capability})).status));
                ++admissions;
            }
            const auto customer = walk.call(method, path, body, walk.holding({}));
            if (route->who.capabilities().empty()) {
                CHECK(admitted(customer.status));
            } else {
                CHECK(customer.code() == "svc_forbidden");
            }
        }
        CHECK(admissions > 30);
    });
}

TEST_CASE("every route and every caller are as in the hand-written list") {
    each_walk([](Walk& walk) {
        walk.fill();
        walk.leaves_what_holds = false;  // what a call has cancelled is there again for the next
        const auto other = walk.given_booking(walk.trip, 30, "Hopper");
        const auto ended = walk.given_booking(walk.trip, 30, "Noether");
        walk.run("UPDATE svc_access_tokens SET expires_at = 1 WHERE id = (SELECT MAX(id) FROM svc_access_tokens)");
        const std::string own_ended =
            walk.assembly->store
                ->transact<std::string>([&](store::Transaction& tx) -> Result<std::string> {
                    return identity::tokens::issue(tx, "booking_guest", "booking", walk.booking.id,
                                                   walk.assembly->clock.now().minus(std::chrono::hours(1)),
                                                   std::chrono::minutes(1));
                })
                .value();
        const auto guest = [](const std::string& token) { return Visitor{}.with("X-Svc-Booking-Token", token); };
        // A session's wrong nonce and a dead credential are refused before the route is asked.
        struct Caller {
            std::string name;
            Visitor visitor;
            char letter;         // of a role; '?' a stranger, '-' a customer, 'c' whose own the booking is,
                                 // '!' refused by the credential
            int refused_by = 0;  // the credential's own refusal
        };
        std::vector<Caller> callers{{"anonymous", {}, '?'},
                                    {"a guest with another booking's token", guest(other.token), 'g'},
                                    {"a guest with another booking's token that has ended", guest(ended.token), 'g'},
                                    {"the booking's guest with a token that has ended", guest(own_ended), 'g'},
                                    {"a guest with nonsense", guest("nonsense"), 'g'},
                                    {"the booking's guest", guest(walk.booking.token), 'b'},
                                    {"customer", walk.user("svc_customer"), '-'},
                                    {"the booking's customer", walk.user("svc_customer"), 'c'},
                                    {"administrator's cookie without nonce", walk.cookie("administrator", false), '?'},
                                    {"administrator's cookie with a wrong nonce",
                                     walk.cookie("administrator", false).with("X-Host-Nonce", "wrong"), '!', 403},
                                    {"administrator's revoked password", walk.revoked("administrator"), '!', 401}};
        for (const auto& [role, letter] : roles)
            callers.push_back({role, walk.user(role), letter});

        const auto expect = [](const Expected& row, const Caller& caller) -> std::string {
            const bool by_token = row.who == "owner" || row.who == "own";
            const bool is_public = row.who == "everyone" || by_token;
            // A cookie with a wrong nonce is a stranger's where strangers may call; a dead password is refused first.
            if (caller.letter == '!' && (caller.refused_by == 401 || !is_public))
                return std::to_string(caller.refused_by);
            if (row.who == "everyone")
                return "in";
            if (caller.letter == '!')
                return "401";
            if ((caller.letter == 'b' || caller.letter == 'c') && by_token)
                return "in";
            if (caller.letter == 'g' && by_token)
                return "403";
            if (std::string("?gb").find(caller.letter) != std::string::npos)
                return "401";
            if (row.who == "own")
                return "404";
            return row.roles.find(caller.letter) != std::string::npos || row.who == "signed_in" ? "in" : "403";
        };
        const auto expected = expectations();
        int cells = 0, mismatches = 0;
        const auto compare = [&](const std::string& cell, const std::string& right, const std::string& got) {
            ++cells;
            if (right == got)
                return;
            ++mismatches;
            MESSAGE(cell << ": expected " << right << ", got " << got);
        };
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            const auto row = expected.find(name);
            if (row == expected.end())
                continue;  // told by the case above
            const bool decided = route->who.is_decided();
            // Where a booking is its owner's alone, that others do not find it is what is asked.
            const auto told = [&](int status) {
                return status == 404 && row->second.who == "own" ? std::string("404") : outcome(status);
            };
            const auto method = api::name_of(route->method);
            const auto body_for = [&](std::int64_t booking_id) -> std::string {
                return !Walk::takes_json(*route) ? "" : decided ? Walk::naming(*route, booking_id) : "{}";
            };
            for (const auto& caller : callers) {
                const auto path = decided ? walk.existing(*route) : Walk::missing(*route);
                const auto belong_to = [&](const std::string& user) {
                    walk.run(
                        ("UPDATE svc_bookings SET user_id = " + user + " WHERE id = " + std::to_string(walk.booking.id))
                            .c_str());
                };
                if (caller.letter == 'c')
                    belong_to(std::to_string(caller.visitor.user_id));
                compare(name + " / " + caller.name, expect(row->second, caller),
                        told(walk.call(method, path, body_for(walk.booking.id), caller.visitor).status));
                if (caller.letter == 'c')
                    belong_to("NULL");
                if (!decided)
                    continue;
                // The caller who may cancel the booking has done so; the next caller finds it as it was.
                if (Walk::writes(*route)) {
                    walk.run("UPDATE svc_access_tokens SET revoked_at = NULL");
                    walk.run("UPDATE svc_bookings SET status = 'confirmed' WHERE status = 'cancelled'");
                }
                // A missing record answers as another's: ids cannot be probed.
                auto right = expect(row->second, caller);
                if (caller.letter == 'b' || (caller.letter == 'c' && row->second.who == "owner"))
                    right = "403";
                if (caller.letter == 'c' && row->second.who == "own")
                    right = "404";
                compare(name + " missing / " + caller.name, right,
                        told(walk.call(method, Walk::missing(*route), body_for(999999999), caller.visitor).status));
            }
        }
        std::set<std::string> modules;
        for (const auto& route : walk.routes())
            if (!route->module.empty())
                modules.insert(route->module);
        for (const std::string& module : modules) {
            CAPTURE(module);
            REQUIRE(walk.assembly->modules.toggle(module, false, walk.admin().user_id));
        }
        for (const auto& route : walk.routes()) {
            const std::string body = Walk::takes_json(*route) ? "{}" : "";
            const auto answered =
                walk.call(api::name_of(route->method), Walk::missing(*route), body, walk.user("owner"));
            compare(Walk::name_of(*route) + " / module off", route->module.empty() ? "there" : "svc_no_route",
                    answered.code() == "svc_no_route" ? "svc_no_route" : "there");
        }
        std::cout << "figure: access by " << walk.routes().size() << " routes, " << callers.size() + 1 << " callers, "
                  << cells << " cells, " << mismatches << " mismatches" << std::endl;
        CHECK(mismatches == 0);
        CHECK(cells > 900);
    });
}
