// Whose a booking, an enquiry or a review is: never by the customer record, whatever staff do with records.
#include <set>

#include "tests/base/people/my_account/account_desk.hpp"

namespace svc::tests {
namespace {

using json::Value;
using Ids = std::set<std::int64_t>;

struct PeopleDesk : AccountDesk {
    using AccountDesk::AccountDesk;

    // An account whose address is proven, signed in as a browser is.
    Visitor account(const std::string& login, const std::string& email) {
        REQUIRE(assembly->identity.service.accounts().add_user(login, email, "svc_customer", TestBase::password));
        return signed_in(email);
    }
    Visitor signed_in(const std::string& email) {
        const auto in = post("/auth/login", Value::object({{"username", email}, {"password", TestBase::password}}));
        REQUIRE(in.status == 200);
        const auto cookie = in.header("Set-Cookie");
        Visitor visitor;
        visitor.user_id = in.data()["user_id"].integer();
        return visitor.with("Cookie", cookie.substr(0, cookie.find(';')))
            .with("X-Host-Nonce", in.data().text_or("nonce"));
    }
    std::int64_t booked(std::int64_t trip, const std::string& email, const Visitor& by = {}, const Value& more = {}) {
        Value body = Value::object({{"trip_id", trip}, {"travel_date", day(30)}, {"contact_email", email}});
        if (!by.user_id) {
            const auto session = post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", day(30)}}));
            body = Value::object({{"session_id", session.data().text_or("session_id")}, {"contact_email", email}});
        }
        if (more.is_object())
            for (const auto& [name, value] : more.members())
                body.set(name, value);
        const auto made = post("/booking/create", filled_in(std::move(body)), by);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data()["booking_id"].integer();
    }
    std::int64_t record_of(const std::string& email) {
        const auto found = get("/customers?search=" + email, staff());
        REQUIRE(found.data().size() == 1);
        return found.data().items()[0]["id"].integer();
    }
    Answered merged(std::int64_t source, std::int64_t target, const char* account = nullptr) {
        Value body = Value::object({{"source_id", source}, {"target_id", target}});
        if (account)
            body.set("confirm_account", account);
        return post("/customers/merge", body, staff());
    }
    void moved_to(const Visitor& who, const std::string& email) {
        const Value change = Value::object({{"email", email}, {"current_password", TestBase::password}});
        later();
        REQUIRE(post("/customers/me/email", change, who).status == 200);
        const auto done = post("/customers/me/email/confirm",
                               Value::object({{"token", mailed("account_email_change_request")}}), who);
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
    }

    static Ids ids_in(const Value& list, const char* member) {
        Ids ids;
        for (const Value& each : list.items())
            ids.insert(each[member].integer());
        return ids;
    }
    // Each way in which an account comes to a booking shows these and no other: lists, reading, acting, the export.
    void sees(const Visitor& who, const Ids& own) {
        CHECK(ids_in(get("/customers/my-bookings", who).data(), "id") == own);
        for (const char* list : {"/customers/my-payments", "/customers/my-documents"})
            for (const std::int64_t id : ids_in(get(list, who).data(), "booking_id"))
                CHECK_MESSAGE(own.contains(id), list);
        for (std::int64_t id = 1; id <= number("SELECT MAX(id) FROM svc_bookings"); ++id) {
            CAPTURE(id);
            const std::string path = "/customers/my-bookings/" + std::to_string(id);
            CHECK(get(path, who).status == (own.contains(id) ? 200 : 404));
            if (!own.contains(id))
                CHECK(post(path + "/cancel", Value::object(), who).status == 403);
        }
        const auto email = get("/auth/me", who).data()["user"]["email"].text();
        const auto file = assembly->privacy.exported(email);
        REQUIRE(file);
        CHECK(ids_in((*file)["bookings"], "id") == own);
        const auto profile = get("/customers/me", who);
        CHECK(profile.data()["total_bookings"].integer() == static_cast<std::int64_t>(own.size()));
    }
};

void at_each_people_desk(const std::function<void(PeopleDesk&)>& work) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        PeopleDesk desk(database);
        work(desk);
    });
}

