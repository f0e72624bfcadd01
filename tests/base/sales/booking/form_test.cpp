// The booking form: what is kept of it, what is asked, and whose answers are refused.
#include "base/sales/booking/form/form.hpp"

#include <doctest/doctest.h>

#include "base/sales/booking/record/verification.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/follow.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using booking::form::Answers;
using json::Value;

namespace {

Value parsed(const char* text) { return json::parse(text).value(); }

const Value* field_of(const Value& form, const char* section, const char* id) {
    for (const Value& field : form[section]["fields"].items())
        if (field["id"].text() == id)
            return &field;
    return nullptr;
}

std::vector<std::string> faults(const Result<void>& result) {
    std::vector<std::string> names;
    if (!result)
        for (const auto& fault : result.error().fields())
            names.push_back(fault.field);
    return names;
}

const char* own_form = R"({"contact_form":{"title":"<b>You</b>","colour":"red","fields":[
    {"id":"passport","type":"text","required":true,"width":"half","label":"Passport","onclick":"x"},
    {"id":"passport","type":"date"},{"id":"Bad Id","type":"text"},{"id":"html","type":"script"},
    {"id":"size","type":"select","width":"quarter","options":[{"value":"s","label":"S","x":1},{"value":""},{"value":"m"}]},
    {"id":"note","type":"text_block","content":"<p onclick=x>Hi<script>1</script></p>"},
    {"id":"first_name","type":"text","required":false,"enabled":false}],
    "conditions":[{"id":"c1","targets":{"trips":[1,"x"],"trip_types":["multi_day","odd"],"more":1},"fields":[]}]},
    "traveler_form":{"fields":[{"id":"shoe","type":"number","required":true,"applies_to":"lead"}]},"other":{}})";

struct FormSite {
    explicit FormSite(Database& database) : base(database), admin(base.user("administrator")), trip(base.given_trip()) {
        base.given_departure(trip, 30, 4);
    }
    void set(const char* key, Value value) {
        REQUIRE(base.call("PUT", "/settings", Value::object({{key, std::move(value)}}).dump(), admin).status == 200);
    }
    Answered book(Value more = Value::object()) {
        const auto session =
            base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}));
        Value body = Value::object({{"session_id", session.data().text_or("session_id")},
                                    {"contact_first_name", "Ada"},
                                    {"contact_last_name", "Lovelace"},
                                    {"contact_email", "ada@example.org"}});
        for (auto& [name, value] : more.members())
            body.set(name, value);
        return base.post("/booking/create", filled_in(std::move(body)));
    }
    // As the link was mailed that is followed an hour after its end.
    std::string ended_link(const Answered& made) {
        REQUIRE(made.status == 201);
        const app::Assembly& parts = *base.assembly;
        return "/booking/verify-email?token=" + booking::Verification(*parts.keyring, parts.hooks)
                                                    .token(made.data()["booking_id"].integer(), "ada@example.org",
                                                           parts.clock.now().minus(std::chrono::hours(49)));
    }
    // The link of the last e-mail, as its reader would follow it.
    std::string mailed_target() {
        REQUIRE(base.assembly->hooks.drain());
        open_mails(*base.assembly->store, *base.assembly->keyring);
        std::string html;
        base.assembly->store->read([&](store::Session& session) {
            session.each(
                "SELECT body_html FROM svc_email_outbox WHERE template_key = 'guest_email_verification'"
                " ORDER BY id DESC LIMIT 1",
                "t", {}, [&](const store::Row& row) { html = row.text(0); });
        });
        const auto from = html.find("/booking/verify-email?token=");
        REQUIRE(from != std::string::npos);
        return html.substr(from, html.find('"', from) - from);
    }
    std::int64_t seats() { return base.number("SELECT booked_count FROM svc_departures"); }

    TestBase base;
    Visitor admin;
    std::int64_t trip;
};

const auto each_site = each_on<FormSite>;

}  // namespace

