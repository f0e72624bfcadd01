// The step of a booking's details: its page, and what its form sends.
#include <algorithm>
#include <sstream>

#include "base/website/views/cancelling.hpp"
#include "base/website/views/checkout.hpp"
#include "shared/core/sensitive.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::pages {

using json::Value;

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

View details_page(const Views& views, PageRequest& visit, const Checkout& read, const Value& typed,
                  const Faults& faults, int status) {
    View view{.page = "booking-details", .status = status};
    Checkout checkout = read;
    checkout.has_module = has_form_module(views);
    bool has_files = false;
    each_field(checkout, [&](const Value& field, std::string_view, const std::string&) {
        has_files |= field.text_or("type") == "file";
    });
    if (has_files)
        if (const Answered files = visit.get("/booking/session/form-files"); files.is_good())
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
    add_summary(views, checkout, visit.words, view.model);
    view.model.set("action", step(views, checkout.slug, "details"));
    view.model.set("title", checkout.trip["title"]);
    set_hindrances(views, visit, checkout, "details", view.model);
    view.head.title = visit.words.say_text("Details: {trip}", {{"trip", checkout.trip.text_or("title")}});
    return view;
}

// The answers of a customer's last booking to fields of the same id: none that is sealed, and no file.
static void fill_from_last(PageRequest& visit, const Checkout& checkout, Value& typed) {
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
        if (const Value& known = answers[id]; known.is_string() && !known.text().empty())
            typed.set(name, known);
    });
}

// Browsers send no box that is not ticked: an answer of an earlier step must not stay. Several that are ticked are one
// answer.
static void take_boxes(const PageRequest& visit, const Checkout& checkout, Value& typed) {
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
static void take_files(PageRequest& visit, const Checkout& checkout, Value& typed, Faults& faults) {
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
            const Answered sent = visit.send_file("/booking/session/form-files", file, "field", whole);
            if (sent.is_good())
                typed.set(name, sent.data().text_or("file"));
            else
                faults.emplace_back(name, sent.faults().empty() ? sent.message() : sent.faults().front().second);
        }
    });
}

// Fields that follow an answer and were shown: by the page as it was made, and by its script.
static std::vector<std::string> shown_fields(const PageRequest& visit) {
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

View Views::book_details(PageRequest& visit) const {
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

View Views::book_details_submit(PageRequest& visit) const {
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
