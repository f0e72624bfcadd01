// The validator: which values pass, in which form, and how faults are named.
#include "shared/api/schema.hpp"

#include <doctest/doctest.h>

#include "shared/api/query.hpp"
#include "shared/core/email.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using api::Schema;
using api::Type;
using json::Value;

namespace {

Value parsed(std::string_view text) { return json::parse(text).value(); }

// The clean value as JSON, or the fault's sentence.
std::string outcome(const Type& type, std::string_view json_text, bool from_query = false) {
    const auto clean = type.check(parsed(json_text), "f", from_query);
    return clean ? clean->dump() : clean.error().message().english();
}

bool refused(const Type& type, std::string_view json_text) {
    const auto clean = type.check(parsed(json_text), "f");
    return !clean && clean.error().code().name == "svc_validation_error" && clean.error().fields().size() == 1 &&
           clean.error().fields()[0].field == "f";
}

std::string fields(const Schema& schema, std::string_view json_text) {
    const auto clean = schema.check(parsed(json_text));
    std::string names;
    if (!clean)
        for (const auto& fault : clean.error().fields())
            names += (names.empty() ? "" : " ") + fault.field;
    return names;
}

}  // namespace

TEST_CASE("booleans are lenient as agreed, and no further") {
    for (const auto* text : {"true", "1", "\"1\"", "\"true\"", "\"yes\""})
        CHECK(outcome(api::boolean(), text) == "true");
    for (const auto* text : {"false", "0", "\"0\"", "\"false\"", "\"no\""})
        CHECK(outcome(api::boolean(), text) == "false");
    for (const auto* text : {"2", "-1", "1.0", "\"on\"", "\"\"", "null", "[]", "{}", "\"TRUE\""})
        CHECK(refused(api::boolean(), text));
}

TEST_CASE("integers come as numbers or numeric strings, whole and within their range") {
    CHECK(outcome(api::integer(), "12") == "12");
    CHECK(outcome(api::integer(), "\"12\"") == "12");
    CHECK(outcome(api::integer(), "12.0") == "12");
    CHECK(outcome(api::integer(), "-12.00") == "-12");
    CHECK(outcome(api::integer(), "-9223372036854775808") == "-9223372036854775808");
    CHECK(outcome(api::integer(), "\"-0\"") == "0");
    for (const auto* text : {"2.9", "\"2.0\"", "1e2", "\"1e2\"", "true", "null", "\"\"", "\" 1\"", "\"12abc\"",
                             "\"+12\"", "\"012\"", "\"0x1\"", "9223372036854775808", "[1]", "{}"})
        CHECK(refused(api::integer(), text));
    CHECK(outcome(api::integer(1, 5), "6") == "This must be a number from 1 to 5.");
    CHECK(outcome(api::integer(1), "0") == "This must be a number of at least 1.");
    CHECK(outcome(api::integer().at_least(3), "2") == "This must be a number of at least 3.");
    CHECK(refused(api::id(), "0"));
    CHECK(outcome(api::id(), "9223372036854775807") == "9223372036854775807");
}

TEST_CASE("decimals keep their text, and are never a binary float") {
    CHECK(outcome(api::money(), "199.99") == "199.99");
    CHECK(outcome(api::money(), "\"0.10\"") == "0.10");
    CHECK(outcome(api::money(), "-0.00") == "0.00");
    CHECK(outcome(api::decimal(), "-123456789012345.123456789") == "-123456789012345.123456789");
    for (const auto* text : {"1e2", "\"1,5\"", "\"\"", "true", "null", "\".5\"", "\"5.\"", "1000000000000000", "[]"})
        CHECK(refused(api::decimal(), text));
    CHECK(refused(api::money(), "-0.01"));
    CHECK(outcome(api::money(), "1000000000000000") == "This number is too large.");
    CHECK(outcome(api::money(), "-1000000000000000") == "This must be a number of at least 0.");
    CHECK(refused(api::percent(), "100.0001"));
    CHECK(outcome(api::percent(), "100.000000") == "100.000000");
    CHECK(outcome(api::percent(), "12.34567") == "This number may have at most 4 decimals.");
    CHECK(refused(api::decimal(-90, 90), "-90.5"));
    CHECK(outcome(api::decimal(-90, 90), "-89.5") == "-89.5");
    CHECK(refused(api::decimal(-90, -1), "-0.5"));
}