TEST_CASE("of a form that was sent its structure is kept and nothing else") {
    const Value form = booking::form::sanitized(parsed(own_form));
    CHECK(form.size() == 3);
    CHECK(form["contact_form"]["title"].text() == "You");
    CHECK(form["contact_form"].find("colour") == nullptr);
    const Value* passport = field_of(form, "contact_form", "passport");
    REQUIRE(passport);
    CHECK((*passport)["type"].text() == "text");
    CHECK((*passport)["required"].boolean());
    CHECK(passport->find("onclick") == nullptr);
    CHECK(field_of(form, "contact_form", "html") == nullptr);
    const Value* size = field_of(form, "contact_form", "size");
    CHECK((*size)["width"].text() == "full");
    CHECK((*size)["options"].size() == 2);
    CHECK((*field_of(form, "contact_form", "note"))["content"].text() == "<p>Hi</p>");
    // The locked ones stay, enabled and required, in every version; of a name one suffices.
    for (const char* id : {"first_name", "last_name", "email", "phone", "country"}) {
        const Value* locked = field_of(form, "contact_form", id);
        REQUIRE(locked);
        CHECK((*locked)["required"].boolean() == (std::string_view(id) != "last_name"));
        CHECK((*locked)["enabled"].boolean());
    }
    const Value& condition = form["contact_form"]["conditions"][0];
    CHECK(condition["targets"]["trips"].size() == 1);
    CHECK(condition["targets"]["trip_types"].size() == 1);
    CHECK(condition["targets"].find("more") == nullptr);
    CHECK(condition["fields"].size() == 5);
    CHECK(booking::form::sanitized(form) == form);
    CHECK(booking::form::resolved(form)["contact_form"].find("conditions") == nullptr);
    CHECK(booking::form::sanitized(booking::form::standard()) == booking::form::standard());
}

TEST_CASE("the first condition that names the trip, a category above it or its type gives a section's fields") {
    const Value form = booking::form::sanitized(parsed(R"({"traveler_form":{"title":"Who","fields":[
        {"id":"shoe","type":"number"}],"conditions":[
        {"id":"none","targets":{},"title":"Nobody","fields":[]},
        {"id":"trip","targets":{"trips":[7]},"title":"Seven","fields":[{"id":"visa","type":"text","required":true}]},
        {"id":"cat","targets":{"categories":[3]},"title":"Diving","fields":[{"id":"depth","type":"number"}]},
        {"id":"type","targets":{"trip_types":["multi_day"]},"title":"Long","fields":[]}]}})"));
    const auto titled = [&](const booking::form::Subject* subject) {
        const Value resolved = booking::form::resolved(form, subject);
        CHECK(resolved["traveler_form"].find("conditions") == nullptr);
        CHECK(field_of(resolved, "traveler_form", "first_name"));  // the locked ones stay in every version
        return resolved["traveler_form"]["title"].text();
    };
    CHECK(titled(nullptr) == "Who");
    booking::form::Subject subject{.trip_id = 7, .categories = {3}, .trip_type = "multi_day"};
    CHECK(titled(&subject) == "Seven");
    CHECK(field_of(booking::form::resolved(form, &subject), "traveler_form", "visa"));
    CHECK_FALSE(field_of(booking::form::resolved(form, &subject), "traveler_form", "shoe"));
    subject.trip_id = 8;
    CHECK(titled(&subject) == "Diving");
    subject.categories = {4};
    CHECK(titled(&subject) == "Long");
    subject.trip_type = "single_day";
    CHECK(titled(&subject) == "Who");
}

TEST_CASE("every answer at fault is named as it was sent") {
    const Value form = booking::form::sanitized(parsed(own_form));
    const auto good = parsed(R"({"first_name":"A","last_name":"B","email":"a@b.co","phone":"+44 1","country":"GB",
                                 "passport":"X1","size":"m"})");
    const auto traveler = parsed(R"({"first_name":"A","last_name":"B","shoe":"41.5"})");
    const auto without = parsed(R"({"first_name":"A","last_name":"B"})");
    Answers answers{.contact = good,
                    .emergency = parsed(R"({"name":"Annabella","phone":"+44 2"})"),
                    .travelers = Value::array({traveler, without})};
    CHECK(faults(booking::form::check(form, answers)).empty());
    answers.contact.erase("passport");
    answers.contact.set("size", "xl");
    answers.travelers = Value::array({without, parsed(R"({"shoe":"big"})")});
    CHECK(faults(booking::form::check(form, answers)) ==
          std::vector<std::string>{"contact_passport", "contact_size", "travelers.1.shoe", "travelers.2.shoe",
                                   "travelers.2.first_name"});
    answers.by_staff = true;
    CHECK(faults(booking::form::check(form, answers)) == std::vector<std::string>{"contact_size", "travelers.2.shoe"});
}

