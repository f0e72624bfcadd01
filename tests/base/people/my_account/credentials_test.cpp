// One's own password and e-mail address.
#include <algorithm>
#include <set>

#include "base/messaging/templates/mailed_links.hpp"
#include "tests/base/people/my_account/account_desk.hpp"

namespace svc::tests {
namespace {

using json::Value;

Value passwords(const std::string& current, const std::string& next) {
    return Value::object({{"current_password", current}, {"new_password", next}});
}

TEST_CASE("a password is changed by who knows the present one, and other sessions end") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto here = desk.cookie("svc_customer", true), there = desk.cookie("svc_customer", true);
        const auto wrong = desk.put("/customers/me/password", passwords("not it", "a fresh pass phrase"), here);
        CHECK(wrong.status == 400);
        CHECK(wrong.field() == "current_password");
        CHECK(desk.put("/customers/me/password", passwords(TestBase::password, "short"), here).field() ==
              "new_password");
        CHECK(desk.get("/auth/me", there).status == 200);
        REQUIRE(desk.put("/customers/me/password", passwords(TestBase::password, "a fresh pass phrase"), here).status ==
                200);
        CHECK(desk.get("/auth/me", here).status == 200);
        CHECK(desk.get("/auth/me", there).status == 401);
        CHECK(desk.get("/auth/me", desk.holder).status == 200);  // application passwords stay
        const auto sign_in = [&](const std::string& with) {
            return desk.post("/auth/login", Value::object({{"username", desk.address}, {"password", with}})).status;
        };
        CHECK(sign_in(TestBase::password) == 401);
        CHECK(sign_in("a fresh pass phrase") == 200);
    });
}

TEST_CASE("ten wrong passwords in a quarter of an hour are taken, the next is refused, be it right") {
    at_each_account_desk([](AccountDesk& desk) {
        for (int tried = 0; tried < 10; ++tried)
            CHECK(desk.put("/customers/me/password", passwords("not it", "a fresh pass phrase"), desk.holder).status ==
                  400);
        const auto refused =
            desk.put("/customers/me/password", passwords(TestBase::password, "a fresh pass phrase"), desk.holder);
        CHECK(refused.status == 429);
        CHECK(refused.code() == "too_many_attempts");
    });
}

TEST_CASE("an address changes when the link mailed to the new one is used, and the old one is notified") {
    at_each_account_desk([](AccountDesk& desk) {
        REQUIRE(desk.change(parsed(R"({"first_name":"Ada","last_name":"Lovelace"})")).status == 200);
        const auto asked = desk.ask_for("New@Example.org");
        CAPTURE(asked.text);
        REQUIRE(asked.status == 200);
        CHECK(asked.data()["pending_email"].text() == "New@Example.org");
        CHECK(desk.get("/customers/me", desk.holder).data()["email"].text() == desk.address);
        CHECK(desk.get("/customers/me", desk.holder).data()["pending_email"].text() == "New@Example.org");
        CHECK(desk.mails("account_email_change_request", "New@Example.org") == 1);
        const auto token = desk.mailed("account_email_change_request");

        const auto page = desk.get("/customers/me/email/confirm?token=" + token);
        CHECK(page.status == 200);
        CHECK(page.header("Content-Type") == "text/html; charset=utf-8");
        CHECK(desk.get("/customers/me", desk.holder).data()["email"].text() ==
              desk.address);  // a scanner proves nothing
        const auto done = desk.confirm(token);
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
        CHECK(done.data()["email"].text() == "New@Example.org");
        const auto profile = desk.get("/customers/me", desk.holder);
        CHECK(profile.data()["email"].text() == "New@Example.org");
        CHECK(profile.data()["pending_email"].is_null());
        CHECK(desk.get("/auth/me", desk.holder).data()["user"]["email"].text() == "New@Example.org");
        CHECK(desk.mails("account_email_changed", desk.address) == 1);
        CHECK(desk.confirm(token).code() == "invalid_token");
    });
}

