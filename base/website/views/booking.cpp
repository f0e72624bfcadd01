// The first steps of a booking: date and travelers, details.
#include <algorithm>

#include "base/settings/values/site_pages.hpp"
#include "base/website/views/cancelling.hpp"
#include "base/website/views/checkout.hpp"
#include "base/website/views/extras.hpp"
#include "base/website/views/facts.hpp"
#include "shared/core/ascii.hpp"

namespace svc::pages {

using json::Value;

namespace {

// "2026-12-11T18:30"
std::pair<std::string, std::string> date_and_time(const std::string& value) {
    const auto t = value.find('T');
    return t == std::string::npos ? std::pair{value, std::string()}
                                  : std::pair{value.substr(0, t), value.substr(t + 1)};
}

std::int64_t whole(const std::string& text) {
    return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string::npos
               ? std::stoll(text)
               : 0;
}

View choice_page(const Views& views, PageRequest& visit, const Checkout& checkout, const Faults& faults, int status) {
    View view{.page = "booking", .status = status};
    Value& model = view.model;
    const Value &trip = checkout.trip, &session = checkout.session;
    const bool is_form = visit.http.method == "POST";
    const auto given = [&](std::string_view name) { return is_form ? visit.typed(name) : visit.parameter(name); };
    std::string selected = given("date");
    if (selected.empty() && !session.is_null()) {
        selected = session.text_or("travel_date");
        if (const std::string time = session.text_or("departure_time"); !time.empty())
            selected += "T" + time;
    }
    Value counts = Value::object();
    for (const Value& type : trip["price_types"].items()) {
        const std::string id = std::to_string(type["category_id"].integer());
        if (const std::string count = given("c" + id); !count.empty())
            counts.set(id, whole(count));
    }
    if (counts.size() == 0 && session["traveler_counts"].is_object())
        counts = session["traveler_counts"];
    std::int64_t travelers = whole(given("travelers"));
    if (travelers == 0)
        travelers = session.maybe_integer("travelers").value_or(trip.maybe_integer("min_travelers").value_or(1));
    const Answered dates =
        visit.get_partly("/trips/" + std::to_string(trip["id"].integer()) + "/available-dates", month_members);
    const std::int64_t most = trip.maybe_integer("max_travelers").value_or(0);
    const PriceDisplay display = views.price_display(visit, trip["id"]);
    model.set("months",
              dates_by_month(dates.data(), visit.words,
                             {.selected = selected, .original = display.original, .urgency = display.urgency}));
    model.set("has_dates", dates.data().size() > 0);
    model.set("as_list", views.settings().flag("date_picker_as_dropdown"));
    model.set("party", party_of(trip["price_types"], visit.words, trip.text_or("currency"), counts, travelers,
                                most > 0 ? most : 100));
    Value extras = extras_json(visit, checkout, selected);
    model.set("has_extras", extras.size() > 0);
    model.set("extras", std::move(extras));
    model.set("faults", choice_faults_json(faults, visit.words));
    model.set("has_faults", !faults.empty());
    model.set("steps", steps_json(views, visit.words, checkout.slug, 1));
    add_summary(views, checkout, visit.words, model);
    set_hindrances(views, visit, checkout, "", model);
    model.set("action", step(views, checkout.slug, ""));
    model.set("price_url", step(views, checkout.slug, "price"));
    model.set("currency", trip["currency"]);
    model.set("trip_url", views.path({views.bases().trip, checkout.slug}));
    model.set("title", trip["title"]);
    view.head.title = visit.words.say_text("Book: {trip}", {{"trip", trip.text_or("title")}});
    return view;
}

}  // namespace

void set_hindrances(const Views& views, const PageRequest& visit, const Checkout& checkout, std::string_view now,
                    Value& model) {
    views.set_hindrances(model, checkout.trip["price"], checkout.trip.text_or("currency"),
                         step(views, checkout.slug, now));
    if (visit.signed_in)
        model.erase("login");
}

Value choice_body(const Checkout& checkout, const PageRequest& visit, std::int64_t& people) {
    const auto [date, time] = date_and_time(visit.typed("date"));
    Value body = Value::object({{"trip_id", checkout.trip["id"]}, {"travel_date", date}});
    // The tags of visitors who allow them put it into the form as they report the choice.
    if (const std::string event = visit.typed("_cart"); visit.consent.any() && !event.empty() && event.size() <= 64)
        body.set("cart_event_id", event);
    body.set("departure_time", time.empty() ? Value() : Value(time));
    Value counts = Value::object();
    people = 0;
    for (const Value& type : checkout.trip["price_types"].items()) {
        const std::string id = std::to_string(type["category_id"].integer());
        if (const std::int64_t count = whole(visit.typed("c" + id)); count > 0) {
            counts.set(id, count);
            people += count;
        }
    }
    if (checkout.trip["price_types"].size() > 0)
        body.set("traveler_counts", std::move(counts));
    else {
        people = whole(visit.typed("travelers"));
        body.set("travelers", people);
    }
    if (visit.typed("_extras").empty())  // a trip's own page has no extras: those of the session stay
        return body;
    Value services = Value::object();
    for (const Value& each : list_of(checkout.trip["additional_services"]))
        if (const std::string id = std::to_string(each["id"].integer()); whole(visit.typed("s" + id)) > 0)
            services.set(id, whole(visit.typed("s" + id)));
    body.set("selected_services", std::move(services));
    return body;
}

std::string step(const Views& views, const std::string& slug, std::string_view part) {
    return part.empty() ? views.path({views.bases().book, slug}) : views.path({views.bases().book, slug, part});
}

View expired(const Views& views, PageRequest& visit, const Checkout& checkout) {
    const bool no_cookies = visit.parameter("started") == "1" && visit.cookie("svc_checkout").empty();
    View view{.page = "error", .status = no_cookies ? 400 : 410};
    const Format& words = visit.words;
    view.head.title = no_cookies ? words.say_text("Cookies are needed") : words.say_text("Session expired");
    view.model.set("heading", no_cookies ? words.say_text("Please allow cookies for this site")
                                         : words.say_text("Your booking session has expired"));
    view.model.set(
        "text", no_cookies ? words.say_text("Your choice is kept in a cookie until you have booked. Allow cookies for"
                                            " this site and start again. They are used for nothing else.")
                           : words.say_text("It ends after half an hour without a step. Nothing was booked or charged."
                                            " Choose your date again to go on."));
    view.model.set(
        "action", Value::object({{"url", step(views, checkout.slug, "")}, {"label", words.say_text("Choose a date")}}));
    return view;
}

bool is_detail(std::string_view name) {
    return name.starts_with("contact_") || name.starts_with("emergency_") || name.starts_with("travelers.");
}

Value typed_of(const Checkout& checkout, const PageRequest& visit) {
    Value typed = checkout.session["form_data"].is_object() ? checkout.session["form_data"] : Value::object();
    for (const auto& [name, value] : visit.form.members())
        if (is_detail(name))
            typed.set(name, value.is_string() ? value : Value(visit.typed(name)));
    return typed;
}

bool is_of_details(std::string_view field) {
    return field.starts_with("contact_") || field.starts_with("emergency_") || field.starts_with("travelers");
}

Faults faults_of(const Answered& answered) {
    Faults faults = answered.faults();
    if (faults.empty())
        faults.emplace_back("", answered.message());
    return faults;
}

View Views::book_start(PageRequest& visit) const {
    const std::string payment = visit.parameter("payment");
    if (payment.empty() && settings().flag("use_booking_page"))
        if (const auto chosen = settings::page_named_by(settings(), "booking_page_id", site.installation.address))
            return go_to(local(chosen->url));
    View view{.page = "error"};
    const bool failed = payment == "failed" || payment == "cancelled";
    const Format& words = visit.words;
    view.head.title = failed ? words.say_text("Payment not completed") : words.say_text("Book a trip");
    view.model.set("heading", failed ? words.say_text("The payment was not completed")
                                     : words.say_text("Which trip would you like to book?"));
    view.model.set(
        "text",
        failed ? words.say_text("Nothing has been charged. Open your booking from the e-mail to try again, or choose"
                                " a trip.")
               : words.say_text("Choose a trip first; then its date and who comes along."));
    view.model.set("action",
                   Value::object({{"url", path({bases().trip})}, {"label", words.say_text("Show all trips")}}));
    return view;
}

View Views::book(PageRequest& visit) const {
    const Checkout checkout = checkout_of(*this, visit, visit.names.at("slug"));
    View view = choice_page(*this, visit, checkout, {}, 200);
    add_begin_facts(visit, checkout.trip, checkout.session["quote"], view);
    return view;
}

View Views::book_submit(PageRequest& visit) const {
    const std::string& slug = visit.names.at("slug");
    Checkout checkout = checkout_of(*this, visit, slug);
    std::int64_t people = 0;
    const Value body = choice_body(checkout, visit, people);
    Faults faults;
    if (body.text_or("travel_date").empty())
        faults.emplace_back("date", visit.words.say_text("Choose a date."));
    if (people == 0)
        faults.emplace_back("travelers", visit.words.say_text("Say how many people travel."));
    if (!faults.empty())
        return choice_page(*this, visit, checkout, faults, 400);
    if (checkout.session.is_null())
        visit.leave_checkout_aside();
    const Answered kept = checkout.session.is_null() ? visit.call("POST", "/booking/session", body)
                                                     : visit.call("PUT", "/booking/session", body);
    if (!kept.is_good())
        return choice_page(*this, visit, checkout, faults_of(kept), 400);
    checkout.session = kept.data();
    if (const std::string secret = kept.data().text_or("session_id"); !secret.empty())
        visit.keep_checkout(secret);
    if (kept.data()["quote"].is_null()) {  // show the faults of date and party now
        const Answered why = visit.call("POST", "/booking/summary", Value::object());
        if (std::string waits = waitlist_step(*this, slug, why, body); !waits.empty())
            return go_to(std::move(waits));
        faults =
            why.is_good() || why.message().empty() || why.code() == "date_unavailable"
                ? Faults{{"date", visit.words.say_text("This date cannot be booked any more. Choose another one.")}}
                : faults_of(why);
        return choice_page(*this, visit, checkout, faults, 409);
    }
    // Date and party come from the trip's page, too; what can be added is shown before the details.
    if (visit.typed("_extras").empty() && has_choice_of_extras(checkout.trip))
        return go_to(step(*this, slug, "") + "#f-extras");
    return go_to(step(*this, slug, "details") + "?started=1");
}

View Views::book_price(PageRequest& visit) const {
    Checkout checkout = checkout_of(*this, visit, visit.names.at("slug"));
    if (checkout.session.is_null())
        visit.leave_checkout_aside();
    View view{.page = "part-lines"};
    view.is_part = true;
    std::int64_t people = 0;
    Value body = choice_body(checkout, visit, people);
    // At the last step nothing but how much is paid now is still open.
    const std::string method = visit.typed("payment_method");
    if (!method.empty() && !checkout.session.is_null()) {
        body = Value::object({{"payment_method", method},
                              {"travel_date", checkout.session["travel_date"]},
                              {"departure_time", checkout.session["departure_time"]}});
        people = 1;
    }
    if (body.text_or("travel_date").empty() || people == 0)
        checkout.session = Value();
    else if (const Answered priced = visit.call("POST", "/booking/summary", body); priced.is_good())
        checkout.session = Value::object({{"travel_date", body["travel_date"]},
                                          {"departure_time", body["departure_time"]},
                                          {"payment_method", priced.data()["payment_method"]},
                                          {"coupon_code", checkout.session["coupon_code"]},
                                          {"quote", priced.data()}});
    else {
        checkout.session = Value();
        if (const std::string waits = waitlist_step(*this, checkout.slug, priced, body); !waits.empty())
            view.model.set("waitlist", waits);
        else
            view.model.set("refusal", faults_of(priced).front().second);
    }
    add_summary(*this, checkout, visit.words, view.model);
    return view;
}

}  // namespace svc::pages
