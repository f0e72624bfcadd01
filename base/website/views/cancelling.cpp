// The rules and sentences are of base/sales/booking/cancellation; here they are put where templates look for them.
#include "base/website/views/cancelling.hpp"

#include "base/sales/booking/cancellation/agreed.hpp"

namespace svc::pages {

using json::Value;

namespace {

booking::CancellationReader reader_of(const Format& words) { return {.locale = words.locale, .look = words.look}; }

Value rows_of(const std::vector<std::string>& sentences) {
    return json::array_of(sentences, [](const std::string& text) { return Value::object({{"text", text}}); });
}

// The trip's own words; they may hold lines.
Value section_of(const std::vector<std::string>& sentences, const std::string& policy) {
    Value section = Value::object({{"sentences", rows_of(sentences)}, {"has_sentences", !sentences.empty()}});
    section.set("policy", policy);
    return section;
}

// The checkout's terms in the currency of what would be booked.
booking::CancellationTerms terms_of(const Checkout& checkout, Currency currency) {
    auto terms = booking::cancellation_terms_of(checkout.trip["cancellation_terms"], currency, {});
    return terms ? std::move(*terms) : booking::CancellationTerms{};
}

std::optional<Currency> currency_of(const Checkout& checkout) {
    const auto currency = Currency::parse(checkout.trip.text_or("currency"));
    return currency ? std::optional(*currency) : std::nullopt;
}

std::string general_rule(const booking::CancellationTerms& terms, const Format& words) {
    return !terms.empty() && terms.steps.front().is_free() ? sentences_of(terms, reader_of(words)).front()
                                                           : std::string();
}

}  // namespace

void add_trip_cancelling(const Views& views, const Value& trip, const Format& words, Value& model) {
    const auto currency = Currency::parse(trip.text_or("currency"));
    if (!currency)
        return;
    const auto terms = booking::cancellation_terms_of_trip(trip["cancellation_terms"], *currency, views.settings());
    if (terms.empty())
        return;
    model.set("cancelling", section_of(sentences_of(terms, reader_of(words)), {}));
    model.set("free_rule", general_rule(terms, words));
}

void add_summary(const Views& views, const Checkout& checkout, const Format& words, Value& model) {
    model.set("summary", summary_json(checkout, words));
    const auto currency = currency_of(checkout);
    if (!currency)
        return;
    const auto terms = terms_of(checkout, *currency);
    const auto day = Date::parse(checkout.session.is_object() ? checkout.session.text_or("travel_date") : "");
    const Date today = words.look.zone.date_at(views.site.clock.now());
    model.set("free_rule", day ? free_sentence(terms, *day, today, reader_of(words)) : general_rule(terms, words));
}

void add_whole_summary(const Views& views, const Checkout& checkout, const Format& words, Value& model) {
    add_summary(views, checkout, words, model);
    const std::string policy = checkout.trip.text_or("cancellation_policy");
    const auto currency = currency_of(checkout);
    const Value &session = checkout.session, &total = session["quote"]["final_total"];
    const auto day = Date::parse(session.text_or("travel_date"));
    std::vector<std::string> sentences;
    if (currency && day && total.is_number()) {
        const auto amount = Money::parse(total.number_text(), *currency);
        const auto terms = terms_of(checkout, *currency);
        if (amount && !terms.empty())
            sentences = dated_sentences(terms,
                                        {.total = *amount,
                                         .travelers = session["quote"].maybe_integer("travelers_count").value_or(1),
                                         .departs = *day},
                                        reader_of(words));
    }
    if (!sentences.empty() || !policy.empty())
        model.set("cancelling", section_of(sentences, policy));
}

void add_booked_cancelling(const Value& booking, bool can_cancel, const Format& words, Value& model) {
    const auto shown = booking::shown_cancellation(booking);
    // Bookings made before this was stored show the trip's present policy.
    model.set("policy", shown ? Value(shown->agreed.policy) : booking["cancellation_policy"]);
    if (!shown)
        return;
    const auto reader = reader_of(words);
    const auto bill = booking::cancellation_bill(shown->agreed.terms, shown->booking);
    if (can_cancel && !shown->agreed.terms.empty())
        model.set("cancelling",
                  section_of(dated_sentences(shown->agreed.terms, shown->booking.fare, reader), shown->agreed.policy));
    if (can_cancel && bill)
        model.set("cost", Value::object({{"fee", fee_sentence(*bill, reader)},
                                         {"returned", return_sentence(*bill, reader)},
                                         {"is_free", bill->fee.is_zero()}}));
    if (booking.text_or("status") == "cancelled" && booking.text_or("cancelled_via") == "customer" && bill &&
        !bill->paid.is_zero())
        model.set(
            "cost_then",
            bill->fee.is_zero()
                ? words.say_text("By the terms of your booking, cancelling on that day was free.")
                : words.say_text("By the terms of your booking, cancelling on that day cost {fee} of {total}.",
                                 {{"fee", words.look.amount(bill->fee)}, {"total", words.look.amount(bill->total)}}));
}

}  // namespace svc::pages