TEST_CASE("texts are made clean before their length is told") {
    CHECK(outcome(api::text(5), "\"  Nile \"") == "\"Nile\"");
    CHECK(outcome(api::text(4), "\"Cafe\\u0301\"") == "\"Caf\xC3\xA9\"");
    CHECK(outcome(api::text(2), "\"\xF0\x9F\x98\x80\xF0\x9F\x98\x80\"") == "\"\xF0\x9F\x98\x80\xF0\x9F\x98\x80\"");
    CHECK(outcome(api::text(2), "\"abc\"") == "This may have at most 2 characters.");
    CHECK(outcome(api::text(9, 3), "\"  ab  \"") == "This needs at least 3 characters.");
    CHECK(outcome(api::raw_text(9), "\" a\\nb \"") == "\" a\\nb \"");
    for (const auto* text : {"1", "true", "null", "[]", "{}"})
        CHECK(refused(api::text(10), text));
}

TEST_CASE("dates, times and instants are read strictly and given canonically") {
    CHECK(outcome(api::date(), "\"2026-06-10\"") == "\"2026-06-10\"");
    CHECK(outcome(api::time(), "\"09:00\"") == "\"09:00\"");
    CHECK(outcome(api::instant(), "\"2026-06-10T11:00:00+02:00\"") == "\"2026-06-10T09:00:00Z\"");
    for (const auto* text :
         {"\"2026-02-30\"", "\"10.06.2026\"", "20260610", "\"\"", "null", "\"2026-06-10T00:00:00Z\""})
        CHECK(refused(api::date(), text));
    CHECK(refused(api::time(), "\"9:00\""));
    CHECK(refused(api::instant(), "\"2026-06-10\""));
}

TEST_CASE("a choice is one of its values") {
    const Type status = api::choice({"draft", "publish"});
    CHECK(outcome(status, "\"draft\"") == "\"draft\"");
    CHECK(outcome(status, "\"Draft\"") == "This must be one of: draft, publish.");
    CHECK(refused(status, "null"));
    CHECK(refused(status, "1"));
}

TEST_CASE("null passes where it is allowed, and an empty text means null in all fields but texts") {
    CHECK(outcome(api::money().or_null(), "null") == "null");
    CHECK(outcome(api::money().or_null(), "\"\"") == "null");
    CHECK(outcome(api::date().or_null(), "\"\"") == "null");
    CHECK(outcome(api::choice({"a"}).or_null(), "\"\"") == "null");
    CHECK(outcome(api::text(5).or_null(), "\"\"") == "\"\"");
    // An empty text is another kind than these, and would clear what nobody meant to.
    for (const api::Type& whole : {api::list(api::id()), api::map(api::id()), api::object(api::Schema{})}) {
        CHECK(outcome(whole.or_null(), "null") == "null");
        CHECK(outcome(whole.or_null(), "\"\"") != "null");
    }
    CHECK(outcome(api::text(5).or_null(), "null") == "null");
}

TEST_CASE("every field at fault is named, the first one first, items numbered from 1") {
    const Schema traveler{{.name = "first_name", .type = api::text(100), .required = true},
                          {.name = "email", .type = api::email()}};
    const Schema booking{{.name = "trip_id", .type = api::id(), .required = true},
                         {.name = "date", .type = api::date(), .required = true},
                         {.name = "travelers", .type = api::list(api::object(traveler), 10, 1), .required = true},
                         {.name = "counts", .type = api::map(api::integer(0, 9))}};
    CHECK(
        fields(booking,
               R"({"date":"x","travelers":[{"first_name":"Ada"},{"first_name":" ","email":"@"}],"counts":{"3":-1}})") ==
        "trip_id date travelers.2.first_name travelers.2.email counts.3");
    CHECK(fields(booking, R"({"trip_id":1,"date":"2026-06-10","travelers":[]})") == "travelers");
    CHECK(fields(booking, R"({"trip_id":1,"date":"2026-06-10","travelers":[7]})") == "travelers.1");
    CHECK(fields(booking, R"({"trip_id":1,"date":"2026-06-10","travelers":{}})") == "travelers");
    CHECK(booking.check(parsed("{}")).error().message() == "This field is required.");
    CHECK_FALSE(booking.check(parsed("[]")));
    CHECK(fields(booking, "null") == "trip_id date travelers");
}

TEST_CASE("a required field may be neither absent, null nor empty") {
    const Schema schema{{.name = "title", .type = api::text(100), .required = true}};
    for (const auto* text : {"{}", R"({"title":null})", R"({"title":""})", R"({"title":"  "})"}) {
        CAPTURE(text);
        CHECK(fields(schema, text) == "title");
    }
    CHECK(schema.check(parsed(R"({"title":"0"})")));
    const Schema count{{.name = "n", .type = api::integer(), .required = true},
                       {.name = "m", .type = api::integer().or_null(), .required = true}};
    CHECK(count.check(parsed(R"({"n":0,"m":null})")).value().dump() == R"({"n":0,"m":null})");
}

