// The page of one trip.
#include <algorithm>
#include <array>

#include "base/settings/values/site_pages.hpp"
#include "base/website/pages/hooks.hpp"
#include "base/website/pages/repository.hpp"
#include "base/website/views/cancelling.hpp"
#include "base/website/views/cards.hpp"
#include "base/website/views/facts.hpp"
#include "base/website/views/reviews.hpp"
#include "base/website/views/trip_model.hpp"
#include "base/website/views/views.hpp"

namespace svc::pages {
namespace {

using json::Value;

void add_fact(Value& facts, std::string_view icon, const std::string& label, const std::string& value) {
    if (!value.empty())
        facts.push(Value::object(
            {{"icon", icon}, {std::string("is_") + std::string(icon), true}, {"label", label}, {"value", value}}));
}

std::string ages_of_trip(const Value& trip, const Format& words) {
    const auto least = trip.maybe_integer("age_min"), most = trip.maybe_integer("age_max");
    if (least && most)
        return words.say_text("{from} to {to}", {{"from", *least}, {"to", *most}});
    return least  ? words.say_text("{from} and over", {{"from", *least}})
           : most ? words.say_text("up to {to}", {{"to", *most}})
                  : std::string();
}

std::string group_of_trip(const Value& trip, const Format& words) {
    const std::int64_t least = trip.maybe_integer("min_travelers").value_or(0),
                       most = trip.maybe_integer("max_travelers").value_or(0);
    if (most > 0)
        return least > 1 ? words.say_text("{from} to {to} people", {{"from", least}, {"to", most}})
                         : words.say_text("{to, plural, one {up to # person} other {up to # people}}", {{"to", most}});
    return least > 1 ? words.say_text("from {from} people", {{"from", least}}) : std::string();
}

Value facts_of(const Views& views, PageRequest& visit, const Value& trip) {
    Value facts = Value::array();
    const Format& words = visit.words;
    add_fact(facts, "clock", words.say_text("Duration"), words.duration(trip));
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

// An empty address of a picture is a fault to search engines.
void add_image(Value& thing, const Value& trip) {
    if (const std::string image = trip.text_or("featured_image_url"); !image.empty())
        thing.set("image", image);
}

Value structured_of(const Views& views, const Value& trip, std::int64_t open_dates, const Format& words) {
    Value offer =
        Value::object({{"@type", "AggregateOffer"},
                       {"priceCurrency", trip["currency"]},
                       {"lowPrice", trip["display_price"]},
                       {"offerCount", open_dates},
                       {"url", trip["permalink"]},
                       {"availability", open_dates > 0 ? "https://schema.org/InStock" : "https://schema.org/SoldOut"}});
    Value product = Value::object({{"@context", "https://schema.org"},
                                   {"@type", "Product"},
                                   {"name", trip["title"]},
                                   {"description", trip["summary"]},
                                   {"brand", Value::object({{"@type", "Brand"}, {"name", views.company(words)}})},
                                   {"offers", std::move(offer)}});
    add_image(product, trip);
    if (trip["reviews_count"].is_number() && trip["reviews_count"].integer() > 0)
        product.set("aggregateRating", Value::object({{"@type", "AggregateRating"},
                                                      {"ratingValue", trip["avg_rating"]},
                                                      {"reviewCount", trip["reviews_count"]}}));
    return product;
}

}  // namespace

// "1 to 4 are one group"
static std::string group_words(const Value& type, const Format& words) {
    const std::int64_t least = std::max<std::int64_t>(1, type.maybe_integer("min_pax").value_or(1));
    const auto most = type.maybe_integer("max_pax");
    if (!most)
        return words.say_text("all together are one group");
    return least == *most ? words.say_text("{count, plural, one {one person is one group} other {# are one group}}",
                                           {{"count", *most}})
                          : words.say_text("{least} to {most} are one group", {{"least", least}, {"most", *most}});
}

Value party_of(const Value& price_types, const Format& words, const std::string& currency, const Value& counts,
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
        const bool is_group = each.text_or("pricing_mode") == "per_group";
        if (is_group && !hint.empty())
            hint += " · ";
        if (is_group)
            hint += group_words(each, words);
        const std::string begin = words.default_text(each.text_or("price_prefix"));
        const std::string price = begin + (begin.empty() ? "" : " ") + words.price(each["effective_price"], currency);
        // People are counted, whatever the price is for.
        fields.push(
            Value::object({{"name", "c" + id},
                           {"label", is_group && list_of(price_types).size() == 1 ? Value(words.say_text("Travelers"))
                                                                                  : each["category_label"]},
                           {"hint", hint},
                           {"price", is_group ? words.say_text("{price} per group", {{"price", price}}) : price},
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

// Reads the trip in any status for staff who see it in the admin; nothing for everybody else.
static std::optional<Answered> previewed(const Views& views, PageRequest& visit, const std::string& slug) {
    const auto& who = visit.signed_in;
    if (!visit.is_preview() || !who || !(who->can("svc_view_trips") || who->can("svc_edit_trips")))
        return std::nullopt;
    const auto id = views.site.store.reading<std::optional<std::int64_t>>(
        [&](store::Session& session) { return trip_of_slug(session, slug); });
    Answered read = id ? visit.get("/trips/" + std::to_string(*id)) : Answered{};
    return read.is_good() ? std::optional(std::move(read)) : std::nullopt;
}

namespace {

// The status of a previewed trip for the band on its page.
std::string said_of(const std::string& status, const Format& words) {
    const std::pair<std::string_view, std::string> known[] = {
        {"draft", words.say_text("Draft")},         {"review", words.say_text("In review")},
        {"approved", words.say_text("Approved")},   {"publish", words.say_text("Published")},
        {"private", words.say_text("Private")},     {"archived", words.say_text("Archived")},
        {"suspended", words.say_text("Suspended")}, {"trash", words.say_text("In the trash")}};
    for (const auto& [name, word] : known)
        if (name == status)
            return word;
    return status;
}

// The trip's members that the page reads on each request.
constexpr auto brief_members = [] {
    constexpr std::array<std::string_view, 14> more{
        "status",      "age_min",       "age_max",          "min_travelers",     "max_travelers",
        "price_types", "best_season",   "attributes",       "starting_location", "trip_category",
        "meta_title",  "meta_keywords", "meta_description", "cancellation_terms"};
    std::array<std::string_view, std::size(card_members) + more.size()> all{};
    std::copy(more.begin(), more.end(), std::copy(std::begin(card_members), std::end(card_members), all.begin()));
    return all;
}();

Value brief_trip(const Value& trip) {
    Value brief = Value::object();
    for (const std::string_view name : brief_members)
        if (const Value* member = trip.find(name))
            brief.set(std::string(name), *member);
    return brief;
}

Value brief_dates(const Value& dates) {
    std::int64_t open = 0;
    for (const Value& date : dates.items())
        open += date.maybe_boolean("is_full").value_or(false) ? 0 : 1;
    return Value::object({{"count", static_cast<std::int64_t>(dates.size())}, {"open", open}});
}

}  // namespace

View Views::trip(PageRequest& visit) const {
    const std::string& slug = visit.names.at("slug");
    const auto preview = previewed(*this, visit, slug);
    const Known read =
        preview ? Known{.part = kept.put({}, {}, {}, brief_trip(preview->data())),
                        .value = std::make_shared<const Value>(preview->data())}
                : known_answer(*this, visit, "/trips/public/" + encoded(slug),
                               {.name = "trip:" + slug, .made_with = visit.words.sameness(), .brief = brief_trip});
    if (!read.part) {
        if (const auto renamed = trips.public_trips().by_old_slug(slug)) {
            View view = go_to(path({bases().trip, renamed->trip.slug}));
            view.moved = true;
            return view;
        }
        missing();
    }
    const Value& trip = read.part->brief;
    // Old slugs are answered with the trip, too: its own address is the only one.
    if (trip.text_or("slug") != slug) {
        View view = go_to(path({bases().trip, trip.text_or("slug")}));
        view.moved = true;
        return view;
    }
    View view{.page = "single-trip"};
    Value& model = view.model;
    const std::string id = std::to_string(trip["id"].integer()), currency = trip.text_or("currency");
    const Known dates = known_answer(*this, visit, "/trips/" + id + "/available-dates",
                                     {.name = "dates:" + id,
                                      .made_with = made_with(visit, trip["id"]),
                                      .members = month_members,
                                      .brief = brief_dates});
    const std::int64_t date_count = dates.part ? dates.part->brief["count"].integer() : 0,  // drafts have no dates
        open_count = dates.part ? dates.part->brief["open"].integer() : 0;
    model = card(trip, visit);
    if (preview)
        model.set("preview", said_of(trip.text_or("status"), visit.words));
    add_later(view, "about", read.part, 1, [this, read, words = visit.words] {
        return about_of(*this, *read.data(), words);
    }).with_members(about_members);
    model.set("facts", facts_of(*this, visit, trip));
    add_trip_cancelling(*this, trip, visit.words, model);
    const std::int64_t most = trip.maybe_integer("max_travelers").value_or(0);
    model.set("party", party_of(trip["price_types"], visit.words, currency, Value::object(),
                                std::max<std::int64_t>(trip.maybe_integer("min_travelers").value_or(1), 1),
                                most > 0 ? most : 100));
    const PriceDisplay display = price_display(visit, trip["id"]);
    add_later(
        view, "months", dates.part, date_count > 0 ? 1 : 0,
        [dates, words = visit.words, options = DateOptions{.original = display.original, .urgency = display.urgency}] {
            return dates_by_month(*dates.data(), words, options);
        });
    model.set("has_dates", date_count > 0);
    model.set("as_list", settings().flag("date_picker_as_dropdown"));
    show_reviews(*this, visit, trip, model);
    model.set("book", path({bases().book, slug}));
    set_hindrances(model, trip["display_price"], currency, path({bases().book, slug}));
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
        Listed others = list_of_trips(*this, visit, "/trips/public" + query_of(like));
        leave_out(others, trip["id"]);
        add_cards(*this, visit, view, "similar", std::move(others), Sight::below, 3);
        model.set("similar_sizes", card_sizes("standard", "25rem"));
    }
    model.set("has_similar", model["similar"].size() > 0);
    std::string description = trip.text_or("meta_description");
    const std::string title = trip.text_or("meta_title"), own = path({bases().trip, slug});
    view.head = {.title = title.empty() ? trip.text_or("title") : title,
                 .description = description.empty() ? trip.text_or("summary") : description,
                 .keywords = trip.text_or("meta_keywords"),
                 .canonical = own,
                 .image = trip.text_or("featured_image_url"),
                 .is_indexed = !preview,
                 .kind = "product"};
    add_view_facts(visit, trip, view);
    view.head.structured.push_back(structured_of(*this, trip, open_count, visit.words).dump());
    Value tour =
        Value::object({{"@context", "https://schema.org"},
                       {"@type", "TouristTrip"},
                       {"name", trip["title"]},
                       {"description", trip["summary"]},
                       {"provider", Value::object({{"@type", "TravelAgency"}, {"name", company(visit.words)}})}});
    add_image(tour, trip);
    view.head.structured.push_back(tour.dump());
    Value crumbs = Value::array();
    std::int64_t position = 0;
    for (const auto& [name, where] : {std::pair<std::string, std::string>{company(visit.words), "/"},
                                      {visit.words.say_text("Trips"), path({bases().trip})},
                                      {trip.text_or("title"), own}})
        crumbs.push(Value::object({{"@type", "ListItem"},
                                   {"position", ++position},
                                   {"name", name},
                                   {"item", site.installation.address + where}}));
    view.head.structured.push_back(
        Value::object(
            {{"@context", "https://schema.org"}, {"@type", "BreadcrumbList"}, {"itemListElement", std::move(crumbs)}})
            .dump());
    return view;
}

}  // namespace svc::pages
