// Staff's decisions beyond the plain cases: overbooking, tabs, searches, new prices with their codes.
#include <map>

#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Desk {
    explicit Desk(Database& database, int seats = 10) : base(database), boss(base.user("owner")) {
        trip = base.given_trip();
        departure = base.given_departure(trip, 30, seats);
    }
    Answered make(Value more = Value::object(), const Visitor* who = nullptr) {
        Value body = Value::object({{"trip_id", trip},
                                    {"travel_date", base.day(30)},
                                    {"contact_first_name", "Ada"},
                                    {"contact_last_name", "Lovelace"},
                                    {"contact_email", "ada@example.org"}});
        for (auto& [name, value] : more.members())
            body.set(name, value);
        return base.post("/bookings", body, who ? *who : boss);
    }
    std::int64_t id_of(Value more = Value::object()) {
        const auto made = make(std::move(more));
        if (made.status != 201)
            throw std::logic_error(made.text);
        return made.data()["id"].integer();
    }
    static std::string path(std::int64_t id) { return "/bookings/" + std::to_string(id); }
    Answered put(const std::string& path, const Value& body, const Visitor* who = nullptr) {
        return base.call("PUT", path, body.dump(), who ? *who : boss);
    }
    Answered list(const std::string& query) { return base.get("/bookings" + query, boss); }
    std::vector<std::int64_t> ids(const std::string& query) {
        std::vector<std::int64_t> found;
        const Answered answered = list(query);
        for (const Value& row : answered.data().items())
            found.push_back(row["id"].integer());
        return found;
    }
    std::int64_t seats() { return base.number("SELECT booked_count FROM svc_departures"); }

    TestBase base;
    Visitor boss;
    std::int64_t trip = 0, departure = 0;
};

void each_desk(const std::function<void(Desk&)>& body, int seats = 10) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Desk desk(database, seats);
        body(desk);
    });
}

Value forced(Value more = Value::object()) {
    more.set("force", true);
    return more;
}

}  // namespace

TEST_CASE("who may manage departures overbooks by force, making a booking or bringing one back, and nobody else") {
    each_desk(
        [](Desk& desk) {
            const auto first = desk.id_of(Value::object({{"travelers_count", 2}}));
            CHECK(desk.make().code() == "sold_out");
            const Visitor clerk = desk.base.holding({"svc_create_bookings", "svc_change_booking_status"});
            CHECK(desk.make(forced(), &clerk).status == 403);
            CHECK(desk.seats() == 2);
            const auto second = desk.make(forced());
            CAPTURE(second.text);
            REQUIRE(second.status == 201);
            CHECK(desk.seats() == 3);

            const auto status = [&](const char* to, bool by_force, const Visitor* who = nullptr) {
                const Value body = Value::object({{"status", to}});
                return desk.put(Desk::path(first) + "/status", by_force ? forced(body) : body, who);
            };
            REQUIRE(status("cancelled", false).status == 200);
            CHECK(desk.seats() == 1);
            desk.base.run("UPDATE svc_departures SET capacity_override = 0, capacity = 1, status = 'full'");
            CHECK(status("pending", false).code() == "sold_out");
            CHECK(status("pending", true, &clerk).status == 403);
            CHECK(desk.seats() == 1);
            CHECK(status("pending", true).data()["status"].text() == "pending");
            CHECK(desk.seats() == 3);
            CHECK(desk.base.number("SELECT capacity_override FROM svc_departures") == 1);
        },
        2);
}