TEST_CASE("without a form of the operator's own the standard one is asked, of staff nothing but who it is for") {
    const auto required = [](const char* section) {
        std::vector<std::string> ids;
        for (const Value& field : booking::form::standard()[section]["fields"].items())
            if (field["required"].boolean())
                ids.push_back(field["id"].text() + (field["locked"].boolean() ? "!" : ""));
        return ids;
    };
    using Ids = std::vector<std::string>;
    CHECK(required("contact_form") == Ids{"first_name!", "email!", "phone!", "country!"});
    CHECK(required("emergency_contact_form") == Ids{"name", "phone"});
    CHECK(required("traveler_form") == Ids{"first_name!", "date_of_birth", "gender", "nationality"});
    each_site([](FormSite& site) {
        const auto session = site.base.post(
            "/booking/session", Value::object({{"trip_id", site.trip}, {"travel_date", site.base.day(30)}}));
        const Value whole =
            filled_in(Value::object({{"session_id", session.data().text_or("session_id")}, {"travelers_count", 2}}));
        for (const char* field :
             {"contact_phone", "contact_country", "emergency_name", "emergency_phone", "travelers"}) {
            CAPTURE(field);
            Value without = whole;
            without.erase(field);
            const auto refused = site.base.post("/booking/create", without);
            CHECK(refused.status == 400);
            CHECK(refused.field() == field);
        }
        for (const char* field : {"first_name", "date_of_birth", "gender", "nationality"}) {
            Value lead = whole["travelers"][0], without = whole;
            lead.erase(field);
            without.set("travelers", Value::array({whole["travelers"][0], lead}));
            CHECK(site.base.post("/booking/create", without).field() == std::string("travelers.1.") + field);
        }
        CHECK(site.seats() == 0);
        CHECK(site.base.post("/booking/create", whole).status == 201);  // the other traveler is told later
        CHECK(site.base
                  .post("/bookings",
                        Value::object({{"trip_id", site.trip},
                                       {"travel_date", site.base.day(30)},
                                       {"contact_first_name", "Ada"},
                                       {"contact_email", "ada@example.org"}}),
                        site.admin)
                  .status == 201);
        site.set("booking_form_config", parsed(R"({"emergency_contact_form":{"enabled":false},"traveler_form":{
            "enabled":false}})"));
        Value few = whole;
        for (const char* field : {"travelers", "travelers_count", "emergency_name", "emergency_phone", "session_id"})
            few.erase(field);
        few.set("session_id", site.base
                                  .post("/booking/session",
                                        Value::object({{"trip_id", site.trip}, {"travel_date", site.base.day(30)}}))
                                  .data()["session_id"]);
        CHECK(site.base.post("/booking/create", few).status == 201);
    });
}

TEST_CASE("a date of /availability implies its trip, day and time, and must not differ from them") {
    each_site([](FormSite& site) {
        const auto departure = site.base.number("SELECT MAX(id) FROM svc_departures");
        const auto open = [&](Value wish) { return site.base.post("/booking/session", wish); };
        const auto opened = open(Value::object({{"availability_id", departure}, {"travelers", 2}}));
        REQUIRE(opened.status == 201);
        CHECK(opened.data()["trip_id"].integer() == site.trip);
        CHECK(opened.data()["travel_date"].text() == site.base.day(30));
        CHECK(opened.data()["availability_id"].text() == std::to_string(departure));
        CHECK(opened.data()["trip_title"].text() == "Nile cruise");
        CHECK(opened.data()["max_travelers"].integer() == 20);
        CHECK_FALSE(opened.data()["is_day_trip"].boolean());
        CHECK(opened.data()["redirect_url"].text().ends_with("/book"));
        CHECK(open(Value::object({{"availability_id", std::to_string(departure)}})).status == 201);
        CHECK(open(Value::object({{"availability_id", ""}})).data()["travel_date"].is_null());
        const auto other = site.base.given_trip("Desert");
        for (const Value& wrong : {Value(departure + 99), Value("12abc"), Value("rule-1-2027-02-30"), Value(-1),
                                   Value(true), Value::array(), Value("rule--")}) {
            CAPTURE(wrong.dump());
            const auto refused = open(Value::object({{"availability_id", wrong}}));
            CHECK(refused.status == 400);
            CHECK(refused.field() == "availability_id");
        }
        CHECK(open(Value::object({{"availability_id", departure}, {"trip_id", other}})).field() == "availability_id");
        CHECK(open(Value::object({{"availability_id", departure}, {"travel_date", site.base.day(31)}})).field() ==
              "availability_id");
        const auto by_rule =
            open(Value::object({{"trip_id", other}, {"availability_id", "rule-7-" + site.base.day(40) + "-09:30"}}));
        REQUIRE(by_rule.status == 201);
        CHECK(by_rule.data()["travel_date"].text() == site.base.day(40));
        CHECK(by_rule.data()["departure_time"].text() == "09:30");
        CHECK(by_rule.data()["availability_id"].is_null());  // any day of that trip is open: no rule, no departure

        // A date that only a rule offers goes by its name until somebody books it.
        const auto daily = site.base.given_trip("Oasis");
        const auto rule = site.base.post("/recurring-availability",
                                         Value::object({{"trip_id", daily},
                                                        {"rule_type", "weekly"},
                                                        {"days_of_week", Value::array({0, 1, 2, 3, 4, 5, 6})},
                                                        {"start_date", site.base.day(1)},
                                                        {"departure_time", "09:30"}}),
                                         site.admin);
        REQUIRE(rule.status == 201);
        const Value wish = Value::object({{"trip_id", daily}, {"travel_date", site.base.day(40)}});
        const std::string name = open(wish).data().text_or("availability_id");
        CHECK(name == "rule-" + std::to_string(rule.data()["id"].integer()) + "-" + site.base.day(40) + "-09:30");
        const auto again = open(Value::object({{"trip_id", daily}, {"availability_id", name}}));
        REQUIRE(again.status == 201);
        CHECK(again.data()["availability_id"].text() == name);
        CHECK(again.data()["quote"].is_object());
    });
}