TEST_CASE("an address of another account is answered as any other, and no link is mailed to it") {
    at_each_account_desk([](AccountDesk& desk) {
        desk.user("guide");
        const auto known = desk.ask_for("a_guide@example.org"), unknown = desk.ask_for("nobody@example.org");
        CHECK(known.status == unknown.status);
        CHECK(known.data()["pending_email"].text() == "a_guide@example.org");
        CHECK(desk.mails("account_email_change_request", "a_guide@example.org") == 0);
        CHECK(desk.mails("account_email_change_request", "nobody@example.org") == 1);
    });
}

TEST_CASE("a change of address needs the password, another address, and waits two minutes for its next link") {
    at_each_account_desk([](AccountDesk& desk) {
        CHECK(desk.ask_for("new@example.org", "not it").field() == "current_password");
        CHECK(desk.ask_for("A_SVC_customer@example.org").field() == "email");
        CHECK(desk.ask_for("no address").field() == "email");
        CHECK(desk.post("/customers/me/email/resend", Value::object(), desk.holder).status == 400);
        REQUIRE(desk.ask_for("new@example.org").status == 200);
        desk.later();
        CHECK(desk.post("/customers/me/email/resend", Value::object(), desk.holder).status == 200);
        CHECK(desk.post("/customers/me/email/resend", Value::object(), desk.holder).status == 429);
        CHECK(desk.ask_for("new+1@example.org").status == 429);  // the same mailbox
        CHECK(desk.mails("account_email_change_request", "new@example.org") == 2);
    });
}

TEST_CASE("a cancelled change's link changes nothing, and a forged one is no link") {
    at_each_account_desk([](AccountDesk& desk) {
        REQUIRE(desk.ask_for("new@example.org").status == 200);
        const auto token = desk.mailed("account_email_change_request");
        const auto cancelled = desk.call("DELETE", "/customers/me/email", {}, desk.holder);
        CHECK(cancelled.data()["pending_email"].is_null());
        CHECK(desk.confirm(token).code() == "invalid_token");
        CHECK(desk.confirm("v1.1.99999999999.abc.def").code() == "invalid_token");
        CHECK(desk.get("/customers/me", desk.holder).data()["email"].text() == desk.address);
    });
}

TEST_CASE("a link whose address somebody else took meanwhile is refused") {
    at_each_account_desk([](AccountDesk& desk) {
        REQUIRE(desk.ask_for("a_guide@example.org").status == 200);
        const auto token = desk.mailed("account_email_change_request");
        desk.user("guide");
        CHECK(desk.confirm(token).code() == "email_exists");
    });
}

// What a victim does who follows a mailed link with no session, knowing nothing of the account that caused it.
struct FollowedLink {
    const char* row;  // of the table of mailed links
    void (*follow)(AccountDesk& desk, const GivenBooking& booking);
};

// What follows `before` in the newest e-mail of that template, up to the end of the address.
std::string mailed_after(AccountDesk& desk, const std::string& template_key, std::string_view before) {
    REQUIRE(desk.assembly->hooks.drain());
    open_mails(*desk.assembly->store, *desk.assembly->keyring);
    const auto text = desk.assembly->store->reading<std::optional<std::string>>([&](store::Session& session) {
        return session.first<std::string>(
            "SELECT body_text FROM svc_email_outbox WHERE template_key = :key ORDER BY id DESC LIMIT 1", "t",
            {{"key", template_key}}, [](const store::Row& row) { return row.text(0); });
    });
    CAPTURE(template_key);
    REQUIRE(text);
    const auto at = text->find(before);
    REQUIRE(at != std::string::npos);
    const auto begin = at + before.size();
    return text->substr(begin, text->find_first_of(" \r\n)>]", begin) - begin);
}

void settings(AccountDesk& desk, const char* values) {
    REQUIRE(desk.put("/settings", parsed(values), desk.user("administrator")).status == 200);
}