TEST_CASE("lists return each tab's count and their total, whatever changes") {
    each_desk([](Desk& desk) {
        std::vector<std::int64_t> made;
        for (int i = 0; i < 5; ++i)
            made.push_back(desk.id_of());
        desk.put(Desk::path(made[0]) + "/status", Value::object({{"status", "confirmed"}}));
        desk.put(Desk::path(made[1]) + "/status", Value::object({{"status", "cancelled"}}));
        desk.base.call("DELETE", Desk::path(made[2]), {}, desk.boss);
        desk.base.call("DELETE", Desk::path(made[3]) + "?force=true", {}, desk.boss);
        const auto check = [&] {
            const Value meta = desk.list("").body["meta"];
            CHECK(meta["total"].integer() == 3);
            CHECK(meta["counts"]["all"].integer() == 3);
            CHECK(meta["counts"]["pending"].integer() == 1);
            CHECK(meta["counts"]["confirmed"].integer() == 1);
            CHECK(meta["counts"]["cancelled"].integer() == 1);
            CHECK(meta["counts"]["trash"].integer() == 1);
            CHECK(meta["counts"]["waitlist"].integer() == 0);
            CHECK(desk.list("?status=all").body["meta"]["total"].integer() == 3);
            CHECK(desk.list("?status=cancelled").body["meta"]["total"].integer() == 1);
            CHECK(desk.ids("?status=cancelled") == std::vector{made[1]});
            CHECK(desk.ids("?status=trash") == std::vector{made[2]});
        };
        check();
        REQUIRE(desk.base.assembly->bookings.upkeep.add_up_counts());
        check();
        REQUIRE(desk.base.assembly->bookings.upkeep.add_up_counts());
        check();
        // By other conditions they are of those.
        const auto trip = desk.list("?trip_id=" + std::to_string(desk.trip) + "&status=pending").body["meta"];
        CHECK(trip["total"].integer() == 1);
        CHECK(trip["counts"]["all"].integer() == 3);
        CHECK(desk.list("?trip_id=999999").body["meta"]["counts"]["all"].integer() == 0);
        desk.put(Desk::path(made[0]), Value::object({{"payment_status", "paid"}}));
        const auto unpaid = desk.list("?payment_status=pending").body["meta"];
        CHECK(unpaid["total"].integer() == 2);
        CHECK(unpaid["counts"]["all"].integer() == 2);
        CHECK(unpaid["counts"]["trash"].integer() == 1);
        CHECK(unpaid["counts"]["confirmed"].integer() == 0);
        CHECK(desk.ids("?payment_status=paid") == std::vector{made[0]});
        CHECK(desk.ids("?payment_status=pending") == std::vector{made[4], made[1]});
        CHECK(desk.ids("?payment_status=pending&status=cancelled") == std::vector{made[1]});
        CHECK(desk.ids("?payment_status=pending&status=all") == std::vector{made[4], made[1]});
        CHECK(desk.ids("?payment_status=pending&search=lovelace") == std::vector{made[4], made[1]});
        CHECK(desk.list("?payment_status=refunded").body["meta"]["counts"]["all"].integer() == 0);
    });
}

TEST_CASE("the list of one customer's bookings, its counts and its total are of theirs alone") {
    each_desk([](Desk& desk) {
        std::vector<std::int64_t> made;
        for (int i = 0; i < 4; ++i)
            made.push_back(desk.id_of());
        const auto other = desk.id_of(Value::object({{"contact_email", "other@example.org"}}));
        desk.put(Desk::path(made[0]) + "/status", Value::object({{"status", "confirmed"}}));
        desk.put(Desk::path(made[1]), Value::object({{"payment_status", "paid"}}));
        desk.base.call("DELETE", Desk::path(made[2]), {}, desk.boss);
        const auto of = [](const Answered& booking) {
            return "?customer_id=" + std::to_string(booking.data()["customer_id"].integer());
        };
        const std::string theirs = of(desk.base.get(Desk::path(made[0]), desk.boss));
        const Value meta = desk.list(theirs).body["meta"];
        CHECK(meta["total"].integer() == 3);
        CHECK(meta["counts"]["all"].integer() == 3);
        CHECK(meta["counts"]["confirmed"].integer() == 1);
        CHECK(meta["counts"]["trash"].integer() == 1);
        CHECK(desk.ids(theirs) == std::vector{made[3], made[1], made[0]});
        CHECK(desk.ids(theirs + "&order=asc") == std::vector{made[0], made[1], made[3]});
        CHECK(desk.ids(theirs + "&status=confirmed") == std::vector{made[0]});
        CHECK(desk.ids(theirs + "&status=all&payment_status=pending") == std::vector{made[3], made[0]});
        CHECK(desk.list(theirs + "&payment_status=paid").body["meta"]["counts"]["all"].integer() == 1);
        CHECK(desk.ids(theirs + "&search=ada") == std::vector{made[3], made[1], made[0]});
        CHECK(desk.ids(theirs + "&needs_attention=true").empty());
        CHECK(desk.ids(theirs + "&trip_id=999999").empty());
        CHECK(desk.ids(of(desk.base.get(Desk::path(other), desk.boss))) == std::vector{other});
        CHECK(desk.list("?customer_id=999999").body["meta"]["counts"]["all"].integer() == 0);
    });
}

