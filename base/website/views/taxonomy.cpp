// The home page, and the pages of destinations, activities and kinds of trips.
#include <algorithm>
#include <array>

#include "base/website/views/listing_model.hpp"

namespace svc::pages {
namespace {

using catalog::classifications::Type;
using json::Value;

struct KindPage {
    Type type;
    std::string_view parameter, listing;
};
constexpr std::size_t most_on_home = 6;  // trips, destinations and activities each

constexpr std::array<KindPage, 3> kinds{{{Type::destination, "destination", "listing-destination"},
                                         {Type::activity, "activity", "listing-activity"},
                                         {Type::trip_category, "trip_category", "listing-trip-category"}}};

std::string plural_of(const KindPage& kind, const Format& words) {
    return kind.type == Type::destination ? words.say_text("Destinations")
           : kind.type == Type::activity  ? words.say_text("Activities")
                                          : words.say_text("Kinds of trips");
}

const KindPage& page_of_kind(Type type) {
    return *std::find_if(kinds.begin(), kinds.end(), [&](const KindPage& each) { return each.type == type; });
}

std::string base_of(const Bases& bases, Type type) {
    return type == Type::destination ? bases.destination
           : type == Type::activity  ? bases.activity
                                     : bases.trip_category;
}

// The newest trips and the facets of all, with what tiles and cards show.
Answered newest_trips(PageRequest& visit) {
    static constexpr auto members = [] {
        std::array<std::string_view, std::size(card_members) + 2> all{};
        std::copy(std::begin(card_members), std::end(card_members), all.begin());
        all[all.size() - 2] = "activity_types";
        all[all.size() - 1] = "trip_category";
        return all;
    }();
    return visit.get_partly("/trips/public?per_page=100&facets=1", members);
}

// Published classes that have trips, with a picture: that of one of the newest trips.
Value tiles(const Views& views, const Answered& all, const KindPage& kind, std::size_t most) {
    const std::string_view member = kind.type == Type::destination ? "destinations"
                                    : kind.type == Type::activity  ? "activity_types"
                                                                   : "trip_category";
    std::vector<Value> list;
    for (const Value& each : list_of(all.body["meta"]["facets"][kind.parameter])) {
        std::string picture, srcset;
        for (const Value& trip : all.data().items()) {
            const bool is_of = std::any_of(trip[member].items().begin(), trip[member].items().end(),
                                           [&](const Value& one) { return one["id"] == each["id"]; });
            if (is_of) {
                picture = trip.text_or("featured_image_url");
                srcset = views.srcset(trip["featured_image_srcset"]);
            }
            if (!picture.empty())
                break;
        }
        Value tile = Value::object(
            {{"name", each["name"]},
             {"count", each["count"]},
             {"one", each["count"].integer() == 1},
             {"tint", each["id"].integer() % 8},
             {"url", views.local(views.class_places(kind.type, each["id"].integer(), each.text_or("slug")).page)}});
        tile.set("picture", picture.empty() ? "" : views.local(picture));
        tile.set("srcset", std::move(srcset));
        list.push_back(std::move(tile));
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const Value& a, const Value& b) { return a["count"].integer() > b["count"].integer(); });
    if (list.size() > most)
        list.resize(most);
    return Value(json::Array(list));
}

}  // namespace

