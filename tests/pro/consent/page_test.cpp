// The page /consent/{token} without JavaScript: what it shows, what it refuses at its fields, and what it stores.
#include "shared/core/uri.hpp"
#include "tests/pro/consent/signer.hpp"

namespace svc::tests {
namespace {

struct Shown {
    int status = 0;
    std::string text = {}, cache = {}, location = {};
    [[nodiscard]] bool holds(std::string_view part) const { return text.find(part) != std::string::npos; }
};

struct Page : Signer {
    explicit Page(const Database& database) : Signer(database), gate(app::make_gate(*assembly)) {
        assembly->pages.pages.ask([this](const api::InnerRequest& request) { return gate.ask(request); });
    }
    Shown page(std::string_view method, const std::string& path, const std::string& form = {}) {
        auto& pages = assembly->pages.pages;
        const std::vector<HttpHeader> headers{{"Host", "boots.example"},
                                              {"Origin", "https://boots.example"},
                                              {"User-Agent", "Plain browser"},
                                              {"Content-Type", "application/x-www-form-urlencoded"}};
        const HttpRequest request{
            .method = method, .target = path, .headers = headers, .body = form, .peer = "192.0.2.7"};
        pages.written();
        const HttpAnswer answer = pages.answer(request);
        Shown shown{.status = answer.status, .text = answer.body ? *answer.body : std::string()};
        for (const auto& [name, value] : answer.headers) {
            if (name == "Cache-Control")
                shown.cache = value;
            if (name == "Location")
                shown.location = value;
        }
        return shown;
    }
    Shown open(const std::string& token) { return page("GET", "/consent/" + token); }
    Shown send(const std::string& token, const std::map<std::string, std::string>& fields) {
        std::string form;
        for (const auto& [name, value] : fields)
            form += (form.empty() ? "" : "&") + text::uri_component(name) + "=" + text::uri_component(value);
        return page("POST", "/consent/" + token, form);
    }
    app::Gate gate;
};

const auto each_page = each_on<Page>;

const std::map<std::string, std::string> good{
    {"a_agrees", "1"}, {"signer_name", "Ada Lovelace"}, {"signature_typed", "Ada Lovelace"}, {"signing_as", "self"},
    {"agree", "1"},    {"shown_seconds", "42"},         {"time_zone", "Europe/London"}};

std::map<std::string, std::string> with(std::map<std::string, std::string> more) {
    more.insert(good.begin(), good.end());
    return more;
}

}  // namespace

TEST_CASE("the page shows the words, the trip and a typed signature, is kept by nobody, and signs nothing by a GET") {
    each_page([](Page& base) {
        const auto token = base.asked(base.form(), base.booking());
        const auto shown = base.open(token);
        REQUIRE(shown.status == 200);
        CHECK(shown.cache == "private, no-store");
        for (const char* part : {"I take part at my own risk.", "I can swim", "Shoe size", "Nile cruise",
                                 "name=\"signature_typed\"", "name=\"agree\"", "value=\"Ada Lovelace\""})
            CHECK_MESSAGE(shown.holds(part), part);
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consents") == 0);
        CHECK(base.request(base.last_request())["viewed_at"].is_string());
    });
}

TEST_CASE("a typed form without JavaScript is stored with the visitor's address, browser and time, and thanks") {
    each_page([](Page& base) {
        const auto token = base.asked(base.form(), base.booking());
        const auto done = base.send(token, with({{"a_shoe", "38"}}));
        CHECK(done.status == 303);
        CHECK(done.location == "/consent/" + token + "?done=1");
        const auto signed_copy = base.read("/consent/signed")[std::size_t{0}];
        const auto copy = base.read(Signer::path("/consent/signed/", signed_copy["id"].integer()));
        CHECK(copy["signature_type"].text() == "typed");
        CHECK(copy["ip_address"].text() == "192.0.2.7");
        CHECK(copy["user_agent"].text() == "Plain browser");
        CHECK(copy["shown_seconds"].integer() == 42);
        CHECK(copy["time_zone"].text() == "Europe/London");
        CHECK(copy["form_data"]["agrees"].boolean());
        const auto thanks = base.page("GET", "/consent/" + token + "?done=1");
        CHECK(thanks.status == 200);
        CHECK(thanks.holds("Thank you"));
        CHECK(thanks.holds("/consent/form/" + token + "/pdf"));
        const auto again = base.open(token);
        CHECK(again.status == 200);
        CHECK(again.holds("Already signed"));
        // Sent a second time, it is signed once.
        CHECK(base.send(token, with({{"a_shoe", "38"}})).holds("Already signed"));
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consents") == 1);
    });
}

TEST_CASE("what is missing is said at its field and above the form, and what was typed stays") {
    each_page([](Page& base) {
        const auto token = base.asked(base.form(), base.booking());
        const auto refused = base.send(token, {{"a_shoe", "large & wide"}, {"signer_name", "Ada L."}});
        CHECK(refused.status == 400);
        for (const char* part :
             {"id=\"faults\"", "href=\"#f-a_agrees\"", "href=\"#f-signature_typed\"", "href=\"#f-agree\"",
              "id=\"e-a_shoe\"", "value=\"large &amp; wide\"", "value=\"Ada L.\"", "aria-describedby=\"e-agree\""})
            CHECK_MESSAGE(refused.holds(part), part);
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consents") == 0);
    });
}

TEST_CASE("who signs is one of two, also where the page's form says something else") {
    each_page([](Page& base) {
        const auto token = base.asked(base.form(), base.booking());
        const std::map<std::string, std::string> odd{
            {"signing_as", "nobody"}, {"minor_name", "Tim Lovelace"}, {"guardian_relation", "mother"}};
        CHECK(base.send(token, with(odd)).status == 400);
        CHECK(base.number("SELECT COUNT(*) FROM svc_signed_consents") == 0);
    });
}

TEST_CASE("a field that is sent twice or as a list is as one that was not sent") {
    each_page([](Page& base) {
        const auto token = base.asked(base.form(), base.booking());
        const std::string path = "/consent/" + token;
        for (const char* form : {"signer_name=Ada&signer_name=Eva", "signer_name%5B%5D=Ada", "a_shoe%5Bx%5D=1"})
            CHECK_MESSAGE(base.page("POST", path, form).status == 400, form);
        REQUIRE(base.send(token, good).status == 303);
        CHECK(base.page("GET", path + "?done=1&done=1").status == 200);
    });
}

TEST_CASE("the evidence says when the page was opened, not when its form was sent") {
    each_page([](Page& base) {
        const auto token = base.asked(base.form(), base.booking());
        REQUIRE(base.open(token).status == 200);
        base.run("UPDATE svc_consent_requests SET last_viewed_at = 1000000");
        REQUIRE(base.send(token, with({{"a_shoe", "38"}})).status == 303);
        CHECK(base.number("SELECT opened_at FROM svc_signed_consents") == 1000000);
    });
}

TEST_CASE("a drawn signature comes through the page's form, and one that is no picture is refused at its field") {
    each_page([](Page& base) {
        const auto token = base.asked(base.form(), base.booking());
        const auto refused =
            base.send(token, with({{"way", "drawn"}, {"signature_data", "data:text/html;base64,PGI+"}}));
        CHECK(refused.status == 400);
        CHECK(refused.holds("href=\"#f-signature_typed\""));
        CHECK_FALSE(refused.holds("<b>"));
        CHECK(base.send(token, with({{"way", "drawn"}, {"signature_data", drawn}})).status == 303);
        CHECK(base.texts("SELECT signature_type FROM svc_signed_consents") == std::vector<std::string>{"drawn"});
    });
}

TEST_CASE("a minor's form asks for a guardian alone, with relation and both names") {
    each_page([](Page& base) {
        const std::string birth = base.day(-9 * 365);
        const auto token = base.asked(
            base.form(),
            base.booking(R"([{"first_name":"Allegra","last_name":"Byron","date_of_birth":")" + birth + "\"}]"));
        const auto shown = base.open(token);
        CHECK(shown.holds("A parent or guardian signs."));
        CHECK(shown.holds("value=\"Allegra Byron\""));
        CHECK_FALSE(shown.holds("value=\"self\""));
        const std::map<std::string, std::string> by_guardian{
            {"signing_as", "guardian"}, {"signer_name", "George Byron"}, {"minor_name", "Allegra Byron"}};
        const auto refused = base.send(token, with(by_guardian));
        CHECK(refused.status == 400);
        CHECK(refused.holds("href=\"#f-guardian_relation\""));
        std::map<std::string, std::string> complete = by_guardian;
        complete.emplace("guardian_relation", "Father");
        CHECK(base.send(token, with(complete)).status == 303);
        const auto copy =
            base.read(Signer::path("/consent/signed/", base.number("SELECT MAX(id) FROM svc_signed_consents")));
        CHECK(copy["signer_name"].text() == "George Byron");
        CHECK(copy["guardian_relation"].text() == "Father");
        CHECK(copy["minor_name"].text() == "Allegra Byron");
    });
}