TEST_CASE("the summary returns the offered shares, each formatted sum, and its lines as a table") {
    each_site([](FormSite& site) {
        const auto summary = [&] {
            const auto session = site.base.post(
                "/booking/session",
                Value::object({{"trip_id", site.trip}, {"travel_date", site.base.day(30)}, {"travelers", 2}}));
            return site.base.get("/booking/summary?session_id=" + session.data().text_or("session_id")).data();
        };
        REQUIRE(
            site.base.call("PUT", "/trips/" + std::to_string(site.trip), R"({"title":"Nile <b>& Red Sea"})", site.admin)
                .status == 200);
        const Value told = summary();
        CHECK(told["deposit_percentage"].number_text() == "0");
        CHECK(told["partial_percentage"].number_text() == "0");
        CHECK(told["price_types"].size() == 0);
        CHECK(told["lines"][0]["amount_formatted"].text() == "USD 200.00");
        CHECK(told["payment_methods"][0]["amount_formatted"].text() == "USD 200.00");
        CHECK(told["pricing_html"].text() ==
              R"(<table class="svc-prices"><tbody><tr class="svc-price svc-price--line"><th scope="row">)"
              R"(Nile &lt;b&gt;&amp; Red Sea × 2</th><td>USD 200.00</td></tr></tbody><tfoot>)"
              R"(<tr class="svc-price svc-price--total"><th scope="row">Total</th><td>USD 200.00</td></tr>)"
              R"(</tfoot></table>)");
    });
}

TEST_CASE("a form of another shape is refused by the part that has it, and the stored one stays") {
    each_site([](FormSite& site) {
        REQUIRE(site.base.call("PUT", "/settings/booking-form", own_form, site.admin).status == 200);
        const auto refused = [&](const char* form) {
            const auto answer = site.base.call("PUT", "/settings/booking-form", form, site.admin);
            CHECK(answer.status == 400);
            return answer.field();
        };
        CHECK(refused(R"({"contact_form":"x","traveler_form":[1]})") == "contact_form");
        CHECK(refused(R"({"traveler_form":{"fields":"x"}})") == "traveler_form.fields");
        CHECK(refused(R"({"traveler_form":{"fields":[{"id":"a","type":"text"},1]}})") == "traveler_form.fields.1");
        const auto stored = site.base.get("/settings/booking-form", site.admin).data();
        CHECK(field_of(stored, "contact_form", "passport"));
    });
}

TEST_CASE("a locked field asks what it is for, whatever type was sent for it") {
    each_site([](FormSite& site) {
        for (const char* type : {"number", "select", "checkbox", "date", "text_block", "odd"}) {
            CAPTURE(type);
            const Value odd = Value::object({{"type", type}, {"label", "Ours"}, {"width", "third"}});
            Value form = Value::object();
            for (const auto& [section, ids] :
                 {std::pair("contact_form", std::vector{"first_name", "last_name", "email", "phone", "country"}),
                  std::pair("traveler_form", std::vector{"first_name", "last_name"})}) {
                Value fields = Value::array();
                for (const char* id : ids)
                    fields.push(Value(odd).set("id", id));
                const auto condition = Value::object(
                    {{"id", "all"}, {"targets", Value::object({{"trips", Value::array({1})}})}, {"fields", fields}});
                form.set(section, Value::object({{"fields", fields}, {"conditions", Value::array({condition})}}));
            }
            const auto stored = site.base.call("PUT", "/settings/booking-form", form.dump(), site.admin);
            REQUIRE(stored.status == 200);
            for (const auto& [section, id, kind] :
                 {std::tuple("contact_form", "first_name", "text"), std::tuple("contact_form", "email", "email"),
                  std::tuple("contact_form", "phone", "tel"), std::tuple("contact_form", "country", "country"),
                  std::tuple("traveler_form", "last_name", "text")}) {
                CAPTURE(id);
                for (const Value& part :
                     {stored.data(), Value::object({{section, stored.data()[section]["conditions"][0]}})}) {
                    const Value* field = field_of(part, section, id);
                    REQUIRE(field);
                    CHECK((*field)["type"].text() == kind);
                    CHECK((*field)["label"].text() == "Ours");
                    CHECK((*field)["width"].text() == "third");
                    CHECK((*field)["locked"].boolean());
                }
            }
            const auto lead = [](const char* name) {
                return Value::object(
                    {{"travelers", Value::array({Value::object({{"first_name", name}, {"last_name", "Lee"}})})}});
            };
            CHECK(site.book(lead("")).field() == "travelers.0.first_name");
            const auto made = site.book(lead("Ada"));
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            const std::string path = "/bookings/" + std::to_string(made.data()["booking_id"].integer());
            CHECK(site.base.get(path, site.admin).data()["travelers"][0]["fields"]["first_name"].text() == "Ada");
            REQUIRE(site.base.call("PUT", path + "/status", R"({"status":"cancelled"})", site.admin).status == 200);
        }
    });
}

