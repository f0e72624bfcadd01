// Show-if: a field that is not asked by the other answers neither blocks nor is stored, on every way into a booking.
#include "base/sales/booking/form/show_if.hpp"

#include "tests/pro/form_fields/form_site.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Value parsed(const std::string& text) { return json::parse(text).value(); }

const std::string dives = R"({"id":"dives","type":"select","options":[{"value":"yes"},{"value":"no"}]})";
const std::string depth = R"({"id":"depth","type":"number","required":true,"show_if":{"field":"dives","operator":"is",
    "values":["yes"]}})";
const std::string proof = R"({"id":"proof","type":"text","required":true,"show_if":{"field":"depth",
    "operator":"is_filled"}})";

std::vector<std::string> fields_at_fault(const Answered& answered) {
    std::vector<std::string> names;
    for (const auto& [name, sentences] : answered.body["data"]["errors"].members())
        names.push_back(name);
    return names;
}

const char* const two = R"([{"first_name":"Ada","last_name":"L"},{"first_name":"Bo","last_name":"L"}])";

}  // namespace

TEST_CASE("a required field that an answer hides does not block, and its answer is not stored") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with(dives + "," + depth + "," + proof));
        const auto booked = [&](const std::string& answers) {
            return site.book(parsed(R"({"travelers":)" + std::string(two) + answers + "}"));
        };
        CHECK(booked("").status == 201);
        CHECK(booked(R"(,"contact_dives":"yes")").field() == "contact_depth");
        CHECK(booked(R"(,"contact_dives":"yes","contact_depth":"30")").field() == "contact_proof");
        const Value whole =
            site.detail(booked(R"(,"contact_dives":"yes","contact_depth":"30","contact_proof":"PADI")"));
        CHECK(whole["contact_data"] == parsed(R"({"dives":"yes","depth":"30","proof":"PADI"})"));
        // What follows a hidden question is hidden with it.
        const Value hidden =
            site.detail(booked(R"(,"contact_dives":"no","contact_depth":"30","contact_proof":"PADI")"));
        CHECK(hidden["contact_data"] == parsed(R"({"dives":"no"})"));
    });
}

TEST_CASE("a traveler's field follows that traveler's answer, or the contact's") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with(R"({"id":"visa","type":"checkbox"})",
                           R"({"id":"eats","type":"radio","options":[{"value":"all"},{"value":"other"}]},
            {"id":"diet","type":"text","required":true,"show_if":{"field":"eats","operator":"is","value":"other"}},
            {"id":"number","type":"text","required":true,"show_if":{"section":"contact_form","field":"visa",
            "operator":"is_checked"}})"));
        const auto booked = [&](const std::string& first, const std::string& second, const char* visa) {
            return site.book(parsed(R"({"contact_visa":)" + std::string(visa) +
                                    R"(,"travelers":[{"first_name":"Ada","last_name":"L")" + first +
                                    R"(},{"first_name":"Bo","last_name":"L")" + second + "}]}"));
        };
        CHECK(booked("", "", "false").status == 201);
        CHECK(fields_at_fault(booked("", R"(,"eats":"other")", "false")) ==
              std::vector<std::string>{"travelers.1.diet"});
        CHECK(fields_at_fault(booked("", "", "true")) ==
              std::vector<std::string>{"travelers.0.number", "travelers.1.number"});
        const Value stored = site.detail(
            booked(R"(,"eats":"all","diet":"fish","number":"1")", R"(,"eats":"other","diet":"fish")", "false"));
        CHECK(stored["travelers"][0]["fields"].find("diet") == nullptr);
        CHECK(stored["travelers"][0]["fields"].find("number") == nullptr);
        CHECK(stored["travelers"][1]["fields"]["diet"].text() == "fish");
    });
}