TEST_CASE("no merge, change of address, sign-in or edit of records shows an account a booking that is not its own") {
    at_each_people_desk([](PeopleDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_departure(trip);
        const auto victims = desk.booked(trip, "victim@example.org");
        const auto planted = desk.booked(trip, "eve@example.org");
        const auto second = desk.booked(trip, "eve2@example.org");
        // Neither has an account, so nothing seems to be at stake.
        REQUIRE(desk.merged(desk.record_of("victim@example.org"), desk.record_of("eve@example.org")).status == 200);
        const Visitor eve = desk.account("eve", "eve@example.org");
        desk.sees(eve, {planted});
        // The other way round: the planted record goes into the victim's.
        const auto others = desk.booked(trip, "other@example.org");
        REQUIRE(desk.merged(desk.record_of("eve2@example.org"), desk.record_of("other@example.org")).status == 200);
        desk.moved_to(eve, "eve2@example.org");
        desk.sees(eve, {planted, second});
        // Staff, or an import, write the account's next address into the record of somebody else.
        const auto third = desk.booked(trip, "third@example.org");
        REQUIRE(desk.put("/customers/" + std::to_string(desk.record_of("third@example.org")),
                         Value::object({{"email", "eve3@example.org"}}), desk.staff())
                    .status == 200);
        desk.moved_to(eve, "eve3@example.org");
        desk.sees(eve, {planted, second});
        desk.sees(desk.signed_in("eve3@example.org"), {planted, second});
        // The next booking by an address that was merged is not the account's either.
        const auto next = desk.booked(trip, "victim@example.org");
        desk.sees(desk.signed_in("eve3@example.org"), {planted, second});
        // Each belongs to whoever proves its own address.
        desk.sees(desk.account("victim", "victim@example.org"), {victims, next});
        desk.sees(desk.account("other", "other@example.org"), {others});
        desk.sees(desk.account("third", "third@example.org"), {third});
    });
}

TEST_CASE("a merge that shows an account another address's bookings needs the account's name, and then gives them") {
    at_each_people_desk([](PeopleDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_departure(trip);
        const auto victims = desk.booked(trip, "victim@example.org");
        const Visitor eve = desk.account("eve", "eve@example.org");
        REQUIRE(desk.put("/customers/me", parsed(R"({"first_name":"Eve","phone":"+44 20 7946 0001"})"), eve).status ==
                200);
        const auto source = desk.record_of("victim@example.org"), target = desk.record_of("eve@example.org");
        for (const auto& [from, to] : {std::pair(source, target), std::pair(target, source)}) {
            const auto preview =
                desk.get("/customers/merge?source_id=" + std::to_string(from) + "&target_id=" + std::to_string(to),
                         desk.staff());
            CHECK(preview.data()["shown_to_account"]["account"].text() == "eve@example.org");
            CHECK(preview.data()["shown_to_account"]["other"].text() == "victim@example.org");
            CHECK(preview.data()["shown_to_account"]["bookings"].integer() == 1);
            const auto refused = desk.merged(from, to);
            CHECK(refused.status == 409);
            CHECK(refused.code() == "account_link_confirmation_required");
            CHECK(refused.data()["account"].text() == "eve@example.org");
            CHECK(desk.merged(from, to, "victim@example.org").field() == "confirm_account");
        }
        desk.sees(eve, {});
        REQUIRE(desk.merged(source, target, "Eve@example.org").status == 200);
        desk.sees(eve, {victims});
    });
}

TEST_CASE(
    "what an account booked and asked stays its own when it changes its address, and is nobody's who proves the old") {
    at_each_people_desk([](PeopleDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_departure(trip);
        const Visitor ann = desk.account("ann", "ann-a@example.org");
        const auto own = desk.booked(trip, "ann-a@example.org", ann);
        const auto asked = [&](const std::string& from) {
            REQUIRE(desk.post("/enquiries", Value::object({{"name", "Ann"}, {"email", from}, {"message", "A cot?"}}))
                        .status == 201);
        };
        asked("ann-a@example.org");
        desk.moved_to(ann, "ann-b@example.org");
        const auto tickets = [&](const Visitor& who) {
            return desk.get("/customers/my-support-tickets", who).data().size();
        };
        CHECK(tickets(ann) == 1);
        const Visitor stranger = desk.account("stranger", "ann-a@example.org");
        desk.sees(stranger, {});
        CHECK(tickets(stranger) == 0);
        const auto file = desk.assembly->privacy.exported("ann-a@example.org");
        REQUIRE(file);
        CHECK(file->dump().find("A cot?") == std::string::npos);
        // Nor does the stranger's erasure reach them, but staff see that it names somebody.
        desk.run("UPDATE svc_bookings SET travel_date = '2020-01-01', end_date = '2020-01-02', status = 'completed'");
        const auto erased = desk.assembly->privacy.erase("ann-a@example.org");
        REQUIRE(erased);
        CHECK(erased->maybe_integer("bookings_of_others") == 1);
        desk.sees(ann, {own});
        CHECK(tickets(ann) == 1);
        const auto kept = desk.get("/bookings/" + std::to_string(own), desk.staff());
        CHECK(kept.data()["customer_email"].text() == "ann-a@example.org");
        CHECK(kept.data()["needs_attention"].boolean());
    });
}

