// The merge tags about cancelling a booking.
#include "base/messaging/templates/merge_tags.hpp"
#include "base/platform/html/html.hpp"

namespace svc::messaging {
namespace {

booking::CancellationReader reader_of(const TagContext& context) {
    return {.locale = context.words.locale, .look = context.look};
}

std::vector<std::string> sentences(const TagContext& context) {
    if (!context.cancellation)
        return {};
    const auto& [agreed, booking] = *context.cancellation;
    return booking::dated_sentences(agreed.terms, booking.fare, reader_of(context));
}

std::string terms(const TagContext& context) {
    std::string text;
    for (const std::string& sentence : sentences(context))
        text += (text.empty() ? "" : " ") + sentence;
    return text;
}

std::string terms_html(const TagContext& context) {
    std::string items;
    for (const std::string& sentence : sentences(context))
        items += "<li>" + html::escaped(sentence) + "</li>";
    std::string out = items.empty() ? items : "<ul>" + items + "</ul>";
    if (const std::string policy = context.cancellation ? context.cancellation->agreed.policy : ""; !policy.empty())
        out += policy.find('<') == std::string::npos ? "<p>" + html_lines(policy) + "</p>" : html::clean_html(policy);
    return out;
}

std::string free_until(const TagContext& context) {
    if (!context.cancellation)
        return {};
    const auto& [agreed, booking] = *context.cancellation;
    const auto day = booking::free_cancellation_until(agreed.terms, booking.fare.departs);
    return day && *day >= booking.day ? settings::day_in(context.words.locale, context.look, *day) : std::string();
}

// Whoever else cancels a booking asks its customer for nothing.
std::string billed(const TagContext& context, Money booking::CancellationBill::*amount) {
    if (!context.cancellation || context.booking.text_or("cancelled_via") != "customer")
        return {};
    const auto bill = booking::cancellation_bill(context.cancellation->agreed.terms, context.cancellation->booking);
    return bill ? context.look.amount((*bill).*amount) : std::string();
}

}  // namespace

const std::vector<MergeTag>& cancellation_tags() {
    static const std::vector<MergeTag> tags{
        {"cancellation_terms", terms},
        {"cancellation_terms_html", terms_html},
        {"free_cancellation_until", free_until},
        {"cancellation_fee", [](const TagContext& t) { return billed(t, &booking::CancellationBill::fee); }},
        {"cancellation_returned", [](const TagContext& t) { return billed(t, &booking::CancellationBill::returned); }},
    };
    return tags;
}

}  // namespace svc::messaging
