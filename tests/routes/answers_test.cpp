// Routes' own descriptions, and whether their answers match them.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "base/people/identity/registration.hpp"
#include "base/sales/booking/record/verification.hpp"
#include "shared/api/forms.hpp"
#include "shared/api/list_meta.hpp"
#include "tests/routes/openapi.hpp"
#include "tests/routes/walk.hpp"
#include "tests/support/answer_faults.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::set<std::string> released_versions() {
    std::ifstream in(SVC_SOURCE_DIR "/CHANGELOG.md");
    std::set<std::string> versions;
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("## ")) {  // "## Base 3.0.0 (unreleased)"
            const auto version = line.find(' ', 3) + 1;
            versions.insert(line.substr(version, line.find(' ', version) - version));
        }
    return versions;
}

// Whether an answer has an empty text at a place such as "data.rows.1.name", counted from 1.
bool is_empty_text(const json::Value& data, std::string_view place) {
    const json::Value* at = &data;
    for (auto dot = place.find('.'); dot != place.npos;) {
        const auto next = place.find('.', dot + 1);
        const std::string name(place.substr(dot + 1, next == place.npos ? next : next - dot - 1));
        at = at->is_array() ? &(*at)[static_cast<std::size_t>(std::stoul(name) - 1)] : at->find(name);
        if (!at)
            return false;
        dot = next;
    }
    return at->is_string() && at->text().empty();
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return std::tolower(c); });
    return text;
}

std::string media_type_of(const Answered& answered) {
    const std::string type = answered.header("Content-Type");
    return type.substr(0, type.find(';'));
}

// The target with a made-up value for whatever the route's query must hold and the target does not say.
std::string with_required(std::string target, const api::RouteSpec& route) {
    for (const auto& field : route.query.fields())
        if (field.required && target.find("?" + field.name + "=") == target.npos &&
            target.find("&" + field.name + "=") == target.npos) {
            const auto value = field.type.sample();
            target = Walk::asked(target) + field.name + "=" + encoded(value.is_string() ? value.text() : value.dump());
        }
    return target;
}

// The routes whose successes may be something else than JSON's envelope, and all that can be asked of them.
std::vector<std::string> ways_to_ask(const Walk& walk, const api::RouteSpec& route) {
    const std::string path = with_required(walk.existing(route), route);
    std::vector<std::string> targets{path};
    if (const api::Field* format = route.query.find("format"))
        for (const std::string& value : format->type.values)
            targets.push_back(Walk::asked(path) + "format=" + value);
    if (route.query.find("preview"))
        targets.push_back(Walk::asked(path) + "preview=1");
    if (route.path == "/tools/jobs/{job_id}/download")
        targets.push_back("/tools/jobs/" + walk.failed_job + "/download?file=errors");
    return targets;
}

// Members that may be missing, where no answer of the walk lacks them, and when they are.
const std::set<std::string> sometimes_missing{
    "BookingRow.customer_id",        // of a customer of whom the caller may not know whether there is a record,
    "GuidedBookingRow.customer_id",  // as staff do
    "TodayBookings.data",            // where a part cannot be read
    "Download.attachment_id",        // of files that only those who booked may have
    "PriceExplanation.capped",       // where another listener than Pro's changed the price
    "PriceExplanation.rules",        // the same
    "IncludedItem.description"};     // of one that was stored without it

// Calls routes as somebody who may and compares what comes back with what they declare.
class Answers {
  public:
    explicit Answers(Walk& walk) : walk_(walk) {}

    int reads = 0, writes = 0;