void set_status(AccountDesk& desk, std::int64_t booking_id, const char* status) {
    const auto done = desk.put("/bookings/" + std::to_string(booking_id) + "/status",
                               Value::object({{"status", status}}), desk.user("administrator"));
    CAPTURE(done.text);
    REQUIRE(done.status == 200);
}

// Each by whoever reads the mailbox, in a browser in which the older account is signed in where that may matter.
const FollowedLink followed_links[] = {
    {"booking",
     [](AccountDesk& desk, const GivenBooking& booking) {
         const auto link = desk.assembly->bookings.records.new_booking_link(booking.id);
         REQUIRE(desk.post("/booking/open", Value::object({{"link", link}}), desk.holder).status == 200);
     }},
    {"pay",
     [](AccountDesk& desk, const GivenBooking& booking) {
         const auto link = desk.assembly->bookings.records.new_pay_link(booking.id);
         REQUIRE(desk.get("/payment/status/" + std::to_string(booking.id),
                          Visitor(desk.holder).with("X-Svc-Booking-Token", link))
                     .status == 200);
     }},
    {"waitlist offer",
     [](AccountDesk& desk, const GivenBooking&) {
         settings(desk, R"({"allow_waitlist":true})");
         const auto trip = desk.given_trip("Alps");
         desk.given_departure(trip, 40, 1);
         const auto first = desk.book(trip, 40, parsed(R"({"contact_email":"bob@example.org"})"));
         REQUIRE(first.status == 201);
         REQUIRE(desk.book(trip, 40, parsed(R"({"contact_email":"ada@example.org","join_waitlist":true})")).status ==
                 201);
         set_status(desk, first.data()["booking_id"].integer(), "cancelled");
         const auto link = mailed_after(desk, "waitlist_offer", "booking_token=");
         REQUIRE(desk.post("/booking/open", Value::object({{"link", link}}), desk.holder).status == 200);
     }},
    {"guest's address",
     [](AccountDesk& desk, const GivenBooking&) {
         settings(desk, R"({"require_guest_email_verification":true})");
         const auto trip = desk.given_trip("Alps");
         desk.given_departure(trip, 40, 5);
         REQUIRE(desk.book(trip, 40, parsed(R"({"contact_email":"ada@example.org"})")).status == 201);
         const auto token = mailed_after(desk, "guest_email_verification", "token=");
         REQUIRE(desk.post("/booking/verify-email", Value::object({{"token", token}}), desk.holder).status == 200);
     }},
    {"review",
     [](AccountDesk& desk, const GivenBooking& booking) {
         for (const char* status : {"confirmed", "completed"})
             set_status(desk, booking.id, status);
         const auto token = reviews::review_token(*desk.assembly->keyring, booking.id, "ada@example.org");
         const auto written = desk.post(
             "/reviews/write", Value::object({{"token", token}, {"rating", 5}, {"content", "Lovely."}}), desk.holder);
         CAPTURE(written.text);
         REQUIRE(written.status == 201);
         CHECK(desk.get("/my-reviews", desk.holder).data().size() == 0);
     }},
    {"credit note",
     [](AccountDesk& desk, const GivenBooking& booking) {
         const auto& admin = desk.user("administrator");
         const auto paid = desk.post(
             "/payments",
             Value::object({{"booking_id", booking.id}, {"amount", 10}, {"gateway", "cash"}, {"status", "completed"}}),
             admin);
         REQUIRE(paid.status == 201);
         const std::string payment = std::to_string(paid.data()["id"].integer());
         REQUIRE(
             desk.post("/payments/" + payment + "/refunds", parsed(R"({"amount":10,"by_hand":true})"), admin).status /
                 100 ==
             2);
         const auto document = desk.get(mailed_after(desk, "booking_refunded", "/svc/v1"), desk.holder);
         REQUIRE(document.status == 200);
         CHECK(document.text.starts_with("%PDF-"));
     }},
    {"account's new address",
     [](AccountDesk& desk, const GivenBooking&) {
         REQUIRE(desk.ask_for("ada@example.org").status == 200);
         const auto token = desk.mailed("account_email_change_request");
         const auto page = desk.get("/customers/me/email/confirm?token=" + token);
         CHECK(page.text.find("a***@example.org") != std::string::npos);
         CHECK(page.text.find("name=\"current_password\"") != std::string::npos);
         const auto alone = desk.confirm(token, "");
         CHECK(alone.status == 400);
         CHECK(alone.field() == "current_password");
         CHECK(desk.confirm(token, "a guess").field() == "current_password");
         const auto by_form = desk.call("POST", "/customers/me/email/confirm", "token=" + token,
                                        Visitor{}.with("Content-Type", "application/x-www-form-urlencoded"));
         CHECK(by_form.status == 400);
         CHECK(by_form.text.find("name=\"current_password\"") != std::string::npos);
         // Signed in to another account is as good as not at all, and so is a program of the account.
         for (const Visitor& who : {desk.cookie("guide", true), desk.holder})
             CHECK(desk.post("/customers/me/email/confirm", Value::object({{"token", token}}), who).status == 400);
     }},
    {"account's address",
     [](AccountDesk& desk, const GivenBooking&) {
         REQUIRE(desk.post("/auth/register", parsed(R"({"first_name":"Eve","email":"ada@example.org",
             "password":"correct horse battery","confirm_password":"correct horse battery"})"))
                     .status == 201);
         REQUIRE(desk.post("/auth/verify-email", Value::object({{"token", desk.mailed("customer_email_verification")},
                                                                {"password", "the owner's own words"}}))
                     .status == 200);
     }},
    {"password",
     [](AccountDesk& desk, const GivenBooking&) {
         REQUIRE(desk.post("/auth/register", parsed(R"({"first_name":"Eve","email":"ada@example.org"})")).status ==
                 201);
         REQUIRE(desk.post("/auth/password/forgot", parsed(R"({"email":"ada@example.org"})")).status == 200);
         REQUIRE(desk.post("/auth/password/reset", Value::object({{"token", desk.mailed("account_password_reset")},
                                                                  {"password", "the owner's own words"}}))
                     .status == 200);
     }},
    {"personal data",
     [](AccountDesk& desk, const GivenBooking&) {
         REQUIRE(
             desk.post("/customers/me/export", Value::object({{"current_password", TestBase::password}}), desk.holder)
                 .status == 200);
         const auto file =
             desk.post("/customers/me/export/confirm", Value::object({{"token", desk.mailed("account_privacy_link")}}));
         CHECK(file.status == 200);
         CHECK(file.body["bookings"].size() == 0);
     }},
    {"erasure", [](AccountDesk& desk, const GivenBooking&) {
         REQUIRE(
             desk.post("/customers/me/erasure", Value::object({{"current_password", TestBase::password}}), desk.holder)
                 .status == 200);
         const auto erased = desk.post("/customers/me/erasure/confirm",
                                       Value::object({{"token", desk.mailed("account_privacy_link")}}));
         CAPTURE(erased.text);
         REQUIRE(erased.status == 200);
         // The other address's booking is untouched.
         CHECK(desk.number("SELECT COUNT(*) FROM svc_bookings WHERE contact_email = 'ada@example.org' AND"
                           " contact_first_name <> ''") == 1);
     }}};

