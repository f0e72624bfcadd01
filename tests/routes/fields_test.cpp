// Every field of every route: left out, of the wrong kind, or not ours.
#include <iostream>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

// Values that no leniency takes for the shape.
std::vector<Value> wrong_for(const api::Type& type) {
    const Value list = Value::array({Value("x")}), object = Value::object({{"x", 1}});
    switch (type.shape) {
        case api::Shape::boolean:
            return {"perhaps", 2, list, object};
        case api::Shape::integer:
            return {"x",   json::Number{"1.5"}, json::Number{"1e5"}, json::Number{"9223372036854775808"}, true, list,
                    object};
        case api::Shape::decimal:
            return {"x", json::Number{"1e5"}, true, list, object};
        case api::Shape::text:
        case api::Shape::email:
        case api::Shape::date:
        case api::Shape::time:
        case api::Shape::instant:
            return {5, true, list, object};
        case api::Shape::choice:
            return {"no such choice", 5, true, list, object};
        case api::Shape::list:
            return {"x", 5, true, object};
        case api::Shape::object:
        case api::Shape::map:
            return {"x", 5, true, list};
        case api::Shape::anything:
            break;
    }
    return {};
}

// Texts that a query may not hold for the shape.
std::vector<std::string> wrong_text_for(const api::Type& type) {
    switch (type.shape) {
        case api::Shape::boolean:
            return {"perhaps", "2"};
        case api::Shape::integer:
            return {"x", "1.5", "1e3", "0x10", "+1", "9223372036854775808"};
        case api::Shape::decimal:
            return {"x", "1e3", "--1"};
        case api::Shape::email:
        case api::Shape::date:
        case api::Shape::time:
        case api::Shape::instant:
        case api::Shape::choice:
            return {"x;drop", "2026-02-30T25:61"};
        default:
            return {};
    }
}

bool names(const Answered& answered, const std::string& field) {
    return answered.status == 400 && answered.code() == "svc_validation_error" &&
           (answered.field() == field || answered.field().starts_with(field + "."));
}

// Of no session: that one has ended is told before what is wrong with the rest.
Value sample_of(const api::Schema& body, const std::string& without = {}) {
    Value sample = body.sample(without);
    std::erase_if(sample.members(), [](const auto& member) { return member.first == "session_id"; });
    return sample;
}

std::string query_of(const Value& values) {
    std::string query;
    for (const auto& [name, value] : values.members())
        query += (query.empty() ? "?" : "&") + name + "=" + encoded(value.is_string() ? value.text() : value.dump());
    return query;
}

}  // namespace

TEST_CASE("every required field, left out or empty, is named in the refusal") {
    on_sqlite([](Walk& walk) {
        int fields = 0;
        for (const auto& route : walk.routes()) {
            CAPTURE(route->path);
            const auto method = api::name_of(route->method);
            const auto path = Walk::missing(*route);
            for (const auto& field : route->body.fields()) {
                if (!field.required || route->raw_body_only)  // forms have a test of their own
                    continue;
                CAPTURE(field.name);
                ++fields;
                const auto left_out = walk.call(method, path, sample_of(route->body, field.name).dump(), walk.admin());
                CHECK(names(left_out, field.name));
                for (const Value& nothing : {Value(), Value("")}) {
                    auto body = sample_of(route->body);
                    body.set(field.name, nothing);
                    CHECK(names(walk.call(method, path, body.dump(), walk.admin()), field.name));
                }
            }
            for (const auto& field : route->query.fields())
                if (field.required) {
                    CAPTURE(field.name);
                    ++fields;
                    const auto query = query_of(route->query.sample(field.name));
                    CHECK(names(walk.call(method, path + query, {}, walk.admin()), field.name));
                }
        }
        std::cout << "figure: required fields " << fields << std::endl;
        CHECK(fields > 10);
    });
}

TEST_CASE("every field of the wrong kind is refused by its name and nothing is stored") {
    on_sqlite([](Walk& walk) {
        const auto before = walk.row_counts();
        int values = 0;
        for (const auto& route : walk.routes()) {
            CAPTURE(route->path);
            const auto method = api::name_of(route->method);
            const auto path = Walk::missing(*route);
            for (const auto& field : route->body.fields()) {
                if (field.ignored || route->raw_body_only)  // parts of forms have a test of their own
                    continue;
                CAPTURE(field.name);
                for (const Value& wrong : wrong_for(field.type)) {
                    auto body = sample_of(route->body);
                    body.set(field.name, wrong);
                    const auto answered = walk.call(method, path, body.dump(), walk.admin());
                    const std::string sent = wrong.dump();
                    CAPTURE(sent);
                    CAPTURE(answered.text);
                    CHECK(names(answered, field.name));
                    ++values;
                }
            }
            for (const auto& field : route->query.fields()) {
                CAPTURE(field.name);
                for (const auto& wrong : wrong_text_for(field.type)) {
                    CAPTURE(wrong);
                    // A page and its size may be of any length.
                    if ((field.name == "page" || field.name == "per_page") && wrong.size() > 18 && wrong.front() != '-')
                        continue;
                    auto target = walk.missing(*route) + "?" + field.name + "=" + encoded(wrong);
                    for (const auto& other : route->query.fields())
                        if (const auto good = other.type.sample(); other.required && other.name != field.name)
                            target += "&" + other.name + "=" + encoded(good.is_string() ? good.text() : good.dump());
                    CHECK(names(walk.call(method, target, {}, walk.admin()), field.name));
                    ++values;
                }
            }
        }
        auto after = walk.row_counts();
        after["svc_rate_limits"] = before.at("svc_rate_limits");  // uses are written down every second
        CHECK(before == after);
        std::cout << "figure: wrong values " << values << std::endl;
        CHECK(values > 400);
    });
}

TEST_CASE("what a route does not know is ignored") {
    on_sqlite([](Walk& walk) {
        for (const auto& route : walk.routes()) {
            const auto name = Walk::name_of(*route);
            CAPTURE(name);
            const auto method = api::name_of(route->method);
            const auto path = Walk::missing(*route);
            // The second of two finds what the first has loaded, or still at work.
            if (name == "POST /sample-data/import" || name == "POST /migration/migrate-all")
                continue;
            if (Walk::takes_json(*route)) {
                const auto plain = walk.call(method, path, "{}", walk.admin());
                const auto more =
                    walk.call(method, path, R"({"no_such_key":{"deep":[1,null]},"__proto__":"x"})", walk.admin());
                CHECK(more.status == plain.status);
                CHECK(more.code() == plain.code());
            }
            const auto plain = walk.call(method, path, {}, walk.admin());
            const auto more = walk.call(method, path + "?no_such_key=%27&x[]=1&x[]=2", {}, walk.admin());
            CHECK(more.status == plain.status);
            CHECK(more.code() == plain.code());
        }
    });
}
