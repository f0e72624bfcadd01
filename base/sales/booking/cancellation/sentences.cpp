// One text for each kind of row, so that no sentence is made of pieces.
#include "base/sales/booking/cancellation/sentences.hpp"

#include <algorithm>

#include "base/platform/texts/texts.hpp"

namespace svc::booking {
namespace {

// base/i18n/collect.py finds the texts by the name of the call.
struct Said {
    const CancellationReader& reader;

    [[nodiscard]] std::string say_text(std::string_view english,
                                       std::initializer_list<texts::Argument> arguments = {}) const {
        return texts::bundled().say(reader.locale, "document", english, arguments);
    }
    [[nodiscard]] std::string amount(const Money& money) const { return reader.look.amount(money); }
    [[nodiscard]] std::string day(Date date) const { return settings::day_in(reader.locale, reader.look, date); }
    [[nodiscard]] std::string percent(Rate rate) const {
        std::string text = rate.percent();
        if (const auto point = text.find('.'); point != std::string::npos)
            text.replace(point, 1, reader.look.decimal_separator);
        return text;
    }
};

std::string until_days(const CancellationStep& step, const Said& words) {
    const int days = *step.until_days;
    if (step.is_free())
        return words.say_text(
            "{days, plural, =0 {Cancelling is free until the day of departure.} one {Cancelling is free until one day"
            " before departure.} other {Cancelling is free until # days before departure.}}",
            {{"days", days}});
    if (step.percentage)
        return words.say_text(
            "{days, plural, =0 {Until the day of departure, cancelling costs {percent}% of the price.} one {Until one"
            " day before departure, cancelling costs {percent}% of the price.} other {Until # days before departure,"
            " cancelling costs {percent}% of the price.}}",
            {{"days", days}, {"percent", words.percent(*step.percentage)}});
    if (step.per_traveler)
        return words.say_text(
            "{days, plural, =0 {Until the day of departure, cancelling costs {amount} per traveler.} one {Until one day"
            " before departure, cancelling costs {amount} per traveler.} other {Until # days before departure,"
            " cancelling costs {amount} per traveler.}}",
            {{"days", days}, {"amount", words.amount(*step.amount)}});
    return words.say_text(
        "{days, plural, =0 {Until the day of departure, cancelling costs {amount}.} one {Until one day before"
        " departure, cancelling costs {amount}.} other {Until # days before departure, cancelling costs {amount}.}}",
        {{"days", days}, {"amount", words.amount(*step.amount)}});
}

std::string from_then_on(const CancellationStep& step, const Said& words) {
    if (step.is_free())
        return words.say_text("After that, cancelling stays free until the departure.");
    if (step.percentage)
        return *step.percentage == whole_price ? words.say_text("After that, the full price is due.")
                                               : words.say_text("After that, cancelling costs {percent}% of the price.",
                                                                {{"percent", words.percent(*step.percentage)}});
    return step.per_traveler
               ? words.say_text("After that, cancelling costs {amount} per traveler.",
                                {{"amount", words.amount(*step.amount)}})
               : words.say_text("After that, cancelling costs {amount}.", {{"amount", words.amount(*step.amount)}});
}

std::string at_any_time(const CancellationStep& step, const Said& words) {
    if (step.is_free())
        return words.say_text("Cancelling is free until the departure.");
    if (step.percentage)
        return *step.percentage == whole_price ? words.say_text("If you cancel, the full price is due.")
                                               : words.say_text("Cancelling costs {percent}% of the price.",
                                                                {{"percent", words.percent(*step.percentage)}});
    return step.per_traveler
               ? words.say_text("Cancelling costs {amount} per traveler.", {{"amount", words.amount(*step.amount)}})
               : words.say_text("Cancelling costs {amount}.", {{"amount", words.amount(*step.amount)}});
}

// Rows that count in different ways: a later one may come to less, and does not count then.
bool are_mixed(const CancellationTerms& terms) {
    const CancellationStep* first = nullptr;
    for (const CancellationStep& step : terms.steps) {
        if (step.is_free() || step.percentage == whole_price)
            continue;
        if (first &&
            (first->percentage.has_value() != step.percentage.has_value() || first->per_traveler != step.per_traveler))
            return true;
        first = &step;
    }
    return false;
}

}  // namespace

std::vector<std::string> sentences_of(const CancellationTerms& terms, const CancellationReader& reader) {
    const Said words{reader};
    std::vector<std::string> sentences;
    for (const CancellationStep& step : terms.steps)
        sentences.push_back(step.until_days          ? until_days(step, words)
                            : terms.steps.size() > 1 ? from_then_on(step, words)
                                                     : at_any_time(step, words));
    if (are_mixed(terms))
        sentences.push_back(words.say_text("The fee is never less than in the time before."));
    return sentences;
}

std::vector<std::string> dated_sentences(const CancellationTerms& terms, const CancellationFare& fare,
                                         const CancellationReader& reader) {
    const Said words{reader};
    std::vector<DatedFee> fees;
    for (const DatedFee& each : dated_fees(terms, fare)) {
        if (!fees.empty() && fees.back().fee == each.fee)
            fees.pop_back();  // one period, up to the later day
        fees.push_back(each);
    }
    std::vector<std::string> sentences;
    for (const DatedFee& each : fees) {
        const std::string fee = words.amount(each.fee);
        if (each.until)
            sentences.push_back(
                each.fee.is_zero()
                    ? words.say_text("Cancelling is free until {day}.", {{"day", words.day(*each.until)}})
                    : words.say_text("Until {day}, cancelling costs {amount}.",
                                     {{"day", words.day(*each.until)}, {"amount", fee}}));
        else if (each.fee.is_zero())
            sentences.push_back(words.say_text("Cancelling is free until the departure."));
        else if (fees.size() > 1)
            sentences.push_back(
                each.fee == fare.total
                    ? words.say_text("After that, the full price of {amount} is due.", {{"amount", fee}})
                    : words.say_text("After that, cancelling costs {amount}.", {{"amount", fee}}));
        else
            sentences.push_back(
                each.fee == fare.total
                    ? words.say_text("If you cancel, the full price of {amount} is due.", {{"amount", fee}})
                    : words.say_text("Cancelling costs {amount}.", {{"amount", fee}}));
    }
    return sentences;
}

std::string free_sentence(const CancellationTerms& terms, Date departs, Date today, const CancellationReader& reader) {
    const auto until = free_cancellation_until(terms, departs);
    const Said words{reader};
    return until && *until >= today ? words.say_text("Free cancellation until {day}", {{"day", words.day(*until)}})
                                    : std::string();
}

std::string fee_sentence(const CancellationBill& bill, const CancellationReader& reader) {
    const Said words{reader};
    return bill.fee.is_zero() ? words.say_text("Cancelling today is free.")
                              : words.say_text("Cancelling today costs {fee} of {total}.",
                                               {{"fee", words.amount(bill.fee)}, {"total", words.amount(bill.total)}});
}

std::string return_sentence(const CancellationBill& bill, const CancellationReader& reader) {
    const Said words{reader};
    if (bill.paid.is_zero())
        return words.say_text("You have paid nothing, so nothing is paid back.");
    if (bill.returned.is_zero())
        return words.say_text("You have paid {paid}, so nothing would be returned.",
                              {{"paid", words.amount(bill.paid)}});
    return words.say_text("You have paid {paid}, so {returned} would be returned.",
                          {{"paid", words.amount(bill.paid)}, {"returned", words.amount(bill.returned)}});
}

}  // namespace svc::booking