TEST_CASE("the page of an unknown link is 404, of an ended one 410 with its reason") {
    each_page([](Page& base) {
        CHECK(base.open(std::string(43, 'x')).status == 404);
        const auto form = base.form();
        const auto booked = base.booking();
        const auto token = base.asked(form, booked);
        REQUIRE(base.call("DELETE", Signer::path("/consent/requests/", base.last_request()), {}, base.admin()).status ==
                200);
        const auto revoked = base.open(token);
        CHECK(revoked.status == 410);
        CHECK(revoked.holds("This request was taken back"));
        CHECK(base.send(token, good).status == 410);
        const auto other = base.asked(form, base.booking());
        base.run("UPDATE svc_consent_requests SET expires_at = 1, ends_with_trip = 0 WHERE status = 'pending'");
        const auto expired = base.open(other);
        CHECK(expired.status == 410);
        CHECK(expired.holds("The time to sign is over."));
        base.turn(false);
        CHECK(base.open(other).status == 404);
        base.turn(true);
    });
}

TEST_CASE("the page is in the booking's language") {
    each_page([](Page& base) {
        const auto booked = base.booking();
        base.run("UPDATE svc_bookings SET locale = 'de'");
        const auto shown = base.open(base.asked(base.form(), booked));
        CHECK(shown.status == 200);
        CHECK(shown.holds("<html lang=\"de\""));
    });
}

TEST_CASE("no kind of pages takes the first word of a page of Pro: of consents, of landing pages and the others") {
    each_signer([](Signer& base) {
        for (const char* word : {"consent", "discover", "newsletter"})
            for (const char* key : {"trip_base", "account_base", "booking_base", "destination_base"}) {
                CAPTURE(word);
                CAPTURE(key);
                const auto refused = base.put("/settings", Value::object({{key, word}}).dump());
                CHECK(refused.status == 400);
                CHECK(refused.field() == key);
            }
        CHECK(base.put("/settings", R"({"trip_base":"tours"})").status == 200);
    });
}

}  // namespace svc::tests
