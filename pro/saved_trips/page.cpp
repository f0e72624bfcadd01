// Makes the model of pro/pages/saved-trips.html.
#include "pro/saved_trips/page.hpp"

#include <charconv>
#include <span>

#include "pro/common/sent_text.hpp"
#include "shared/core/embedded.hpp"
#include "shared/json/sentence.hpp"

namespace svc::embedded {
std::span<const Embedded> pro_pages();
}

namespace svc::pro::saved_trips {
namespace {

using json::Value;

std::string template_named(std::string_view name) {
    for (const Embedded& each : embedded::pro_pages())
        if (each.name == name)
            return std::string(each.text);
    throw plugin::Refused("The template " + std::string(name) + " is missing.");
}

// "3,17,4"; other words are left out, as everybody can write the address.
std::vector<std::int64_t> ids_of(std::string_view text) {
    std::vector<std::int64_t> ids;
    while (!text.empty() && ids.size() < most_saved) {
        const auto part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        std::int64_t id = 0;
        const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), id);
        if (fault == std::errc{} && end == part.data() + part.size() && id > 0)
            ids.push_back(id);
    }
    return ids;
}

Result<Value> page_of(const std::vector<Value>& shown, bool is_account) {
    Value rows = Value::array();
    std::string saved;
    for (const Value& trip : shown) {
        saved += (saved.empty() ? "" : ",") + trip["id"].number_text();
        rows.push(trip);
    }
    const bool has_trips = rows.size() > 0;
    return Value::object(
        {{"title", json::to_json("Saved trips"_sentence)},
         {"model", Value::object({{"has_trips", has_trips}, {"is_account", is_account}, {"saved", saved}})},
         {"trips", std::move(rows)}});
}

Result<Value> changed(const SavedTrips& trips, std::int64_t user_id, const Value& form, std::string_view path) {
    if (user_id <= 0)
        return errc::unauthorized;
    if (const auto ids = ids_of(sent_text(form, "remove")); !ids.empty())
        SVC_RETURN_IF_ERROR(trips.remove(user_id, ids));
    if (const auto ids = ids_of(sent_text(form, "add")); !ids.empty())
        // A trip that was withdrawn since stays away from the account; the page shows those that are there.
        if (const auto saved = trips.save(user_id, ids);
            !saved && saved.error().code().name != errc::trip_not_found.name)
            return saved.error();
    return Value::object({{"go", path}});
}

Result<Value> shown_to(const SavedTrips& trips, const Value& request) {
    if (!trips.enabled())
        return errc::not_found;
    const std::int64_t user_id = request.maybe_integer("user_id").value_or(0);
    if (request.text_or("method") == "POST")
        return changed(trips, user_id, request["form"], request.text_or("path"));
    SVC_ASSIGN_OR_RETURN(const auto shown, user_id > 0 ? trips.shown_to(user_id)
                                                       : trips.shown(ids_of(sent_text(request["query"], "trips"))));
    return page_of(shown, user_id > 0);
}

pages::OfferedPage page_at(const SavedTrips& trips, std::string_view path, std::string type, std::string label) {
    return {.path = std::string(path),
            .type = std::move(type),
            .template_source = template_named("saved-trips.html"),
            .module = std::string(module_slug),
            .takes_forms = true,
            .show = [&trips](const Value& request) { return shown_to(trips, request); },
            .account_label = std::move(label)};
}

}  // namespace

pages::OfferedPage visitors_page(const SavedTrips& trips) { return page_at(trips, page_path, "saved-trips", {}); }

pages::OfferedPage account_page(const SavedTrips& trips) {
    return page_at(trips, "saved", "account-saved", default_text("Saved trips"));
}

}  // namespace svc::pro::saved_trips
