// Reads conditions once, so that asking them costs comparisons alone.
#include "pro/dynamic_pricing/conditions.hpp"

#include <algorithm>

#include "shared/core/date.hpp"

namespace svc::pro::dynamic_pricing {
namespace {

using json::Value;

constexpr std::array<std::string_view, fact_count> fact_names{"travel_date", "weekday", "days_before", "seats_left",
                                                              "occupancy",   "demand",  "travelers",   "duration_days"};
constexpr std::int64_t highest = 1'000'000;
constexpr std::size_t most_values = 100;

std::optional<Fact> fact_named(std::string_view name) {
    const auto* found = std::find(fact_names.begin(), fact_names.end(), name);
    return found == fact_names.end() ? std::nullopt : std::optional(static_cast<Fact>(found - fact_names.begin()));
}

std::string word_of(const Value& group, std::string_view name) {
    return group[name].is_string() ? group[name].text() : std::string();
}

std::optional<std::int64_t> number_in(Fact fact, const Value& given) {
    if (fact == Fact::travel_date) {
        const auto day = given.is_string() ? Date::parse(given.text()) : std::nullopt;
        return day ? std::optional<std::int64_t>(day->days()) : std::nullopt;
    }
    const std::string digits = given.is_number() ? given.number_text() : given.is_string() ? given.text() : "";
    if (digits.empty() || digits.size() > 7 ||
        !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return std::nullopt;
    const std::int64_t number = std::stoll(digits);
    const std::int64_t most = fact == Fact::weekday                             ? 6
                              : fact == Fact::occupancy || fact == Fact::demand ? 100
                                                                                : highest;
    return number <= most ? std::optional(number) : std::nullopt;
}

}  // namespace

struct Conditions::Reader {
    Faults& faults;
    std::vector<Node> nodes;
    std::size_t comparisons = 0;
    bool failed = false;

    void fail(Sentence sentence) {
        if (!failed)
            faults.at("conditions", std::move(sentence));
        failed = true;
    }

    std::size_t read(const Value& given, int depth) {
        const std::size_t at = nodes.size();
        nodes.emplace_back();
        if (given["conditions"].is_array())
            read_group(given, depth, at);
        else
            read_comparison(given, at);
        return at;
    }

    void read_group(const Value& given, int depth, std::size_t at) {
        if (depth > deepest)
            return fail("Put groups at most {most} deep."_sentence.with("most", deepest));
        const std::string match = word_of(given, "match");
        if (match != "all" && match != "any")
            return fail("Set match of each group to all or any."_sentence);
        nodes[at].kind = match == "all" ? Kind::all : Kind::any;
        if (given["conditions"].size() == 0)
            return fail("Enter at least one condition in each group."_sentence);
        for (const Value& member : given["conditions"].items()) {
            if (failed)
                return;
            const std::size_t index = read(member, depth + 1);
            nodes[at].members.push_back(index);
        }
    }

    void read_comparison(const Value& given, std::size_t at) {
        if (++comparisons > most)
            return fail("Enter at most {most} conditions."_sentence.with("most", most));
        const auto fact = fact_named(word_of(given, "field"));
        if (!fact)
            return fail(
                "Set field of each condition to travel_date, weekday, days_before, seats_left, occupancy, demand,"
                " travelers or duration_days."_sentence);
        nodes[at].fact = *fact;
        std::vector<std::int64_t> values;
        const Value& value = given["value"];
        const json::Array list = value.is_array() ? value.items() : json::Array{value};
        for (const Value& each : list) {
            const auto number = number_in(*fact, each);
            if (!number || values.size() >= most_values)
                return fail(
                    *fact == Fact::travel_date ? "Set value of travel_date to a date such as 2026-06-01."_sentence
                    : *fact == Fact::weekday   ? "Set value of weekday to a number from 0 (Sunday) to 6."_sentence
                                               : "Set value of each condition to a whole number from 0."_sentence);
            values.push_back(*number);
        }
        compare(word_of(given, "operator"), std::move(values), nodes[at]);
    }

    void compare(const std::string& name, std::vector<std::int64_t> values, Node& node) {
        const std::size_t needed = name == "between" ? 2 : 1;
        if (name == "one_of") {
            if (values.empty())
                return fail("Enter at least one value for one_of."_sentence);
            node.kind = Kind::one_of;
            node.values = std::move(values);
            return;
        }
        if (values.size() != needed)
            return fail(needed == 2 ? "Enter two values for between."_sentence
                                    : "Enter one value for each condition."_sentence);
        node.kind = name == "is_not" ? Kind::not_between : Kind::between;
        node.least = name == "at_most" ? INT64_MIN : values.front();
        node.most = name == "at_least" ? INT64_MAX : values.back();
        if (name != "at_least" && name != "at_most" && name != "is" && name != "is_not" && name != "between")
            return fail("Set operator of each condition to at_least, at_most, is, is_not, between or one_of."_sentence);
        if (node.least > node.most)
            return fail("Enter the lower value of between first."_sentence);
    }
};

Conditions Conditions::parse(const Value& given, Faults& faults) {
    Conditions conditions;
    if (given.is_null())
        return conditions;
    Reader reader{.faults = faults, .nodes = {}};
    if (given["conditions"].is_array())
        reader.read(given, 1);
    else
        reader.fail("Enter a group: match (all or any) and conditions (a list)."_sentence);
    if (!reader.failed)
        conditions.nodes_ = std::move(reader.nodes);
    return conditions;
}

bool Conditions::use(Fact fact) const {
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [&](const Node& node) { return node.members.empty() && node.fact == fact; });
}

bool Conditions::holds(std::size_t at, const Facts& facts) const {
    const Node& node = nodes_[at];
    const auto member_holds = [&](std::size_t member) { return holds(member, facts); };
    if (node.kind == Kind::all)
        return std::all_of(node.members.begin(), node.members.end(), member_holds);
    if (node.kind == Kind::any)
        return std::any_of(node.members.begin(), node.members.end(), member_holds);
    const auto& known = of(facts, node.fact);
    if (!known)
        return false;
    if (node.kind == Kind::one_of)
        return std::find(node.values.begin(), node.values.end(), *known) != node.values.end();
    return (node.least <= *known && *known <= node.most) == (node.kind == Kind::between);
}

}  // namespace svc::pro::dynamic_pricing
