// The first steps of a booking: date and travelers, details.
#include <algorithm>
#include <sstream>

#include "base/pages/views/checkout.hpp"
#include "base/pages/views/extras.hpp"
#include "base/pages/views/facts.hpp"
#include "base/settings/site_pages.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/sensitive.hpp"
#include "shared/plugin/pro_modules.hpp"

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

void set_hindrances(const Views& views, const Visit& visit, const Checkout& checkout, std::string_view now,
                    Value& model) {
    views.set_hindrances(model, checkout.trip["price"], checkout.trip.text_or("currency"),
                         step(views, checkout.slug, now));
    if (visit.signed_in)
        model.erase("login");
}

View choice_page(const Views& views, Visit& visit, const Checkout& checkout, const Faults& faults, int status) {
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
    const Answered dates = visit.get("/trips/" + std::to_string(trip["id"].integer()) + "/available-dates");
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
    model.set("summary", summary_json(checkout, visit.words));
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

Value choice_body(const Checkout& checkout, const Visit& visit, std::int64_t& people) {
    const auto [date, time] = date_and_time(visit.typed("date"));
    Value body = Value::object({{"trip_id", checkout.trip["id"]}, {"travel_date", date}});
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

View expired(const Views& views, Visit& visit, const Checkout& checkout) {
    const bool no_cookies = visit.parameter("started") == "1" && visit.cookie("svc_checkout").empty();
    View view{.page = "error", .status = no_cookies ? 400 : 410};
    const Wording& words = visit.words;
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

Value typed_of(const Checkout& checkout, const Visit& visit) {
    Value typed = checkout.session["form_data"].is_object() ? checkout.session["form_data"] : Value::object();
    for (const auto& [name, value] : visit.form.members())
        if (is_detail(name))
            typed.set(name, value.is_string() ? value : Value(visit.typed(name)));
    return typed;
}

static bool has_form_module(const Views& views) {
    return views.site.module_enabled && views.site.module_enabled(plugin::slugs::dynamic_form_field);
}

// The refused fields in the order in which the page has them.
static Faults in_order(Faults faults, const Value& sections) {
    const auto place = [&](const std::string& field) {
        std::size_t at = 0;
        for (const Value& section : sections.items())
            for (const Value& each : section["fields"].items()) {
                if (each.text_or("name") == field)
                    return at;
                ++at;
            }
        return at;
    };
    std::stable_sort(faults.begin(), faults.end(),
                     [&](const auto& a, const auto& b) { return place(a.first) < place(b.first); });
    return faults;
}

View details_page(const Views& views, Visit& visit, const Checkout& read, const Value& typed, const Faults& faults,
                  int status) {
    View view{.page = "booking-details", .status = status};
    Checkout checkout = read;
    checkout.has_module = has_form_module(views);
    bool has_files = false;
    each_field(checkout, [&](const Value& field, std::string_view, const std::string&) {
        has_files |= field.text_or("type") == "file";
    });
    if (has_files)
        if (const Answered files = visit.get("/booking/form-files"); files.is_good())
            for (const Value& each : files.data().items())
                checkout.files.emplace_back(each.text_or("file"), each.text_or("name"));
    view.model.set("has_files", has_files);
    Value sections = sections_json(checkout, typed, faults, visit.words);
    view.model.set("faults", faults_json(in_order(faults, sections),
                                         [&](std::string_view field) { return field_label(sections, field); }));
    view.model.set("has_faults", !faults.empty());
    const auto& shown = sections.items();
    view.model.set("has_copies", std::any_of(shown.begin(), shown.end(),
                                             [](const Value& section) { return section.find("copy") != nullptr; }));
    view.model.set("sections", std::move(sections));
    view.model.set("checkout", facts_json(checkout));
    Value carried = carried_json(checkout);
    std::string offered;
    for (const std::string& name : newly_asked(checkout, typed, {}))
        offered += (offered.empty() ? "" : " ") + name;
    if (!offered.empty())
        carried.push(Value::object({{"name", "_offered"}, {"value", offered}}));
    view.model.set("carried", std::move(carried));
    view.model.set("steps", steps_json(views, visit.words, checkout.slug, 2));
    view.model.set("summary", summary_json(checkout, visit.words));
    view.model.set("action", step(views, checkout.slug, "details"));
    view.model.set("title", checkout.trip["title"]);
    set_hindrances(views, visit, checkout, "details", view.model);
    view.head.title = visit.words.say_text("Details: {trip}", {{"trip", checkout.trip.text_or("title")}});
    return view;
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

View Views::book_start(Visit& visit) const {
    const std::string payment = visit.parameter("payment");
    if (payment.empty() && settings().flag("use_booking_page"))
        if (const auto chosen = settings::page_named_by(settings(), "booking_page_id", site.installation.address))
            return go_to(local(chosen->url));
    View view{.page = "error"};
    const bool failed = payment == "failed" || payment == "cancelled";
    const Wording& words = visit.words;
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

View Views::book(Visit& visit) const {
    const Checkout checkout = checkout_of(*this, visit, visit.names.at("slug"));
    View view = choice_page(*this, visit, checkout, {}, 200);
    add_begin_facts(visit, checkout.trip, checkout.session["quote"], view);
    return view;
}

View Views::book_submit(Visit& visit) const {
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

View Views::book_price(Visit& visit) const {
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
    view.model.set("summary", summary_json(checkout, visit.words));
    return view;
}

// The answers of a customer's last booking to fields of the same id: none that is sealed, and no file.
static void fill_from_last(Visit& visit, const Checkout& checkout, Value& typed) {
    const Answered list = visit.get("/customers/my-bookings?per_page=1");
    if (!list.is_good() || list.data().size() == 0)
        return;
    const Answered last = visit.get("/customers/my-bookings/" + std::to_string(list.data()[0]["id"].integer()));
    if (!last.is_good())
        return;
    each_field(checkout, [&](const Value& field, std::string_view section, const std::string& name) {
        const std::string id = field.text_or("id");
        if (typed.find(name) || is_sensitive(id) || field.text_or("type") == "file" ||
            (section == "traveler" && !name.starts_with("travelers.1.")))
            return;
        const Value& answers = section == "contact"     ? last.data()["contact_data"]
                               : section == "emergency" ? last.data()["emergency_contact"]
                                                        : last.data()["travelers"][0]["fields"];
        if (const std::string known = answers.text_or(id); !known.empty())
            typed.set(name, known);
    });
}

// Browsers send no box that is not ticked: an answer of an earlier step must not stay. Several that are ticked are one
// answer.
static void take_boxes(const Visit& visit, const Checkout& checkout, Value& typed) {
    each_field(checkout, [&](const Value& field, std::string_view, const std::string& name) {
        const std::string type = field.text_or("type");
        if (type != "checkbox" && type != "checkboxes" && type != "radio")
            return;
        const Value* sent = visit.form.find(name);
        if (!sent)
            typed.erase(name);
        if (!sent || !sent->is_array() || type != "checkboxes")
            return;
        std::string all;
        for (const Value& one : sent->items())
            if (one.is_string())
                all += (all.empty() ? "" : ", ") + one.text();
        typed.set(name, all);
    });
}

// Sends on the files of the form; their codes become the answers. A refused file's fault is the field's.
static void take_files(Visit& visit, const Checkout& checkout, Value& typed, Faults& faults) {
    each_field(checkout, [&](const Value& field, std::string_view section, const std::string& name) {
        if (field.text_or("type") != "file")
            return;
        if (!visit.form.find(name))  // the page knew no file of this session, such as one of an earlier booking
            typed.erase(name);
        for (const SentFile& file : visit.files) {
            if (file.field != name)
                continue;
            const std::string whole =
                std::string(section == "emergency" ? "emergency_contact" : section) + "_form." + field.text_or("id");
            const Answered sent = visit.send_file("/booking/form-files", file, "field", whole);
            if (sent.is_good())
                typed.set(name, sent.data().text_or("file"));
            else
                faults.emplace_back(name, sent.faults().empty() ? sent.message() : sent.faults().front().second);
        }
    });
}

// Fields that follow an answer and were shown: by the page as it was made, and by its script.
static std::vector<std::string> shown_fields(const Visit& visit) {
    std::vector<std::string> names;
    std::istringstream offered(visit.typed("_offered"));
    for (std::string name; offered >> name;)
        names.push_back(name);
    if (const Value* shown = visit.form.find("_asked"))
        for (const Value& each : shown->is_array() ? shown->items() : json::Array{*shown})
            if (each.is_string())
                names.push_back(each.text());
    return names;
}

View Views::book_details(Visit& visit) const {
    const Checkout checkout = checkout_of(*this, visit, visit.names.at("slug"));
    if (!checkout.booked.empty())  // sent twice, or the back button after booking
        return go_to(checkout.booked);
    if (checkout.session.is_null())
        return expired(*this, visit, checkout);
    Value typed = typed_of(checkout, visit);
    if (visit.signed_in && typed.size() == 0)  // prefill the form of a signed-in visitor
        if (const Answered me = visit.get("/customers/me"); me.is_good())
            for (const auto& [field, member] : {std::pair{"contact_first_name", "first_name"},
                                                {"contact_last_name", "last_name"},
                                                {"contact_email", "email"},
                                                {"contact_phone", "phone"},
                                                {"contact_country", "country"}})
                if (const std::string known = me.data().text_or(member); !known.empty())
                    typed.set(field, known);
    if (visit.signed_in && has_form_module(*this) && visit.http.method != "POST")
        fill_from_last(visit, checkout, typed);
    return details_page(*this, visit, checkout, typed, {}, 200);
}

View Views::book_details_submit(Visit& visit) const {
    const std::string& slug = visit.names.at("slug");
    const Checkout checkout = going_on(*this, visit, slug);
    if (!checkout.booked.empty())  // sent twice, or the back button after booking
        return go_to(checkout.booked);
    if (checkout.session.is_null())
        return expired(*this, visit, checkout);
    Value typed = typed_of(checkout, visit);
    take_boxes(visit, checkout, typed);
    Faults refused;
    take_files(visit, checkout, typed, refused);
    const std::string copied = visit.typed("_copy");
    if (const bool copies = copied.size() > 0 && copied.size() < 4 &&
                            copied.find_first_not_of("0123456789") == std::string::npos && has_form_module(*this))
        typed = with_leads_answers(checkout, std::move(typed), copies ? std::stoul(copied) : 0);
    const Answered kept = visit.call("PUT", "/booking/session", Value::object({{"form_data", typed}}));
    if (!kept.is_good())
        return details_page(*this, visit, checkout, typed, faults_of(kept), 400);
    if (!copied.empty())
        return details_page(*this, visit, checkout, typed, refused, refused.empty() ? 200 : 400);
    Value trial = create_body(checkout, typed);
    trial.set("terms_accepted", true);  // they stand on the next page
    const Answered tried = visit.call("POST", "/booking/validate", trial);
    Faults faults = std::move(refused);
    const auto add = [&](const std::string& field, const std::string& help) {
        if (fault_of(faults, field).empty())
            faults.emplace_back(field, help);
    };
    for (const auto& [field, help] : tried.faults())
        if (is_of_details(field))
            add(field, help);
    for (const std::string& field : newly_asked(checkout, typed, shown_fields(visit)))
        add(field, visit.words.say_text("This is asked because of another answer."));
    if (tried.code() == "login_required" || tried.code() == "guest_not_allowed")
        return go_to(path({bases().account, "login"}) + query_of({{"next", step(*this, slug, "details")}}));
    if (!faults.empty())
        return details_page(*this, visit, checkout, typed, faults, 400);
    return go_to(step(*this, slug, "pay"));
}

}  // namespace svc::pages
