// A question about a trip.
#include "base/website/pages/hooks.hpp"
#include "base/website/views/views.hpp"

namespace svc::pages {
namespace {

using json::Value;

View question_form(const Views& views, PageRequest& visit, const Value& trip, const Faults& faults, int status) {
    const auto asks = [&](const hooks::Filter& filter, Value value) {
        return views.site.hooks.apply(filter, std::move(value), {trip["id"]});
    };
    if (!asks(enable_enquiry, true).boolean())
        missing();
    View view{.page = "enquiry", .status = status};
    Value fields = Value::array();
    const Format& words = visit.words;
    const auto add = [&](const char* name, std::string label, const char* type, const char* autocomplete, bool needed,
                         const char* width = "") {
        fields.push(to_json({.name = name,
                             .label = std::move(label),
                             .type = type,
                             .value = visit.typed(name),
                             .error = fault_of(faults, name),
                             .autocomplete = autocomplete,
                             .required = needed,
                             .width = width}));
    };
    add("customer_name", words.say_text("Your name"), "text", "name", true);
    add("customer_email", words.say_text("E-mail"), "email", "email", true);
    add("phone", words.say_text("Phone"), "tel", "tel", false);
    add("travel_date", words.say_text("When would you like to travel?"), "date", "", false);
    add("message", words.say_text("Your question"), "textarea", "", true, "full");
    view.model.set("fields", std::move(fields));
    view.model.set("shows", asks(enquiry_form_show, true).boolean());
    view.model.set("heading", asks(enquiry_form_title, words.say_text("Ask a question")));
    view.model.set("button", words.say_text("Send"));
    view.model.set("title", trip["title"]);
    view.model.set("trip_url", views.path({views.bases().trip, trip.text_or("slug")}));
    view.model.set("faults", faults_json(faults, view.model["fields"]));
    view.model.set("has_faults", !faults.empty());
    view.head.title = words.say_text("Ask a question: {trip}", {{"trip", trip.text_or("title")}});
    views.add_human_check(view, {"enquiry"});
    return view;
}

Value trip_of(const Views& views, PageRequest& visit) {
    const auto shown = views.trips.public_trips().by_slug(visit.names.at("slug"));
    if (!shown)
        missing();
    return Value::object({{"id", shown->trip.id}, {"title", shown->trip.title}, {"slug", shown->trip.slug}});
}

}  // namespace

View Views::enquiry(PageRequest& visit) const { return question_form(*this, visit, trip_of(*this, visit), {}, 200); }

View Views::enquiry_submit(PageRequest& visit) const {
    const Value trip = trip_of(*this, visit);
    if (!site.hooks.apply(enable_enquiry, true, {trip["id"]}).boolean())
        missing();
    Value body = Value::object({{"trip_id", trip["id"]}, {"locale", visit.words.locale}});
    for (const char* name : {"customer_name", "customer_email", "phone", "travel_date", "message", "recaptcha_token"})
        if (const std::string typed = visit.typed(name); !typed.empty())
            body.set(name, typed);
    if (!visit.typed("left_empty").empty())
        body.set("left_empty", "1");
    const Answered sent = visit.call("POST", "/enquiries", body, visit.typed("_key"));
    if (!sent.is_good()) {
        Faults faults = sent.faults();
        if (faults.empty())
            faults.emplace_back("", sent.message());
        return question_form(*this, visit, trip, faults, 400);
    }
    View view{.page = "notice"};
    view.head.title = visit.words.say_text("Thank you");
    view.model.set("heading", visit.words.say_text("Thank you, we have your question"));
    view.model.set("text", visit.words.say_text("We answer to {email}.", {{"email", visit.typed("customer_email")}}));
    view.model.set("action", Value::object({{"url", path({bases().trip, trip.text_or("slug")})},
                                            {"label", visit.words.say_text("Back to the trip")}}));
    return view;
}

}  // namespace svc::pages