    void ask(const api::RouteSpec& route) {
        const auto name = Walk::name_of(route);
        CAPTURE(name);
        const auto answered =
            walk_.call(api::name_of(route.method), target_of(route), body_of(route), caller_of(route));
        CAPTURE(answered.text);
        const bool is_write = Walk::writes(route);
        if (!is_write) {
            // Links that are in e-mails or at a partner alone; the tests of these features follow them.
            static const std::map<std::string, int> elsewhere{{"/abandoned-bookings/recover/{token}", 404},
                                                              {"/google-calendar/callback", 400},
                                                              {"/google-calendar/calendars", 409},
                                                              {"/mailchimp/lists", 409},
                                                              {"/mailchimp/lists/{list_id}/merge-fields", 404},
                                                              {"/mailchimp/webhook/{token}", 404}};
            const auto other = elsewhere.find(route.path);
            CHECK(answered.status == (other == elsewhere.end() ? route.success : other->second));
            CHECK((route.is_list ? route.answer.shape == api::Shape::list : true));
        }
        if (answered.status / 100 == 2)
            check_media(route, answered);
        // A write of made-up fields may be refused for good reasons; what one answers when it is not counts here.
        if (answered.status / 100 != 2 || answered.body["success"].is_null())
            return;
        ++(is_write ? writes : reads);
        if (const auto checked = route.answer.check(answered.data(), "data"); !checked)
            for (const auto& fault : checked.error().fields()) {
                CAPTURE(fault.field);
                // A required text in a body may not be empty; one in an answer may.
                if (fault.sentence != "This field is required." || !is_empty_text(answered.data(), fault.field))
                    FAIL_CHECK(fault.sentence.english());
            }
        for (const auto& fault : answer_faults(route.answer, answered.data(), "data"))
            FAIL_CHECK(fault);
        check_meta(route, answered);
        note_sent(route.answer, answered.data());
    }

    // "Name.field" of each member that every object of a named schema had although it may be missing.
    [[nodiscard]] std::vector<std::string> sent_and_optional() const {
        constexpr int enough = 3;
        std::vector<std::string> fields;
        for (const auto& [name, seen] : sent_)
            for (const auto& [field, times] : seen.optional)
                if (seen.objects >= enough && times == seen.objects)
                    fields.push_back(name + "." + field);
        return fields;
    }

    // Members of lists that can be requested with more.
    static std::string fullest(const api::RouteSpec& route) {
        for (const char* more : {"include_itinerary_meta", "facets"})
            if (route.query.find(more))
                return std::string("?") + more + "=1";
        return {};
    }

    static void check_media(const api::RouteSpec& route, const Answered& answered) {
        const std::string type = media_type_of(answered);
        CAPTURE(type);
        if (type == "application/json" && !answered.body["success"].is_null())
            CHECK(route.enveloped);
        else
            CHECK(std::count(route.files.begin(), route.files.end(), type) == 1);
    }

  private:
    void note_sent(const api::Type& type, const json::Value& value) {
        if (type.shape == api::Shape::list && value.is_array())
            for (const auto& item : value.items())
                note_sent(*type.item, item);
        if (type.shape != api::Shape::object || !value.is_object())
            return;
        Sent* const seen = type.members->name().empty() ? nullptr : &sent_[type.members->name()];
        if (seen)
            ++seen->objects;
        for (const api::Field& field : type.members->fields())
            if (const json::Value* member = value.find(field.name)) {
                if (seen && !field.required)
                    ++seen->optional[field.name];
                note_sent(field.type, *member);
            }
    }

    static void check_meta(const api::RouteSpec& route, const Answered& answered) {
        const json::Value* meta = answered.body.find("meta");
        const api::Schema* more = api::meta_of(route.answer);
        const bool pages = route.is_list || route.query.find("page") ||
                           (route.method == api::Method::get && route.answer.shape == api::Shape::list);
        CHECK((meta != nullptr) == (pages || more != nullptr));
        if (!meta)
            return;
        using api::integer;
        const api::Schema page{{.name = "page", .type = integer(1), .required = pages},
                               {.name = "per_page", .type = integer(0), .required = pages},
                               {.name = "total", .type = integer(0), .required = pages},
                               {.name = "total_pages", .type = integer(0), .required = pages}};
        const api::Type type = api::object(more ? page.plus(*more) : page);
        if (const auto checked = type.check(*meta, "meta"); !checked)
            FAIL_CHECK(checked.error().message().english());
        for (const auto& fault : answer_faults(type, *meta, "meta"))
            FAIL_CHECK(fault);
        // A declared member must occur in an answer, so that somebody checks it.
        if (more)
            for (const auto& field : more->fields()) {
                CAPTURE(field.name);
                CHECK(meta->find(field.name) != nullptr);
            }
    }
    [[nodiscard]] std::string target_of(const api::RouteSpec& route) const {
        return with_required(walk_.existing(route) + fullest(route), route);
    }

