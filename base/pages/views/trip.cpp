// The page of one trip.
#include <algorithm>
#include <set>

#include "base/pages/hooks.hpp"
#include "base/pages/repository.hpp"
#include "base/pages/views/reviews.hpp"
#include "base/pages/views/trip_model.hpp"
#include "base/pages/views/views.hpp"
#include "base/platform/html/html.hpp"
#include "base/settings/site_pages.hpp"

namespace svc::pages {
namespace {

using json::Value;

void add_fact(Value& facts, std::string_view icon, const std::string& label, const std::string& value) {
    if (!value.empty())
        facts.push(Value::object(
            {{"icon", icon}, {std::string("is_") + std::string(icon), true}, {"label", label}, {"value", value}}));
}

std::string ages_of_trip(const Value& trip, const Wording& words) {
    const auto least = trip.maybe_integer("age_min"), most = trip.maybe_integer("age_max");
    if (least && most)
        return words.say_text("{from} to {to}", {{"from", *least}, {"to", *most}});
    return least  ? words.say_text("{from} and over", {{"from", *least}})
           : most ? words.say_text("up to {to}", {{"to", *most}})
                  : std::string();
}

std::string group_of_trip(const Value& trip, const Wording& words) {
    const std::int64_t least = trip.maybe_integer("min_travelers").value_or(0),
                       most = trip.maybe_integer("max_travelers").value_or(0);
    if (most > 0)
        return least > 1 ? words.say_text("{from} to {to} people", {{"from", least}, {"to", most}})
                         : words.say_text("{to, plural, one {up to # person} other {up to # people}}", {{"to", most}});
    return least > 1 ? words.say_text("from {from} people", {{"from", least}}) : std::string();
}

Value facts_of(const Views& views, Visit& visit, const Value& trip) {
    Value facts = Value::array();
    const Wording& words = visit.words;
    add_fact(facts, "clock", words.say_text("Duration"), words.translate(trip.text_or("duration_label")));
    add_fact(facts, "group", words.say_text("Group"), group_of_trip(trip, words));
    add_fact(facts, "age", words.say_text("Ages"), ages_of_trip(trip, words));
    if (trip["difficulty"].is_object())
        add_fact(facts, "level", words.say_text("Difficulty"), trip["difficulty"].text_or("name"));
    add_fact(facts, "start", words.say_text("Starts in"), trip.text_or("starting_location"));
    add_fact(facts, "season", words.say_text("Best season"), trip.text_or("best_season"));
    const Value& values = trip["attributes"];
    const Answered known = values.is_object() && values.size() > 0 ? visit.get("/attributes/frontend") : Answered{};
    for (const Value& each : list_of(known.data())) {
        const Value* value = values.find(std::to_string(each["id"].integer()));
        if (!value || value->is_null())
            continue;
        std::string text = value->is_string() ? value->text() : value->is_number() ? value->number_text() : "";
        if (value->is_boolean())
            text = value->boolean() ? words.say_text("Yes") : words.say_text("No");
        if (value->is_array())
            for (const Value& one : value->items())
                text += (text.empty() ? "" : ", ") + (one.is_string() ? one.text() : one.dump());
        if (const std::string unit = each.text_or("unit"); !unit.empty() && !text.empty())
            text += " " + unit;
        add_fact(facts, "more", each.text_or("name"), text);
    }
    static_cast<void>(views);
    return facts;
}

Value gallery_of(const Views& views, const Value& trip) {
    Value pictures = Value::array();
    std::set<std::string> seen;
    const auto add = [&](const std::string& url, const std::string& alt, const Value& srcset) {
        if (!url.empty() && seen.insert(url).second)
            pictures.push(Value::object({{"url", views.local(url)},
                                         {"alt", alt.empty() ? trip.text_or("title") : alt},
                                         {"srcset", srcset},
                                         {"first", pictures.size() == 0}}));
    };
    add(trip.text_or("featured_image_url"), trip.text_or("title"), trip["featured_image_srcset"]);
    for (const Value& each : list_of(trip["gallery_images"]))
        if (each.text_or("kind") == "image")
            add(each.text_or("url"), each.text_or("alt_text"), each["srcset"]);
    return pictures;
}

Value itinerary_of(const Value& trip) {
    Value days = Value::array();
    for (const Value& day : list_of(trip["itinerary_days"])) {
        Value entries = Value::array();
        for (const Value& each : day["entries"].items())
            entries.push(Value::object({{"title", each["title"]},
                                        {"time", each["time"]},
                                        {"kind", each["item_type_name"]},
                                        {"location", each["location"]},
                                        {"text_html", each.text_or("description")}}));
        days.push(Value::object({{"number", day["day_number"]},
                                 {"title", day["title"]},
                                 {"text_html", day.text_or("description")},
                                 {"first", days.size() == 0},
                                 {"has_entries", entries.size() > 0},
                                 {"entries", std::move(entries)}}));
    }
    return days;
}

// Texts that a trip may have, under the headings that visitors look for.
Value notes_of(const Value& trip, const Wording& words) {
    Value notes = Value::array();
    const auto add = [&](const char* member, const std::string& heading) {
        if (const std::string text = trip.text_or(member); !text.empty())
            notes.push(
                Value::object({{"heading", heading},
                               {"text_html", text.find('<') == std::string::npos ? "<p>" + html::escaped(text) + "</p>"
                                                                                 : html::clean_html(text)}}));
    };
    add("what_makes_special", words.say_text("What makes it special"));
    add("accommodation_type", words.say_text("Where you stay"));
    add("accommodation_details", words.say_text("About the rooms"));
    add("transportation_details", words.say_text("Getting around"));
    add("pickup_location", words.say_text("Pick-up"));
    add("dropoff_location", words.say_text("Drop-off"));
    add("physical_requirements", words.say_text("How fit you should be"));
    add("visa_requirements", words.say_text("Visa"));
    add("vaccination_requirements", words.say_text("Vaccinations"));
    add("payment_terms", words.say_text("Paying"));
    add("cancellation_policy", words.say_text("Cancelling"));
    return notes;
}

Value structured_of(const Views& views, const Value& trip, const Value& dates, const Wording& words) {
    Value offer = Value::object(
        {{"@type", "AggregateOffer"},
         {"priceCurrency", trip["currency"]},
         {"lowPrice", trip["display_price"]},
         {"offerCount", static_cast<std::int64_t>(dates.size())},
         {"url", trip["permalink"]},
         {"availability", dates.size() > 0 ? "https://schema.org/InStock" : "https://schema.org/SoldOut"}});
    Value product = Value::object({{"@context", "https://schema.org"},
                                   {"@type", "Product"},
                                   {"name", trip["title"]},
                                   {"description", trip["summary"]},
                                   {"image", trip["featured_image_url"]},
                                   {"brand", Value::object({{"@type", "Brand"}, {"name", views.company(words)}})},
                                   {"offers", std::move(offer)}});
    if (trip["reviews_count"].is_number() && trip["reviews_count"].integer() > 0)
        product.set("aggregateRating", Value::object({{"@type", "AggregateRating"},
                                                      {"ratingValue", trip["avg_rating"]},
                                                      {"reviewCount", trip["reviews_count"]}}));
    return product;
}

}  // namespace

Value dates_by_month(const Value& dates, const Wording& words, const DateOptions& options) {
    Value months = Value::array();
    std::string month;
    std::size_t shown = 0;
    for (const Value& each : list_of(dates)) {
        if (options.most && shown >= options.most)
            break;
        const std::string date = each.text_or("date"), status = each.text_or("status"), time = each.text_or("time");
        const std::int64_t left = each.maybe_integer("available_capacity").value_or(0);
        const bool is_full = each.maybe_boolean("is_full").value_or(false) || status == "sold_out" || left <= 0;
        const bool waits = each.maybe_boolean("waitlist").value_or(false);
        const std::string currency = each.text_or("currency");
        Value one = Value::object(
            {{"date", date},
             {"time", time},
             {"value", date + (time.empty() ? "" : "T" + time)},
             {"id", "d-" + date + (time.empty() ? "" : "-" + time.substr(0, 2) + time.substr(3))},
             {"label", words.day(date)},
             {"short", words.short_day(date)},
             {"clock", time.empty() ? "" : words.time(time)},
             {"price", words.price(each["price"], currency)},
             {"number", each["price"].is_number() ? each["price"].number_text() : std::string()},
             {"full", is_full},
             {"waitlist", is_full && waits},
             {"open", !is_full || waits},
             {"selected", options.selected == date + (time.empty() ? "" : "T" + time) || options.selected == date}});
        if (const std::string end = each.text_or("end_date"); !end.empty() && end != date)
            one.set("end", words.short_day(end));
        if (options.original && each["original_price"].is_number() && each["price"].is_number() &&
            each["original_price"].number_text() != each["price"].number_text())
            one.set("old_price", words.price(each["original_price"], currency));
        if (options.urgency && !is_full && left <= 5)
            one.set("few", Value::object({{"left", left}}));
        if (month != date.substr(0, 7)) {
            month = date.substr(0, 7);
            months.push(Value::object(
                {{"label", words.month(date)}, {"first", months.size() == 0}, {"dates", Value::array()}}));
        }
        Value& last = months.items().back();
        if (one["selected"].boolean())
            last.set("first", true);
        last.members().back().second.push(std::move(one));  // "dates"
        ++shown;
    }
    return months;
}

Value party_of(const Value& price_types, const Wording& words, const std::string& currency, const Value& counts,
               std::int64_t travelers, std::int64_t most) {
    Value fields = Value::array();
    for (const Value& each : list_of(price_types)) {
        const std::string id = std::to_string(each["category_id"].integer());
        const Value* now = counts.find(id);
        const bool is_default = each.maybe_boolean("is_default").value_or(false);
        const std::int64_t count = now && now->is_number()            ? now->integer()
                                   : counts.size() == 0 && is_default ? travelers
                                                                      : 0;
        std::string hint;
        const auto from = each.maybe_integer("age_min"), to = each.maybe_integer("age_max");
        if (from && to)
            hint = words.say_text("ages {from} to {to}", {{"from", *from}, {"to", *to}});
        else if (from)
            hint = words.say_text("ages {from} and over", {{"from", *from}});
        else if (to)
            hint = words.say_text("up to age {to}", {{"to", *to}});
        fields.push(Value::object({{"name", "c" + id},
                                   {"label", each["category_label"]},
                                   {"hint", hint},
                                   {"price", words.price(each["effective_price"], currency)},
                                   {"per_group", each.text_or("pricing_mode") == "per_group"},
                                   {"value", count},
                                   {"max", most}}));
    }
    if (fields.size() == 0)
        fields.push(Value::object({{"name", "travelers"},
                                   {"label", words.say_text("Travelers")},
                                   {"hint", ""},
                                   {"value", std::max<std::int64_t>(1, travelers)},
                                   {"min", 1},
                                   {"max", most}}));
    return fields;
}

// Reads the trip in any status for staff who may edit it; nothing for everybody else.
static std::optional<Answered> previewed(const Views& views, Visit& visit, const std::string& slug) {
    if (!visit.is_preview() || !visit.signed_in || !visit.signed_in->can("svc_edit_trips"))
        return std::nullopt;
    const auto id = views.site.store.reading<std::optional<std::int64_t>>(
        [&](store::Session& session) { return trip_of_slug(session, slug); });
    Answered read = id ? visit.get("/trips/" + std::to_string(*id)) : Answered{};
    return read.is_good() ? std::optional(std::move(read)) : std::nullopt;
}

View Views::trip(Visit& visit) const {
    const std::string& slug = visit.names.at("slug");
    const auto preview = previewed(*this, visit, slug);
    const Answered read = preview ? *preview : visit.get("/trips/public/" + encoded(slug));
    if (!read.is_good()) {
        if (const auto renamed = trips.shown().by_old_slug(slug)) {
            View view = go_to(path({bases().trip, renamed->trip.slug}));
            view.moved = true;
            return view;
        }
        missing();
    }
    const Value& trip = read.data();
    // Old slugs are answered with the trip, too: its own address is the only one.
    if (trip.text_or("slug") != slug) {
        View view = go_to(path({bases().trip, trip.text_or("slug")}));
        view.moved = true;
        return view;
    }
    View view{.page = "single-trip"};
    Value& model = view.model;
    const std::string id = std::to_string(trip["id"].integer()), currency = trip.text_or("currency");
    const Answered dates = visit.get("/trips/" + id + "/available-dates");
    model = card(trip, visit.words);
    if (preview)
        model.set("preview", trip["status"]);
    model.set("gallery", gallery_of(*this, trip));
    model.set("many_pictures", model["gallery"].size() > 1);
    model.set("facts", facts_of(*this, visit, trip));
    model.set("text_html", trip.text_or("description"));
    Value highlights = Value::array();
    for (const Value& each : list_of(trip["highlight_details"]))
        highlights.push(Value::object({{"title", each["title"]}, {"text", each["description"]}}));
    model.set("highlights", std::move(highlights));
    model.set("days", itinerary_of(trip));
    model.set("included", trip["included_items"]);
    model.set("excluded", trip["excluded_items"]);
    model.set("has_lists", trip["included_items"].size() + trip["excluded_items"].size() > 0);
    model.set("notes", notes_of(trip, visit.words));
    Value faqs = Value::array();
    for (const Value& each : list_of(trip["faqs"]))
        faqs.push(Value::object({{"question", each["question"]}, {"answer_html", each.text_or("answer")}}));
    model.set("faqs", std::move(faqs));
    Value downloads = Value::array();
    for (const Value& each : list_of(trip["downloadable_items"]))
        if (each.text_or("visibility") == "public")
            downloads.push(Value::object(
                {{"title", each["title"]}, {"url", "/svc/v1/downloads/" + std::to_string(each["id"].integer())}}));
    model.set("downloads", std::move(downloads));
    const std::int64_t most = trip.maybe_integer("max_travelers").value_or(0);
    model.set("party", party_of(trip["price_types"], visit.words, currency, Value::object(),
                                std::max<std::int64_t>(trip.maybe_integer("min_travelers").value_or(1), 1),
                                most > 0 ? most : 100));
    const PriceDisplay display = price_display(trip["id"]);
    model.set("months",
              dates_by_month(dates.data(), visit.words, {.original = display.original, .urgency = display.urgency}));
    model.set("has_dates", dates.is_good() && dates.data().size() > 0);  // a draft's are nobody's
    model.set("as_list", settings().flag("date_picker_as_dropdown"));
    show_reviews(*this, visit, trip, model);
    model.set("book", path({bases().book, slug}));
    model.set("price_url", path({bases().book, slug, "price"}));
    model.set("currency", currency);
    const bool asks = site.hooks.apply(enable_enquiry, Value(true), {trip["id"]}).boolean();
    if (asks) {
        model.set("enquiry", path({bases().trip, slug, "enquiry"}));
        model.set("enquiry_button",
                  site.hooks.apply(enquiry_button_text, visit.words.say_text("Ask a question"), {trip["id"]}));
    }
    if (trip["trip_category"].size() > 0 || trip["destinations"].size() > 0) {
        Pairs like{{"per_page", "4"}};
        if (trip["trip_category"].size() > 0)
            like.emplace_back("trip_category", trip["trip_category"][0].text_or("slug"));
        Value similar = Value::array();
        const Answered others = visit.get_partly("/trips/public" + query_of(like), card_members);
        for (const Value& each : others.data().items())
            if (each["id"] != trip["id"] && similar.size() < 3)
                similar.push(card(each, visit.words));
        model.set("similar", std::move(similar));
    }
    for (const auto& [flag, member] : {std::pair{"has_highlights", "highlights"},
                                       {"has_days", "days"},
                                       {"has_notes", "notes"},
                                       {"has_faqs", "faqs"},
                                       {"has_downloads", "downloads"},
                                       {"has_excluded", "excluded"},
                                       {"has_similar", "similar"}})
        model.set(flag, model[member].size() > 0);
    std::string description = trip.text_or("meta_description");
    const std::string title = trip.text_or("meta_title"), own = path({bases().trip, slug});
    view.head = {.title = title.empty() ? trip.text_or("title") : title,
                 .description = description.empty() ? trip.text_or("summary") : description,
                 .keywords = trip.text_or("meta_keywords"),
                 .canonical = own,
                 .image = trip.text_or("featured_image_url"),
                 .is_indexed = !preview,
                 .kind = "product"};
    view.head.structured.push(structured_of(*this, trip, dates.data(), visit.words));
    Value tour =
        Value::object({{"@context", "https://schema.org"},
                       {"@type", "TouristTrip"},
                       {"name", trip["title"]},
                       {"description", trip["summary"]},
                       {"image", trip["featured_image_url"]},
                       {"provider", Value::object({{"@type", "TravelAgency"}, {"name", company(visit.words)}})}});
    view.head.structured.push(std::move(tour));
    Value crumbs = Value::array();
    std::int64_t position = 0;
    for (const auto& [name, where] : {std::pair<std::string, std::string>{company(visit.words), "/"},
                                      {visit.words.say_text("Trips"), path({bases().trip})},
                                      {trip.text_or("title"), own}})
        crumbs.push(Value::object({{"@type", "ListItem"},
                                   {"position", ++position},
                                   {"name", name},
                                   {"item", site.installation.address + where}}));
    view.head.structured.push(Value::object(
        {{"@context", "https://schema.org"}, {"@type", "BreadcrumbList"}, {"itemListElement", std::move(crumbs)}}));
    return view;
}

}  // namespace svc::pages
