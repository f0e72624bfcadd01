// The account pages: bookings, one booking, profile, enquiries, own data.
#include <algorithm>
#include <set>

#include "base/website/pages/repository.hpp"
#include "base/website/views/account_page.hpp"
#include "base/website/views/booked.hpp"
#include "base/website/views/checkout.hpp"

namespace svc::pages {
namespace {

using json::Value;

void add_menu(const Views& views, PageRequest& visit, View& view, std::string_view now) {
    const std::string account = views.bases().account;
    Value menu = Value::array();
    const Format& words = visit.words;
    for (const auto& [label, part] : {std::pair<std::string, const char*>{words.say_text("Bookings"), ""},
                                      {words.say_text("Profile"), "profile"},
                                      {words.say_text("Enquiries"), "enquiries"}})
        if (*part || views.settings().flag("customer_dashboard_enabled"))
            menu.push(Value::object({{"label", label},
                                     {"url", *part ? views.path({account, part}) : views.path({account})},
                                     {"current", now == part}}));
    if (views.settings().flag("enable_reviews"))
        menu.push(Value::object(
            {{"is_reviews", true}, {"url", views.path({account, "reviews"})}, {"current", now == "reviews"}}));
    for (const auto& [label, word] : views.account_pages())
        menu.push(Value::object(
            {{"label", words.default_text(label)}, {"url", views.path({account, word})}, {"current", now == word}}));
    view.model.set("menu", std::move(menu));
    view.model.set("logout", views.path({account, "logout"}));
}

View page_of(const Views& views, PageRequest& visit, std::string page, std::string title, std::string_view now) {
    View view{.page = std::move(page)};
    add_menu(views, visit, view, now);
    view.model.set("heading", title);
    view.head.title = std::move(title);
    return view;
}

bool is_over(const Value& booking, const std::string& today) {
    const std::string status = booking.text_or("status");
    return status == "cancelled" || status == "refunded" || status == "expired" || status == "completed" ||
           booking.text_or("end_date") < today;
}

struct Field {
    const char* name;
    std::string label;
    const char *type, *autocomplete;
};

std::vector<Field> profile_fields(const Format& words) {
    return {{"first_name", words.say_text("First name"), "text", "given-name"},
            {"last_name", words.say_text("Last name"), "text", "family-name"},
            {"phone", words.say_text("Phone"), "tel", "tel"},
            {"date_of_birth", words.say_text("Date of birth"), "date", "bday"},
            {"nationality", words.say_text("Nationality"), "text", ""},
            {"address", words.say_text("Street and number"), "text", "street-address"},
            {"postal_code", words.say_text("Postal code"), "text", "postal-code"},
            {"city", words.say_text("City"), "text", "address-level2"},
            {"country", words.say_text("Country"), "select", "country"}};
}

// The rows of a list with what only a booking's own page asks: why it ended, whether it is offered.
json::Array with_standings(const Views& views, const Value& rows) {
    std::vector<std::int64_t> cancelled, pending;
    for (const Value& each : list_of(rows))
        if (const std::string status = each.text_or("status"); status == "cancelled")
            cancelled.push_back(each["id"].integer());
        else if (status == "pending" && !is_some(each["amount_paid"]))
            pending.push_back(each["id"].integer());
    const auto [expired, offered] = views.site.store.reading<std::pair<std::set<std::int64_t>, std::set<std::int64_t>>>(
        [&](store::Session& session) {
            return std::pair(expired_among(session, cancelled), offered_among(session, pending));
        });
    json::Array all = list_of(rows);
    for (Value& each : all) {
        if (expired.contains(each["id"].integer()))
            each.set("cancelled_via", "expiry");
        each.set("waitlist_offer", offered.contains(each["id"].integer()));
    }
    return all;
}

// Of an input for a customer field that the operator declares.
std::string extra_name(const Value& asked) { return "fields." + asked.text_or("id"); }

// Unchecked boxes are not sent.
std::string extra_typed(const PageRequest& visit, const Value& asked) {
    const std::string typed = visit.typed(extra_name(asked));
    return asked.text_or("type") == "checkbox" ? (typed.empty() ? "false" : "true") : typed;
}

void add_extra_fields(Value& fields, const PageRequest& visit, const Value& me, const Faults& faults) {
    for (Value asked : list_of(me["asked_fields"])) {
        const std::string value =
            visit.typed("action") == "profile" ? extra_typed(visit, asked) : me["fields"].text_or(asked.text_or("id"));
        asked.set("options", json::array_of(list_of(asked["options"]), [](const Value& option) {
                      return Value::object({{"value", option}, {"label", option}});
                  }));
        fields.push(field_json(asked, "", extra_name(asked), value, faults, false, visit.words));
    }
}

View profile_page(const Views& views, PageRequest& visit, const Faults& faults, const std::string& done, int status) {
    View view = page_of(views, visit, "account-profile", visit.words.say_text("Profile"), "profile");
    view.status = status;
    const Answered me = visit.get("/customers/me");
    Value fields = Value::array();
    for (const Field& each : profile_fields(visit.words)) {
        if (!me.data().find(each.name))
            continue;
        const Value& stored = me.data()[each.name];
        const bool typed = visit.typed("action") == "profile";
        const std::string value = typed ? visit.typed(each.name) : stored.is_string() ? stored.text() : "";
        Value field = to_json({.name = each.name,
                               .label = each.label,
                               .type = each.type,
                               .value = value,
                               .error = fault_of(faults, each.name),
                               .autocomplete = each.autocomplete});
        if (each.type == std::string_view("select"))
            field.set("options", country_options(value, false, visit.words));
        fields.push(std::move(field));
    }
    add_extra_fields(fields, visit, me.data(), faults);
    view.model.set("fields", std::move(fields));
    view.model.set("email", me.data()["email"]);
    view.model.set("pending_email", me.data()["pending_email"]);
    view.model.set("verified", me.data().maybe_boolean("email_verified").value_or(false));
    view.model.set("action_url", views.path({views.bases().account, "profile"}));
    view.model.set("faults", faults_json(faults, view.model["fields"]));
    view.model.set("has_faults", !faults.empty());
    view.model.set("done", done);
    return view;
}

}  // namespace

View Views::account(PageRequest& visit) const {
    if (!settings().flag("customer_dashboard_enabled"))
        return go_to(path({bases().account, "profile"}));
    View view = page_of(*this, visit, "account-page", visit.words.say_text("My bookings"), "");
    const Answered bookings = visit.get("/customers/my-bookings?per_page=100");
    const std::string today = visit.words.look.zone.date_at(site.clock.now()).text();
    std::vector<Value> coming, past;
    for (const Value& each : with_standings(*this, bookings.data())) {
        const std::string root = path({bases().account, "bookings", std::to_string(each["id"].integer())});
        Value card = Value::object({{"url", root},
                                    {"reference", each["reference"]},
                                    {"title", each["trip_title"]},
                                    {"date", each["travel_date"]},
                                    {"day", visit.words.day(each.text_or("travel_date"))},
                                    {"people", each["travelers_count"]},
                                    {"one_person", each.maybe_integer("travelers_count") == 1},
                                    {"total", visit.words.amount(each["total"], each.text_or("currency"))}});
        const StatusWords standing = status_words_of(each, visit.words);
        card.set("status", standing.word);
        card.set("mark", standing.mark);
        if (is_some(each["amount_due"]) && !is_over(each, today))
            card.set("due", visit.words.amount(each["amount_due"], each.text_or("currency")));
        if (const auto trip = each.maybe_integer("trip_id"))
            if (const auto shown = trips.public_trips().published(*trip); shown && shown->trip.featured_image_id)
                card.set("picture", local(site.installation.root) + "/media/" +
                                        std::to_string(*shown->trip.featured_image_id) + "/thumbnail");
        (is_over(each, today) ? past : coming).push_back(std::move(card));
    }
    std::sort(coming.begin(), coming.end(),
              [](const Value& a, const Value& b) { return a.text_or("date") < b.text_or("date"); });
    view.model.set("has_coming", !coming.empty());
    view.model.set("has_past", !past.empty());
    view.model.set("none", coming.empty() && past.empty());
    view.model.set("coming", Value(json::Array(coming)));
    view.model.set("past", Value(json::Array(past)));
    return view;
}

View Views::account_booking(PageRequest& visit) const {
    const std::string& id = visit.names.at("id");
    if (id.empty() || id.size() > 18 || id.find_first_not_of("0123456789") != std::string::npos)
        missing();
    const Answered read = visit.get("/customers/my-bookings/" + id);
    if (!read.is_good())
        missing();
    const std::string root = path({bases().account, "bookings", id});
    if (const auto part = visit.names.find("kind"); part != visit.names.end())
        return document_of(visit, read.data(), part->second);
    View view =
        page_of(*this, visit, "account-booking",
                visit.words.say_text("Booking {reference}", {{"reference", read.data().text_or("reference")}}), "");
    const Value frame = view.model;
    view.model = booked_json(*this, visit, read.data(), root);
    view.model.set("menu", frame["menu"]);
    view.model.set("logout", frame["logout"]);
    add_origins(view, origins({}));
    return view;
}

View Views::account_booking_submit(PageRequest& visit) const {
    const std::string id = visit.names.at("id"), root = path({bases().account, "bookings", id}),
                      action = visit.typed("action");
    const Answered read = visit.get("/customers/my-bookings/" + encoded(id));
    if (!read.is_good())
        missing();
    std::string fault;
    if (action == "cancel") {
        if (visit.typed("sure") != "1")
            fault = visit.words.say_text("Tick the box to say that you want to cancel.");
        else {
            const Answered done = visit.call("POST", "/customers/my-bookings/" + encoded(id) + "/cancel",
                                             Value::object({{"reason", visit.typed("reason")}}), visit.typed("_key"));
            if (done.is_good())
                return go_to(root);
            fault = done.message();
        }
    } else if (auto done = act_on(*this, visit, read.data(), root, fault))
        return std::move(*done);
    View view = account_booking(visit);
    answer_form(view, fault);
    return view;
}

View Views::profile(PageRequest& visit) const { return profile_page(*this, visit, {}, visit.parameter("done"), 200); }

View Views::profile_submit(PageRequest& visit) const {
    const std::string action = visit.typed("action"), own = path({bases().account, "profile"});
    Answered done;
    std::string word = "saved";
    if (action == "profile") {
        Value body = Value::object();
        for (const Field& each : profile_fields(visit.words))
            if (visit.form.find(each.name)) {
                const std::string typed = visit.typed(each.name);
                body.set(each.name, typed.empty() && std::string_view(each.type) == "date" ? Value() : Value(typed));
            }
        Value extra = Value::object();
        const Answered me = visit.get("/customers/me");
        for (const Value& asked : list_of(me.data()["asked_fields"]))
            if (asked.text_or("type") == "checkbox" || visit.form.find(extra_name(asked)))
                extra.set(asked.text_or("id"), extra_typed(visit, asked));
        if (extra.size() > 0)
            body.set("fields", std::move(extra));
        done = visit.call("PUT", "/customers/me", body);
    } else if (action == "email") {
        done = visit.call(
            "POST", "/customers/me/email",
            Value::object({{"email", visit.typed("email")}, {"current_password", visit.typed("current_password")}}));
        word = "mailed";
    } else if (action == "email-cancel") {
        done = visit.call("DELETE", "/customers/me/email", Value::object());
    } else if (action == "password") {
        if (visit.typed("new_password") != visit.typed("confirm_password"))
            return profile_page(*this, visit, {{"confirm_password", visit.words.say_text("The two passwords differ.")}},
                                {}, 400);
        done = visit.call("PUT", "/customers/me/password",
                          Value::object({{"current_password", visit.typed("current_password")},
                                         {"new_password", visit.typed("new_password")}}));
    } else if (action == "export" || action == "erasure") {
        done = visit.call("POST", "/customers/me/" + action,
                          Value::object({{"current_password", visit.typed("current_password")}}));
        word = "mailed";
    } else if (action == "verify") {
        done = visit.call("POST", "/auth/resend-verification", Value::object({{"email", visit.signed_in->email}}));
        word = "mailed";
    } else
        missing();
    if (done.is_good())
        return go_to(own + "?done=" + word);
    Faults faults = done.faults();
    if (faults.empty())
        faults.emplace_back("", done.message());
    return profile_page(*this, visit, faults, {}, 400);
}

View Views::enquiries(PageRequest& visit) const {
    View view = page_of(*this, visit, "account-enquiries", visit.words.say_text("Enquiries"), "enquiries");
    const Answered list = visit.get("/customers/my-support-tickets?per_page=100");
    Value rows = Value::array();
    for (const Value& each : list_of(list.data()))
        rows.push(Value::object({{"trip", each["trip_title"]},
                                 {"message", each["message"]},
                                 {"answer", each["response_notes"]},
                                 {"when", visit.words.moment(each.text_or("created_at"))}}));
    view.model.set("has_rows", rows.size() > 0);
    view.model.set("rows", std::move(rows));
    return view;
}

View Views::me(PageRequest& visit) const {
    View view;
    view.raw = (visit.signed_in ? Value::object({{"name", visit.signed_in->login}}) : Value::object()).dump();
    view.content_type = "application/json";
    return view;
}

View account_page(const Views& views, PageRequest& visit, std::string page, std::string_view now) {
    return page_of(views, visit, std::move(page), "", now);
}

void add_account_menu(const Views& views, PageRequest& visit, View& view, std::string_view now) {
    add_menu(views, visit, view, now);
}

}  // namespace svc::pages