TEST_CASE("ages count on the first day of the trip") {
    const auto born = [](const char* day) { return Value::array({Value::object({{"date_of_birth", day}})}); };
    const Date on = Date::parse("2027-03-01").value();
    CHECK(booking::form::check_ages(born("2009-03-01"), on, 18, std::nullopt));
    CHECK(faults(booking::form::check_ages(born("2009-03-02"), on, 18, std::nullopt)) ==
          std::vector<std::string>{"travelers.1.date_of_birth"});
    CHECK_FALSE(booking::form::check_ages(born("1956-03-01"), on, std::nullopt, 70));
    CHECK(booking::form::check_ages(born("1956-03-02"), on, std::nullopt, 70));
    CHECK(booking::form::check_ages(born(""), on, 18, 70));
}

TEST_CASE("the stored form is asked at checkout, and its answers are the booking's") {
    each_site([](FormSite& site) {
        const auto stored = site.base.call("PUT", "/settings/booking-form", own_form, site.admin);
        REQUIRE(stored.status == 200);
        const auto shown = site.base.get("/settings/booking-form", site.admin);
        CHECK(shown.data() == stored.data());
        const auto trip = "?trip_id=" + std::to_string(site.trip);
        CHECK(site.base.get("/settings/booking-form" + trip, site.admin).data()["contact_form"].find("conditions") ==
              nullptr);
        CHECK(site.base.get("/settings/booking-form?trip_id=4711", site.admin).code() == "trip_not_found");

        CHECK(site.book().field() == "contact_passport");
        const auto lead = parsed(R"([{"first_name":"Ada","last_name":"Lovelace","shoe":"41"}])");
        const auto made = site.book(Value::object({{"contact_data", Value::object({{"passport", "X1"}})},
                                                   {"travelers", lead},
                                                   {"emergency_name", "Byron"},
                                                   {"subscribe_newsletter", true}}));
        REQUIRE(made.status == 201);
        const auto detail =
            site.base.get("/bookings/" + std::to_string(made.data()["booking_id"].integer()), site.admin);
        CHECK(detail.data()["contact_data"]["passport"].text() == "X1");
        CHECK(detail.data()["emergency_contact"]["name"].text() == "Byron");
        CHECK(detail.data()["newsletter_optin"].boolean());

        REQUIRE(site.base
                    .call("PUT", "/settings/pages",
                          R"({"pages":[{"id":7,"title":"Terms","url":"https://site.example/terms"}]})", site.admin)
                    .status == 200);
        site.set("terms_page_id", 7);
        const auto passport = Value::object({{"passport", "X1"}});
        Value answers = Value::object({{"contact_data", passport}, {"travelers", lead}});
        CHECK(site.book(answers).field() == "terms_accepted");
        CHECK(site.book(answers.set("terms_accepted", true)).status == 201);
    });
}

TEST_CASE("a trip's booking page returns its form, its extras and its prices") {
    each_site([](FormSite& site) {
        const auto page = site.base.get("/booking/trip/" + std::to_string(site.trip));
        REQUIRE(page.status == 200);
        CHECK(page.data()["dates"][0]["date"].text() == site.base.day(30));
        CHECK(page.data()["dates"][0]["available"].integer() == 4);
        CHECK(page.data()["gateways"].size() >= 1);
        CHECK(page.data()["form"].size() == 3);
        CHECK(page.data()["require_login"].boolean() == false);
        // Its texts too, which stand in no memory of trips.
        REQUIRE(site.base
                    .call("PUT", "/trips/" + std::to_string(site.trip),
                          R"({"starting_location":"Luxor","ending_location":"Aswan","payment_terms":"Half now.",)"
                          R"("cancellation_policy":"A week before."})",
                          site.base.user("owner"))
                    .status == 200);
        const auto told = site.base.get("/booking/trip/" + std::to_string(site.trip)).data();
        CHECK(told["starting_location"].text() == "Luxor");
        CHECK(told["ending_location"].text() == "Aswan");
        CHECK(told["payment_terms"].text() == "Half now.");
        CHECK(told["cancellation_policy"].text() == "A week before.");
        CHECK(site.base.get("/booking/trip/4711").code() == "trip_not_found");
    });
}

TEST_CASE("a guest proves the address by the mailed link, once, and only then is it a booking as any other") {
    each_site([](FormSite& site) {
        site.set("require_guest_email_verification", true);
        const auto made = site.book();
        REQUIRE(made.status == 201);
        const auto id = made.data()["booking_id"].integer();
        CHECK(made.data()["status"].text() == "pending_verification");
        CHECK(made.data()["next"]["type"].text() == "verify");
        // The seats are kept as long as the link is valid.
        CHECK(made.data()["next"]["expires_in_seconds"].integer() == 48 * 3600);
        CHECK(site.base.number("SELECT (hold_expires_at - linked_at) / 1000000 FROM svc_booking_departures") ==
              48 * 3600);
        CHECK(site.seats() == 1);
        const auto target = site.mailed_target();
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'booking_confirmation'") ==
              0);

        auto wrong = target;
        wrong.back() = wrong.back() == '0' ? '1' : '0';
        const auto opened = site.base.get(target);  // as a mail scanner does: nothing is proven by that
        CHECK(opened.header("Content-Type") == "text/html; charset=utf-8");
        CHECK(opened.text.find("<form method=\"post\" action=\"verify-email\"") != std::string::npos);
        CHECK(opened.header("Cache-Control") == "no-store");
        CHECK(opened.header("Content-Security-Policy").find("form-action 'self'") != std::string::npos);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_bookings WHERE status = 'pending_verification'") == 1);
        CHECK(follow(site.base, wrong).code() == "invalid_signature");
        CHECK(follow(site.base, "/booking/verify-email?token=v1.1.2").code() == "malformed_token");
        const auto done = follow(site.base, target);
        REQUIRE(done.status == 200);
        CHECK(done.data()["booking_id"].integer() == id);
        CHECK(done.data()["status"].text() == "pending");
        CHECK_FALSE(done.data()["already_verified"].boolean());
        const auto again = follow(site.base, target);
        CHECK(again.data()["already_verified"].boolean());
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_booking_email_verified'") ==
              1);
        REQUIRE(site.base.assembly->hooks.drain());
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'booking_confirmation'") ==
              1);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_booking_departures WHERE hold_kind = 'soft' AND released_at"
                               " IS NULL") == 0);
        const auto page = site.base.call("POST", "/booking/verify-email", target.substr(target.find('?') + 1),
                                         Visitor{}.with("Content-Type", "application/x-www-form-urlencoded"));
        CHECK(page.status == 200);
        CHECK(page.header("Content-Type") == "text/html; charset=utf-8");
        CHECK(page.text.find("/confirmation/" + made.data()["reference"].text()) != std::string::npos);
    });
}

