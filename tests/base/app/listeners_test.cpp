// Listeners of the whole base: what they answer badly breaks no page and loses no e-mail, what they answer well counts.
#include <mutex>
#include <utility>

#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "shared/plugin/host.hpp"
#include "tests/support/answer_faults.hpp"
#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

extern "C" const svc_plugin* svc_plugin_entry(void);  // Pro's

namespace {

Value parsed(const char* text) { return json::parse(text).value(); }

// Records the filters' answers and counts their calls, on whichever thread needs them.
class Answers {
  public:
    using Map = std::map<std::string, Value>;
    explicit Answers(Map at_first) : answers_(std::move(at_first)) {}

    void set(Map wanted) {
        const std::lock_guard lock(mutex_);
        answers_ = std::move(wanted);
    }
    void clear() { set({}); }
    Value of(const std::string& filter, const Value& given) {
        const std::lock_guard lock(mutex_);
        ++asked_[filter];
        const auto found = answers_.find(filter);
        return found == answers_.end() ? given : found->second;
    }
    // Since it was asked last.
    int asked(const std::string& filter) {
        const std::lock_guard lock(mutex_);
        return std::exchange(asked_[filter], 0);
    }

  private:
    std::mutex mutex_;
    Map answers_;
    std::map<std::string, int> asked_;
};

// A base whose filters answer what is put into `answers`, and whose actions are counted.
struct Heard {
    explicit Heard(Database& database, svc_plugin_entry_fn* plugin = nullptr, Answers::Map at_first = {})
        : answers(std::move(at_first)) {
        const BeforeStart listening([this](app::Assembly& parts) {
            for (const hooks::Filter& filter : parts.hooks.filters())
                REQUIRE(parts.hooks.filter(filter.name, {.name = "test"},
                                           [this, name = std::string(filter.name)](auto*, const json::Array& given) {
                                               return answers.of(name, given.front());
                                           }));
            REQUIRE(parts.hooks.on("svc_pro_module_settings_updated", {.name = "test"},
                                   [this](const json::Array& given) { written += given.at(0).text() + " "; }));
        });
        log::redirect(&log);
        base = std::make_unique<TestBase>(database, plugin);
        admin = base->user("administrator");
        trip = base->given_trip();
        base->given_departure(trip);
    }
    ~Heard() { log::redirect(nullptr); }
    Heard(const Heard&) = delete;
    Heard& operator=(const Heard&) = delete;

    Answered put(const std::string& path, const char* body) { return base->call("PUT", path, body, admin); }
    Answered session() {
        return base->post("/booking/session",
                          Value::object({{"trip_id", trip}, {"travel_date", base->day(30)}, {"travelers", 2}}));
    }
    Answered summary(const Answered& opened) {
        return base->post("/booking/summary", Value::object({{"session_id", opened.data().text_or("session_id")}}));
    }
    Answered toggle(const std::string& module) {
        return base->post("/modules/" + module + "/toggle", Value::object({{"enabled", true}}), admin);
    }
    std::int64_t mails(const std::string& where) {
        REQUIRE(base->assembly->hooks.drain());
        return base->number(("SELECT COUNT(*) FROM svc_email_outbox WHERE " + where).c_str());
    }

    Answers answers;
    std::string written, log;
    std::unique_ptr<TestBase> base;
    Visitor admin;
    std::int64_t trip = 0;
};

const auto each_heard = each_on<Heard>;

// With Pro and a licence of its largest plan.
void each_pro(const std::function<void(Heard&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Heard heard(database, &svc_plugin_entry);
        heard.base->given_license("agency");
        body(heard);
    });
}

// A plugin with a route that needs a right of its own.
void attach_guides(plugin::Host& host) {
    REQUIRE(host.hooks().filter("svc_module_capabilities", {.name = "guide"},
                                [](store::Transaction*, const json::Array& given) {
                                    Value names = given.front();
                                    names.push("guide_tours");
                                    names.push("No name!");
                                    return names;
                                }));
    host.need<plugin::Routes>().add({.method = api::Method::get,
                                     .path = "/guides",
                                     .who = api::Permission::can("guide_tours"),
                                     .summary = "The guides.",
                                     .answer = api::list(api::text(60)),
                                     .handle = [](const api::Request&) { return api::ok(Value::array()); }});
}
const svc_plugin* guide_entry() {
    static const svc_plugin table = {sizeof(svc_plugin),    SVC_ABI_MAJOR, 0,
                                     {"guide", 5},          {"1", 1},      &plugin::attach_entry<&attach_guides>,
                                     &plugin::detach_plugin};
    return &table;
}

}  // namespace