TEST_CASE("no mailed link shows an older session, password or application password another address's bookings") {
    // Of the Pro edition: tests/pro/email_automation/mailed_links_test.cpp and abandoned_bookings/recovery_test.cpp
    // follow them.
    const std::set<std::string_view> of_plugins{"end of marketing", "of modules"};
    for (const messaging::MailedLink& listed : messaging::mailed_links) {
        CAPTURE(listed.name);
        CHECK(std::count_if(std::begin(followed_links), std::end(followed_links), [&](const FollowedLink& link) {
                  return link.row == listed.name;
              }) == (of_plugins.contains(listed.name) ? 0 : 1));
    }
    CHECK(std::size(followed_links) + of_plugins.size() == messaging::mailed_links.size());
    for (const FollowedLink& link : followed_links)
        at_each_account_desk([&](AccountDesk& desk) {
            CAPTURE(link.row);
            const auto given = desk.given_booking(desk.given_trip());  // by ada@example.org
            const auto booking = std::to_string(given.id);
            const auto session = desk.cookie("svc_customer", true), program = desk.holder;
            const auto shows_nothing = [&] {
                for (const Visitor& old : {session, program}) {
                    const auto one = desk.get("/customers/my-bookings/" + booking, old),
                               all = desk.get("/customers/my-bookings", old);
                    CHECK(one.status >= 400);  // 404, or 401 once the account is erased
                    CHECK(one.text.find("ada@example.org") == std::string::npos);
                    if (all.status == 200)
                        CHECK(all.data().size() == 0);
                    else
                        CHECK(all.status == 401);
                }
                CHECK(desk.post("/auth/login",
                                Value::object({{"username", "ada@example.org"}, {"password", TestBase::password}}))
                          .status == 401);
            };
            shows_nothing();
            link.follow(desk, given);
            shows_nothing();
        });
}