TEST_CASE("a link that is opened late takes the seats again, or reports that there are none") {
    each_site([](FormSite& site) {
        site.set("require_guest_email_verification", true);
        // The links themselves have ended, with the seats.
        const auto first = site.ended_link(site.book()), second = site.ended_link(site.book());
        site.base.run("UPDATE svc_booking_departures SET hold_expires_at = 1");
        REQUIRE(site.base.assembly->availability.services.upkeep.release_lapsed(site.base.assembly->clock.now()));
        CHECK(site.seats() == 0);
        CHECK(follow(site.base, first).data()["status"].text() == "pending");
        CHECK(site.seats() == 1);
        // Once it has proven the address there is nothing left for it to do.
        CHECK(follow(site.base, first).status == 410);
        CHECK(follow(site.base, first).code() == "token_expired");
        site.base.run("UPDATE svc_departures SET capacity = 1, status = 'full'");
        const auto late = follow(site.base, second);
        CHECK(late.status == 409);
        CHECK(late.code() == "sold_out");
        CHECK(late.body["data"]["waitlist"].is_boolean());
        // Another address by now: the old link proves nothing.
        site.base.run(
            "UPDATE svc_bookings SET contact_email = 'eve@example.org' WHERE status ="
            " 'pending_verification'");
        CHECK(follow(site.base, second).code() == "email_changed");
    });
}

