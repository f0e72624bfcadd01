// The lines that people read about a booking's money, in their language.
#include "base/platform/texts/texts.hpp"
#include "base/sales/booking/record/payment_plan.hpp"

namespace svc::booking {
namespace {

using Stage = MoneyTerms::Stage;

// base/i18n/collect.py finds the texts by the name of the call.
struct Said {
    std::string_view locale;
    [[nodiscard]] std::string say_text(std::string_view english,
                                       std::initializer_list<texts::Argument> arguments = {}) const {
        return texts::bundled().say(locale, "document", english, arguments);
    }
};

// When the next payment is due: the first one at a moment, the rest by a day.
std::string until_of(const MoneyTerms& terms, const MoneyReader& reader) {
    const bool begins = !terms.due_now.is_zero();
    if (!begins && terms.rest_on)
        return settings::day_in(reader.locale, reader.look, *terms.rest_on);
    return terms.due_by ? settings::moment_in(reader.locale, reader.look, *terms.due_by) : std::string();
}

}  // namespace

std::vector<MoneyLine> lines_of(const MoneyTerms& terms, const MoneyReader& reader) {
    return lines_of(PlannedMoney{terms}, reader);
}

std::vector<MoneyLine> lines_of(const PlannedMoney& terms, const MoneyReader& reader) {
    const Said words{reader.locale};
    const settings::Look& look = reader.look;
    std::vector<MoneyLine> lines;
    const auto add = [&](const char* kind, std::string label, std::string value) {
        if (!value.empty())
            lines.push_back({kind, std::move(label), std::move(value)});
    };
    add("total", words.say_text("Total"), look.amount(terms.total));
    if (!terms.paid.is_zero())
        add("paid", words.say_text("Paid"), look.amount(terms.paid));
    if (!terms.refunded.is_zero())
        add("refunded", words.say_text("Refunded"), look.amount(terms.refunded));
    if (terms.stage == Stage::waiting) {
        add("due", words.say_text("Due now"), words.say_text("Nothing until seats are free for you"));
        return lines;
    }
    if (terms.stage == Stage::unproven) {
        add("due", words.say_text("Due now"), words.say_text("Nothing until you have confirmed your e-mail address"));
        return lines;
    }
    const bool begins = !terms.due_now.is_zero();
    add("due", begins ? words.say_text("Due now") : words.say_text("Still to pay"),
        look.amount(begins ? terms.due_now : terms.rest));
    if (terms.owed().is_zero())
        return lines;
    const bool in_parts = !terms.parts.empty();
    if (begins || !in_parts)  // else each part has its day
        add("until", words.say_text("Pay by"), until_of(terms, reader));
    add("way", words.say_text("Way of paying"), reader.way);
    const auto by_day = [&](const Money& amount, Date day) {
        return words.say_text("{amount}, by {day}",
                              {{"amount", look.amount(amount)}, {"day", settings::day_in(reader.locale, look, day)}});
    };
    for (const PlanPart& part : terms.parts)
        add("rest", words.say_text("Installment {number} of {count}", {{"number", part.number}, {"count", part.count}}),
            by_day(part.amount, part.day));
    if (begins && !in_parts && !terms.rest.is_zero())
        add("rest", words.say_text("The rest"),
            terms.rest_on ? by_day(terms.rest, *terms.rest_on) : look.amount(terms.rest));
    return lines;
}

json::Value to_json(const std::vector<MoneyLine>& lines) {
    json::Value all = json::Value::array();
    for (const MoneyLine& line : lines) {
        json::Value row = json::Value::object({{"label", line.label}, {"value", line.value}});
        // Each flag is set: a template looks for a member that a row lacks in the page around it.
        for (const char* kind : {"total", "paid", "refunded", "due", "until", "way", "rest"})
            row.set(std::string("is_") + kind, line.kind == kind);
        all.push(std::move(row));
    }
    return all;
}

std::string sentence_of(const MoneyTerms& terms, const MoneyReader& reader) {
    const Said words{reader.locale};
    const settings::Look& look = reader.look;
    if (terms.owed().is_zero())
        return words.say_text("Nothing to pay");
    const auto brief = [&](Date date) { return texts::day_in_words(reader.locale, date, texts::DayStyle::brief); };
    const std::string now = look.amount(terms.due_now);
    const std::string by = terms.due_by ? brief(look.zone.date_at(*terms.due_by)) : std::string();
    if (terms.rest.is_zero())
        return by.empty() ? words.say_text("{amount} now", {{"amount", now}})
                          : words.say_text("{amount} by {day}", {{"amount", now}, {"day", by}});
    const std::string rest = look.amount(terms.rest), rest_on = terms.rest_on ? brief(*terms.rest_on) : std::string();
    return by.empty() ? words.say_text("{amount} now, the rest of {rest} by {rest_day}",
                                       {{"amount", now}, {"rest", rest}, {"rest_day", rest_on}})
                      : words.say_text("{amount} by {day}, the rest of {rest} by {rest_day}",
                                       {{"amount", now}, {"day", by}, {"rest", rest}, {"rest_day", rest_on}});
}

// What prices are stored with, in English; anything else is the operator's own.
std::string label_of(const Line& line, std::string_view locale) {
    const Said words{locale};
    constexpr std::string_view coupon = "Coupon ", group = "Group Discount";
    const std::string& label = line.label;
    if (line.kind == "coupon" && label.starts_with(coupon))
        return words.say_text("Coupon {code}", {{"code", label.substr(coupon.size())}});
    if (line.kind == "coupon" && label == "Discount")
        return words.say_text("Discount");
    if (line.kind == "group_discount" && label == group)
        return words.say_text("Group discount");
    if (line.kind == "group_discount" && label.starts_with(std::string(group) + " (") && label.ends_with(')'))
        return words.say_text("Group discount ({amount})",
                              {{"amount", label.substr(group.size() + 2, label.size() - group.size() - 3)}});
    if (line.kind == "dynamic" && label == "Adjustment")
        return words.say_text("Adjustment");
    if (line.kind == "service" && label == "Additional services")
        return words.say_text("Additional services");
    if (line.people)
        return words.say_text(
            "{label}: {people, plural, one {# traveler} other {# travelers}}, {groups, plural, one {#"
            " group} other {# groups}}",
            {{"label", line.label}, {"people", *line.people}, {"groups", line.quantity}});
    return line.label;
}

std::string included_tax(std::string_view label, std::string_view locale) {
    return Said{locale}.say_text("{tax}, included", {{"tax", label}});
}

}  // namespace svc::booking
