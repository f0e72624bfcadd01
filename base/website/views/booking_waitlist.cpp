// The waitlist of a date that is sold out, joined by one short form; nobody is charged.
#include <algorithm>
#include <array>

#include "base/website/views/checkout.hpp"
#include "base/website/views/facts.hpp"

namespace svc::pages {
namespace {

using json::Value;

constexpr std::array<std::string_view, 4> asked_of_waiting{"contact_first_name", "contact_last_name", "contact_email",
                                                           "contact_phone"};

bool is_asked_of_waiting(std::string_view name) {
    return std::find(asked_of_waiting.begin(), asked_of_waiting.end(), name) != asked_of_waiting.end();
}

// The fields of the trip's form that are asked before there are seats.
Value waiting_fields(const Checkout& checkout, const Value& typed, const Faults& faults, const Format& words) {
    Value fields = Value::array();
    for (const Value& section : sections_json(checkout, typed, faults, words).items())
        for (const Value& field : list_of(section["fields"]))
            if (is_asked_of_waiting(field.text_or("name")))
                fields.push(field);
    return fields;
}

// The date that the form or the address names, else the session's.
std::string wanted_date(const Checkout& checkout, const PageRequest& visit) {
    std::string date = visit.http.method == "POST" ? visit.typed("date") : visit.parameter("date");
    if (!date.empty() || checkout.session.is_null())
        return date;
    date = checkout.session.text_or("travel_date");
    const std::string time = checkout.session.text_or("departure_time");
    return time.empty() ? date : date + "T" + time;
}

// How many of each category, by the form or the address, else by the session.
Value wanted_party(const Checkout& checkout, const PageRequest& visit, const Format& words) {
    const bool is_form = visit.http.method == "POST";
    const auto given = [&](const std::string& name) -> std::int64_t {
        const std::string text = is_form ? visit.typed(name) : visit.parameter(name);
        return !text.empty() && text.size() < 5 && text.find_first_not_of("0123456789") == std::string::npos
                   ? std::stoll(text)
                   : 0;
    };
    const Value &trip = checkout.trip, &session = checkout.session;
    Value counts = Value::object();
    for (const Value& type : trip["price_types"].items()) {
        const std::string id = std::to_string(type["category_id"].integer());
        if (const std::int64_t count = given("c" + id); count > 0)
            counts.set(id, count);
    }
    if (counts.size() == 0 && !is_form && session["traveler_counts"].is_object())
        counts = session["traveler_counts"];
    std::int64_t all = given("travelers");
    if (all == 0)
        all = session.maybe_integer("travelers").value_or(trip.maybe_integer("min_travelers").value_or(1));
    const std::int64_t most = trip.maybe_integer("max_travelers").value_or(0);
    return party_of(trip["price_types"], words, trip.text_or("currency"), counts, all, most > 0 ? most : 100);
}

View waitlist_page(const Views& views, PageRequest& visit, const Checkout& checkout, const Value& typed,
                   const Faults& faults, int status) {
    View view{.page = "booking-waitlist", .status = status};
    Value& model = view.model;
    const Format& words = visit.words;
    const Value& trip = checkout.trip;
    const std::string date = wanted_date(checkout, visit);
    Value fields = waiting_fields(checkout, typed, faults, words);
    Value as_section = Value::array();
    as_section.push(Value::object({{"fields", fields}}));
    model.set("faults", faults_json(faults, [&](std::string_view field) {
                  return field == "travelers"        ? words.say_text("Travelers")
                         : field == "terms_accepted" ? trip["terms_page"].text_or("title")
                                                     : field_label(as_section, field);
              }));
    model.set("has_faults", !faults.empty());
    model.set("fields", std::move(fields));
    model.set("title", trip["title"]);
    model.set("trip_url", views.path({views.bases().trip, checkout.slug}));
    model.set("date", date);
    model.set("day", words.day(date.substr(0, date.find('T'))));
    if (const auto t = date.find('T'); t != std::string::npos)
        model.set("time", words.time(date.substr(t + 1)));
    model.set("party", wanted_party(checkout, visit, words));
    model.set("action", step(views, checkout.slug, "waitlist"));
    model.set("choose", step(views, checkout.slug, ""));
    for (const auto& [key, flag] : {std::pair{"terms_page", "terms"}, {"privacy_policy_page", "privacy"}})
        if (const Value& page = trip[key]; page.is_object())
            model.set(flag, Value::object({{"title", page["title"]}, {"url", views.local(page.text_or("url"))}}));
    model.set("needs_terms", trip.maybe_integer("terms_page_id").value_or(0) > 0);
    model.set("terms_error", fault_of(faults, "terms_accepted"));
    model.set("terms_checked", visit.typed("terms_accepted") == "1");
    view.head.title = words.say_text("Waitlist: {trip}", {{"trip", trip.text_or("title")}});
    views.add_human_check(view, {"booking"});
    return view;
}

View seats_are_free(const Views& views, PageRequest& visit, const std::string& slug) {
    View view{.page = "notice"};
    view.head.title = visit.words.say_text("Seats have just become free");
    view.model.set("heading", view.head.title);
    view.model.set("text",
                   visit.words.say_text("You need not wait: there is room for all of you. Nothing is booked yet."));
    view.model.set("action", Value::object({{"url", step(views, slug, "details")},
                                            {"label", visit.words.say_text("Continue to your details")}}));
    return view;
}

}  // namespace

std::string waitlist_step(const Views& views, const std::string& slug, const Answered& refused, const Value& choice) {
    if (refused.code() != errc::sold_out.name || !refused.body["data"].maybe_boolean("waitlist").value_or(false))
        return {};
    std::string date = choice.text_or("travel_date");
    if (const std::string time = choice.text_or("departure_time"); !time.empty())
        date += "T" + time;
    Pairs chosen{{"date", date}};
    if (choice["traveler_counts"].is_object())
        for (const auto& [id, count] : choice["traveler_counts"].members())
            chosen.emplace_back("c" + id, count.number_text());
    else if (choice["travelers"].is_number())
        chosen.emplace_back("travelers", choice["travelers"].number_text());
    return step(views, slug, "waitlist") + query_of(chosen);
}

View Views::book_waitlist(PageRequest& visit) const {
    const Checkout checkout = checkout_of(*this, visit, visit.names.at("slug"));
    if (wanted_date(checkout, visit).empty())
        return go_to(step(*this, checkout.slug, ""));
    return waitlist_page(*this, visit, checkout, typed_of(checkout, visit), {}, 200);
}

View Views::book_waitlist_submit(PageRequest& visit) const {
    const std::string& slug = visit.names.at("slug");
    Checkout checkout = checkout_of(*this, visit, slug);
    if (!checkout.booked.empty() && !visit.typed("_mark").empty())  // sent twice
        return go_to(checkout.booked);
    std::int64_t people = 0;
    Value choice = choice_body(checkout, visit, people);
    const Value typed = typed_of(checkout, visit);
    if (people == 0)
        return waitlist_page(*this, visit, checkout, typed,
                             {{"travelers", visit.words.say_text("Say how many people travel.")}}, 400);
    if (choice.text_or("travel_date").empty())
        return go_to(step(*this, slug, ""));
    if (typed.size() > 0)
        choice.set("form_data", typed);
    if (checkout.session.is_null())
        visit.leave_checkout_aside();
    const Answered kept = checkout.session.is_null() ? visit.call("POST", "/booking/session", choice)
                                                     : visit.call("PUT", "/booking/session", choice);
    if (!kept.is_good())
        return waitlist_page(*this, visit, checkout, typed, faults_of(kept), 400);
    checkout.session = kept.data();
    if (const std::string secret = kept.data().text_or("session_id"); !secret.empty())
        visit.keep_checkout(secret);
    if (!kept.data()["quote"].is_null())
        return seats_are_free(*this, visit, slug);
    Value waiting = Value::object();
    for (const auto& [name, value] : typed.members())
        if (is_asked_of_waiting(name))
            waiting.set(name, value);
    Value body = create_body(checkout, waiting);
    body.set("join_waitlist", true);
    body.set("terms_accepted", visit.typed("terms_accepted") == "1");
    if (const std::string token = visit.typed("recaptcha_token"); !token.empty())
        body.set("recaptcha_token", token);
    if (Value consent = consent_body(visit); !consent.is_null())
        body.set("tracking_consent", std::move(consent));
    const Answered made = visit.call("POST", "/booking/create", body, visit.typed("_key"));
    if (made.code() == "login_required" || made.code() == "guest_not_allowed")
        return go_to(path({bases().account, "login"}) + query_of({{"next", step(*this, slug, "waitlist")}}));
    if (!made.is_good())
        return waitlist_page(*this, visit, checkout, typed, faults_of(made), made.status == 409 ? 409 : 400);
    const Value& booking = made.data();
    const std::int64_t id = booking.maybe_integer("booking_id").value_or(booking.maybe_integer("id").value_or(0));
    visit.keep_booking(id, booking.text_or("booking_token"), booking.text_or("reference"),
                       {visit.typed("_mark"), visit.checkout_mark(slug)});
    return go_to(path({bases().book, "confirmation", booking.text_or("reference")}));
}

}  // namespace svc::pages
