// The choice, the summary and the steps of a booking.
#include "base/website/views/checkout.hpp"

#include <algorithm>

#include "base/website/views/booked.hpp"

namespace svc::pages {

using json::Value;

namespace {

// "_c12": how many of that category, "_s12": of that extra.
bool is_count(std::string_view name, char kind) {
    return name.size() > 2 && name[0] == '_' && name[1] == kind &&
           name.find_first_not_of("0123456789", 2) == std::string_view::npos;
}
bool is_count(std::string_view name) { return is_count(name, 'c') || is_count(name, 's'); }

// Whether the form was made for what the session holds.
bool carries_choice(const PageRequest& visit, const Checkout& checkout) {
    const Value fields = carried_json(checkout);
    int counts = 0;
    for (const Value& field : fields.items()) {
        const std::string name = field.text_or("name");
        counts += is_count(name) ? 1 : 0;
        if (name != "_mark" && name != "_coupon" && visit.typed(name) != field.text_or("value"))
            return false;
    }
    for (const auto& [name, value] : visit.form.members())
        counts -= is_count(name) ? 1 : 0;
    return counts == 0;
}

Value counts_in(const PageRequest& visit, char kind) {
    Value counts = Value::object();
    for (const auto& [name, value] : visit.form.members())
        if (is_count(name, kind) && value.is_string() && !value.text().empty() && value.text().size() < 5 &&
            value.text().find_first_not_of("0123456789") == std::string::npos)
            counts.set(name.substr(2), json::Number{value.text()});
    return counts;
}

}  // namespace

Checkout checkout_of(const Views& views, PageRequest& visit, const std::string& slug) {
    auto shown = views.trips.public_trips().by_slug(slug);
    if (!shown)
        missing();
    Checkout checkout{.slug = slug};
    const Answered page = visit.get("/booking/trip/" + std::to_string(shown->trip.id));
    if (!page.is_good())
        missing();
    checkout.trip = page.data();
    if (checkout.trip["featured_image"].is_number())
        checkout.picture = views.local(views.site.installation.root) + "/media/" +
                           checkout.trip["featured_image"].number_text() + "/thumbnail";
    // A form is of one checkout, whatever the browser has begun since.
    checkout.mark = visit.checkout_mark(slug);
    const std::string of_form = visit.typed("_mark");
    if (const std::string reference = visit.booked_in(of_form.empty() ? checkout.mark : of_form); !reference.empty())
        checkout.booked = views.path({views.bases().book, "confirmation", reference});
    if (!visit.checkout().empty()) {
        Answered session = visit.get("/booking/session");
        if (!session.is_good())
            checkout.problem = session.code();
        else if (session.data()["trip_id"] == checkout.trip["id"] && session.data().text_or("status") == "open")
            checkout.session = session.data();
        else if (checkout.booked.empty() && (of_form.empty() || of_form == checkout.mark) &&
                 session.data().text_or("status") == "converted" && session.data()["booking_id"].is_number() &&
                 session.data()["trip_id"] == checkout.trip["id"]) {
            const Answered booking = visit.get("/customers/my-bookings/" + session.data()["booking_id"].number_text());
            if (booking.is_good())
                checkout.booked = views.path({views.bases().book, "confirmation", booking.data().text_or("reference")});
        }
    }
    return checkout;
}

Checkout going_on(const Views& views, PageRequest& visit, const std::string& slug) {
    Checkout checkout = checkout_of(views, visit, slug);
    const std::string date = visit.typed("_date");
    if (!checkout.booked.empty() || date.empty() || (!checkout.session.is_null() && carries_choice(visit, checkout)))
        return checkout;
    Value body = Value::object({{"trip_id", checkout.trip["id"]}, {"travel_date", date}});
    const std::string time = visit.typed("_time");
    body.set("departure_time", time.empty() ? Value() : Value(time));
    Value counts = counts_in(visit, 'c');
    if (checkout.trip["additional_services"].size() > 0)
        body.set("selected_services", counts_in(visit, 's'));
    if (counts.size() > 0)
        body.set("traveler_counts", std::move(counts));
    else if (const std::string all = visit.typed("_travelers"); !all.empty())
        body.set("travelers", all);
    if (!checkout.session.is_null()) {  // another tab has chosen otherwise since
        if (const Answered changed = visit.call("PUT", "/booking/session", body); changed.is_good())
            checkout.session = changed.data();
        return checkout;
    }
    visit.leave_checkout_aside();
    if (Value typed = typed_of({}, visit); typed.size() > 0)
        body.set("form_data", std::move(typed));
    if (const std::string coupon = visit.typed("_coupon"); !coupon.empty())
        body.set("coupon_code", coupon);
    Answered opened = visit.call("POST", "/booking/session", body);
    if (!opened.is_good() && body.find("coupon_code")) {  // it has ended meanwhile
        body.erase("coupon_code");
        opened = visit.call("POST", "/booking/session", body);
    }
    if (opened.is_good()) {
        visit.keep_checkout(opened.data().text_or("session_id"));
        checkout.mark = visit.checkout_mark(slug);
        checkout.session = opened.data();
    }
    return checkout;
}

Value steps_json(const Views& views, const Format& words, const std::string& slug, int now) {
    const std::pair<std::string, const char*> names[] = {{words.say_text("Date and travelers"), ""},
                                                         {words.say_text("Details"), "details"},
                                                         {words.say_text("Pay"), "pay"}};
    Value steps = Value::array();
    int place = 0;
    for (const auto& [label, part] : names) {
        ++place;
        Value step = Value::object({{"label", label},
                                    {"place", words.say_text("{place} of {all}", {{"place", place}, {"all", 3}})},
                                    {"current", place == now},
                                    {"done", place < now}});
        if (place < now)
            step.set("url",
                     *part ? views.path({views.bases().book, slug, part}) : views.path({views.bases().book, slug}));
        steps.push(std::move(step));
    }
    return steps;
}

Value summary_json(const Checkout& checkout, const Format& words) {
    const Value &trip = checkout.trip, &session = checkout.session, &quote = session["quote"];
    const std::string currency = quote.is_object() ? quote.text_or("currency") : trip.text_or("currency");
    Value summary = Value::object({{"title", trip["title"]}, {"picture", checkout.picture}});
    if (session.is_null())
        return summary;
    summary.set("day", words.day(session.text_or("travel_date")));
    if (const std::string time = session.text_or("departure_time"); !time.empty())
        summary.set("time", words.time(time));
    if (!quote.is_object())
        return summary;
    Value lines = price_lines(quote["lines"], currency, false, words);
    // Taxes within the prices are none of the quote's lines; a booking has them as these.
    if (const Value& taxes = quote["tax_calculation"]; taxes.maybe_boolean("tax_inclusive").value_or(false))
        for (const Value& each : list_of(taxes["tax_breakdown"])) {
            const std::string rate = each["rate"].is_number() ? each["rate"].number_text() : std::string("0");
            const std::string label = each.text_or("name") + (rate == "0" ? "" : " (" + rate + "%)");
            lines.push(Value::object({{"label", booking::included_tax(label, words.locale)},
                                      {"amount", words.amount(each["amount"], currency)}}));
        }
    summary.set("lines", std::move(lines));
    summary.set("total", words.amount(quote["final_total"], currency));
    summary.set("also", words.also(quote["final_total"], currency));
    return summary;
}

Value facts_json(const Checkout& checkout) {
    return Value::object(
        {{"id", checkout.session["id"]}, {"trip_id", checkout.trip["id"]}, {"country", checkout.session["country"]}});
}

Value carried_json(const Checkout& checkout) {
    Value fields = Value::array();
    const Value& session = checkout.session;
    const auto add = [&](const std::string& name, const std::string& value) {
        if (!value.empty())
            fields.push(Value::object({{"name", name}, {"value", value}}));
    };
    add("_mark", checkout.mark);
    add("_date", session.text_or("travel_date"));
    add("_time", session.text_or("departure_time"));
    for (const auto& [id, count] :
         session["traveler_counts"].is_object() ? session["traveler_counts"].members() : json::Object{})
        add("_c" + id, count.number_text());
    if (session["traveler_counts"].size() == 0 && session["travelers"].is_number())
        add("_travelers", session["travelers"].number_text());
    for (const auto& [id, count] :
         session["selected_services"].is_object() ? session["selected_services"].members() : json::Object{})
        add("_s" + id, count.number_text());
    add("_coupon", session.text_or("coupon_code"));
    return fields;
}

}  // namespace svc::pages