TEST_CASE("a member of another kind in a listener's answer breaks no page") {
    each_heard([](Heard& heard) {
        TestBase& base = *heard.base;
        const SpoiledAnswers spoiled;
        const std::string trip = std::to_string(heard.trip);
        for (const auto& [filter, answer] : std::vector<std::pair<const char*, const char*>>{
                 {"svc_permalink_bases", R"({"trip":5,"destination":[]})"},
                 {"svc_resolve_display_pricing", R"({"price_unit":5,"price_unit_label":{},"price_prefix":7})"},
                 {"svc_resolve_card_pricing", R"({"price_unit":5,"price_unit_label":{},"price_prefix":7})"},
                 {"svc_resolve_price_types", R"([5,{"category_id":"x"}])"},
                 {"svc_trip_loaded_with_relations",
                  R"({"title":5,"destinations":[{"id":1,"slug":5,"name":7},{"id":"x"},5],"difficulty":"x",
                      "difficulty_level":"x","itinerary_days":[{"entries":5},7,{"entries":[8,{"charge":5,"cost":1}]}],
                      "price_types":"x","pricing_type":5})"},
                 {"svc_trip_listing", R"(["x"])"},
                 {"svc_booking_additional_services",
                  R"([{"id":1,"price_type":5,"calculated_price":3,"name":7,"quantity":"x"}, 7])"},
                 {"svc_booking_itinerary_costs", R"([{"name":5,"total_cost":3},"x"])"},
                 {"svc_price_breakdown", R"([{"label":5,"amount":3},"x"])"},
                 {"svc_after_calculation_result", R"({"lines":[{"label":5}],"coupon_discount":{"type":5}})"},
                 {"svc_booking_form_config", R"({"contact_form":{"title":5,"description":[],"fields":[5,{"id":7}]}})"},
                 {"svc_pro_available_modules", R"([{"slug":5},7])"},
                 {"svc_before_calculation_params", R"({"travelers_count":1000000000000000})"},
                 {"svc_session_calculation_params", R"({"travelers_count":1000000000000000})"},
                 {"svc_summary_calculation_params", R"({"travelers_count":1000000000000000})"}}) {
            CAPTURE(filter);
            heard.answers.set({{filter, parsed(answer)}});
            heard.log.clear();
            CHECK(heard.put("/trips/" + trip, R"({"summary":"Slow boats."})").status == 200);
            for (const std::string& path : {"/trips/" + trip, std::string("/trips"), std::string("/modules"),
                                            std::string("/settings/booking-form")})
                CHECK_MESSAGE(base.get(path, heard.admin).status == 200, path);
            CHECK(base.get("/trips/public").body["data"].size() ==
                  (std::string_view(filter) == "svc_trip_listing" ? 0 : 1));
            CHECK(base.get("/booking/trip/" + trip).status == 200);
            const auto opened = heard.session();
            CHECK_MESSAGE(opened.status < 300, opened.text);
            const auto summary = heard.summary(opened);
            CHECK_MESSAGE(summary.status == 200, summary.text);
            CHECK(heard.log.find("internal_error") == std::string::npos);
            CHECK(heard.log.find("change_listener_failed") == std::string::npos);
        }
    });
}

TEST_CASE("an answer of another kind loses no e-mail and is logged") {
    each_heard([](Heard& heard) {
        REQUIRE(heard.put("/settings", R"({"admin_email":"office@example.org"})").status == 200);
        heard.answers.set({{"svc_permalink_bases", parsed(R"({"trip":5})")}});
        heard.base->given_booking(heard.trip);
        CHECK(heard.mails("template_key = 'booking_confirmation'") == 1);
        CHECK(heard.mails("template_key = 'admin_new_booking'") == 1);
        CHECK(heard.log.find("of another kind than declared: trip") != std::string::npos);
    });
}