    Visitor caller_of(const api::RouteSpec& route) {
        // A nonce is a cookie session's; a checkout session is whose secret is sent; and signing out must end another
        // sign-in than the one that goes on walking.
        if (route.path.starts_with("/auth/nonce") || route.path.starts_with("/auth/logout") ||
            (route.path == "/auth/sessions" && route.method == api::Method::del))
            return walk_.cookie("administrator", true);
        if (route.path == "/customers/my-bookings/{id}")  // shows nobody another one's
            walk_.run(("UPDATE svc_bookings SET user_id = " + std::to_string(walk_.admin().user_id) +
                       " WHERE id = " + std::to_string(walk_.booking.id))
                          .c_str());
        if (!route.path.starts_with("/booking/") || route.who.is_decided())
            return walk_.admin();
        const auto opened = walk_.post("/booking/session", choice());
        REQUIRE(opened.status == 201);
        return Visitor{}.with("X-Svc-Session", opened.data().text_or("session_id"));
    }

    std::string body_of(const api::RouteSpec& route) {
        if (!Walk::takes_json(route) || route.method == api::Method::del)
            return {};
        json::Value body = route.body.sample();
        const auto apply_choice = [&](const json::Value& more) {
            for (const auto& [name, value] : more.members())
                body.set(name, value);
        };
        // Values that cannot be made up: the record of another route, the current time, a word of a table.
        const std::string& path = route.path;
        if (path == "/booking/session" || path == "/booking/summary")
            return choice().dump();
        if (path == "/booking/create" || path == "/booking/validate")
            return filled_in(json::Value::object()).dump();
        if (path == "/booking/coupons")
            return json::Value::object({{"code", "walk"}}).dump();
        if (path == "/discounts" || path == "/discounts/{id}")
            return json::Value::object({{"code", path == "/discounts" ? "ANEW" : "WALK"}, {"amount", 7}}).dump();
        const app::Assembly& parts = *walk_.assembly;
        if (path == "/booking/verify-email")
            return json::Value::object({{"token", booking::Verification(*parts.keyring, parts.hooks)
                                                      .token(walk_.booking.id, "ada@example.org", parts.clock.now())}})
                .dump();
        if (path == "/auth/verify-email" || path == "/auth/password/reset") {
            auto& accounts = walk_.assembly->identity.service.accounts();
            if (!accounts.find("forgetful"))
                REQUIRE(accounts.add_user("forgetful", "forgetful@example.org", "svc_customer", TestBase::password));
            const auto user = accounts.find("forgetful").value();
            return json::Value::object(
                       {{"token",
                         path == "/auth/verify-email"
                             ? identity::AddressProof::token(*parts.keyring, user.id, user.email, parts.clock.now())
                             : parts.identity.address_proof->reset_token(user.id, parts.clock.now())},
                        {"password", TestBase::password}})
                .dump();
        }
        if (path == "/auth/login")
            return json::Value::object({{"username", "a_administrator"}, {"password", TestBase::password}}).dump();
        if (path == "/bookings/{id}/status")
            return json::Value::object({{"status", "confirmed"}}).dump();
        if (path == "/bookings/{id}" || path == "/trips/{id}" || path == "/trips/{trip_id}/departures/{id}" ||
            path == "/availability/{id}")
            return "{}";
        if (path == "/availability")
            return json::Value::object({{"trip_id", walk_.trip}, {"departure_date", walk_.day(45)}, {"seats_total", 4}})
                .dump();
        if (path == "/availability/{id}/duplicate")
            return json::Value::object({{"departure_date", walk_.day(46)}}).dump();
        if (path.starts_with("/recurring-availability") || path.starts_with("/trips/{trip_id}/recurring-rules"))
            return json::Value::object({{"trip_id", walk_.trip},
                                        {"rule_type", "weekly"},
                                        {"recurrence_type", "weekly"},
                                        {"days_of_week", json::Value::array({2})},
                                        {"weekdays", json::Value::array({2})},
                                        {"start_date", walk_.day(1)}})
                .dump();
        if (path == "/payments" || path == "/bookings/{id}/payments")
            return json::Value::object({{"booking_id", walk_.booking.id}, {"amount", 1}, {"gateway", "cash"}}).dump();
        if (path == "/payments/{id}")
            return json::Value::object({{"notes", "seen"}}).dump();
        if (path == "/trips/{trip_id}/departures")
            return json::Value::object({{"start_date", walk_.day(44)}, {"max_capacity", 4}}).dump();
        if (path.starts_with("/trips/{id}/payment-plan"))
            return R"({"kind": "flexible", "parts": [{"percentage": 20, "due": "booking"},
                       {"due": "before_departure", "days": 14}])" +
                   (path.ends_with("/preview") ? R"(, "total": 100, "travel_date": ")" + walk_.day(60) + "\"}" : "}");
        if (path == "/trips/{id}/services")
            return json::Value::object({{"service_ids", json::Value::array({walk_.service})}}).dump();
        if (path.ends_with("bookings/{id}/services"))
            return json::Value::object(
                       {{"selected_services", json::Value::object({{std::to_string(walk_.service), 1}})}})
                .dump();
        if (path == "/additional-services" || path == "/additional-services/{id}")
            apply_choice(json::Value::object({{"trip_ids", json::Value::array({walk_.trip})}}));
        for (const auto& [kind, id] : walk_.classes)
            if (path == kind || path == kind + "/{id}")
                return json::Value::object({{"name", "Answered"}, {"type_id", walk_.classes.at("/item-types")}}).dump();
            else if (path == kind + "/bulk")
                return json::Value::object({{"action", "publish"}, {"ids", json::Value::array({id, 999'999'999})}})
                    .dump();
        if (path == "/enquiries/bulk")
            return json::Value::object(
                       {{"action", "mark_read"}, {"ids", json::Value::array({walk_.enquiry, 999'999'999})}})
                .dump();
        if (path == "/reviews/bulk")
            return json::Value::object(
                       {{"action", "mark_pending"}, {"ids", json::Value::array({walk_.review, 999'999'999})}})
                .dump();
        if (path == "/reviews" || path.starts_with("/trips/{trip_id}/reviews"))
            apply_choice(json::Value::object({{"trip_id", walk_.trip}, {"rating", 5}}));
        if (path.starts_with("/customers"))
            return of_customers(path, body).dump();
        if (path == "/trips/bulk")
            return json::Value::object({{"action", "publish"}, {"ids", json::Value::array({999'999'999})}}).dump();
        if (path == "/trips/{id}/attributes")
            return json::Value::object({{"attribute_id", walk_.classes.at("/attributes")}, {"value", "said"}}).dump();
        if (path == "/license/save")
            return json::Value::object({{"license_key", "ABCD-EFGH-JKLM-NPQR"}}).dump();
        if (path == "/modules/{slug}/toggle")
            apply_choice(json::Value::object({{"enabled", true}}));
        if (path == "/modules/bulk-toggle")
            return json::parse(
                       R"({"items":[{"slug":"additional_services","enabled":true},{"slug":"none","enabled":true}]})")
                .value()
                .dump();
        if (path == "/site/templates/{name}")
            return json::Value::object({{"content", "<div>{{> svc/page-content}}</div>"}}).dump();
        if (path == "/settings/insert-shortcode/{page_id}")
            return "{}";
        if (path == "/email-template-preview" || path == "/email-template-test")
            return json::Value::object({{"template_key", "booking_confirmed"}}).dump();
        if (path == "/settings")
            return json::Value::object({{"company_name", "Ours"}, {"no_such_setting", 1}}).dump();
        return body.dump();
    }

    json::Value of_customers(const std::string& path, const json::Value& body) {
        const auto made = [](const char* email) {
            return json::Value::object({{"first_name", "Dora"}, {"email", email}});
        };
        if (path == "/customers")
            return made("dora@example.org");
        if (path == "/customers/{id}" || path == "/customers/me")
            return json::Value::object({{"city", "Leeds"}});
        if (path == "/customers/bulk")
            return json::Value::object(
                {{"action", "activate"}, {"ids", json::Value::array({walk_.customer, 999'999'999})}});
        if (path == "/customers/merge") {
            const auto source = walk_.post("/customers", made("merged@example.org"), walk_.admin());
            return json::Value::object({{"source_id", source.data()["id"]}, {"target_id", walk_.customer}});
        }
        json::Value sent = body;
        for (const char* password : {"current_password", "new_password"})
            if (sent.find(password))
                sent.set(password, TestBase::password);
        if (sent.find("email"))
            sent.set("email", "walked@example.org");
        return sent;
    }

    [[nodiscard]] json::Value choice() const {
        return json::Value::object({{"trip_id", walk_.trip}, {"travel_date", walk_.day(30)}});
    }

    struct Sent {
        int objects = 0;
        std::map<std::string, int> optional;
    };
    std::map<std::string, Sent> sent_;
    Walk& walk_;
};

}  // namespace