TEST_CASE("a circle, an unknown field, a later section and an impossible answer are refused with the field's name") {
    each_field_site([](FieldSite& site) {
        const auto refused = [&](const std::string& contact, const std::string& travelers = "") {
            const auto answered = site.put(form_with(contact, travelers));
            CHECK(answered.status == 400);
            return fields_at_fault(answered);
        };
        using Names = std::vector<std::string>;
        CHECK(refused(R"({"id":"a","type":"text","show_if":{"field":"b","operator":"is_filled"}},
            {"id":"b","type":"text","show_if":{"field":"a","operator":"is_filled"}})") ==
              Names{"contact_form.fields.a.show_if", "contact_form.fields.b.show_if"});
        CHECK(refused(R"({"id":"a","type":"text","show_if":{"field":"a","operator":"is_filled"}})") ==
              Names{"contact_form.fields.a.show_if"});
        CHECK(refused(R"({"id":"a","type":"text","show_if":{"field":"b","operator":"is_filled"}})") ==
              Names{"contact_form.fields.a.show_if"});
        CHECK(refused(R"({"id":"a","type":"text","show_if":{"section":"traveler_form","field":"first_name",
            "operator":"is_filled"}})") == Names{"contact_form.fields.a.show_if"});
        CHECK(refused("", R"({"id":"a","type":"text","show_if":{"section":"emergency_contact_form","field":"name",
            "operator":"is_filled"}})") == Names{"traveler_form.fields.a.show_if"});
        CHECK(refused(dives + R"(,{"id":"a","type":"text","show_if":{"field":"dives","operator":"is",
            "value":"maybe"}})") == Names{"contact_form.fields.a.show_if"});
        CHECK(refused(R"({"id":"email","type":"email","show_if":{"field":"phone","operator":"is_filled"}})") ==
              Names{"contact_form.fields.email.show_if"});
        CHECK(refused(R"({"id":"a","type":"text","show_if":{"field":"phone","operator":"likes"}})") ==
              Names{"contact_form.fields.a.show_if"});
        CHECK(refused("", R"({"id":"category_id","type":"text"})") == Names{"traveler_form.fields.category_id.id"});
        const auto in_condition = site.put(R"({"contact_form":{"fields":[],"conditions":[{"id":"c","targets":
            {"trip_types":["multi_day"]},"fields":[{"id":"a","type":"text","show_if":{"field":"b","operator":
            "is_filled"}}]}]}})");
        CHECK(fields_at_fault(in_condition) == Names{"contact_form.conditions.0.fields.a.show_if"});
    });
}

TEST_CASE("with the module off show-ifs are kept and do not count, and fields of files are not asked") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with(dives + "," + depth + R"(,{"id":"pass","type":"file","required":true})"));
        site.turn(false);
        const std::string travelers = R"({"travelers":)" + std::string(two);
        CHECK(site.book(parsed(travelers + "}")).field() == "contact_depth");
        CHECK(site.book(parsed(travelers + R"(,"contact_depth":"3"})")).status == 201);
        const Value kept = site.base.get("/settings/booking-form", site.admin).data()["contact_form"]["fields"];
        CHECK(kept.dump().find("show_if") != std::string::npos);
        CHECK(kept.dump().find("\"file\"") != std::string::npos);
        site.turn(true);
        CHECK(site.book(parsed(travelers + R"(,"contact_depth":"3"})")).field() == "contact_pass");
    });
}