TEST_CASE("a form's title that is no text is none, whoever sends it") {
    each_heard([](Heard& heard) {
        const char* form = R"({"booking_form_config":{"contact_form":{"title":5,"description":{},
            "fields":[{"id":5,"type":[]},{"id":"shoe","type":"text","label":7,"width":[]}]}}})";
        CHECK(heard.put("/settings", form).status == 200);
        heard.answers.set({{"svc_save_booking_form_config", parsed(R"({"contact_form":{"title":5}})")}});
        CHECK(heard.put("/settings", R"({"booking_form_config":{"contact_form":{"title":"You"}}})").status == 200);
        CHECK(heard.base->get("/settings/booking-form", heard.admin).data()["contact_form"]["title"].text() == "You");
    });
}

TEST_CASE("a form on its way to be stored passes its filter once") {
    each_heard([](Heard& heard) {
        for (const char* filter : {"svc_save_booking_form_config", "svc_sanitize_setting"})
            heard.answers.asked(filter);
        REQUIRE(heard.put("/settings", R"({"booking_form_config":{"contact_form":{"title":"You"}}})").status == 200);
        CHECK(heard.answers.asked("svc_save_booking_form_config") == 1);
        CHECK(heard.answers.asked("svc_sanitize_setting") == 1);
    });
}

TEST_CASE("staff's e-mails keep their template's copies, and listeners may take them over") {
    each_heard([](Heard& heard) {
        REQUIRE(heard
                    .put("/settings", R"({"admin_email":"office@example.org","email_always_bcc":"archive@example.org",
            "email_tpl_admin_new_booking_cc":"cc@example.org","email_tpl_admin_new_booking_bcc":"audit@example.org"})")
                    .status == 200);
        const auto id = heard.base->given_booking(heard.trip).id;
        CHECK(heard.mails(
                  "template_key = 'admin_new_booking' AND cc = 'cc@example.org' AND bcc = 'audit@example.org'") == 1);
        // The archive's copy of an e-mail with a secret link is an e-mail of its own, without the secret.
        CHECK(heard.mails("template_key = 'booking_confirmation' AND to_email = 'archive@example.org'") == 1);
        const auto originals = [&] {
            return heard.mails(
                "template_key IN ('admin_new_booking', 'booking_confirmation')"
                " AND to_email <> 'archive@example.org'");
        };
        const auto again = [&](const char* type) {
            return heard.base
                ->post("/bookings/" + std::to_string(id) + "/email", Value::object({{"type", type}}), heard.admin)
                .data()["sent"]
                .boolean();
        };
        std::int64_t sent = 2;
        for (const char* type : {"admin_new_booking", "confirmation"}) {
            CAPTURE(type);
            heard.answers.set({{"svc_send_transactional_email", Value(false)}});
            CHECK_FALSE(again(type));
            CHECK(originals() == sent);
            for (const Value& answer : {Value(true), Value(), Value("no"), Value(0)}) {
                heard.answers.set({{"svc_send_transactional_email", answer}});
                CHECK(again(type));  // only false keeps it back
                CHECK(originals() == ++sent);
            }
        }
        heard.answers.clear();
        REQUIRE(heard.put("/settings", R"({"email_template_admin_new_booking":false})").status == 200);
        CHECK_FALSE(again("admin_new_booking"));
        heard.answers.set({{"svc_pro_email_automation_owns_transactional_type", Value(true)}});
        CHECK(again("admin_new_booking"));
    });
}

TEST_CASE("what staff's e-mails say of the site is before the listeners of their variables") {
    each_heard([](Heard& heard) {
        REQUIRE(heard
                    .put("/settings", R"({"admin_email":"office@example.org","company_name":"Peaks",
            "email_tpl_admin_new_booking_subject":"{{ site_name }} {{ admin_url }}"})")
                    .status == 200);
        heard.answers.set({{"svc_booking_email_variables", parsed(R"({"site_name":"Hills","admin_url":""})")}});
        heard.base->given_booking(heard.trip);
        CHECK(heard.mails("template_key = 'admin_new_booking' AND subject LIKE 'Hills%'") == 1);
    });
}