TEST_CASE("every route has a summary that is a sentence and a version that the changelog knows") {
    on_sqlite([](Walk& walk) {
        const auto versions = released_versions();
        REQUIRE_FALSE(versions.empty());
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            CHECK(versions.contains(route->since));
            CHECK(route->summary.size() > 10);
            CHECK(route->summary.ends_with('.'));
            for (const auto& schema : {route->query, route->body})
                for (const auto& field : schema.fields()) {
                    CAPTURE(field.name);
                    CHECK((field.help.empty() || field.help.ends_with('.')));
                }
        }
    });
}

TEST_CASE("every answer is what its route declares: no member more, none that is required left out") {
    each_walk([](Walk& walk) {
        walk.fill();
        Answers answers(walk);
        const auto& routes = walk.routes();
        for (const auto method : {api::Method::post, api::Method::put, api::Method::get})
            for (const auto& route : routes)
                if (route->method == method)
                    answers.ask(*route);
        // Records added last depend on earlier ones, so they are deleted first.
        for (auto route = routes.rbegin(); route != routes.rend(); ++route)
            if ((*route)->method == api::Method::del)
                answers.ask(**route);
        std::cout << "figure: declared answers " << answers.reads << " reads, " << answers.writes << " writes"
                  << std::endl;
        CHECK(answers.reads > 25);
        CHECK(answers.writes > 20);
        // A client made from the document must not have to expect that they are missing.
        for (const std::string& field : answers.sent_and_optional()) {
            CAPTURE(field);
            CHECK(sometimes_missing.contains(field));
        }
    });
}