TEST_CASE("whoever takes an unproven guest's booking up has its seats for good, or takes them again") {
    each_site([](FormSite& site) {
        site.set("require_guest_email_verification", true);
        site.base.run("UPDATE svc_departures SET capacity = 1");
        const auto id = std::to_string(site.book().data()["booking_id"].integer());
        const auto& boss = site.base.user("administrator");
        const auto lapse = [&] {
            site.base.run("UPDATE svc_booking_departures SET hold_expires_at = 1 WHERE hold_kind = 'soft'");
            REQUIRE(site.base.assembly->availability.services.upkeep.release_lapsed(site.base.assembly->clock.now()));
        };
        const auto to = [&](const std::string& booking, const char* status) {
            return site.base.call("PUT", "/bookings/" + booking + "/status",
                                  "{\"status\":\"" + std::string(status) + "\"}", boss);
        };
        REQUIRE(to(id, "confirmed").status == 200);
        lapse();
        CHECK(site.seats() == 1);
        CHECK(site.book().code() == "sold_out");

        // One whose hold is over has no seats to be confirmed with.
        REQUIRE(to(id, "cancelled").status == 200);
        const auto late = std::to_string(site.book().data()["booking_id"].integer());
        lapse();
        CHECK(site.seats() == 0);
        const auto other = site.book();
        REQUIRE(other.status == 201);
        CHECK(to(late, "confirmed").code() == "sold_out");
        CHECK(site.base.get("/bookings/" + late, boss).data()["status"].text() == "pending_verification");
        REQUIRE(to(std::to_string(other.data()["booking_id"].integer()), "cancelled").status == 200);
        const auto taken = to(late, "confirmed");
        CHECK(taken.status == 200);
        CHECK(taken.data()["availability_id"].is_null() == false);
        CHECK(site.seats() == 1);
    });
}

TEST_CASE("out of the trash an unproven guest's booking keeps its seats for as long as at first") {
    each_site([](FormSite& site) {
        site.set("require_guest_email_verification", true);
        const auto target = "/bookings/" + std::to_string(site.book().data()["booking_id"].integer());
        const auto& boss = site.base.user("administrator");
        REQUIRE(site.base.call("DELETE", target, {}, boss).status == 200);
        CHECK(site.seats() == 0);
        REQUIRE(site.base.call("POST", target + "/restore", "{}", boss).status == 200);
        CHECK(site.seats() == 1);
        CHECK(site.base.number("SELECT (hold_expires_at - linked_at) / 1000000 FROM svc_booking_departures WHERE"
                               " released_at IS NULL") == 48 * 3600);
    });
}

TEST_CASE("a link followed when the trip is over is 410 token_expired, and one that has nothing to confirm 409") {
    each_site([](FormSite& site) {
        site.set("require_guest_email_verification", true);
        const auto ended = site.ended_link(site.book()), target = site.mailed_target();
        site.base.run("UPDATE svc_bookings SET status = 'cancelled'");
        CHECK(follow(site.base, target).code() == "svc_conflict");
        CHECK(follow(site.base, ended).code() == "token_expired");
        site.base.run("UPDATE svc_bookings SET status = 'pending_verification', travel_date = '2020-01-01'");
        CHECK(follow(site.base, ended).status == 410);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_bookings WHERE status = 'pending_verification'") == 1);
    });
}

TEST_CASE("a price without enough seats reports whether one can join the waitlist, as the booking does") {
    each_site([](FormSite& site) {
        const auto session = site.base.post(
            "/booking/session", Value::object({{"trip_id", site.trip}, {"travel_date", site.base.day(30)}}));
        const auto refused = [&] {
            return site.base.post(
                "/booking/summary",
                Value::object({{"session_id", session.data().text_or("session_id")}, {"travelers_count", 5}}));
        };
        const auto first = refused();
        CAPTURE(first.text);
        CHECK(first.code() == "sold_out");
        CHECK(first.body["data"]["available"].integer() == 4);
        CHECK(first.body["data"]["waitlist"] ==
              site.book(Value::object({{"travelers_count", 5}})).body["data"]["waitlist"]);
        CHECK(first.body["data"]["waitlist"].is_boolean());
    });
}

TEST_CASE("a separate dialling code is put before a phone that has none") {
    each_site([](FormSite& site) {
        const auto phone = [&](const char* number, const char* code) {
            const auto made = site.book(Value::object({{"contact_phone", number}, {"contact_phone_country", code}}));
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            return made.data()["customer_phone"].text();
        };
        CHECK(phone("20 7946 0001", "+44") == "+44 20 7946 0001");
        CHECK(phone("+20 100 200", "44") == "+20 100 200");
        CHECK(phone("20 7946 0001", "GB") == "20 7946 0001");
        const auto refused = site.book(Value::object({{"is_remaining_payment", true}}));
        CHECK(refused.status == 400);
        CHECK(refused.field() == "is_remaining_payment");
        CHECK(site.seats() == 3);
        CHECK(site.book(Value::object({{"is_remaining_payment", false}})).status == 201);
    });
}