TEST_CASE("writing a module's settings emits its event, by its own route and by that of the site") {
    each_pro([](Heard& heard) {
        REQUIRE(heard.toggle("flexible_payments").status == 200);
        const auto told = [&](const std::string& path, const char* body) {
            REQUIRE(heard.put(path, body).status == 200);
            REQUIRE(heard.base->assembly->hooks.drain());
            return std::exchange(heard.written, "");
        };
        const std::string own = "/modules/flexible_payments/settings";
        CHECK(told(own, R"({"deposit_percentage":31})") == "flexible_payments ");
        CHECK(told("/settings", R"({"deposit_percentage":32,"company_name":"Peaks"})") == "flexible_payments ");
        CHECK(told(own, "{}").empty());
        CHECK(told(own, R"({"nope":1})").empty());
        CHECK(told("/settings", R"({"company_name":"Hills"})").empty());
    });
}

TEST_CASE("listeners say whether Pro counts, which modules are on and which are on at first") {
    each_pro([](Heard& heard) {
        heard.answers.set({{"svc_is_pro_active", Value(false)}});
        CHECK(heard.toggle("flexible_payments").status == 403);
        heard.answers.clear();
        REQUIRE(heard.toggle("flexible_payments").status == 200);
        REQUIRE(heard.toggle("additional_services").status == 200);
        CHECK(heard.base->get("/additional-services", heard.admin).status == 200);
        heard.answers.set({{"svc_module_enabled_status", Value(false)}});
        CHECK(heard.base->get("/additional-services", heard.admin).status == 404);
        CHECK_FALSE(heard.base->get("/modules/flexible_payments", heard.admin).data()["enabled"].boolean());
        heard.answers.set({{"svc_module_enabled_status", Value(true)}});
        CHECK_FALSE(heard.base->get("/modules/dynamic_form_field", heard.admin).data()["enabled"].boolean());
    });
    each_database([](Database& database) {
        CAPTURE(database.name());
        Heard heard(database, nullptr, {{"svc_default_modules", Value::array({"no_such", 5})}});
        CHECK(heard.answers.asked("svc_default_modules") == 1);
        CHECK(heard.log.find("default_module_stays_off") != std::string::npos);
    });
}

TEST_CASE("listeners say what settings are while nobody has set them") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Heard heard(database, nullptr,
                    {{"svc_settings_default_fields", parsed(R"({"company_name":"Hills","booking_expiry_hours":-1})")}});
        const auto shown = [&] { return heard.base->get("/settings", heard.admin).data(); };
        CHECK(shown()["company_name"].text() == "Hills");
        CHECK(shown()["booking_expiry_hours"] == Value(24));
        REQUIRE(heard.put("/settings", R"({"company_name":"Peaks"})").status == 200);
        CHECK(shown()["company_name"].text() == "Peaks");
    });
}

TEST_CASE("a plugin's own capability is known by its filter, held by administrators and by whom it was given") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database, &guide_entry);
        CHECK(base.assembly->plugins.service.state() == "attached guide 1");
        CHECK(base.get("/guides", base.user("administrator")).status == 200);
        CHECK(base.get("/guides", base.user("owner")).status == 403);
        CHECK(base.get("/guides", base.holding({"guide_tours"})).status == 200);
        CHECK(base.get("/guides", base.holding({"svc_view_trips"})).status == 403);
    });
}

TEST_CASE("the gateways that a visitor may book with are those that are listed") {
    each_heard([](Heard& heard) {
        const auto listed = [&](const char* query) {
            return heard.base->get(std::string("/payment/gateways") + query).data()["gateways"].size();
        };
        const std::size_t all = listed("");
        REQUIRE(all > 0);
        heard.answers.set({{"svc_valid_booking_payment_gateway_ids", Value::array()}});
        CHECK(listed("") == 0);
        const auto id = heard.base->get("/booking/trip/" + std::to_string(heard.trip));
        CHECK(id.data()["payment_gateways"].size() == 0);
    });
}