TEST_CASE("a member that is not declared, a required one that is missing and a null that may not be are found") {
    using namespace api;
    const Type type =
        object({{.name = "id", .type = id(), .required = true},
                {.name = "rows", .type = list(object({{.name = "at", .type = date(), .required = true}}))},
                {.name = "names", .type = map(object({{.name = "text", .type = text(10)}}))},
                {.name = "free", .type = anything()}});
    const auto faults = [&](const char* text) { return answer_faults(type, json::parse(text).value(), "data"); };
    using Faults = std::set<std::string>;
    CHECK(faults(R"({"id":1,"rows":[{"at":"2027-01-01"}],"names":{"a":{"text":"x"}},"free":2})").empty());
    CHECK(faults(R"({"rows":[]})") == Faults{"data.id is missing"});
    CHECK(faults(R"({"id":null})") == Faults{"data.id is null"});
    CHECK(faults(R"({"id":1,"rows":[null]})") == Faults{"data.rows.* is null"});
    CHECK(faults(R"({"id":1,"more":2})") == Faults{"data.more is not declared"});
    CHECK(faults(R"({"id":1,"rows":[{"at":"2027-01-01"},{"by":1}]})") ==
          Faults{"data.rows.*.by is not declared", "data.rows.*.at is missing"});
    CHECK(faults(R"({"id":1,"names":{"a":{"kind":"x"}}})") == Faults{"data.names.a.kind is not declared"});
    CHECK(faults(R"({"id":1,"free":{"a":1}})") == Faults{"data.free has members that nothing declares"});
    CHECK(faults(R"({"id":1,"free":[{"a":1}]})") == Faults{"data.free has members that nothing declares"});
}

