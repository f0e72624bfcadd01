// One trip for a frame on somebody else's site.
#include <algorithm>

#include "base/website/pages/scripts.hpp"
#include "base/website/views/trip_model.hpp"
#include "base/website/views/views.hpp"

namespace svc::pages {

using json::Value;

View Views::embed(PageRequest& visit) const {
    const std::string& slug = visit.names.at("slug");
    const Answered read = visit.get("/trips/public/" + encoded(slug));
    if (!read.is_good()) {
        if (const auto renamed = trips.public_trips().by_old_slug(slug)) {
            View view = go_to(path({"embed", renamed->trip.slug}));
            view.moved = true;
            return view;
        }
        missing();
    }
    const Value& trip = read.data();
    View view{.page = "embed-trip", .stands_alone = true, .is_framed = true};
    view.model = card(trip, visit);
    const std::string id = std::to_string(trip["id"].integer());
    const Answered dates = visit.get_partly("/trips/" + id + "/available-dates", month_members);
    const std::int64_t most = trip.maybe_integer("max_travelers").value_or(0);
    const PriceDisplay display = price_display(visit, trip["id"]);
    view.model.set("months", dates_by_month(dates.data(), visit.words,
                                            {.original = display.original, .urgency = display.urgency}));
    view.model.set("has_dates", dates.data().size() > 0);
    view.model.set("party", party_of(trip["price_types"], visit.words, trip.text_or("currency"), Value::object(),
                                     std::max<std::int64_t>(trip.maybe_integer("min_travelers").value_or(1), 1),
                                     most > 0 ? most : 100));
    view.model.set("book", path({bases().book, trip.text_or("slug")}));
    set_hindrances(view.model, trip["display_price"], trip.text_or("currency"),
                   path({bases().book, trip.text_or("slug")}));
    view.model.set("frame_script", script_of("frame").path);
    view.head = {.title = trip.text_or("title"), .canonical = path({bases().trip, trip.text_or("slug")})};
    const Value origins_set = settings().get("embed_origins");
    for (const Value& origin : origins_set.items())
        view.parents.push_back(origin.text());
    return view;
}

}  // namespace svc::pages