TEST_CASE("a booking that an account makes for another address is the account's, also for export and erasure") {
    at_each_people_desk([](PeopleDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_departure(trip);
        const Visitor secretary = desk.account("secretary", "secretary@example.org");
        const auto made = desk.booked(trip, "boss@example.org", secretary);
        const Visitor boss = desk.account("boss", "boss@example.org");
        desk.sees(boss, {});
        desk.sees(secretary, {made});
        // Given by staff it is the other's, and only customers' accounts can be given one.
        const auto give = [&](Value user) {
            return desk.put("/bookings/" + std::to_string(made), Value::object({{"user_id", std::move(user)}}),
                            desk.staff());
        };
        CHECK(give(Value(desk.user("administrator").user_id)).field() == "user_id");
        CHECK(give(Value(desk.user("guide").user_id)).field() == "user_id");
        REQUIRE(give(Value(boss.user_id)).status == 200);
        desk.sees(boss, {made});
        desk.sees(secretary, {});
    });
}

TEST_CASE("an account that had only proven a booking's contact address loses the booking with that address") {
    at_each_people_desk([](PeopleDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_departure(trip);
        const auto guests = desk.booked(trip, "typo@example.org");
        const Visitor typo = desk.account("typo", "typo@example.org");
        const auto made = desk.booked(trip, "typo@example.org", typo);
        desk.sees(typo, {guests, made});
        for (const std::int64_t id : {guests, made})
            REQUIRE(desk.put("/bookings/" + std::to_string(id), Value::object({{"contact_email", "right@example.org"}}),
                             desk.staff())
                        .status == 200);
        desk.sees(typo, {made});
        desk.sees(desk.account("right", "right@example.org"), {guests});
    });
}

TEST_CASE(
    "a stranger's booking changes nothing in the record of a known address, and one by a merged address finds it") {
    at_each_people_desk([](PeopleDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_departure(trip);
        const auto eva = desk.made("Eva", "Byte", "eva@example.org");
        const auto guests = desk.booked(trip, "eva@example.org");
        CHECK(desk.of(eva).data()["phone"].text().empty());
        CHECK(desk.of(eva).data()["country"].text().empty());
        const auto target = desk.made("Eva", "King", "king@example.org");
        REQUIRE(desk.merged(eva, target).status == 200);
        CHECK(desk.of(target).data()["former_emails"].items().front().text() == "eva@example.org");
        const auto next = desk.booked(trip, "EVA@example.org");
        CHECK(desk.customer_of({.id = guests}) == target);
        CHECK(desk.customer_of({.id = next}) == target);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_customers") == 1);
        // A block holds for the former address as well.
        REQUIRE(
            desk.put("/customers/" + std::to_string(target), parsed(R"({"status":"blocked"})"), desk.staff()).status ==
            200);
        const auto session =
            desk.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", desk.day(30)}}));
        CHECK(
            desk.post("/booking/create", filled_in(Value::object({{"session_id", session.data().text_or("session_id")},
                                                                  {"contact_email", "eva@example.org"}})))
                .code() == "customer_blocked");
        // Staff who enter the address again are shown the record; a duplicate mailbox is found.
        const auto again =
            desk.post("/customers", parsed(R"({"first_name":"Eva","email":"eva@example.org"})"), desk.staff());
        CHECK(again.code() == "email_exists");
        const auto tagged = desk.made("Eva", "Tagged", "eva+trip@example.org");
        const auto found = desk.get("/customers/duplicates", desk.staff());
        REQUIRE(found.data().size() == 1);
        CHECK(PeopleDesk::ids_in(found.data().items()[0]["customers"], "id") == Ids{target, tagged});
        // The address of a record that was merged proves nothing: its account gets a record of its own.
        const Visitor eve = desk.account("eve", "eva@example.org");
        CHECK(desk.get("/customers/me", eve).data()["id"].is_null());
    });
}

}  // namespace
}  // namespace svc::tests