TEST_CASE("the counts of a list by payment status, trip or days are of what it holds, from any minute to any other") {
    each_desk(
        [](Desk& desk) {
            const auto other = desk.base.given_trip("Another");
            desk.base.given_departure(other, 30, 20);
            const std::int64_t minute = 60'000'000, begin = 1'767'225'600'000'000;  // 2026-01-01T00:00Z
            std::vector<std::int64_t> made;
            for (int i = 0; i < 24; ++i) {
                made.push_back(desk.id_of(i % 3 == 0 ? Value::object({{"trip_id", other}}) : Value::object()));
                // Some at a full hour or day, the others at odd minutes of five days.
                const std::int64_t at = begin + (i % 4 == 0 ? i * 6 * 60 : i * 293) * minute;
                const std::string moved = "UPDATE svc_bookings SET created_at = " + std::to_string(at) +
                                          " WHERE id = " + std::to_string(made.back());
                desk.base.run(moved.c_str());
                if (i == 11)
                    REQUIRE(desk.base.assembly->bookings.upkeep.add_up_counts());
            }
            desk.put(Desk::path(made[0]), Value::object({{"payment_status", "paid"}}));
            desk.put(Desk::path(made[1]) + "/status", Value::object({{"status", "cancelled"}}));
            desk.base.call("DELETE", Desk::path(made[2]), {}, desk.boss);
            desk.base.call("DELETE", Desk::path(made[3]) + "?force=true", {}, desk.boss);
            const auto check = [&](const std::string& query) {
                CAPTURE(query);
                std::map<std::string, std::int64_t> seen;
                const Answered listed = desk.list("?per_page=100&status=all" + query);
                if (listed.field() == "from")
                    return std::size_t{0};  // in some zone the day begins after that moment
                REQUIRE(listed.status == 200);
                const Answered trash = desk.list("?per_page=100&status=trash" + query);
                for (const Answered* part : {&listed, &trash})
                    for (const Value& row : part->data().items())
                        ++seen[row["status"].text()];
                const Value counts = listed.body["meta"]["counts"];
                CHECK(listed.body["meta"]["total"].integer() ==
                      static_cast<std::int64_t>(listed.data().items().size()));
                for (const std::string status : {"pending", "confirmed", "cancelled", "trash", "completed"}) {
                    CAPTURE(status);
                    CHECK(counts[status].integer() == seen[status]);
                }
                return listed.data().items().size() + trash.data().items().size();
            };
            const auto check_all = [&] {
                std::size_t most = 0;
                for (const char* const zone : {"UTC", "Asia/Kolkata", "America/New_York"}) {
                    REQUIRE(desk.put("/settings", Value::object({{"timezone", zone}})).status == 200);
                    for (const char* const one : {"2025-12-31", "2026-01-01", "2026-01-02", "2026-01-01T04:53:00Z",
                                                  "2026-01-02T11:00:00Z", "2026-01-03T00:00:00Z"}) {
                        most = std::max(most, check(std::string("&from=") + one));
                        check(std::string("&to=") + one);
                        for (const char* const end : {"2026-01-02T11:20:00Z", "2026-01-03", "2026-01-01T04:54:00Z"})
                            if (std::string_view(one) <= end)
                                check(std::string("&from=") + one + "&to=" + end);
                    }
                }
                CHECK(most > 20);
                CHECK(check("&payment_status=paid") == 1);
                CHECK(check("&payment_status=pending") == 22);
                CHECK(check("&trip_id=" + std::to_string(other)) == 7);
                CHECK(check("&trip_id=" + std::to_string(desk.trip)) == 16);
                CHECK(check("&payment_status=pending&trip_id=" + std::to_string(other)) == 6);
            };
            check_all();
            REQUIRE(desk.base.assembly->bookings.upkeep.add_up_counts());
            check_all();
        },
        20);
}

