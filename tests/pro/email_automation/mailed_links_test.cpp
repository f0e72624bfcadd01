// The links in e-mails of the Pro edition: each is in the table of mailed links, and copies lack what it proves.
#include "base/messaging/templates/mailed_links.hpp"

#include <set>

#include "base/messaging/templates/merge_tags.hpp"
#include "tests/pro/email_automation/automated.hpp"

namespace svc::tests {
namespace {

using json::Value;

std::set<std::string> parts_of(std::string_view list) {
    std::set<std::string> parts;
    while (!list.empty()) {
        const auto end = std::min(list.find(", "), list.size());
        parts.emplace(list.substr(0, end));
        list.remove_prefix(std::min(end + 2, list.size()));
    }
    return parts;
}

// Of the base or of a plugin: no plugin may bring another one of that key.
bool is_template(Automated& base, const std::string& key) {
    mails::OfferedTemplate another;
    another.key = key;
    const auto checked = base.assembly->messaging.plugin_mails.check(another);
    return !checked && checked.error().message() == "There is an e-mail " + key + " already.";
}

TEST_CASE("every tag of a plugin that is a link or a token is in the table of mailed links and marked as a secret") {
    each_automated([](Automated& base) {
        const std::set<std::string> plain{"site_url", "admin_url", "admin_booking_url",
                                          "map_url",  "trip_url",  "webhook_url"};  // of e-mails to staff
        std::set<std::string> known, listed, templates_of_table;
        for (const messaging::MailedLink& link : messaging::mailed_links) {
            listed.merge(parts_of(link.tag));
            templates_of_table.merge(parts_of(link.templates));
        }
        for (const messaging::KnownTag& tag : messaging::defined_tags(base.assembly->hooks)) {
            CAPTURE(tag.key);
            known.insert(tag.key);
            if (tag.key.ends_with("_url") || tag.key.ends_with("_link") || tag.key.ends_with("_token"))
                CHECK(listed.contains(tag.key) != plain.contains(tag.key));
            if (tag.key != "details_html")  // the operator's text about paying, which may contain any link
                CHECK(tag.is_secret == messaging::carries_secret(tag.key));
        }
        for (const std::string& tag : listed) {
            CAPTURE(tag);
            CHECK(known.contains(tag));
        }
        CHECK_FALSE(is_template(base, "nothing_like_it"));
        for (const std::string& key : templates_of_table) {
            CAPTURE(key);
            CHECK((key == "customers" || is_template(base, key)));
        }
    });
}

TEST_CASE("copies of marketing lack the token that ends it, and mail programs are offered no such button") {
    each_automated([](Automated& base) {
        REQUIRE(base.put("/settings", R"({"email_always_bcc":"archive@example.org"})").status == 200);
        const auto text = base.given(
            "/email-templates", R"({"name":"News","category":"marketing","subject":"News","body":"<p>New trips</p>"})");
        base.sequence(R"({"trigger_type":"booking.confirmed","steps":[{"template_id":)" +
                      std::to_string(text["id"].integer()) + "}]}");
        const auto booking = base.given_booking(base.trip);
        base.run("UPDATE svc_customers SET marketing_optin = 1");
        base.confirm(booking);
        base.work();
        const auto bodies = base.of_module("to_email || '|' || cc || '|' || bcc || '|' || body_html || body_text");
        REQUIRE(bodies.size() == 2);
        CHECK(bodies[0].find("archive@example.org") == std::string::npos);
        const std::string mark = "rel=\"unsubscribe\" href=\"https://example.org/svc/v1/email-unsubscribe/";
        const auto at = bodies[0].find(mark);
        REQUIRE(at != std::string::npos);
        const auto begin = at + mark.size();
        const std::string token = bodies[0].substr(begin, bodies[0].find('"', begin) - begin);
        CHECK(token.size() > 40);
        CHECK(bodies[1].starts_with("archive@example.org|||"));
        CHECK(bodies[1].find("New trips") != std::string::npos);
        CHECK(bodies[1].find(token) == std::string::npos);
        CHECK(bodies[1].find(token.substr(token.size() / 2)) == std::string::npos);
        CHECK(bodies[1].find("rel=\"unsubscribe\"") == std::string::npos);
        CHECK(bodies[1].find("https://example.org/unsubscribe/\"") != std::string::npos);
    });
}

// The security review's N1 for this row of the table: tests/base/people/my_account/credentials_test.cpp follows the
// base's.
TEST_CASE("ending another address's marketing shows a signed-in account none of that address's bookings") {
    each_automated([](Automated& base) {
        const auto text = base.given(
            "/email-templates", R"({"name":"News","category":"marketing","subject":"News","body":"<p>New trips</p>"})");
        base.sequence(R"({"trigger_type":"booking.confirmed","steps":[{"template_id":)" +
                      std::to_string(text["id"].integer()) + "}]}");
        const auto booking = base.given_booking(base.trip);  // by ada@example.org
        base.run("UPDATE svc_customers SET marketing_optin = 1");
        base.confirm(booking);
        base.work();
        const auto bodies = base.of_module("body_html");
        REQUIRE(bodies.size() == 1);
        const std::string mark = "/svc/v1/email-unsubscribe/";
        const auto begin = bodies.front().find(mark) + mark.size();
        const std::string token = bodies.front().substr(begin, bodies.front().find('"', begin) - begin);
        const Visitor& older = base.user("svc_customer");
        REQUIRE(base.call("POST", "/email-unsubscribe/" + token, "List-Unsubscribe=One-Click",
                          Visitor(older).with("Content-Type", "application/x-www-form-urlencoded"))
                    .status == 200);
        CHECK(base.get("/customers/my-bookings", older).data().size() == 0);
        CHECK(base.get("/customers/my-bookings/" + std::to_string(booking.id), older).status == 404);
    });
}

}  // namespace
}  // namespace svc::tests
