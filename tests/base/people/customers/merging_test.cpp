// Duplicates of customers and merging them.
#include "tests/base/people/customers/customers_desk.hpp"

namespace svc::tests {
namespace {

using json::Value;

Value merge_pair(std::int64_t source, std::int64_t target) {
    return Value::object({{"source_id", source}, {"target_id", target}});
}

std::string reason_of(const Value& groups, std::int64_t first, std::int64_t second) {
    for (const Value& each : groups.items())
        if (each["customers"].size() == 2 && each["customers"].items()[0]["id"] == Value(first) &&
            each["customers"].items()[1]["id"] == Value(second))
            return each["reason"].text();
    return {};
}

TEST_CASE("customers with one mailbox, telephone, or name and birthday are listed as duplicates") {
    at_each_customer_desk([](CustomerDesk& desk) {
        const auto plain = desk.made("Ada", "One", "ada.l@gmail.com");
        const auto tagged = desk.made("Ida", "Two", "a.dal+trips@gmail.com");
        const auto phone = desk.made("Eva", "Three", "eva@example.org", parsed(R"({"phone":"+44 (0)20 7946-0000"})"));
        const auto other = desk.made("Uwe", "Four", "uwe@example.org", parsed(R"({"phone":"02079460000"})"));
        const auto born = desk.made("José", "Five", "jose@example.org", parsed(R"({"date_of_birth":"1990-01-02"})"));
        const auto twin = desk.made("jose", "FIVE", "j@example.org", parsed(R"({"date_of_birth":"1990-01-02"})"));
        desk.made("Jose", "Five", "third@example.org", parsed(R"({"date_of_birth":"1991-01-02"})"));
        const auto found = desk.get("/customers/duplicates", desk.staff());
        CAPTURE(found.text);
        CHECK(found.data().size() == 3);
        CHECK(reason_of(found.data(), plain, tagged) == "email");
        CHECK(reason_of(found.data(), phone, other) == "phone");
        CHECK(reason_of(found.data(), born, twin) == "name_and_birthday");
    });
}

TEST_CASE("a merge moves what is the source's, fills in blanks alone, and its preview changes nothing") {
    at_each_customer_desk([](CustomerDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_departure(trip);
        const auto booking = desk.given_booking(trip);
        const auto source = desk.customer_of(booking);
        const auto target = desk.made("Augusta", "King", "augusta@example.org", parsed(R"({"tags":["VIP"]})"));
        desk.put("/customers/" + std::to_string(source), parsed(R"({"city":"London","tags":["old"],"notes":"n"})"),
                 desk.staff());
        desk.ask_further_fields();
        for (const auto& [customer, fields] : {std::pair{source, R"({"fields":{"shoe_size":40,"club":"Alpine"}})"},
                                               {target, R"({"fields":{"club":"Seaside"}})"}})
            REQUIRE(desk.put("/customers/" + std::to_string(customer), parsed(fields), desk.staff()).status == 200);
        const auto before = desk.row_counts();
        const auto preview =
            desk.get("/customers/merge?source_id=" + std::to_string(source) + "&target_id=" + std::to_string(target),
                     desk.staff());
        CAPTURE(preview.text);
        CHECK(preview.data()["moved"]["bookings"].integer() == 1);
        CHECK(preview.data()["result"]["city"].text() == "London");
        CHECK(desk.row_counts() == before);
        const auto merged = desk.post("/customers/merge", merge_pair(source, target), desk.staff());
        CAPTURE(merged.text);
        REQUIRE(merged.status == 200);
        CHECK(merged.data()["first_name"].text() == "Augusta");
        CHECK(merged.data()["email"].text() == "augusta@example.org");
        CHECK(merged.data()["fields"] == parsed(R"({"shoe_size":"40","club":"Seaside"})"));
        CHECK(merged.data()["city"].text() == "London");
        CHECK(merged.data()["tags"].size() == 2);
        CHECK(merged.data()["total_bookings"].integer() == 1);
        CHECK(desk.customer_of(booking) == target);
        CHECK(desk.of(source).status == 404);
    });
}

TEST_CASE("a customer is merged neither with itself, nor with nobody, nor across two accounts") {
    at_each_customer_desk([](CustomerDesk& desk) {
        const auto ada = desk.made("Ada", "Lovelace", "ada@example.org");
        const auto eva = desk.made("Eva", "Byte", "eva@example.org");
        const auto before = desk.row_counts();
        const auto itself = desk.post("/customers/merge", merge_pair(ada, ada), desk.staff());
        CHECK(itself.status == 400);
        CHECK(itself.field() == "target_id");
        CHECK(desk.post("/customers/merge", merge_pair(ada, 4711), desk.staff()).status == 404);
        desk.user("svc_customer");
        desk.user("guide");
        desk.run("UPDATE svc_customers SET user_id = id");
        CHECK(desk.post("/customers/merge", merge_pair(ada, eva), desk.staff()).status == 409);
        CHECK(desk.of(ada).status == 200);
        CHECK(desk.of(eva).status == 200);
        CHECK(before.at("svc_customers") == 2);
    });
}

TEST_CASE("an account goes along with a merge, and a block stays") {
    at_each_customer_desk([](CustomerDesk& desk) {
        const auto holder = desk.user("svc_customer");
        const auto login = desk.get("/auth/me", holder).data()["user"]["email"].text();
        const auto source =
            desk.made("Ada", "Lovelace", login, parsed(R"({"confirm_link_existing":true,"status":"blocked"})"));
        const auto target = desk.made("Eva", "Byte", "eva@example.org");
        auto pair = merge_pair(source, target);
        CHECK(desk.post("/customers/merge", pair, desk.staff()).code() == "account_link_confirmation_required");
        pair.set("confirm_account", login);
        const auto merged = desk.post("/customers/merge", pair, desk.staff());
        CAPTURE(merged.text);
        CHECK(merged.data()["user_id"] == Value(holder.user_id));
        CHECK(merged.data()["status"].text() == "blocked");
    });
}

}  // namespace
}  // namespace svc::tests
