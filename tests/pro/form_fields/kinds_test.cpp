// Kinds of fields and the rules of their answers.
#include "base/sales/booking/form/pattern.hpp"
#include "tests/pro/form_fields/form_site.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Value with(const std::string& name, const Value& answer) {
    return Value::object(
        {{name, answer}, {"travelers", json::parse(R"([{"first_name":"Ada","last_name":"L"}])").value()}});
}

}  // namespace

TEST_CASE("numbers and dates have ranges; a date's may be today or the day of travel") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with(R"({"id":"shoe","type":"number","min":20,"max":50.5},
            {"id":"until","type":"date","min":"travel_date"},{"id":"licensed","type":"date","max":"today"})"));
        const auto status = [&](const char* name, const std::string& answer) {
            return site.book(with(name, answer)).status;
        };
        CHECK(status("contact_shoe", "19.9") == 400);
        CHECK(status("contact_shoe", "20") == 201);
        CHECK(status("contact_shoe", "50.6") == 400);
        CHECK(status("contact_until", site.base.day(29)) == 400);
        CHECK(status("contact_until", site.base.day(30)) == 201);
        CHECK(status("contact_licensed", site.base.day(2)) == 400);
        CHECK(status("contact_licensed", "2020-02-29") == 201);
        CHECK(site.put(form_with(R"({"id":"shoe","type":"number","min":5,"max":4})")).field() ==
              "contact_form.fields.shoe.max");
        CHECK(site.put(form_with(R"({"id":"when","type":"date","min":"soon"})")).field() ==
              "contact_form.fields.when.min");
    });
}

TEST_CASE("radio buttons take one of their options, several boxes some of them") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with(R"({"id":"size","type":"radio","options":[{"value":"s"},{"value":"m"}]},
            {"id":"likes","type":"checkboxes","options":[{"value":"sea"},{"value":"snow, ice"}]})"));
        CHECK(site.book(with("contact_size", "xl")).field() == "contact_size");
        CHECK(site.book(with("contact_likes", "sea, sand")).field() == "contact_likes");
        const Value list = Value::array({Value("sea"), Value("snow ice")});
        // An option of several has no comma, since they divide the answer.
        CHECK(site.put(form_with(R"({"id":"likes","type":"checkboxes","options":[{"value":"a,b"}]})"))
                  .data()["contact_form"]["fields"][0]["options"][0]["value"]
                  .text() == "a b");
        site.ask(form_with(R"({"id":"likes","type":"checkboxes","options":[{"value":"sea"},{"value":"snow ice"}]})"));
        CHECK(site.detail(site.book(with("contact_likes", list)))["contact_data"]["likes"].text() == "sea, snow ice");
    });
}

TEST_CASE("a pattern is matched as a whole, in linear time, and a bad one is refused") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with(R"({"id":"member","type":"text","pattern":"[A-Z]{2}[0-9]+"})"));
        CHECK(site.book(with("contact_member", "AB12")).status == 201);
        CHECK(site.book(with("contact_member", "xAB12")).field() == "contact_member");
        CHECK(site.put(form_with(R"({"id":"member","type":"text","pattern":"(["})")).field() ==
              "contact_form.fields.member.pattern");
        CHECK(site.put(form_with(R"({"id":"m","type":"text","pattern":"a{1000}{1000}{1000}"})")).status == 400);
    });
    CHECK_FALSE(booking::form::fits_pattern("(a+)+b", std::string(5000, 'a')));
    CHECK(booking::form::fits_pattern("(a+)+b", std::string(5000, 'a') + "b"));
}

TEST_CASE("unknown members of a field are dropped, and those that exist stay through a save") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with(R"({"id":"shoe","type":"number","min":"20","help":"EU size","accepts":["pdf"],"onclick":"x",
            "show_if":{"field":"country","operator":"is","value":"DE","more":1}})"));
        const Value read = site.base.get("/settings/booking-form", site.admin).data();
        const Value field = read["contact_form"]["fields"][0];
        CHECK(field["min"].number_text() == "20");
        CHECK(field["help"].text() == "EU size");
        CHECK(field.find("onclick") == nullptr);
        CHECK(field.find("accepts") == nullptr);
        CHECK(field["show_if"] == json::parse(R"({"field":"country","operator":"is","values":["DE"]})").value());
        site.ask(read.dump());
        CHECK(site.base.get("/settings/booking-form", site.admin).data() == read);
    });
}