TEST_CASE("bookings are found without the marks of their letters") {
    each_desk([](Desk& desk) {
        const auto diaz =
            desk.id_of(Value::object({{"contact_last_name", "D\u00EDaz"}, {"contact_email", "guest@example.net"}}));
        using Ids = std::vector<std::int64_t>;
        for (const char* words : {"Diaz", "diaz", "D%C3%ADaz"})
            CHECK(desk.ids(std::string("?search=") + words) == Ids{diaz});
        CHECK(desk.ids("?search=Dias").empty());
    });
}

TEST_CASE("bookings are found by an address in an international domain, in its letters or in ASCII") {
    each_desk([](Desk& desk) {
        const auto ada = desk.id_of(Value::object({{"contact_email", "ada@m\u00FCller.example"}}));
        using Ids = std::vector<std::int64_t>;
        for (const char* words :
             {"ada%40m%C3%BCller.example", "ADA%40M%C3%9CLLER.example", "m%C3%BCller", "ada%40xn--mller-kva.example"})
            CHECK(desk.ids(std::string("?search=") + words) == Ids{ada});
        CHECK(desk.ids("?search=ada%40miller.example").empty());
    });
}

TEST_CASE("bookings are found by any part of reference, name, e-mail and phone, indexed or not yet") {
    each_desk([](Desk& desk) {
        const auto ada = desk.id_of();
        const auto odd = desk.id_of(Value::object({{"contact_first_name", "Żółć"},
                                                   {"contact_last_name", "O\"Neill_100%"},
                                                   {"contact_email", "zolc@example.net"},
                                                   {"contact_phone", "+48 600 123 456"}}));
        const auto reference = desk.base.get(Desk::path(ada), desk.boss).data()["reference"].text();
        using Ids = std::vector<std::int64_t>;
        const auto check = [&] {
            CHECK(desk.ids("?search=" + reference) == Ids{ada});
            CHECK(desk.ids("?search=" + reference.substr(6)) == Ids{ada});
            CHECK(desk.ids("?search=OVELAC") == Ids{ada});
            CHECK(desk.ids("?search=zolc") == Ids{odd});
            CHECK(desk.ids("?search=o%22neill") == Ids{odd});
            CHECK(desk.ids("?search=_100%25") == Ids{odd});
            CHECK(desk.ids("?search=600%20123") == Ids{odd});
            CHECK(desk.ids("?search=example.") == Ids{odd, ada});
            CHECK(desk.ids("?search=example.&orderby=created_at&order=asc") == Ids{ada, odd});
            CHECK(desk.ids("?search=example.&status=cancelled").empty());
            CHECK(desk.ids("?search=o%22") == Ids{odd});  // too short for the index; no reference has such a mark
            CHECK(desk.ids("?search=nobody").empty());
            const auto meta = desk.list("?search=lovelace&per_page=1").body["meta"];
            CHECK(meta["total"].integer() == 1);
            CHECK(meta["counts"]["pending"].integer() == 1);
        };
        check();
        const Instant later = desk.base.assembly->clock.now().plus(std::chrono::hours(1));
        CHECK((*desk.base.assembly->bookings.upkeep.index_search(later))["indexed"].integer() == 2);
        CHECK((*desk.base.assembly->bookings.upkeep.index_search(later))["indexed"].integer() == 0);
        check();
        // Renamed, it is found by the new name alone; made later, before the job; deleted, no more.
        desk.put(Desk::path(odd), Value::object({{"contact_last_name", "Byron"}}));
        CHECK(desk.ids("?search=neill").empty());
        CHECK(desk.ids("?search=byron") == Ids{odd});
        const auto fresh = desk.id_of(Value::object({{"contact_last_name", "Babbage"}}));
        CHECK(desk.ids("?search=babbage") == Ids{fresh});
        desk.base.call("DELETE", Desk::path(odd) + "?force=true", {}, desk.boss);
        CHECK(desk.ids("?search=byron&status=all").empty());
        CHECK((*desk.base.assembly->bookings.upkeep.index_search(later))["indexed"].integer() == 1);
        CHECK(desk.ids("?search=babbage") == Ids{fresh});
    });
}