View Views::home(PageRequest& visit) const {
    if (settings().text("home_page") == "listing")
        return listing(visit);
    View view{.page = "home"};
    const Answered found = newest_trips(visit);
    Value& model = view.model;
    Value trips = Value::array();
    std::string picture, srcset;  // the hero's: of a trip that has no card here, else of the first
    for (const Value& trip : list_of(found.data())) {
        const bool is_shown = trips.size() < most_on_home;
        if (is_shown)
            trips.push(card(trip, visit));
        const std::string own = trip.text_or("featured_image_url");
        if (!own.empty() && (picture.empty() || !is_shown)) {
            picture = local(own);
            srcset = this->srcset(trip["featured_image_srcset"]);
        }
        if (!own.empty() && !is_shown)
            break;
    }
    // The first card is the large one: that of a trip with a picture, where there is one.
    const auto lead = std::find_if(trips.items().begin(), trips.items().end(),
                                   [](const Value& each) { return !each.text_or("picture").empty(); });
    if (lead != trips.items().end())
        std::rotate(trips.items().begin(), lead, lead + 1);
    place_pictures(trips, Sight::behind);
    if (lead != trips.items().end() && trips.size() > 2)
        trips.items().front().set("large", true);
    model.set("trips", std::move(trips));
    model.set("has_trips", model["trips"].size() > 0);
    model.set("layout", settings().text("trip_card_layout"));
    model.set("sizes", card_sizes(settings().text("trip_card_layout"), "25rem"));
    model.set("total", found.body["meta"]["total"]);
    model.set("search", search_json(*this, visit, found.body["meta"]["facets"], {}));
    model.set("destinations", tiles(*this, found, kinds[0], most_on_home));
    model.set("activities", tiles(*this, found, kinds[1], most_on_home));
    model.set("has_destinations", model["destinations"].size() > 0);
    model.set("has_activities", model["activities"].size() > 0);
    model.set("is_home", true);
    model.set("picture", picture);
    model.set("srcset", srcset);
    view.head.title = company(visit.words);
    view.head.description = settings().text("seo_trip_meta_description");
    view.head.canonical = "/";
    view.head.is_indexed = true;
    view.head.structured.push_back(Value::object({{"@context", "https://schema.org"},
                                                  {"@type", "TravelAgency"},
                                                  {"name", company(visit.words)},
                                                  {"url", site.installation.address + "/"}})
                                       .dump());
    return view;
}

View Views::classes_of(PageRequest& visit, Type type) const {
    const KindPage& kind = page_of_kind(type);
    View view{.page = std::string(kind.listing)};
    const std::string own = path({base_of(bases(), type)}), plural = plural_of(kind, visit.words);
    view.model.set("heading", plural);
    Value all = tiles(*this, newest_trips(visit), kind, 200);
    place_pictures(all, Sight::leading);
    view.model.set("tiles", std::move(all));
    view.head = {.title = plural, .canonical = own, .is_indexed = true};
    view.head.structured.push_back(breadcrumbs(*this, {{company(visit.words), "/"}, {plural, own}}).dump());
    return view;
}

View Views::of_class(PageRequest& visit, Type type) const {
    const KindPage& kind = page_of_kind(type);
    const std::string slug = visit.names.at("slug");
    std::optional<catalog::classifications::Classification> found;
    for (auto& each : classes.list(type, {.status = "publish", .limit = 10000}))
        if (each.slug == slug)
            found = std::move(each);
    if (!found)
        missing();
    const std::string own = path({base_of(bases(), type), slug}), plural = plural_of(kind, visit.words);
    // Another page of this site replaces this one.
    if (const std::string there = local(class_places(type, found->id, slug).page);
        there.starts_with('/') && there != own && there != visit.path)
        return go_to(there);
    View view{.page = "single-taxonomy"};
    list_trips(*this, visit, view, kind.parameter, slug, own, Sight::behind);
    view.model.set("heading", found->name);
    view.model.set("kind", plural);
    view.model.set("up", path({base_of(bases(), type)}));
    view.model.set("listing", local(class_places(type, found->id, slug).listing));
    view.model.set("text_html", found->description);
    if (found->featured_image_url)
        view.model.set("picture", local(*found->featured_image_url));
    for (std::size_t i = 0; i < view.model["trips"].size() && view.model.text_or("picture").empty(); ++i) {
        const Value& card = view.later.back().item(i);
        view.model.set("picture", card["picture"]);
        view.model.set("srcset", card["srcset"]);
    }
    view.head.title = found->seo_title.empty() ? found->name : found->seo_title;
    view.head.description = found->seo_description;
    view.head.keywords = found->seo_keywords;
    view.head.structured.push_back(
        breadcrumbs(*this, {{company(visit.words), "/"}, {plural, path({base_of(bases(), type)})}, {found->name, own}})
            .dump());
    return view;
}

}  // namespace svc::pages
