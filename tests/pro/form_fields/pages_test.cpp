// The page of a booking's details: fields that follow an answer, files of its form, answers of the last booking, and
// those of the lead traveler.
#include "tests/base/website/page_site.hpp"
#include "tests/pro/form_fields/form_site.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct DetailsSite : FieldSite {
    explicit DetailsSite(Database& database) : FieldSite(database), gate(app::make_gate(*base.assembly)) {
        base.assembly->pages.pages.ask([this](const api::InnerRequest& request) { return gate.ask(request); });
    }
    Answered ask_page(const std::string& method, const std::string& target, const std::string& body,
                      const Visitor& visitor) {
        const HttpRequest request{
            .method = method, .target = target, .headers = visitor.headers, .body = body, .peer = "192.0.2.7"};
        const HttpAnswer answer = base.assembly->pages.pages.answer(request);
        return {answer.status, answer.headers, answer.body ? *answer.body : std::string(), {}};
    }
    static Visitor sending(const Visitor& visitor, const std::string& type) {
        return visitor.with("Content-Type", type).with("Origin", "https://example.org");
    }
    Answered form(const std::string& target, const std::string& fields, const Visitor& visitor) {
        return ask_page("POST", target, fields, sending(visitor, "application/x-www-form-urlencoded"));
    }
    // The visitor after the first step, for two travelers.
    Visitor begun(const Visitor& visitor = {}, const std::string& more = {}) {
        const auto chosen =
            form("/book/nile-cruise", "date=" + base.day(30) + "&travelers=2&_extras=1" + more, visitor);
        CAPTURE(chosen.text);
        REQUIRE(chosen.status == 303);
        Visitor with = visitor;
        std::string cookies;
        for (const auto& [name, value] : visitor.headers)
            if (name == "Cookie")
                cookies = value + "; ";
        std::erase_if(with.headers, [](const HttpHeader& each) { return each.first == "Cookie"; });
        for (const auto& [name, value] : chosen.headers)
            if (name == "Set-Cookie")
                cookies += value.substr(0, value.find(';')) + "; ";
        return with.with("Cookie", cookies);
    }
    Answered details(const Visitor& visitor, const std::string& fields) {
        return form("/book/nile-cruise/details", fields, visitor);
    }

    app::Gate gate;
};

const auto each_details_site = each_on<DetailsSite>;
const char* const contact =
    "contact_first_name=Ada&contact_last_name=L&contact_email=ada%40example.org&contact_phone=12345&contact_country=GB"
    "&travelers.2.first_name=Bo&travelers.2.last_name=L";
const std::string dives = R"({"id":"dives","type":"checkbox"},{"id":"level","type":"text","show_if":{"field":"dives",
    "operator":"is_checked"}})";

// Whether the page has the field hidden until its script, or the next step, shows it.
bool is_hidden(const std::string& page, const std::string& name) {
    const auto at = page.find("name=\"_asked\" value=\"" + name + "\"");
    REQUIRE(at != std::string::npos);
    return page.substr(0, at).ends_with(" hidden disabled><input type=\"hidden\" ");
}

}  // namespace

TEST_CASE("without a script the next step shows what an answer asks, once, and goes on") {
    each_details_site([](DetailsSite& site) {
        site.ask(form_with(dives));
        const Visitor visitor = site.begun();
        CHECK(is_hidden(site.ask_page("GET", "/book/nile-cruise/details", {}, visitor).text, "contact_level"));
        CHECK(site.details(visitor, contact).status == 303);
        const auto again = site.details(visitor, contact + std::string("&contact_dives=1"));
        CHECK(again.status == 400);
        CHECK_FALSE(is_hidden(again.text, "contact_level"));
        CHECK(has(again.text, "name=\"_offered\" value=\"contact_level\""));
        // It was offered and is optional: left empty it is an answer, too.
        CHECK(site.details(visitor, contact + std::string("&contact_dives=1&_offered=contact_level&contact_level="))
                  .status == 303);
        // By the script of the page it was shown at once.
        CHECK(site.details(visitor, contact + std::string("&contact_dives=1&_asked=contact_level&contact_level=A"))
                  .status == 303);
        // A box that is not ticked any more hides it again.
        CHECK(site.details(visitor, contact).status == 303);
        CHECK(is_hidden(site.ask_page("GET", "/book/nile-cruise/details", {}, visitor).text, "contact_level"));
    });
}