TEST_CASE("amounts that guides read as null may be null by the OpenAPI document, but not in what customers read") {
    on_sqlite([](Walk& walk) {
        const auto document = walk.get("/openapi.json").body;
        const auto types_of = [&](const char* path, const char* member) {
            json::Value schema =
                response_of(document, path, "get", 200)["content"]["application/json"]["schema"]["properties"]["data"];
            if (const auto* items = schema.find("items"))
                schema = json::Value(*items);
            return canonical(schema)["properties"][member]["type"].dump();
        };
        for (const char* path : {"/bookings", "/bookings/{id}"}) {
            CAPTURE(path);
            CHECK(types_of(path, "total") == R"(["number","null"])");
            CHECK(types_of(path, "total_formatted") == R"(["string","null"])");
            CHECK(types_of(path, "reference") == R"("string")");
        }
        CHECK(types_of("/payments", "amount") == R"(["number","null"])");
        CHECK(types_of("/payment/status/{booking_id}", "amount_due") == R"(["number","null"])");
        CHECK(types_of("/customers/my-bookings", "total") == R"("number")");
    });
}

TEST_CASE("the OpenAPI document shows of every answer what its route declares") {
    on_sqlite([](Walk& walk) {
        const auto document = walk.get("/openapi.json").body;
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            const std::string method = lower(std::string(api::name_of(route->method)));
            const auto content = response_of(document, route->path, method, route->success)["content"];
            if (route->enveloped)
                CHECK(canonical(content["application/json"]["schema"]["properties"]["data"]).dump() ==
                      canonical(route->answer.json_schema()).dump());
            std::size_t described = route->enveloped ? 1 : 0;
            for (const auto& type : route->files) {
                CAPTURE(type);
                CHECK(content.find(type));
                ++described;
            }
            CHECK((content.is_null() ? 0 : content.size()) == described);
        }
    });
}

TEST_CASE("what is no JSON goes out under the media types that its route declares, and under each of them") {
    on_sqlite([](Walk& walk) {
        walk.fill();
        // Of a refund there is a credit note.
        const auto refunds = "/payments/" + std::to_string(walk.payment) + "/refunds";
        REQUIRE(walk.call("POST", refunds, R"({"amount":1})", walk.admin()).status == 201);
        int routes = 0;
        for (const auto& route : walk.routes()) {
            if (route->files.empty() || Walk::writes(*route))
                continue;
            ++routes;
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            std::set<std::string> seen;
            if (route->path.starts_with("/customers/my-bookings/{id}/form-files"))  // shows nobody another one's
                walk.run(("UPDATE svc_bookings SET user_id = " + std::to_string(walk.admin().user_id) +
                          " WHERE id = " + std::to_string(walk.booking.id))
                             .c_str());
            for (const auto& target : ways_to_ask(walk, *route)) {
                CAPTURE(target);
                const auto answered = walk.get(target, walk.admin_of(*route));
                CAPTURE(answered.text);
                REQUIRE(answered.status == 200);
                Answers::check_media(*route, answered);
                seen.insert(media_type_of(answered));
            }
            if (!route->query.find("sig"))  // of files as they were uploaded, not all kinds are there
                for (const auto& type : route->files)
                    CHECK(seen.contains(type));
            CHECK((seen.contains("application/json") || !route->enveloped));
        }
        CHECK(routes == 82);
    });
}

