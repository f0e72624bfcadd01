// Shared parts of the views: addresses, cards, fields, the layout's model.
#include <algorithm>

#include "base/catalog/classifications/permalink.hpp"
#include "base/platform/texts/countries.hpp"
#include "base/settings/values/site_pages.hpp"
#include "base/website/pages/hooks.hpp"
#include "base/website/pages/islands.hpp"
#include "base/website/views/reviews.hpp"
#include "base/website/views/trip_model.hpp"
#include "base/website/views/views.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/country.hpp"
#include "shared/core/uri.hpp"

namespace svc::pages {

using json::Value;

void missing() { throw Stopped{404, {}}; }

std::string encoded(std::string_view text) { return text::uri_component(text); }

std::string query_of(const Pairs& pairs) {
    std::string out;
    for (const auto& [name, value] : pairs)
        out.append(out.empty() ? "?" : "&").append(encoded(name)).append("=").append(encoded(value));
    return out;
}

std::string Views::path(std::initializer_list<std::string_view> parts) const {
    std::string out;
    for (const std::string_view part : parts)
        out.append("/").append(encoded(part));
    return out;
}

std::string Views::local(std::string_view address) const {
    const std::string& own = site.installation.address;
    if (!own.empty() && address.starts_with(own) && (address.size() == own.size() || address[own.size()] == '/'))
        address.remove_prefix(own.size());
    return std::string(address.empty() ? "/" : address);
}

std::string Views::srcset(const Value& sets) const {
    std::string set = sets.is_object() ? sets.text_or("webp") : std::string();
    const std::string& own = site.installation.address;
    if (!own.empty())
        for (auto at = set.find(own + "/"); at != std::string::npos; at = set.find(own + "/", at))
            set.erase(at, own.size());
    return set;
}

std::string Views::company(const Format& words) const {
    const std::string name = settings().text("company_name");
    return name.empty() ? words.say_text("Our trips") : name;
}

Value Views::frame(PageRequest& visit) const {
    const Bases bases_now = bases();
    Value pages = Value::array();
    for (const settings::SitePage& page : settings::site_pages(settings(), site.installation.address))
        pages.push(Value::object({{"title", page.title}, {"url", local(page.url)}}));
    const std::string email = settings().text("company_email"), phone = settings().text("company_phone");
    std::string account = settings().text("customer_account_page");  // an address or the slug of a page
    if (!account.empty())
        account = account.starts_with("https://") || account.starts_with("http://") || account.starts_with("/")
                      ? local(account)
                      : path({account});
    Value frame = Value::object({{"name", company(visit.words)},
                                 {"home", "/"},
                                 {"trips", listing_path()},
                                 {"destinations", path({bases_now.destination})},
                                 {"activities", path({bases_now.activity})},
                                 {"account", account.empty() ? path({bases_now.account}) : account},
                                 {"me", path({bases_now.account, "me"})},
                                 {"find_booking", path({bases_now.account, "find-booking"})},
                                 {"has_accounts", settings().flag("enable_customer_accounts")},
                                 {"rates", visit.words.rates},
                                 {"pages", std::move(pages)},
                                 {"email", email},
                                 {"phone", phone},
                                 {"logo", settings().text("company_logo")},
                                 {"year", visit.words.look.zone.date_at(site.clock.now()).year()},
                                 {"lang", visit.words.locale},
                                 {"dir", texts::is_right_to_left(visit.words.locale) ? "rtl" : "ltr"}});
    if (visit.signed_in)
        frame.set("login", visit.signed_in->login);
    if (site.hooks.filtered(saved_trips_page.name))
        if (const std::string page = site.hooks.apply(saved_trips_page, Value(""), {}).text(); page.starts_with('/'))
            frame.set("saves", Value::object({{"page", page}, {"script", script_of_site("saved")}}));
    return frame;
}

catalog::classifications::Places Views::class_places(catalog::classifications::Type type, std::int64_t id,
                                                     const std::string& slug) const {
    const Bases now = bases();
    const catalog::classifications::Bases of_classes{
        .trip = now.trip, .destination = now.destination, .activity = now.activity, .trip_category = now.trip_category};
    return catalog::classifications::places_of(type, id, slug, site.installation.address, of_classes, site.hooks);
}

std::string Views::listing_path() const {
    std::string address = site.installation.address + path({bases().trip});
    if (site.hooks.filtered(catalog::classifications::trip_listing_address.name))
        address = site.hooks.apply(catalog::classifications::trip_listing_address, std::move(address), {}).text();
    return local(address);
}

// The unit of a price as people read it: the interface's label of a group counts "pax".
static std::string unit_words(const std::string& label, const Format& words) {
    constexpr std::string_view begin = "per group (", end = " pax)";
    if (!label.starts_with(begin) || !label.ends_with(end))
        return words.default_text(label);
    const std::string range = label.substr(begin.size(), label.size() - begin.size() - end.size());
    const auto dash = range.find('-');
    return dash == std::string::npos
               ? words.default_text(label)
               : words.say_text("per group of {least} to {most}",
                                {{"least", range.substr(0, dash)}, {"most", range.substr(dash + 1)}});
}

Value Views::card(const Value& trip, PageRequest& visit) const {
    const Format& words = visit.words;
    const std::string currency = trip.text_or("currency");
    const PriceDisplay display = price_display(visit, trip["id"]);
    Value card = Value::object({{"id", trip["id"]},
                                {"slug", trip["slug"]},
                                {"title", trip["title"]},
                                {"url", local(trip.text_or("permalink"))},
                                {"summary", trip["summary"]},
                                {"duration", words.duration(trip)},
                                {"unit", unit_words(trip.text_or("price_unit_label"), words)},
                                {"price", words.price(trip["display_price"], currency)},
                                {"also", words.also(trip["display_price"], currency)},
                                {"tint", trip["id"].integer() % 8}});
    // Sets every member, absent ones to empty: the template would read a missing one from the page around the card.
    const std::string picture = trip.text_or("featured_image_url");
    card.set("picture", picture.empty() ? "" : local(picture));
    card.set("srcset", picture.empty() ? "" : srcset(trip["featured_image_srcset"]));
    std::string place;
    for (const Value& each : list_of(trip["destinations"]))
        if (place.empty() || each.maybe_boolean("is_primary").value_or(false))
            place = each.text_or("name");
    card.set("place", place);
    card.set("difficulty", trip["difficulty"].is_object() ? trip["difficulty"]["name"] : Value(""));
    const Value &price = trip["display_price"], &regular = trip["display_regular_price"];
    const bool is_reduced = is_more(regular, price, currency);
    card.set("old_price", is_reduced && display.original ? Value(words.price(regular, currency)) : Value(""));
    card.set("badge", "");
    if (const Value& off = trip["discount_percent"];
        is_reduced && display.savings && off.is_number() && off.number_text() != "0")
        card.set("badge", "\xe2\x88\x92" + off.number_text() + " %");
    else if (trip.maybe_boolean("is_featured").value_or(false))
        card.set("badge", words.say_text("Featured"));
    for (const char* name : {"rating", "stars", "one_review", "reviews"})
        card.set(name, "");
    if (trip["reviews_count"].is_number() && trip["reviews_count"].integer() > 0) {
        const Value stars = stars_json(trip["avg_rating"]);
        card.set("rating", stars["printed"]);
        card.set("stars", stars);
        card.set("one_review", trip["reviews_count"].integer() == 1);
        card.set("reviews", trip["reviews_count"]);
    }
    card.set("prefix", words.default_text(trip.text_or("price_prefix")));
    return card;
}

Value Views::cards(const Value& trips, PageRequest& visit) const {
    Value list = Value::array();
    for (const Value& trip : list_of(trips))
        list.push(card(trip, visit));
    return list;
}

Value to_json(const Shown& field) {
    Value one = Value::object({{"name", field.name},
                               {"id", "f-" + field.name},
                               {"label", field.label},
                               {"type", field.type},
                               {"value", field.value},
                               {"error", field.error},
                               {"help", field.help},
                               {"autocomplete", field.autocomplete},
                               {"required", field.required}});
    if (field.width == "full" || field.width == "third")
        one.set(field.width, true);
    one.set(field.type == "textarea"   ? "is_textarea"
            : field.type == "select"   ? "is_select"
            : field.type == "checkbox" ? "is_checkbox"
                                       : "is_input",
            true);
    if (!field.error.empty() || !field.help.empty())
        one.set("described", (field.error.empty() ? "" : "e-" + field.name) +
                                 (field.error.empty() || field.help.empty() ? "" : " ") +
                                 (field.help.empty() ? "" : "h-" + field.name));
    return one;
}

Value country_options(const std::string& value, bool is_required, const Format& words) {
    const std::string known = country_code(value), chosen = known.empty() ? value : known;
    Value options = Value::array();
    const auto add = [&](const std::string& code, const std::string& label) {
        options.push(Value::object({{"value", code}, {"label", label}, {"selected", code == chosen}}));
    };
    add("", is_required ? words.say_text("Please choose") : "–");
    if (known.empty() && !value.empty())
        add(value, value);
    for (const auto& [name, code] : *texts::countries(words.locale))
        add(code, name);
    return options;
}

std::string fault_of(const std::vector<std::pair<std::string, std::string>>& faults, std::string_view field) {
    for (const auto& [name, help] : faults)
        if (name == field)
            return help;
    return {};
}

Value faults_json(const std::vector<std::pair<std::string, std::string>>& faults, const Value& fields) {
    return faults_json(faults, [&](std::string_view name) -> std::string {
        for (const Value& field : list_of(fields))
            if (field.text_or("name") == name)
                return field.text_or("label");
        return {};
    });
}

Value faults_json(const std::vector<std::pair<std::string, std::string>>& faults,
                  const std::function<std::string(std::string_view)>& label) {
    Value list = Value::array();
    for (const auto& [name, help] : faults) {
        Value one = Value::object({{"field", name}, {"says", help}});
        if (label)
            one.set("label", label(name));
        list.push(std::move(one));
    }
    return list;
}

void Views::set_hindrances(Value& model, const Value& price, std::string_view currency, const std::string& next) const {
    if (settings().flag("require_login") || !settings().flag("allow_guest_checkout"))
        model.set("login", path({bases().account, "login"}) + query_of({{"next", next}}));
    const auto known = Currency::parse(currency);
    const auto amount =
        known && price.is_number() ? Money::parse(price.number_text(), *known) : Result<Money>(errc::not_found);
    model.set("cannot_pay", !takes_payment(amount ? *amount : Money::zero(known ? *known : settings().currency())));
}

}  // namespace svc::pages