TEST_CASE("the page of a new address needs no password where its browser is signed in, and ends the other sessions") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto here = desk.cookie("svc_customer", true), there = desk.cookie("svc_customer", true);
        REQUIRE(desk.ask_for("new@example.org").status == 200);
        const auto token = desk.mailed("account_email_change_request");
        Visitor browser;
        for (const auto& [name, value] : here.headers)
            if (name == "Cookie")
                browser = browser.with(name, value);
        const auto page = desk.get("/customers/me/email/confirm?token=" + token, browser);
        CHECK(page.text.find("name=\"current_password\"") == std::string::npos);
        const auto at = page.text.find("name=\"nonce\" value=\"");
        REQUIRE(at != std::string::npos);
        const auto begin = at + std::string("name=\"nonce\" value=\"").size();
        const auto nonce = page.text.substr(begin, page.text.find('"', begin) - begin);
        const auto form = browser.with("Content-Type", "application/x-www-form-urlencoded");
        // A foreign page has the cookie sent along, but no nonce.
        CHECK(desk.call("POST", "/customers/me/email/confirm", "token=" + token, form).status == 400);
        const auto done = desk.call("POST", "/customers/me/email/confirm", "token=" + token + "&nonce=" + nonce, form);
        CAPTURE(done.text);
        CHECK(done.status == 200);
        CHECK(desk.get("/auth/me", here).data()["user"]["email"].text() == "new@example.org");
        CHECK(desk.get("/auth/me", there).status == 401);
    });
}

TEST_CASE("bookings that the new address made as a guest become the account's, with its record") {
    at_each_account_desk([](AccountDesk& desk) {
        REQUIRE(desk.change(parsed(R"({"first_name":"Augusta"})")).status == 200);
        const auto booking = desk.given_booking(desk.given_trip());  // by ada@example.org
        REQUIRE(desk.ask_for("ada@example.org").status == 200);
        REQUIRE(desk.confirm(desk.mailed("account_email_change_request")).status == 200);
        const auto mine = desk.get("/customers/my-bookings", desk.holder);
        REQUIRE(mine.data().size() == 1);
        CHECK(mine.data().items()[0]["id"] == Value(booking.id));
        const auto profile = desk.get("/customers/me", desk.holder);
        CHECK(profile.data()["first_name"].text() == "Augusta");
        CHECK(profile.data()["total_bookings"].integer() == 1);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_customers") == 1);
    });
}

}  // namespace
}  // namespace svc::tests