TEST_CASE("priced anew a booking keeps its code, and counts as one use of it") {
    each_desk([](Desk& desk) {
        const auto discount =
            desk.base.post("/discounts",
                           json::parse(R"({"code":"SUMMER","type":"percentage","amount":10,"status":"publish",
            "usage_limit":1})")
                               .value(),
                           desk.boss);
        REQUIRE(discount.status == 201);
        const auto id = desk.id_of(Value::object({{"coupon_code", "summer"}, {"travelers_count", 2}}));
        const auto read = [&] { return desk.base.get(Desk::path(id), desk.boss).data(); };
        CHECK(read()["discount_code"].text() == "SUMMER");
        const std::string of_two = read()["discount_amount"].number_text();
        CHECK(of_two != "0.00");
        desk.put(Desk::path(id), Value::object({{"travelers_count", 4}, {"recalculate", true}}));
        const Value four = read();
        CHECK(four["discount_code"].text() == "SUMMER");
        CHECK(Money::parse(four["discount_amount"].number_text(), Currency::usd()).value() ==
              Money::parse(of_two, Currency::usd()).value().times(2));
        const auto uses = [&] {
            return desk.base.number("SELECT COUNT(*) FROM svc_discount_redemptions WHERE status = 'active'");
        };
        CHECK(uses() == 1);
        // Its day being over takes nothing from who had typed it in time; nobody else may use it.
        REQUIRE(desk.put("/discounts/" + std::to_string(discount.data()["id"].integer()),
                         json::parse(R"({"expiry_date":"2020-01-01"})").value())
                    .status == 200);
        REQUIRE(desk.put(Desk::path(id), Value::object({{"recalculate", true}})).status == 200);
        CHECK(read()["discount_code"].text() == "SUMMER");
        CHECK(desk.make(Value::object({{"coupon_code", "SUMMER"}})).status == 400);
        // Taken off by staff it is free again.
        desk.put(Desk::path(id), Value::object({{"coupon_code", ""}, {"recalculate", true}}));
        CHECK(read()["discount_code"].is_null());
        CHECK(read()["discount_amount"].number_text() == "0.00");
        CHECK(uses() == 0);
        desk.put(Desk::path(id) + "/status", Value::object({{"status", "cancelled"}}));
        desk.put(Desk::path(id) + "/status", Value::object({{"status", "pending"}}));
        CHECK(uses() == 0);
        const auto unknown = desk.put(Desk::path(id), Value::object({{"coupon_code", "NONE"}, {"recalculate", true}}));
        CHECK(unknown.code() == "coupon_not_found");
        CHECK(unknown.field() == "coupon_code");
        CHECK(desk.put(Desk::path(id), Value::object({{"discount_code", "SUMMER"}})).field() == "discount_code");
    });
}

