// The fields of conditions and their comparisons.
#include "pro/email_automation/conditions.hpp"

#include <algorithm>
#include <array>

#include "shared/core/exact_money.hpp"

namespace svc::pro::email_automation {
namespace {

using json::Value;

enum class Kind : std::uint8_t { word, number, amount };

struct Field {
    std::string_view name;
    Kind kind;
};
constexpr std::array fields{Field{"booking_status", Kind::word},    Field{"payment_status", Kind::word},
                            Field{"trip_id", Kind::number},         Field{"travelers_count", Kind::number},
                            Field{"days_until_trip", Kind::number}, Field{"total", Kind::amount},
                            Field{"amount_due", Kind::amount}};

const Field* field_named(std::string_view name) {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& one) { return one.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

bool fits(const Field& field, const Value& value) {
    if (field.kind == Kind::word)
        return value.is_string() && !value.text().empty() && value.text().size() <= 100;
    if (!value.is_number())
        return false;
    const std::string& text = value.number_text();
    return text.size() <= 20 && text.find_first_of("eE") == std::string::npos &&
           (field.kind == Kind::amount || text.find('.') == std::string::npos);
}

// -1, 0, 1; nothing: they cannot be compared.
std::optional<int> compared(const Field& field, const Value& value, const BookingFacts& facts) {
    const auto order = [](const auto& a, const auto& b) { return a < b ? -1 : b < a ? 1 : 0; };
    if (field.kind == Kind::word)
        return order(field.name == "booking_status" ? facts.status : facts.payment_status, value.text());
    if (field.kind == Kind::number)
        return order(field.name == "trip_id"           ? facts.trip_id
                     : field.name == "travelers_count" ? facts.travelers_count
                                                       : facts.days_until_trip,
                     value.integer());
    const Money& has = field.name == "total" ? facts.total : facts.amount_due;
    const auto given = parse_exact(value.number_text(), has.currency());
    return given ? std::optional(order(has.minor(), given->minor())) : std::nullopt;
}

bool holds_one(const Value& condition, const BookingFacts& facts) {
    const Field* field = field_named(condition.text_or("field"));
    if (!field)
        return false;
    const std::string op = condition.text_or("op");
    const Value& value = condition["value"];
    if (op == "in")
        return value.is_array() && std::any_of(value.items().begin(), value.items().end(), [&](const Value& each) {
                   return fits(*field, each) && compared(*field, each, facts) == 0;
               });
    if (!fits(*field, value))
        return false;
    const auto order = compared(*field, value, facts);
    return order && (op == "eq" ? *order == 0 : op == "ne" ? *order != 0 : op == "gt" ? *order > 0 : *order < 0);
}

}  // namespace

api::Schema condition_schema() {
    std::vector<std::string> names;
    for (const Field& field : fields)
        names.emplace_back(field.name);
    return {{.name = "field", .type = api::choice(std::move(names)), .required = true},
            {.name = "op",
             .type = api::choice({"eq", "ne", "gt", "lt", "in"}),
             .help = "Equal, unequal, greater, less, or one of a list.",
             .required = true},
            {.name = "value",
             .type = api::anything(),
             .help = "A word for statuses, else a number; amounts are in the booking's currency. A list for in.",
             .required = true}};
}

void check_conditions(const Value& conditions, const std::string& at, Faults& faults) {
    std::size_t number = 0;
    for (const Value& each : conditions.items()) {
        const std::string path = at + "." + std::to_string(++number) + ".value";
        const Field* field = field_named(each.text_or("field"));
        const Value& value = each["value"];
        if (!field)
            continue;  // the schema has refused it
        const std::string op = each.text_or("op");
        if (field->kind == Kind::word && (op == "gt" || op == "lt"))
            faults.at(at + "." + std::to_string(number) + ".op",
                      "A status is equal, unequal, or one of a list."_sentence);
        else if (op == "in" ? !value.is_array() || value.size() == 0 || value.size() > 100 ||
                                  !std::all_of(value.items().begin(), value.items().end(),
                                               [&](const Value& one) { return fits(*field, one); })
                            : !fits(*field, value))
            faults.at(path, op == "in"                  ? "Enter a list of 1 to 100 values that fit the field."_sentence
                            : field->kind == Kind::word ? "Enter a status."_sentence
                                                        : "Enter a number."_sentence);
    }
}

bool holds(const Value& conditions, const BookingFacts& facts) {
    return !conditions.is_array() || std::all_of(conditions.items().begin(), conditions.items().end(),
                                                 [&](const Value& each) { return holds_one(each, facts); });
}

}  // namespace svc::pro::email_automation