TEST_CASE("unknown and ignored keys are left out, other names are taken, defaults filled in") {
    const Schema schema{{.name = "trip_id", .type = api::id(), .also = {"tripId", "trip"}},
                        {.name = "status", .type = api::choice({"draft", "publish"}), .otherwise = Value{"draft"}},
                        {.name = "subject", .type = api::text(1), .ignored = true}};
    CHECK(schema.check(parsed(R"({"tripId":"7","x":1,"subject":[1]})")).value().dump() ==
          R"({"trip_id":7,"status":"draft"})");
    CHECK(schema.check(parsed(R"({"trip":8,"trip_id":9})")).value().dump() == R"({"trip_id":9,"status":"draft"})");
    CHECK(schema.partial().check(parsed("{}")).value().dump() == "{}");
    CHECK(fields(schema, R"({"tripId":0})") == "trip_id");
    CHECK(fields(schema, R"({"status":null})") == "status");
}

TEST_CASE("a query gives texts, and its lists with commas or repeated names") {
    const Schema schema{{.name = "ids", .type = api::list(api::id())},
                        {.name = "only", .type = api::boolean()},
                        {.name = "page", .type = api::integer(1)}};
    const auto check = [&](std::string_view raw) {
        const auto clean = schema.check(api::parse_query(raw).value(), true);
        return clean ? clean->dump() : clean.error().fields()[0].field;
    };
    CHECK(check("ids=1,2&only=yes&page=3") == R"({"ids":[1,2],"only":true,"page":3})");
    CHECK(check("ids[]=1&ids[]=2") == R"({"ids":[1,2]})");
    CHECK(check("ids=1&ids=2") == R"({"ids":[1,2]})");
    CHECK(check("ids=") == R"({"ids":[]})");
    CHECK(check("ids=1,,2") == "ids.2");
    CHECK(check("page=1&page=2") == "page");
    CHECK(check("page=") == "page");
    CHECK_FALSE(schema.check(parsed(R"({"ids":"1,2"})")));
}

TEST_CASE("map names are plain and not too many") {
    const Type map = api::map(api::integer(), 2);
    CHECK(outcome(map, R"({"a":"1","b":2})") == R"({"a":1,"b":2})");
    CHECK(refused(map, R"({"a":1,"b":2,"c":3})"));
    CHECK(refused(map, R"({"":1})"));
    CHECK(refused(map, R"({"a\n":1})"));
    CHECK(refused(map, "[]"));
}

TEST_CASE("a schema followed by another keeps its own fields") {
    const Schema both = Schema{{.name = "a", .type = api::boolean()}}.plus(
        {{.name = "a", .type = api::text(1)}, {.name = "b", .type = api::text(1)}});
    CHECK(both.fields().size() == 2);
    CHECK(both.find("a")->type.shape == api::Shape::boolean);
    CHECK(both.find("c") == nullptr);
    CHECK(both.without({"a", "c"}).fields().size() == 1);
    CHECK(both.without({"a", "c"}).find("b") == both.find("b"));
    CHECK(Schema{}.empty());
}

TEST_CASE("OpenAPI sees every limit") {
    const Schema schema{{.name = "email", .type = api::email().or_null(), .help = "Where to write.", .required = true},
                        {.name = "n", .type = api::integer(1, 5), .also = {"count"}, .otherwise = Value{2}},
                        {.name = "status", .type = api::choice({"a", "b"}).or_null()},
                        {.name = "tags", .type = api::list(api::text(9, 2), 3, 1)},
                        {.name = "prices", .type = api::map(api::money())},
                        {.name = "free", .type = api::anything(), .ignored = true}};
    CHECK(schema.json_schema().dump() ==
          R"({"type":"object","properties":{)"
          R"("email":{"type":["string","null"],"format":"email","maxLength":254,"description":"Where to write."},)"
          R"("n":{"type":"integer","minimum":1,"maximum":5,"default":2,"x-also":["count"]},)"
          R"("status":{"type":["string","null"],"enum":["a","b",null]},)"
          R"("tags":{"type":"array","items":{"type":"string","minLength":2,"maxLength":9},"minItems":1,"maxItems":3},)"
          R"("prices":{"type":"object","additionalProperties":{"type":"number","minimum":0},"maxProperties":100},)"
          R"("free":{"deprecated":true}},"required":["email"]})");
}