TEST_CASE("under a total set by hand subtotal, tax and lines add up to it, whatever it was before") {
    each_desk([](Desk& desk) {
        const auto money = [](const Value& value) {
            return Money::parse(value.number_text(), Currency::usd()).value();
        };
        for (const bool inclusive : {false, true}) {
            CAPTURE(inclusive);
            REQUIRE(desk.put("/settings", Value::object({{"enable_tax", true},
                                                         {"tax_inclusive", inclusive},
                                                         {"multiple_taxes_enabled", true},
                                                         {"multiple_taxes", json::parse(R"([{"name":"VAT","rate":13},
                                                             {"name":"City","rate":10}])")
                                                                                .value()}}))
                        .status == 200);
            const auto id = desk.id_of();
            const Money priced = money(desk.base.get(Desk::path(id), desk.boss).data()["total"]);
            const Money tax = money(desk.base.get(Desk::path(id), desk.boss).data()["tax_amount"]);
            REQUIRE_FALSE(tax.is_zero());
            for (const char* total : {"0", "5", "61.5", "1000"}) {
                CAPTURE(total);
                const auto told = desk.put(Desk::path(id), Value::object({{"manual_total", json::Number{total}}}));
                REQUIRE(told.status == 200);
                const Value& data = told.data();
                const Money now = money(data["total"]);
                CHECK(now == Money::parse(total, Currency::usd()).value());
                CHECK(money(data["tax_amount"]) == tax.share(now.minor(), priced.minor()));
                CHECK(money(data["subtotal"]) + (inclusive ? Money::zero(now.currency()) : money(data["tax_amount"])) ==
                      now);
                Money lines = Money::zero(now.currency()), taxes = lines, breakdown = lines;
                for (const Value& line : data["lines"].items())
                    (line["kind"].text() == "tax" ? taxes : lines) += money(line["amount"]);
                for (const Value& each : data["tax_breakdown"].items())
                    breakdown += money(each["amount"]);
                CHECK(taxes == money(data["tax_amount"]));
                CHECK(breakdown == taxes);
                CHECK((inclusive ? lines : lines + taxes) == now);
            }
        }
    });
}

