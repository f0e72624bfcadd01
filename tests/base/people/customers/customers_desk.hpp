// Customers through the whole base, as staff and account holders reach them.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

namespace svc::tests {

inline json::Value parsed(const std::string& text) { return json::parse(text).value(); }

struct CustomerDesk : TestBase {
    using TestBase::TestBase;
    // A customer that staff create; answers the id.
    std::int64_t made(const std::string& first, const std::string& last, const std::string& email,
                      json::Value more = json::Value::object()) {
        json::Value body = json::Value::object({{"first_name", first}, {"last_name", last}, {"email", email}});
        for (const auto& [name, value] : more.members())
            body.set(name, value);
        const auto answer = post("/customers", body, staff());
        CAPTURE(answer.text);
        REQUIRE(answer.status == 201);
        return answer.data()["id"].integer();
    }
    Answered of(std::int64_t id) { return get("/customers/" + std::to_string(id), staff()); }
    Answered put(const std::string& target, const json::Value& body, const Visitor& who) {
        return call("PUT", target, body.dump(), who);
    }
    std::vector<std::int64_t> ids(const std::string& query) {
        const auto listed = get("/customers?" + query, staff());
        CAPTURE(listed.text);
        REQUIRE(listed.status == 200);
        std::vector<std::int64_t> found;
        for (const json::Value& each : listed.data().items())
            found.push_back(each["id"].integer());
        return found;
    }
    // What the job `customer_search` does each minute.
    json::Value index_search() {
        for (const auto& job : assembly->jobs.all())
            if (job.name == "customer_search")
                return job.run(assembly->clock.now()).value();
        return {};
    }
    // The setting customer_fields: a number, a choice, a day and a box.
    void ask_further_fields() {
        const auto put_done = put("/settings", parsed(R"({"customer_fields":[{"label":"Shoe size","type":"number"},
            {"id":"club","label":"Club","type":"select","options":["Alpine","Seaside"]},
            {"label":"Renewed on","type":"date"},{"label":"Vegan","type":"checkbox"},{"label":"会員"}]})"),
                                  user("administrator"));
        CAPTURE(put_done.text);
        REQUIRE(put_done.status == 200);
    }
    const Visitor& staff() { return user("manager"); }
    std::int64_t customer_of(const GivenBooking& booking) {
        return assembly->store->reading<std::int64_t>([&](store::Session& session) {
            return session.number("SELECT customer_id FROM svc_bookings WHERE id = :id", {{"id", booking.id}});
        });
    }
    std::int64_t events(const char* hook) {
        return assembly->store->reading<std::int64_t>([&](store::Session& session) {
            return session.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = :name", {{"name", hook}});
        });
    }
};

inline void at_each_customer_desk(const std::function<void(CustomerDesk&)>& work) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        CustomerDesk desk(database);
        work(desk);
    });
}

}  // namespace svc::tests