TEST_CASE("what listeners make of a date counts: off sale, its price and fewer seats") {
    each_heard([](Heard& heard) {
        const auto summary = [&](const char* answer) {
            heard.answers.clear();
            const auto opened = heard.session();
            heard.answers.set({{"svc_resolve_availability_object", parsed(answer)}});
            const auto got = heard.summary(opened);
            return got.status == 200 ? got.data()["final_total"].number_text() : got.code();
        };
        CHECK(summary(R"({"price":100})") == "200.00");
        CHECK(summary(R"({"price":50,"original_price":80})") == "100.00");
        CHECK(summary(R"({"price":"50"})") == "200.00");
        CHECK(summary("null") == "date_unavailable");
        CHECK(summary("false") == "date_unavailable");
        heard.log.clear();
        for (const char* odd : {"5", "\"s\"", "[]", "true"})
            CHECK(summary(odd) == "200.00");
        CHECK(heard.log.find("filter_ignored") != std::string::npos);
        CHECK(summary(R"({"available_capacity":2})") == "200.00");
        CHECK(summary(R"({"available_capacity":1})") == "sold_out");
        CHECK(summary(R"({"available_capacity":-1})") == "200.00");
        CHECK(summary(R"({"available_capacity":500})") == "200.00");
    });
}

TEST_CASE("a price that a listener shows with a word of its own is shown with that") {
    each_heard([](Heard& heard) {
        heard.answers.set({{"svc_resolve_display_pricing", parsed(R"({"price_prefix":"Q"})")}});
        const auto answer = heard.put("/trips/" + std::to_string(heard.trip), R"({"summary":"Slow boats."})");
        CHECK(answer.data()["price_prefix"].text() == "Q");
    });
}

TEST_CASE("first parts of addresses are slugs, whoever names them") {
    each_heard([](Heard& heard) {
        const auto permalink = [&] {
            return heard.put("/trips/" + std::to_string(heard.trip), R"({"summary":"Slow boats."})")
                .data()["permalink"]
                .text();
        };
        const std::string before = permalink();
        heard.answers.set({{"svc_permalink_bases", parsed(R"({"trip":"a b/../"})")}});
        CHECK(permalink() == before);
        heard.answers.set({{"svc_permalink_bases", parsed(R"({"trip":"tours"})")}});
        CHECK(permalink().find("/tours/") != std::string::npos);
    });
}

TEST_CASE("the public list computes its own pages") {
    each_heard([](Heard& heard) {
        heard.answers.set({{"svc_trip_listing_context", parsed(R"({"page":9,"total":7,"per_page":3,"miles":5})")}});
        const auto list = heard.base->get("/trips/public");
        CHECK(list.body["meta"]["page"] == Value(1));
        CHECK(list.body["meta"]["total"] == Value(1));
        CHECK(list.body["meta"]["miles"] == Value(5));
        CHECK(list.text.find("\"page\":9") == std::string::npos);
    });
}

TEST_CASE("signing in leads to an address and nowhere else, and guesses end where listeners say") {
    each_heard([](Heard& heard) {
        const auto sign_in = [&](const std::string& password) {
            Visitor one;
            one.address = "203.0.113.7";
            return heard.base->post("/auth/login",
                                    Value::object({{"username", "a_administrator"}, {"password", password}}), one);
        };
        const auto leads_to = [&](const char* answer) {
            heard.answers.set({{"svc_login_redirect_url", Value(answer)}});
            const auto signed_in = sign_in(TestBase::password);
            REQUIRE(signed_in.status == 200);
            return signed_in.data()["redirect_url"].text();
        };
        const std::string home = heard.base->assembly->options.site_url;
        for (const char* wrong : {"javascript:1", "", "//evil.example", "/\\evil.example", "data:x", "https://a b"})
            CHECK(leads_to(wrong) == home);
        for (const char* right : {"/account", "https://shop.example/account"})
            CHECK(leads_to(right) == right);

        heard.answers.set({{"svc_login_rate_limit_attempts", Value(2)}, {"svc_login_rate_limit_window", Value(600)}});
        CHECK(sign_in("wrong").status == 401);
        CHECK(sign_in("wrong").status == 401);
        CHECK(sign_in("wrong").status == 429);
    });
}