TEST_CASE("a write that a page's form sends answers with a page, and as JSON to whoever sends JSON") {
    on_sqlite([](Walk& walk) {
        const Visitor form = Visitor{}.with("Content-Type", "application/x-www-form-urlencoded");
        std::set<std::string> taken;
        for (const auto& route : walk.routes()) {
            if (!api::takes_forms(*route))
                continue;
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            taken.insert(name);
            const auto page = walk.call("POST", route->path, "token=none&password=long+enough+for+one", form);
            CHECK(page.status == 400);
            Answers::check_media(*route, page);
            CHECK(media_type_of(page) == "text/html");
            const auto answer = walk.call("POST", route->path, R"({"token":"none","password":"long enough for one"})");
            CHECK(answer.status == 400);
            CHECK((answer.code() == "invalid_token" || answer.code() == "malformed_token"));
        }
        CHECK(taken == std::set<std::string>{"POST /auth/verify-email", "POST /auth/password/reset",
                                             "POST /booking/verify-email", "POST /customers/me/email/confirm",
                                             "POST /customers/me/export/confirm", "POST /customers/me/erasure/confirm",
                                             "POST /reviews/write"});
    });
}

TEST_CASE(
    "the OpenAPI document describes what is refused before a route's own rules: credentials, nonce, query, body, key") {
    on_sqlite([](Walk& walk) {
        const auto document = walk.get("/openapi.json").body;
        const Visitor stranger = Visitor{}.with("Authorization", "Basic bm9ib2R5OndoYXRldmVy");
        const Visitor forger = walk.cookie("administrator", false).with("X-Host-Nonce", "0");
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            const std::string path = Walk::missing(*route);
            const std::string method = lower(std::string(api::name_of(route->method)));
            const auto refused = [&](const std::string& code, const std::string& target, const std::string& body,
                                     const Visitor& visitor) {
                CAPTURE(code);
                const auto answered = walk.call(api::name_of(route->method), target, body, visitor);
                CAPTURE(answered.text);
                CHECK(answered.code() == code);
                const auto described = response_of(document, route->path, method, answered.status);
                CHECK(described.text_or("description").find("`" + code + "`") != std::string::npos);
            };
            refused("svc_unauthorized", path, {}, stranger);
            if (!route->who.is_public())
                refused("svc_invalid_nonce", path, {}, forger);
            refused("invalid_request", Walk::asked(path) + "a=%zz", {}, walk.admin_of(*route));
            if (Walk::takes_json(*route))
                refused("svc_invalid_json", path, "{", walk.admin_of(*route));
            const bool names_key = document["paths"][route->path][method]["parameters"].dump().find(
                                       "Idempotency-Key") != std::string::npos;
            CHECK(names_key == api::takes_key(*route));
        }
    });
}

TEST_CASE("a keyed write keeps its answer itself, or goes on when it is sent again after its process died") {
    // Pro's hand the answer over to their transaction without the flag.
    const std::set<std::string> known{"POST /scheduled-payments/{id}/cancel",
                                      "POST /scheduled-payments/outstanding/{booking_id}/send-link"};
    on_sqlite([&](Walk& walk) {
        std::set<std::string> others;
        for (const auto& route : walk.routes())
            if (api::takes_key(*route) && !route->stores_reply && !route->repeats_safely)
                others.insert(Walk::name_of(*route));
        for (const auto& name : others) {
            CAPTURE(name);
            CHECK(known.contains(name));
        }
        CHECK(others == known);
    });
}

