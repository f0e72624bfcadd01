// An account's holder before the whole base: profile, address, password, and what is theirs.
#pragma once

#include "tests/base/people/customers/customers_desk.hpp"
#include "tests/support/open_mails.hpp"

namespace svc::tests {

struct AccountDesk : CustomerDesk {
    explicit AccountDesk(const Database& database) : CustomerDesk(database), holder(user("svc_customer")) {}

    // The booking form asks travelers for their e-mail address.
    void set_traveler_email() {
        json::Value form = get("/settings/booking-form", user("administrator")).data();
        json::Value section = form["traveler_form"], fields = section["fields"];
        fields.push(parsed(R"({"id":"email","type":"email","label":"E-mail","required":false,"enabled":true})"));
        section.set("fields", std::move(fields));
        form.set("traveler_form", std::move(section));
        REQUIRE(put("/settings/booking-form", form, user("administrator")).status == 200);
    }
    Answered change(const json::Value& profile) { return put("/customers/me", profile, holder); }
    Answered ask_for(const std::string& email, const std::string& with = TestBase::password) {
        return post("/customers/me/email", json::Value::object({{"email", email}, {"current_password", with}}), holder);
    }
    Answered confirm(const std::string& token, const std::string& with = TestBase::password) {
        return post("/customers/me/email/confirm", json::Value::object({{"token", token}, {"current_password", with}}));
    }
    // The holder's address is not proven any more.
    void unproven() { execute_for_holder("UPDATE svc_users SET email_verified_at = NULL WHERE id = :id"); }
    void owns(const GivenBooking& booking) {
        execute_for_holder("UPDATE svc_bookings SET user_id = :id WHERE id = :other", booking.id);
    }
    void pays(const GivenBooking& booking) {
        const auto paid =
            post("/payments",
                 json::Value::object(
                     {{"booking_id", booking.id}, {"amount", 10}, {"gateway", "cash"}, {"status", "completed"}}),
                 user("administrator"));
        CAPTURE(paid.text);
        REQUIRE(paid.status == 201);
    }
    void confirm_booking(const GivenBooking& booking) {
        const auto done = put("/bookings/" + std::to_string(booking.id) + "/status",
                              json::Value::object({{"status", "confirmed"}}), user("administrator"));
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
    }
    void execute_for_holder(const std::string& sql, std::int64_t other = 0) {
        REQUIRE(assembly->store->write([&](store::Transaction& tx) -> Result<void> {
            tx.run(sql, {{"id", holder.user_id}, {"other", other}});
            return {};
        }));
    }
    void later() { run("DELETE FROM svc_rate_limits"); }  // as if two minutes had passed
    std::int64_t mails(const std::string& key, const std::string& to) {
        REQUIRE(assembly->hooks.drain());
        return assembly->store->reading<std::int64_t>([&](store::Session& session) {
            return session.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = :key AND to_email = :to",
                                  {{"key", key}, {"to", to}});
        });
    }
    // The token of the link in the latest e-mail of that kind.
    std::string mailed(const std::string& key) {
        REQUIRE(assembly->hooks.drain());
        open_mails(*assembly->store, *assembly->keyring);
        const auto text = assembly->store->reading<std::string>([&](store::Session& session) {
            return session
                .first<std::string>(
                    "SELECT body_text FROM svc_email_outbox WHERE template_key = :key ORDER BY id DESC LIMIT 1", "t",
                    {{"key", key}}, [](const store::Row& row) { return row.text(0); })
                .value();
        });
        const auto begin = text.find("token=") + 6;
        return text.substr(begin, text.find_first_not_of("0123456789abcdefv.", begin) - begin);
    }
    Visitor holder;
    const std::string address = "a_svc_customer@example.org";
};

inline void at_each_account_desk(const std::function<void(AccountDesk&)>& work) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        AccountDesk desk(database);
        work(desk);
    });
}

}  // namespace svc::tests
