// Reviews: shown on a trip's page, written by permitted visitors, changed in the account.
#include "base/website/views/reviews.hpp"

#include "base/website/views/account_page.hpp"
#include "shared/core/money.hpp"

namespace svc::pages {
namespace {

using json::Value;

constexpr int shown_first = 6, shown_most = 100;

Value review_json(const Value& review, const Format& words) {
    Value one = Value::object({{"id", review["id"]},
                               {"stars", stars_json(review["rating"])},
                               {"title", review["title"]},
                               {"text", review["content"]},
                               {"name", review["author_name"]},
                               {"place", review["author_location"]},
                               {"reply", review["reply"]}});
    if (const auto at = Instant::parse(review.text_or("created_at")))
        one.set("day", words.day(words.look.zone.date_at(*at).text()));
    return one;
}

Value trip_shown(const Views& views, PageRequest& visit) {
    const auto shown = views.trips.public_trips().by_slug(visit.names.at("slug"));
    if (!shown)
        missing();
    return Value::object({{"id", shown->trip.id},
                          {"title", shown->trip.title},
                          {"url", views.path({views.bases().trip, shown->trip.slug})},
                          {"slug", shown->trip.slug}});
}

// The stars to choose from, with what was chosen.
Value choices_of(const std::string& chosen) {
    Value list = Value::array();
    for (int stars = 5; stars >= 1; --stars)
        list.push(Value::object({{"value", stars},
                                 {"is_one", stars == 1},
                                 {"stars", stars_json(Value(stars))},
                                 {"selected", chosen == std::to_string(stars)}}));
    return list;
}

std::string review_label(std::string_view field, const Format& words) {
    return field == "rating"         ? words.say_text("Stars")
           : field == "title"        ? words.say_text("In one line")
           : field == "content"      ? words.say_text("Your review")
           : field == "author_name"  ? words.say_text("Your name, as others see it")
           : field == "author_email" ? words.say_text("E-mail, which is not shown")
                                     : std::string();
}

View review_form(PageRequest& visit, const Value& trip, const Faults& faults, int status) {
    View view{.page = "review", .status = status};
    Value fields = Value::array();
    const auto add = [&](const char* name, const char* type, const char* autocomplete, bool needed) {
        fields.push(to_json({.name = name,
                             .label = review_label(name, visit.words),
                             .type = type,
                             .value = visit.typed(name),
                             .error = fault_of(faults, name),
                             .autocomplete = autocomplete,
                             .required = needed,
                             .width = "full"}));
    };
    add("title", "text", "", false);
    add("content", "textarea", "", true);
    add("author_name", "text", "name", !visit.signed_in);
    if (!visit.signed_in)
        add("author_email", "email", "email", true);
    view.model.set("fields", std::move(fields));
    view.model.set("choices", choices_of(visit.typed("rating")));
    view.model.set("rating_error", fault_of(faults, "rating"));
    view.model.set("trip", trip);
    view.model.set("action", visit.path);
    view.model.set("faults",
                   faults_json(faults, [&](std::string_view field) { return review_label(field, visit.words); }));
    view.model.set("has_faults", !faults.empty());
    view.head.title = trip.text_or("title");
    return view;
}

View my_reviews_page(const Views& views, PageRequest& visit, const Faults& faults, int status) {
    View view = account_page(views, visit, "account-reviews", "reviews");
    view.head.title = visit.words.say_text("My reviews");
    view.status = status;
    Value rows = Value::array();
    const Answered own = visit.get("/my-reviews");
    for (const Value& each : list_of(own.data())) {
        Value row = review_json(each, visit.words);
        const std::string state = each.text_or("status"), id = std::to_string(each["id"].integer());
        row.set("trip", each["trip_title"]);
        row.set("url", views.path({views.bases().trip, each.text_or("trip_slug")}));
        row.set("is_shown", state == "approved");
        row.set("is_waiting", state == "pending");
        if (each.maybe_boolean("can_edit").value_or(false)) {
            const bool is_typed = visit.typed("id") == id;
            const auto id_of = [&](const char* field) {
                return is_typed ? "f-" + std::string(field) : field + ("-" + id);
            };
            row.set(
                "edit",
                Value::object({{"choices", choices_of(is_typed ? visit.typed("rating") : each["rating"].number_text())},
                               // The summary of faults leads to the fields of the form that was sent.
                               {"rating_id", id_of("rating")},
                               {"title_id", id_of("title")},
                               {"content_id", id_of("content")},
                               {"title", is_typed ? Value(visit.typed("title")) : each["title"]},
                               {"content", is_typed ? Value(visit.typed("content")) : each["content"]},
                               {"open", is_typed}}));
        }
        rows.push(std::move(row));
    }
    view.model.set("has_rows", rows.size() > 0);
    view.model.set("rows", std::move(rows));
    view.model.set("action_url", views.path({views.bases().account, "reviews"}));
    view.model.set("faults",
                   faults_json(faults, [&](std::string_view field) { return review_label(field, visit.words); }));
    view.model.set("has_faults", !faults.empty());
    return view;
}

}  // namespace

Value stars_json(const Value& average) {
    const auto mean =
        average.is_number() ? Money::parse(average.number_text(), Currency::usd()) : Result<Money>(errc::not_found);
    if (!mean)
        return {};
    const std::int64_t tenths = (mean->minor() + 5) / 10;
    std::string printed = std::to_string(tenths / 10);
    if (tenths % 10 != 0)
        printed += "." + std::to_string(tenths % 10);
    return Value::object({{"printed", printed}, {"fill", tenths * 2}});
}

void show_reviews(const Views& views, PageRequest& visit, const Value& trip, Value& model) {
    if (!views.settings().flag("enable_reviews"))
        return;
    const bool all = visit.parameter("reviews") == "all";
    // The trip counts its reviews: most have none, and nothing to ask the database for.
    const bool has_none = trip.text_or("status") == "publish" && trip["reviews_count"] == Value(0);
    const Answered read = has_none ? Answered{.status = 200, .body = {}}
                                   : visit.get("/trips/" + std::to_string(trip["id"].integer()) +
                                               "/reviews?limit=" + std::to_string(all ? shown_most : shown_first));
    if (!read.is_good())
        return;
    const Value& summary = read.data()["summary"];
    const std::int64_t count = summary["review_count"].is_number() ? summary["review_count"].integer() : 0;
    const std::string own = views.path({views.bases().trip, trip.text_or("slug")});
    if (views.settings().flag("allow_customer_reviews"))
        model.set("review_url", own + "/review");
    model.set("has_reviews", count > 0 || model.find("review_url") != nullptr);
    Value list = Value::array();
    for (const Value& each : list_of(read.data()["reviews"]))
        list.push(review_json(each, visit.words));
    if (count > static_cast<std::int64_t>(list.size()) && !all)
        model.set("all_reviews", own + "?reviews=all#reviews");
    model.set("review_list", std::move(list));
    model.set("review_count", count);
    model.set("has_ratings", count > 0);
    model.set("one_review", count == 1);
    if (count == 0)
        return;
    model.set("stars", stars_json(summary["average_rating"]));
    Value rows = Value::array();
    for (int stars = 5; stars >= 1; --stars) {
        const Value& of = summary["distribution"][std::to_string(stars)];
        const std::int64_t number = of.is_number() ? of.integer() : 0;
        rows.push(Value::object({{"number", stars}, {"count", number}, {"percent", number * 100 / count}}));
    }
    model.set("distribution", std::move(rows));
}

View Views::review(PageRequest& visit) const {
    const Value trip = trip_shown(*this, visit);
    const Answered may = visit.get("/trips/" + std::to_string(trip["id"].integer()) + "/can-review");
    if (may.data().maybe_boolean("can_review").value_or(false))
        return review_form(visit, trip, {}, 200);
    if (may.data().text_or("reason") == "login_required")
        return go_to(path({bases().account, "login"}) + query_of({{"next", std::string(visit.path)}}));
    View view{.page = "notice"};
    view.head.title = trip.text_or("title");
    view.model.set("heading", trip["title"]);
    view.model.set("text", may.data()["message"]);
    view.model.set("action", Value::object({{"url", trip["url"]}, {"label", trip["title"]}}));
    return view;
}

View Views::review_submit(PageRequest& visit) const {
    const Value trip = trip_shown(*this, visit);
    Value body = Value::object();
    for (const char* name : {"title", "content", "author_name", "author_email"})
        if (const std::string typed = visit.typed(name); !typed.empty())
            body.set(name, typed);
    if (const std::string rating = visit.typed("rating"); rating.size() == 1 && rating >= "1" && rating <= "5")
        body.set("rating", json::Number{rating});
    const Answered made =
        visit.call("POST", "/trips/" + std::to_string(trip["id"].integer()) + "/reviews", body, visit.typed("_key"));
    if (!made.is_good()) {
        Faults faults = made.faults();
        if (faults.empty())
            faults.emplace_back("", made.message());
        return review_form(visit, trip, faults, made.status == 409 ? 409 : 400);
    }
    if (made.data().text_or("status") == "approved")
        return go_to(trip.text_or("url") + "#reviews");
    View view{.page = "review-thanks"};
    view.head.title = trip.text_or("title");
    view.model.set("trip", trip);
    return view;
}

View Views::my_reviews(PageRequest& visit) const { return my_reviews_page(*this, visit, {}, 200); }

View Views::my_reviews_submit(PageRequest& visit) const {
    const std::string id = visit.typed("id"), rating = visit.typed("rating");
    Value body = Value::object({{"title", visit.typed("title")}, {"content", visit.typed("content")}});
    if (rating.size() == 1 && rating >= "1" && rating <= "5")
        body.set("rating", json::Number{rating});
    const Answered done = visit.call("PUT", "/my-reviews/" + encoded(id), body);
    if (done.is_good())
        return go_to(path({bases().account, "reviews"}));
    Faults faults = done.faults();
    if (faults.empty())
        faults.emplace_back("", done.message());
    return my_reviews_page(*this, visit, faults, 400);
}

}  // namespace svc::pages
