// What pages show of a created booking: the next steps, its documents, the balance, cancellation. The same for guests
// and for accounts.
#include <algorithm>

#include "base/sales/booking/record/payment_plan.hpp"
#include "base/website/views/booked.hpp"
#include "base/website/views/cancelling.hpp"
#include "base/website/views/extras.hpp"
#include "base/website/views/later_answers.hpp"

namespace svc::pages {
namespace {

using json::Value;

struct Outcome {
    std::string heading, text;
};

// The actions for the holder of an offer from the waitlist, and their deadline.
std::string offer_text(const Value& booking, const Format& words) {
    const std::string until = booking.text_or("expires_at");
    if (!is_some(booking["amount_due"]))
        return words.say_text(
            "You were on the waitlist, and now it is your turn. Nothing is to be paid: we confirm your place by"
            " e-mail. If you no longer want it, decline, and the next in line gets it.");
    if (until.empty())
        return words.say_text(
            "You were on the waitlist, and now it is your turn. Pay to take your place, or decline, and the next in"
            " line gets it.");
    return words.say_text(
        "You were on the waitlist, and now it is your turn. We keep your place until {moment}: pay by then to take it,"
        " or decline, and the next in line gets it.",
        {{"moment", words.moment(until)}});
}

// The sentence about the next step.
Outcome outcome_of(const Value& booking, const std::string& standing, const Format& words) {
    if (standing == "pending_verification")
        return {
            words.say_text("One more step: confirm your e-mail address"),
            words.say_text(
                "We have sent you a link. Your seats are yours once you have opened it; until then nothing is final.")};
    if (standing == "offered")
        return {words.say_text("{seats, plural, one {A seat is free for you} other {# seats are free for you}}",
                               {{"seats", booking.maybe_integer("travelers_count").value_or(1)}}),
                offer_text(booking, words)};
    if (standing == "waitlist")
        return {words.say_text("You are on the waitlist"),
                words.say_text("We write to you as soon as seats come free. Until then nothing is due.")};
    if (standing == "confirmed")
        return {words.say_text("Your trip is booked"),
                words.say_text("We look forward to seeing you. Everything you need is below and in your e-mail.")};
    if (standing == "completed")
        return {words.say_text("Thank you for travelling with us"),
                words.say_text("We hope that you came home with good memories.")};
    if (standing == "cancelled" || standing == "refunded")
        return {words.say_text("This booking is cancelled"),
                standing == "refunded"
                    ? words.say_text("Nothing more is due, and what you had paid has been paid back.")
                : is_some(booking["amount_paid"])
                    ? words.say_text("Nothing more is due. Our staff decide by the conditions of the trip how much of"
                                     " your payment is paid back; what has been paid back is subtracted below.")
                    : words.say_text("Nothing more is due.")};
    if (standing == "expired")
        return {words.say_text("This booking has expired"),
                words.say_text("It was not paid in time, so its seats went back on sale. Nothing more is due; book "
                               "again whenever you like.")};
    return {words.say_text("Thank you, we have your booking"),
            words.say_text("We confirm it by e-mail as soon as it is settled.")};
}

Value documents_of(const Value& booking, const std::string& root, const Format& words) {
    const std::string status = booking.text_or("status");
    const bool has_ended = status == "cancelled" || status == "refunded";
    Value list = Value::array();
    const auto add = [&](const char* kind, const std::string& label) {
        list.push(Value::object({{"label", label}, {"url", root + "/documents/" + kind}}));
    };
    if (status == "confirmed" || status == "completed" || (booking.text_or("payment_status") == "paid" && !has_ended)) {
        add("voucher", words.say_text("Voucher (PDF)"));
        add("itinerary", words.say_text("Itinerary (PDF)"));
    }
    // Of a cancelled booking it is a tax document, with what was paid.
    const std::string paid = booking.text_or("payment_status");
    if (status == "confirmed" || status == "completed" || status == "pending" ||
        (has_ended && !paid.empty() && paid != "pending" && paid != "unpaid"))
        add("invoice", words.say_text("Invoice (PDF)"));
    if (status == "confirmed" || status == "pending")
        list.push(
            Value::object({{"label", words.say_text("Add to your calendar")}, {"url", root + "/documents/calendar"}}));
    return list;
}

// The ways of paying online; those with fields on the page need its script.
void add_gateways(const Views& views, PageRequest& visit, const Value& booking, Value& model) {
    const Answered gateways = visit.get("/payment/gateways");
    const std::string chosen = booking.text_or("payment_gateway");
    Value online = Value::array();
    for (const Value& each : list_of(gateways.data()["gateways"])) {
        const std::string id = each.text_or("id"), script = script_of_gateway(views, id);
        if (!each.maybe_boolean("is_offline").value_or(true))
            online.push(Value::object({{"id", id},
                                       {"title", visit.words.default_text(each.text_or("title"))},
                                       {"text", visit.words.default_text(each.text_or("description"))},
                                       {"needs_script", needs_script(id)},
                                       {"script", script},
                                       {"wanted", id == chosen}}));
    }
    // Without scripts only the others can be chosen; the wanted one first.
    const auto selects = [&](bool wanted) {
        for (Value& each : online.items())
            if (!each["needs_script"].boolean() && (!wanted || each["wanted"].boolean())) {
                each.set("selected", true);
                return true;
            }
        return false;
    };
    if (!selects(true))
        selects(false);
    model.set("has_online", online.size() > 0);
    model.set("gateways", std::move(online));
}

// Until when the next payment is due, in one sentence; empty: nobody said.
std::string until_sentence(const booking::PlannedMoney& terms, const Format& words) {
    if (!terms.due_now.is_zero() && terms.due_by) {
        const std::string moment = settings::moment_in(words.locale, words.look, *terms.due_by);
        return terms.seats_lapse ? words.say_text("Pay by {moment} to keep your seats.", {{"moment", moment}})
                                 : words.say_text("Pay by {moment}.", {{"moment", moment}});
    }
    // In parts each has its own day, and stands among the lines.
    return terms.rest_on && terms.parts.empty()
               ? words.say_text("Pay by {moment}.",
                                {{"moment", settings::day_in(words.locale, words.look, *terms.rest_on)}})
               : std::string();
}

void add_money(const Views& views, const Value& booking, bool is_live, const Format& words, Value& model) {
    const auto terms = booking::planned_money_from(booking["payment_terms"]);
    if (!terms)
        return;
    model.set("money", booking::to_json(booking::lines_of(*terms, money_reader(views, terms->gateway, words))));
    if (!is_live || terms->owed().is_zero())
        return;
    model.set("pay_until", until_sentence(*terms, words));
    if (terms->due_now.is_zero() && terms->binds)
        model.set("due", words.look.amount(terms->parts.front().amount));
    if (terms->due_now.is_zero() && !terms->parts.empty())  // they can be paid before their days
        model.set("pays",
                  Value::object({{"next", words.look.amount(terms->parts.front().amount)},
                                 {"all", terms->binds ? Value(false) : Value(words.look.amount(terms->rest))}}));
    if (const std::string how = views.instructions(terms->gateway, booking, words.locale); !how.empty())
        model.set("instructions", how);
}

}  // namespace

Value booked_json(const Views& views, PageRequest& visit, const Value& booking, const std::string& root) {
    const std::string currency = booking.text_or("currency");
    const Format& words = visit.words;
    const StatusWords standing = status_words_of(booking, words);
    const Outcome outcome = outcome_of(booking, standing.status, words);
    Value model = Value::object({{"reference", booking["reference"]},
                                 {"heading", outcome.heading},
                                 {"text", outcome.text},
                                 {"mark", standing.mark},
                                 {"status", standing.word},
                                 {"title", booking["trip_title"]},
                                 {"trip_url", views.path({views.bases().trip, booking.text_or("trip_slug")})},
                                 {"day", words.day(booking.text_or("travel_date"))},
                                 {"time", words.time(booking.text_or("departure_time"))},
                                 {"people", booking["travelers_count"]},
                                 {"one_person", booking.maybe_integer("travelers_count") == 1},
                                 {"email", booking["customer_email"]},
                                 {"name", booking["customer_name"]},
                                 {"total", words.amount(booking["total"], currency)},
                                 {"paid", words.amount(booking["amount_paid"], currency)},
                                 {"due", words.amount(booking["amount_due"], currency)},
                                 {"root", root}});
    if (const std::string end = booking.text_or("end_date"); !end.empty() && end != booking.text_or("travel_date"))
        model.set("end", words.day(end));
    Value lines =
        price_lines(booking["lines"], currency, booking.maybe_boolean("tax_inclusive").value_or(false), words);
    const auto add = [&](const std::string& label, const std::string& amount) {
        lines.push(Value::object({{"label", label}, {"amount", amount}}));
    };
    // Bookings of before an import have sums alone.
    if (is_some(booking["discount_amount"]) && !has_line(booking["lines"], "coupon") &&
        !has_line(booking["lines"], "group_discount"))
        add(words.say_text("Discount {code}", {{"code", booking.text_or("discount_code")}}),
            "−" + words.amount(booking["discount_amount"], currency));
    if (is_some(booking["tax_amount"]) && !has_line(booking["lines"], "tax")) {
        const std::string label = words.say_text("Tax");
        add(booking.maybe_boolean("tax_inclusive").value_or(false) ? booking::included_tax(label, words.locale) : label,
            words.amount(booking["tax_amount"], currency));
    }
    model.set("lines", std::move(lines));
    model.set("is_paid", is_some(booking["amount_paid"]));
    const std::string status = booking.text_or("status");
    const bool is_live = status == "pending" || status == "confirmed";
    model.set("is_due", is_live && is_some(booking["amount_due"]));
    add_money(views, booking, is_live, words, model);
    model.set("place", booking["meeting"].text_or("place"));
    model.set("map_url", booking["meeting"].text_or("map_url"));
    model.set("phone", views.settings().text("company_phone"));
    Value travelers = Value::array();
    for (const Value& each : list_of(booking["travelers"]))
        travelers.push(each["fields"].text_or("first_name") + " " + each["fields"].text_or("last_name"));
    model.set("travelers", std::move(travelers));
    model.set("documents", documents_of(booking, root, words));
    model.set("has_documents", model["documents"].size() > 0);
    if (is_live && is_some(booking["amount_due"])) {
        add_gateways(views, visit, booking, model);
        // Its account keeps it, and takes it away again.
        model.set("may_keep_card", booking.maybe_integer("user_id").value_or(0) > 0 &&
                                       views.settings().flag("allow_save_payment_methods"));
    }
    const std::string today = words.look.zone.date_at(views.site.clock.now()).text();
    const bool is_over = status == "completed" || (status == "confirmed" && booking.text_or("end_date") < today);
    model.set("can_cancel", (status == "pending" || status == "confirmed" || status == "waitlist") &&
                                booking.text_or("travel_date") > today);
    model.set("is_offer", booking.maybe_boolean("waitlist_offer").value_or(false));
    model.set("can_repeat", (status == "expired" || status == "cancelled") && booking.text_or("travel_date") >= today);
    add_booked_cancelling(booking, model["can_cancel"].boolean() && status != "waitlist", words, model);
    add_later_extras(visit, booking, model);
    add_later_answers(views, visit, booking, root, model);
    if (is_over && views.settings().flag("enable_reviews") && views.settings().flag("allow_customer_reviews"))
        model.set("review_url", views.path({views.bases().trip, booking.text_or("trip_slug"), "review"}));
    return model;
}

View document_of(PageRequest& visit, const Value& booking, const std::string& kind) {
    if (is_file_code(kind))
        return file_of(visit, booking, kind);
    const std::string id = std::to_string(booking["id"].integer());
    if (kind != "voucher" && kind != "itinerary" && kind != "invoice" && kind != "calendar")
        missing();
    const RawAnswer answer =
        visit.raw(kind == "invoice" ? "/booking/" + id + "/invoice" : "/bookings/" + id + "/" + kind);
    View view;
    if (answer.status != 200) {
        view = {.page = "error", .status = answer.status};
        view.head.title = visit.words.say_text("Document not available");
        view.model.set("heading", visit.words.say_text("This document is not available yet"));
        view.model.set("text", answer.message);
        return view;
    }
    view.raw = answer.body;
    view.content_type = answer.type;
    view.headers.emplace_back("Content-Disposition", answer.disposition);
    return view;
}

}  // namespace svc::pages