TEST_CASE("staff change whose record a booking is, and a manager may put many into the trash") {
    each_desk([](Desk& desk) {
        const auto id = desk.id_of();
        const auto other = desk.make(Value::object({{"contact_email", "grace@example.org"}}));
        const Value theirs = Value::object({{"customer_id", other.data()["customer_id"]}});
        const auto changed = desk.put(Desk::path(id), theirs);
        REQUIRE(changed.status == 200);
        CHECK(changed.data()["customer_id"] == other.data()["customer_id"]);
        CHECK(changed.data()["customer_email"].text() == "ada@example.org");
        CHECK(desk.put(Desk::path(id), Value::object({{"customer_id", 98'765}})).field() == "customer_id");
        CHECK(desk.put(Desk::path(id), Value::object({{"payment_gateway", "zz"}})).code() == "invalid_gateway");

        const Visitor manager = desk.base.holding({"svc_change_booking_status"});
        const auto bulk = [&](const char* action) {
            return desk.put("/bookings/bulk", Value::object({{"action", action}, {"ids", Value::array({id})}}),
                            &manager);
        };
        CHECK(bulk("delete").status == 403);
        CHECK(bulk("trash").data()["affected"].integer() == 1);
        CHECK(bulk("restore").status == 403);
    });
}

TEST_CASE("what is not the trip's is refused by its field, in sessions and bookings alike") {
    each_desk([](Desk& desk) {
        const auto session = [&](const char* more) {
            Value body = json::parse(more).value();
            body.set("trip_id", desk.trip);
            return desk.base.post("/booking/session", body);
        };
        CHECK(session(R"({"additional_services":[77]})").field() == "additional_services");
        CHECK(session(R"({"additional_services":[{"id":77,"quantity":2}]})").field() == "additional_services");
        CHECK(session(R"({"additional_services":{"77":1}})").field() == "additional_services");
        CHECK(session(R"({"selected_services":[77]})").field() == "additional_services");  // known, and not the trip's
        CHECK(session(R"({"selected_services":["x"]})").field() == "selected_services");
        CHECK(session(R"({"selected_services":[]})").status == 201);
        CHECK(session(R"({"selected_services":{"x":1}})").field() == "selected_services.x");
        CHECK(session(R"({"selected_services":{"77":"many"}})").field() == "selected_services.77");
        CHECK(session(R"({"traveler_counts":{"abc":1}})").field() == "traveler_counts.abc");
        CHECK(session(R"({"traveler_counts":{"0":0}})").field() == "traveler_counts");
        CHECK(session(R"({"traveler_counts":{"0":2}})").data()["travelers_count"].integer() == 2);
        const auto open = session("{}").data()["session_id"].text();
        const auto changed = desk.base.call("PUT", "/booking/session?session_id=" + open,
                                            R"({"session_id":")" + open + R"(","additional_services":[77]})");
        CHECK(changed.status == 400);
        CHECK(changed.field() == "additional_services");
        CHECK(desk.make(Value::object({{"additional_services", Value::array({Value(77)})}})).field() ==
              "additional_services");
        CHECK(desk.seats() == 0);
    });
}

TEST_CASE("a booking for a customer is of a published trip, and its party one that the trip takes, changed too") {
    each_desk([](Desk& desk) {
        const auto draft = desk.base.post("/trips", Value::object({{"title", "Not yet"}}), desk.boss);
        for (const std::int64_t trip : {draft.data()["id"].integer(), std::int64_t{4711}}) {
            const auto made = desk.make(Value::object({{"trip_id", trip}}));
            CHECK(made.status == 400);
            CHECK(made.field() == "trip_id");
        }
        const auto id = desk.id_of();
        REQUIRE(desk.put("/trips/" + std::to_string(desk.trip), Value::object({{"max_travelers", 2}})).status == 200);
        const auto grown = desk.put(Desk::path(id), Value::object({{"travelers_count", 3}}));
        CHECK(grown.status == 400);
        CHECK(grown.code() == "group_size");
        CHECK(desk.put(Desk::path(id), Value::object({{"travelers_count", 2}})).status == 200);
        CHECK(desk.seats() == 2);
    });
}

TEST_CASE("a booking that has ended is sent back as it was read, its party by categories too") {
    each_desk([](Desk& desk) {
        const auto id = desk.id_of();
        REQUIRE(desk.put(Desk::path(id) + "/status", Value::object({{"status", "cancelled"}})).status == 200);
        const auto read = desk.base.get(Desk::path(id), desk.boss).data();
        CHECK(desk.put(Desk::path(id), Value::object({{"traveler_counts", read["traveler_counts"]}})).status == 200);
        CHECK(desk.put(Desk::path(id), Value::object({{"travelers_count", read["travelers_count"]}})).status == 200);
        const auto moved = desk.put(Desk::path(id), Value::object({{"travelers_count", 2}}));
        CHECK(moved.status == 409);
        CHECK(desk.seats() == 0);
    });
}

TEST_CASE("staff write what was paid into a booking: what is not recorded yet becomes a payment by hand") {
    each_desk([](Desk& desk) {
        const auto id = desk.id_of(Value::object({{"amount_paid", 10}}));
        const auto write = [&](int amount) {
            return desk.put(Desk::path(id), Value::object({{"amount_paid", amount}}));
        };
        CHECK(write(10).status == 200);
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_payments") == 1);
        const auto more = write(40);
        CHECK(more.data()["amount_paid"].number_text() == "40.00");
        CHECK(more.data()["payment_status"].text() == "partial");
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_payments WHERE amount_minor = 3000") == 1);
        for (const int wrong : {39, 100'000})
            CHECK(write(wrong).field() == "amount_paid");
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_payments") == 2);
        // A form sends the sum it was told along with what it changes.
        Value whole = Value::object({{"payment_status", "paid"}, {"amount_paid", 40}});
        const auto settled = desk.put(Desk::path(id), whole);
        REQUIRE(settled.status == 200);
        CHECK(settled.data()["amount_paid"] == settled.data()["total"]);
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_payments") == 3);
    });
}

TEST_CASE(
    "many bookings are deleted as one is: to the trash, then permanently; by force at once, with one event each") {
    each_desk([](Desk& desk) {
        const auto id = desk.id_of(), at_once = desk.id_of();
        const auto deletes = [&] {
            return desk.put("/bookings/bulk", Value::object({{"action", "delete"}, {"ids", Value::array({Value(id)})}}))
                .data()["affected"]
                .integer();
        };
        CHECK(deletes() == 1);
        CHECK(desk.base.get(Desk::path(id), desk.boss).data()["status"].text() == "trash");
        CHECK(deletes() == 1);
        CHECK(desk.base.get(Desk::path(id), desk.boss).status == 404);
        const auto told = [&] {
            return desk.base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_booking_deleted'");
        };
        const auto before = told();
        CHECK(desk.base.call("DELETE", Desk::path(at_once) + "?force=true", {}, desk.boss).status == 200);
        CHECK(told() == before + 1);
        CHECK(desk.seats() == 0);
    });
}

TEST_CASE("an empty field of a form, sent as null, is as if it were not sent") {
    each_desk([](Desk& desk) {
        const Value empty = json::parse(R"({"total": null, "tax_rate": null, "tax_amount": null, "amount_paid": null,
                                            "itinerary_costs": null, "travelers": null})")
                                .value();
        const auto made = desk.make(empty);
        REQUIRE(made.status == 201);
        const auto plain = desk.make();
        CHECK(made.data()["total"] == plain.data()["total"]);
        const auto path = Desk::path(made.data()["id"].integer());
        const Value before = desk.base.get(path, desk.boss).data();
        Value edit = empty;
        edit.erase("amount_paid");
        REQUIRE(desk.put(path, edit).status == 200);
        const Value after = desk.base.get(path, desk.boss).data();
        for (const char* name : {"total", "tax_rate", "travelers", "itinerary_costs", "amount_paid"})
            CHECK(after[name] == before[name]);
    });
}

TEST_CASE("a booking returns its taxes, its payments, its price in words and the time of its expiry") {
    each_desk([](Desk& desk) {
        REQUIRE(desk.put("/settings", json::parse(R"({"enable_tax":true,"tax_rate":12.5})").value()).status == 200);
        REQUIRE(desk.base.assembly->bookings.upkeep.expire_unpaid(desk.base.assembly->clock.now()));
        desk.base.assembly->settings.reload();
        const auto made = desk.make();
        CHECK(made.data()["tax_rate"].number_text() == "12.5");
        CHECK(made.data()["discount_code"].is_null());
        CHECK(made.data()["total_formatted"].text().starts_with("USD "));
        const auto path = Desk::path(made.data()["id"].integer());
        const auto read = [&] { return desk.base.get(path, desk.boss).data(); };
        CHECK(read()["tax_breakdown"].size() == 1);
        CHECK(read()["payments"].size() == 0);
        const auto created = Instant::parse(read()["created_at"].text()).value();
        CHECK(Instant::parse(read()["expires_at"].text()).value() == created.plus(std::chrono::hours(24)));
        REQUIRE(
            desk.base
                .post(
                    path + "/payments",
                    json::parse(R"({"amount":1,"gateway":"cash","status":"completed","transaction_id":"T-1"})").value(),
                    desk.boss)
                .status == 201);
        CHECK(read()["payments"].size() == 1);
        CHECK(read()["payment_transaction_id"].text() == "T-1");
        CHECK(read()["expires_at"].is_null());
    });
}

TEST_CASE("a summary writes each of its sums out, and its tax in few words") {
    each_desk([](Desk& desk) {
        const auto open = desk.base.post(
            "/booking/session",
            Value::object({{"trip_id", desk.trip}, {"travel_date", desk.base.day(30)}, {"travelers", 7}}));
        const auto summary = desk.base.get("/booking/summary?session_id=" + open.data()["session_id"].text()).data();
        for (const auto& [name, value] : summary.members())
            if (name.ends_with("_total") || name.ends_with("_amount") || name.ends_with("_due") || name == "subtotal")
                CHECK_MESSAGE(summary[name + "_formatted"].is_string(), name);
        CHECK(summary["tax"]["total"].number_text() == "0.00");
        CHECK(summary["final_total_formatted"].text().starts_with("USD "));
    });
}