TEST_CASE("the OpenAPI document describes further meta, other answers, and used_by of svc_in_use") {
    on_sqlite([](Walk& walk) {
        const auto document = walk.get("/openapi.json").body;
        const auto responses = [&](const char* path, const char* method) -> const json::Value& {
            return document["paths"][path][method]["responses"];
        };
        const auto further = [&](const char* path) {
            const auto schema = response_of(document, path, "get", 200)["content"]["application/json"]["schema"];
            std::string names;
            for (const auto& [name, type] : schema["properties"]["meta"]["properties"].members())
                if (!document["components"]["schemas"]["Meta"]["properties"].find(name))
                    names += name + " ";
            return names;
        };
        CHECK(further("/trips") == "available_item_types available_items ");
        CHECK(further("/items") == "available_types ");
        CHECK(further("/trips/public") == "facets ");
        CHECK(responses("/trips/{id}/availability-template", "get").dump().find("PageEnvelope") != std::string::npos);
        for (const auto& [path, method, status] :
             {std::tuple("/trips/public/{slug}", "get", "301"), std::tuple("/trips/public/{slug}", "get", "304"),
              std::tuple("/trips/{id}/available-dates", "get", "304"), std::tuple("/media", "post", "200"),
              std::tuple("/booking/create", "post", "200")}) {
            CAPTURE(path);
            CHECK(responses(path, method).find(status));
        }
        CHECK(response_of(document, "/downloads/{id}/download-url", "get", 403).is_object());
        // Each row of the table of other answers is about a route that exists and does not declare its ETag.
        std::set<std::string> declared;
        for (const auto& route : walk.routes())
            if (route->has_etag)
                declared.insert(route->path);
        std::int64_t others = 0;
        for (const auto& [path, methods] : document["paths"].members())
            for (const auto& [method, operation] : methods.members())
                for (const char* status : {"301", "304"})
                    others += operation["responses"].find(status) && !declared.contains(path) ? 1 : 0;
        CHECK(others == 12);
        CHECK(response_of(document, "/media/{id}", "delete", 409).dump().find("used_by") != std::string::npos);
        const std::string of_everyone = responses("/trips/public/{slug}", "get")["200"].dump();
        for (const char* name : {"row_version", "revenue_total", "custom_fields", "deleted_at", "created_by"}) {
            CAPTURE(name);
            CHECK(of_everyone.find("\"" + std::string(name) + "\"") == std::string::npos);
        }
    });
}

TEST_CASE("every answer forbids sniffing and carries a request id") {
    on_sqlite([](Walk& walk) {
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            const auto answered = walk.call(api::name_of(route->method), Walk::missing(*route));
            CHECK(answered.header("X-Content-Type-Options") == "nosniff");
            CHECK(answered.header("X-Request-Id").size() >= 8);
            if (answered.status >= 400) {
                CHECK(answered.header("Cache-Control") == "no-store");
                CHECK(answered.body["data"]["status"].integer() == answered.status);
            }
        }
    });
}

TEST_CASE("no cache keeps an answer, but those of the routes that are everybody's") {
    const std::set<std::string> kept{"GET /",
                                     "GET /openapi.json",
                                     "GET /docs",
                                     "GET /trips/public",
                                     "GET /trips/public/{slug}",
                                     "GET /trips/{id}/available-dates",
                                     "GET /attributes/frontend",
                                     "GET /attributes/filterable",
                                     "GET /media/{id}/file",
                                     "GET /media/{id}/thumbnail",
                                     "GET /media/{id}/sizes/{size}",
                                     "GET /departures/calendar/{token}"};
    on_sqlite([&](Walk& walk) {
        walk.fill();
        std::set<std::string> seen;
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            const auto path = Walk::writes(*route) ? Walk::missing(*route) : walk.existing(*route);
            // Writes by strangers alone: staff's would change what is walked over.
            std::vector<Visitor> visitors{Visitor{}};
            if (!Walk::writes(*route))
                visitors.push_back(walk.admin_of(*route));
            for (const Visitor& visitor : visitors) {
                const auto answered = walk.call(api::name_of(route->method), path, {}, visitor);
                const auto told = answered.header("Cache-Control");
                CHECK_FALSE(told.empty());
                if (told.find("no-store") == told.npos)
                    seen.insert(name);
            }
        }
        for (const auto& name : seen) {
            CAPTURE(name);
            CHECK(kept.contains(name));
        }
        CHECK(seen.contains("GET /trips/public"));
        CHECK(seen.contains("GET /openapi.json"));
        CHECK(walk.get("/docs").header("Content-Security-Policy").find("frame-ancestors 'none'") != std::string::npos);
    });
}