TEST_CASE("staff's change of an answer empties what it hides, of the contact and of the travelers") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with(dives + "," + depth, R"({"id":"suit","type":"text","show_if":{"section":"contact_form",
            "field":"dives","operator":"is","value":"yes"}})"));
        const Value made = site.detail(site.book(R"({"contact_dives":"yes","contact_depth":"30","travelers":[
            {"first_name":"Ada","last_name":"L","suit":"M"},{"first_name":"Bo","last_name":"L","suit":"S"}]})"));
        CHECK(made["travelers"][1]["fields"]["suit"].text() == "S");
        const std::string path = "/bookings/" + std::to_string(made["id"].integer());
        const auto edited = site.base.call("PUT", path, R"({"contact_data":{"dives":"no"}})", site.admin);
        CAPTURE(edited.text);
        REQUIRE(edited.status == 200);
        const Value now = site.base.get(path, site.admin).data();
        CHECK(now["contact_data"].text_or("depth").empty());
        CHECK(now["travelers"][0]["fields"].find("suit") == nullptr);
        CHECK(now["travelers"][1]["fields"].find("suit") == nullptr);
        CHECK(now["travelers"][1]["fields"]["first_name"].text() == "Bo");
        // Nor does an answer that is hidden come in by the travelers' own route.
        const auto travelers = site.base.call(
            "PUT", path + "/travellers",
            R"({"travelers":[{"first_name":"Ada","last_name":"L","suit":"M"},{"first_name":"Bo","last_name":"L"}]})",
            site.admin);
        REQUIRE(travelers.status == 200);
        CHECK(travelers.data()[0]["fields"].find("suit") == nullptr);
    });
}

TEST_CASE("an edit of a booking whose trip is not published any more follows the trip's own form") {
    each_field_site([](FieldSite& site) {
        site.ask(R"({"contact_form":{"fields":[{"id":"dives","type":"text"},{"id":"depth","type":"text","show_if":
            {"field":"dives","operator":"is_filled"}}],"conditions":[{"id":"c","targets":{"trips":[)" +
                 std::to_string(site.trip) + R"(]},"fields":[{"id":"depth","type":"text"}]}]},
            "emergency_contact_form":{"enabled":false},"traveler_form":{"fields":[]}})");
        const Value made =
            site.detail(site.book(R"({"contact_depth":"30","travelers":[{"first_name":"Ada","last_name":"L"}]})"));
        REQUIRE(made["contact_data"]["depth"].text() == "30");
        REQUIRE(
            site.base.call("PUT", "/trips/" + std::to_string(site.trip), R"({"status":"draft"})", site.admin).status ==
            200);
        const std::string path = "/bookings/" + std::to_string(made["id"].integer());
        const auto edited = site.base.call("PUT", path, R"({"contact_phone":"+44 20 7946 0001"})", site.admin);
        CAPTURE(edited.text);
        REQUIRE(edited.status == 200);
        CHECK(site.base.get(path, site.admin).data()["contact_data"]["depth"].text() == "30");
    });
}

TEST_CASE("operators: is, is not, one of, filled, checked; of several boxes any that is ticked") {
    const auto shows = [](const char* type, const std::string& rule, const char* answer) {
        const Value section =
            parsed(R"({"enabled":true,"fields":[{"id":"a","type":")" + std::string(type) +
                   R"(","enabled":true},{"id":"b","type":"text","enabled":true,"show_if":)" + rule + "}]}");
        const Value answers = Value::object({{"a", answer}});
        return booking::form::Asked(section, answers).shows(section["fields"][1]);
    };
    const std::string is = R"({"field":"a","operator":"is","values":["x"]})",
                      not_is = R"({"field":"a","operator":"is_not","values":["x"]})",
                      among = R"({"field":"a","operator":"is_one_of","values":["x","y"]})";
    CHECK(shows("text", is, "X"));
    CHECK_FALSE(shows("text", is, "xy"));
    CHECK_FALSE(shows("text", is, ""));
    CHECK(shows("text", not_is, "y"));
    CHECK(shows("text", not_is, ""));
    CHECK_FALSE(shows("text", not_is, "x"));
    CHECK(shows("select", among, "y"));
    CHECK_FALSE(shows("select", among, "z"));
    CHECK(shows("checkboxes", is, "w, x"));
    CHECK_FALSE(shows("checkboxes", not_is, "w, x"));
    CHECK_FALSE(shows("checkboxes", is, "w"));
    CHECK(shows("checkbox", R"({"field":"a","operator":"is_checked"})", "on"));
    CHECK_FALSE(shows("checkbox", R"({"field":"a","operator":"is_checked"})", "false"));
    CHECK(shows("country", R"({"field":"a","operator":"is","values":["Germany"]})", "DE"));
}