TEST_CASE("a sample passes its own check unchanged, and lacks what is left out") {
    const Schema inner{{.name = "first_name", .type = api::text(3), .required = true},
                       {.name = "born", .type = api::date()}};
    const Schema schema{{.name = "a", .type = api::boolean()},
                        {.name = "b", .type = api::integer(5, 9)},
                        {.name = "c", .type = api::money()},
                        {.name = "d", .type = api::percent()},
                        {.name = "e", .type = api::text(90, 12)},
                        {.name = "f", .type = api::raw_text(4)},
                        {.name = "g", .type = api::email(), .required = true},
                        {.name = "h", .type = api::date()},
                        {.name = "i", .type = api::time()},
                        {.name = "j", .type = api::instant()},
                        {.name = "k", .type = api::choice({"x"})},
                        {.name = "l", .type = api::list(api::object(inner), 9, 2)},
                        {.name = "m", .type = api::map(api::id())},
                        {.name = "n", .type = api::anything()},
                        {.name = "o", .type = api::integer(-9, -3)}};
    CHECK(schema.check(schema.sample()).value() == schema.sample());
    CHECK(schema.sample().size() == 15);
    CHECK(schema.sample("g").find("g") == nullptr);
    CHECK(schema.check(schema.sample("g")).error().fields()[0].field == "g");
}

TEST_CASE("an e-mail address has a mailbox, one @ and a domain of labels") {
    for (const auto* good :
         {"ada@example.org", "a.b+c@sub.example.co.uk", "o'neil@x-y.de", "1@a.bc", "a@xn--bcher-kva.example"})
        CHECK(is_email(good));
    for (const auto* bad : {"",
                            "ada",
                            "@example.org",
                            "ada@",
                            "ada@example",
                            "a@b@c.de",
                            ".ada@x.de",
                            "ada.@x.de",
                            "a..b@x.de",
                            "ada@.de",
                            "ada@x..de",
                            "ada@x.de.",
                            "ada@-x.de",
                            "ada@x-.de",
                            "ada@1.2.3.4",
                            "a b@x.de",
                            "\"a b\"@x.de",
                            "ada@[::1]",
                            "ada@x.de\r\nBcc: b@x.de",
                            "a,b@x.de",
                            "<a@x.de>",
                            "\xC3\xA9@x.de",
                            "ada@x.d",
                            "ada@x_y.de"})
        CHECK_FALSE(is_email(bad));
    CHECK(is_email(std::string(64, 'a') + "@example.org"));
    CHECK_FALSE(is_email(std::string(65, 'a') + "@example.org"));
    CHECK_FALSE(is_email("a@" + std::string(64, 'b') + ".org"));
    std::string domain = "a@";
    while (domain.size() < 251)
        domain += "bbbbb.";
    CHECK_FALSE(is_email(domain + "org"));
    CHECK(outcome(api::email(), "\" ada@example.org \"") == "\"ada@example.org\"");
}

TEST_CASE("any JSON is either refused with fields named or made clean once and for all") {
    const Schema inner{{.name = "name", .type = api::text(5), .required = true},
                       {.name = "when", .type = api::instant()}};
    const Schema schema{{.name = "a", .type = api::boolean()},
                        {.name = "b", .type = api::integer(-5, 5)},
                        {.name = "c", .type = api::decimal(-5, 5).or_null()},
                        {.name = "d", .type = api::text(5, 1)},
                        {.name = "e", .type = api::choice({"x", "y"})},
                        {.name = "f", .type = api::list(api::object(inner), 3)},
                        {.name = "g", .type = api::map(api::date(), 3)}};
    static constexpr std::string_view values[] = {"null",
                                                  "true",
                                                  "0",
                                                  "-5.5",
                                                  "\"\"",
                                                  "\"x\"",
                                                  "\"-3\"",
                                                  "[]",
                                                  "{}",
                                                  "1e9",
                                                  R"([{"name":"a"}])",
                                                  R"([{"name":" "},1])",
                                                  R"({"k":"2026-01-01"})",
                                                  R"([{"name":"a","when":"2026-06-10T11:00:00.25+02:00"}])",
                                                  "\"yes\"",
                                                  "5"};
    test::Random random;
    CAPTURE(random.seed);
    int fine = 0;
    for (int round = 0; round < 20'000; ++round) {
        Value input;
        for (const auto* name : {"a", "b", "c", "d", "e", "f", "g"})
            if (random.between(0, 2) == 0)
                input.set(name, parsed(random.one_of(values)));
        CAPTURE(input.dump());
        const bool from_query = random.between(0, 1) == 1;
        const auto once = schema.check(input, from_query);
        if (!once) {
            REQUIRE_FALSE(once.error().fields().empty());
            continue;
        }
        ++fine;
        REQUIRE(schema.check(*once, from_query).value() == *once);
    }
    CHECK(fine > 1'000);
}