TEST_CASE("a person with one name of one character books, travels and is a customer") {
    each_site([](FormSite& site) {
        Value traveler = filled_in(Value::object())["travelers"][0];
        traveler.set("first_name", "\u4F1F").erase("last_name");
        Value contact = Value::object({{"contact_first_name", "\u4F1F"}, {"travelers", Value::array({traveler})}});
        contact.set("contact_last_name", "");
        const auto made = site.book(contact);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const auto customer = site.base.get("/customers?search=ada%40example.org", site.admin);
        REQUIRE(customer.data().size() == 1);
        CHECK(customer.data().items()[0]["name"].text() == "\u4F1F");
        // And staff save the record that the booking made.
        const std::string path = "/customers/" + std::to_string(customer.data().items()[0]["id"].integer());
        CHECK(
            site.base.call("PUT", path, Value::object({{"first_name", "\u4F1F"}, {"city", "Xi'an"}}).dump(), site.admin)
                .status == 200);
        // An operator's form that asks for more asks for no last name either.
        site.base.call("PUT", "/settings/booking-form", R"({"contact_form":{"fields":[
            {"id":"last_name","type":"text","label":"Surname","required":true}]}})",
                       site.admin);
        CHECK(site.book(contact).status == 201);
    });
}

TEST_CASE("an account that is made with a booking owns nothing until its address is proven") {
    each_site([](FormSite& site) {
        const auto wish = [](const char* password) {
            return Value::object({{"create_account", true}, {"account_password", password}});
        };
        CHECK(site.book(wish("short")).field() == "account_password");
        CHECK(site.seats() == 0);
        auto differs = wish("long enough");
        differs.set("account_password_confirm", "other");
        CHECK(site.book(differs).field() == "account_password_confirm");
        const auto made = site.book(wish("long enough"));
        REQUIRE(made.status == 201);
        CHECK(made.data()["user_id"].is_null());
        CHECK_FALSE(made.data().text_or("booking_token").empty());
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_users WHERE email_lower = 'ada@example.org' AND"
                               " email_verified_at IS NULL") == 1);
        REQUIRE(site.base.assembly->hooks.drain());
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key ="
                               " 'customer_email_verification'") == 1);
    });
}

TEST_CASE("an address that has an account makes a guest's booking, answered as any, and its owner is written to") {
    each_site([](FormSite& site) {
        const auto wish = Value::object({{"create_account", true}, {"account_password", "long enough"}});
        const auto first = site.book(wish);
        site.base.run("UPDATE svc_users SET email_verified_at = 1");
        site.base.run("DELETE FROM svc_rate_limits");  // as two minutes later
        const auto known = site.book(wish);
        REQUIRE(known.status == 201);
        CHECK(known.data()["user_id"].is_null());
        CHECK(known.data()["status"] == first.data()["status"]);
        CHECK(known.data().size() == first.data().size());
        CHECK(site.seats() == 2);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_users WHERE email_lower = 'ada@example.org'") == 1);
        REQUIRE(site.base.assembly->hooks.drain());
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key ="
                               " 'account_registered_again' AND to_email = 'ada@example.org'") == 1);
    });
}

TEST_CASE("an account with a booking passes the switches and limits of registration") {
    each_site([](FormSite& site) {
        const auto wish = Value::object({{"create_account", true}, {"account_password", "long enough"}});
        for (const char* key : {"customer_registration", "enable_customer_accounts"}) {
            site.set(key, false);
            CHECK(site.book(wish).code() == "registration_disabled");
            CHECK(site.seats() == 0);
            site.set(key, true);
        }
        site.set("require_email_verification", true);
        REQUIRE(site.book(wish).status == 201);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_users WHERE status = 'pending_verification'") == 1);
    });
}

TEST_CASE("names of a booking by a visitor hold no address, and staff may write what they like") {
    each_site([](FormSite& site) {
        for (const char* name : {"contact_first_name", "contact_last_name"}) {
            const auto refused = site.book(Value::object({{name, "Free trips at evil.example"}}));
            CHECK(refused.status == 400);
            CHECK(refused.field() == name);
        }
        const auto traveler = site.book(Value::object(
            {{"travelers",
              Value::array({Value::object({{"first_name", "www.evil.example"}, {"last_name", "Ada"}})})}}));
        CHECK(traveler.status == 400);
        CHECK(traveler.field() == "travelers.0.first_name");
        CHECK(site.seats() == 0);
        CHECK(site.book(Value::object({{"contact_last_name", "King, Jr."}})).status == 201);
    });
}