TEST_CASE("a form with a file is read, the file is named on the page, and a bad one is refused at its field") {
    each_details_site([](DetailsSite& site) {
        site.ask(form_with(R"({"id":"proof","type":"file","required":true})"));
        const Visitor visitor = site.begun();
        const auto page = site.ask_page("GET", "/book/nile-cruise/details", {}, visitor);
        CHECK(has(page.text, "enctype=\"multipart/form-data\""));
        const auto send = [&](const std::string& name, const std::string& bytes) {
            Form form;
            for (const auto& [field, value] :
                 {std::pair("contact_first_name", "Ada"), std::pair("contact_last_name", "L"),
                  std::pair("contact_email", "ada@example.org"), std::pair("contact_phone", "12345"),
                  std::pair("contact_country", "GB"), std::pair("travelers.2.first_name", "Bo")})
                form.field(field, value);
            form.text += "--edge\r\nContent-Disposition: form-data; name=\"contact_proof\"; filename=\"" + name +
                         "\"\r\n\r\n" + bytes + "\r\n";
            return site.ask_page("POST", "/book/nile-cruise/details", form.whole(),
                                 DetailsSite::sending(visitor, "multipart/form-data; boundary=edge"));
        };
        CHECK(send("", "").status == 400);
        const auto refused = send("proof.exe.png", red_dot);
        CHECK(refused.status == 400);
        CHECK(has(refused.text, "id=\"e-contact_proof\""));
        CHECK(send("proof.png", red_dot).status == 303);
        const auto known = site.ask_page("GET", "/book/nile-cruise/details", {}, visitor);
        CHECK(has(known.text, "proof.png"));
        CHECK(has(known.text, "<input type=\"hidden\" name=\"contact_proof\" value=\"file-"));
    });
}

TEST_CASE("a signed-in customer finds the answers of their last booking, but none that is sealed") {
    each_details_site([](DetailsSite& site) {
        site.ask(form_with(R"({"id":"hotel","type":"text"},{"id":"passport_number","type":"text"})",
                           R"({"id":"size","type":"number"})"));
        const Visitor customer = site.base.cookie("svc_customer", true);
        const auto made = site.base.book(
            site.trip, 30,
            json::parse(R"({"contact_hotel":"Ritz","contact_passport_number":"X77","contact_phone":"12345",
                "contact_country":"GB","travelers":[{"first_name":"Ada","last_name":"L","size":"41"}]})")
                .value(),
            customer);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        std::string nonce;
        for (const auto& [name, value] : customer.headers)
            if (name == "X-Host-Nonce")
                nonce = value;
        const Visitor visitor = site.begun(customer, "&_nonce=" + nonce);
        const auto page = site.ask_page("GET", "/book/nile-cruise/details", {}, visitor).text;
        CHECK(has(page, "name=\"contact_hotel\" value=\"Ritz\""));
        CHECK(has(page, "name=\"travelers.1.size\" value=\"41\""));
        CHECK(has(page, "name=\"travelers.2.size\" value=\"\""));
        CHECK_FALSE(has(page, "X77"));
        site.turn(false);
        CHECK_FALSE(has(site.ask_page("GET", "/book/nile-cruise/details", {}, visitor).text, "Ritz"));
    });
}

TEST_CASE("the lead traveler's answers are copied: what people who travel together share") {
    each_details_site([](DetailsSite& site) {
        site.ask(form_with("", R"({"id":"size","type":"number"},{"id":"gender","type":"text"},
            {"id":"allergies","type":"text"},{"id":"eats","type":"text"})"));
        const Visitor visitor = site.begun();
        CHECK(has(site.ask_page("GET", "/book/nile-cruise/details", {}, visitor).text, "name=\"_copy\" value=\"2\""));
        const auto page = site.details(visitor,
                                       "contact_last_name=Lovelace&travelers.1.size=41&travelers.1.gender=female&"
                                       "travelers.1.allergies=nuts&travelers.1.eats=all&travelers.2.eats=fish&_copy=2");
        CHECK(page.status == 200);
        CHECK(has(page.text, "name=\"travelers.2.size\" value=\"41\""));
        CHECK(has(page.text, "name=\"travelers.2.last_name\" value=\"Lovelace\""));
        CHECK(has(page.text, "name=\"travelers.2.eats\" value=\"fish\""));
        CHECK(has(page.text, "name=\"travelers.2.gender\" value=\"\""));
        CHECK(has(page.text, "name=\"travelers.2.allergies\" value=\"\""));
        CHECK(has(page.text, "name=\"travelers.2.first_name\" value=\"\""));
        site.turn(false);
        CHECK_FALSE(has(site.ask_page("GET", "/book/nile-cruise/details", {}, visitor).text, "_copy"));
    });
}
