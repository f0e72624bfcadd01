// Who has signed and who has not, of a booking and of a departure, and what that means at check-in.
#include "pro/consent/overview.hpp"

#include <algorithm>

#include "tests/pro/consent/signer.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

// Counts statements on their way to the database.
struct Counting : store::Session {
    explicit Counting(store::Session& under) : under(under) {}
    [[nodiscard]] store::Dialect dialect() const override { return under.dialect(); }
    void each(std::string_view sql, store::Columns columns, const store::Params& params,
              const std::function<void(const store::Row&)>& take) override {
        ++statements;
        under.each(sql, columns, params, take);
    }
    std::int64_t run(std::string_view sql, const store::Params& params) override {
        ++statements;
        return under.run(sql, params);
    }
    store::Session& under;
    int statements = 0;
};

const char* const couple = R"([{"first_name":"Ada","last_name":"Lovelace","date_of_birth":"1990-12-10"},
    {"first_name":"Eva","last_name":"Byron","date_of_birth":"1991-01-02"}])";

}  // namespace

TEST_CASE("a booking's status names each traveler and form: unsent, pending, signed") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto booked = base.booking(couple, 2);
        const std::string path = Signer::path("/bookings/", booked.id, "/consent-status");
        Value status = base.read(path);
        CHECK(status["required"].integer() == 2);
        CHECK(status["pending"].integer() == 0);
        CHECK(status["travelers"][std::size_t{0}]["status"].text() == "unsent");
        CHECK(status["travelers"][std::size_t{0}]["name"].text() == "Ada Lovelace");
        const auto token = base.asked(form, booked, "[1]");
        CHECK(base.read(path)["pending"].integer() == 1);
        base.signed_id(token);
        base.asked(form, booked, "[2]");
        status = base.read(path);
        CHECK(status["signed"].integer() == 1);
        CHECK(status["pending"].integer() == 1);
        const Value& ada = status["travelers"][std::size_t{0}];
        CHECK(ada["status"].text() == "signed");
        CHECK(ada["signed_at"].is_string());
        CHECK(ada["form_id"].integer() == form);
        CHECK_FALSE(ada["is_minor"].boolean());
        REQUIRE(base.call("DELETE", Signer::path("/consent/requests/", base.last_request()), {}, base.admin()).status ==
                200);
        CHECK(base.read(path)["travelers"][std::size_t{1}]["status"].text() == "revoked");
        CHECK(base.get("/bookings/99999/consent-status", base.admin()).status == 404);
        CHECK(base.get(path).status == 401);
        CHECK(base.get(path, base.user("svc_customer")).status == 403);
        CHECK(base.get(path, base.holding({"svc_view_bookings", "svc_view_customers"})).status == 200);
    });
}

TEST_CASE("a departure names who has not signed; a guide sees the departures that they guide alone") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto one = base.booking(couple, 2);
        base.booking();
        base.booking("[]", 1, false);
        base.signed_id(base.asked(form, one, "[1]"));
        const std::string path = Signer::path("/consent/departures/", base.departure);
        const Value all = base.read(path);
        CHECK(all["departure"]["start_date"].text() == base.day(5));
        CHECK(all["required"].integer() == 4);
        CHECK(all["signed"].integer() == 1);
        CHECK(all["travelers"].size() == 4);
        CHECK(base.read(path + "?status=unsigned")["travelers"].size() == 3);
        const Value done = base.read(path + "?status=signed");
        REQUIRE(done["travelers"].size() == 1);
        CHECK(done["travelers"][std::size_t{0}]["booking_reference"].text() == one.reference);
        CHECK(base.get(path + "?status=maybe", base.admin()).field() == "status");
        CHECK(base.get("/consent/departures/99999", base.admin()).status == 404);
        const auto guide = base.holding({"svc_view_bookings"});
        const std::string status = Signer::path("/bookings/", one.id, "/consent-status");
        CHECK(base.get(path, guide).status == 404);
        CHECK(base.get(status, guide).status == 404);
        base.run(("UPDATE svc_departures SET guide_user_id = " + std::to_string(guide.user_id)).c_str());
        CHECK(base.get(path, guide).status == 200);
        CHECK(base.get(status, guide).status == 200);
    });
}

TEST_CASE("the check-in filter refuses who has not signed, where the setting says so") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        const auto booked = base.booking(couple, 2);
        static const hooks::Filter filter{"svc_check_in_allowed", {}, json::Kind::object, {}};
        const auto asked = [&](Value travelers) {
            return base.assembly->hooks.apply(filter, Value::object({{"allowed", true}, {"reason", ""}}),
                                              {booked.id, std::move(travelers)});
        };
        CHECK(asked(Value::array())["allowed"].boolean());
        base.set(R"({"consent_blocks_check_in":true})");
        const Value refused = asked(Value::array());
        CHECK_FALSE(refused["allowed"].boolean());
        CHECK(refused["reason"].text() == "A consent form of this traveler is not signed yet.");
        base.signed_id(base.asked(form, booked, "[1]"));
        CHECK(asked(Value::array({1}))["allowed"].boolean());
        CHECK_FALSE(asked(Value::array({2}))["allowed"].boolean());
        CHECK_FALSE(asked(Value::array())["allowed"].boolean());
        base.signed_id(base.asked(form, booked, "[2]"));
        CHECK(asked(Value::array())["allowed"].boolean());
        // What the contact signs holds for everybody.
        base.form(R"({"name":"For the party","send_to":"primary_contact"})");
        CHECK_FALSE(asked(Value::array({1}))["allowed"].boolean());
        base.turn(false);
        CHECK(asked(Value::array())["allowed"].boolean());
    });
}

TEST_CASE("who has not signed of a departure is asked by as many statements for ten bookings as for one") {
    each_signer([](Signer& base) {
        const auto form = base.form();
        std::vector<std::int64_t> bookings;
        for (int made = 0; made < 10; ++made)
            bookings.push_back(base.booking(couple, 2).id);
        base.signed_id(base.asked(form, {bookings.front(), {}, {}}, "[1]"));
        base.assembly->store->read([&](store::Session& session) {
            Counting counting(session);
            const auto forms = pro::consent::published_forms(session);
            const auto all = pro::consent::duties_of(counting, bookings, forms, 18);
            CHECK(all.size() == 20);
            CHECK(counting.statements == 3);
            CHECK(std::count_if(all.begin(), all.end(), [](const auto& each) { return each.is_signed(); }) == 1);
        });
    });
}
