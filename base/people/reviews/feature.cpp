// The differences of reviews from other resources, and their counts in trips.
#include "base/people/reviews/feature.hpp"

#include "base/people/reviews/hooks.hpp"
#include "base/people/reviews/settings.hpp"
#include "shared/core/text.hpp"

namespace svc::reviews {
namespace {

using api::Permission;
using api::Request;
using json::Value;

constexpr const char* may_view = "svc_view_reviews";
constexpr const char* may_edit = "svc_edit_reviews";
constexpr const char* may_manage = "svc_manage_reviews";
constexpr const char* may_delete = "svc_delete_reviews";
constexpr int days_with_client = 90;

std::vector<resource::BulkAction> review_actions() {
    using Does = resource::BulkAction::Does;
    std::vector<resource::BulkAction> actions{{.name = "delete", .does = Does::remove, .capability = may_delete},
                                              {.name = "restore", .does = Does::restore}};
    for (const auto& [name, status] : {std::pair{"approve", "approved"},
                                       {"mark_approved", "approved"},
                                       {"reject", "rejected"},
                                       {"mark_rejected", "rejected"},
                                       {"mark_pending", "pending"},
                                       {"spam", "spam"},
                                       {"mark_spam", "spam"},
                                       {"trash", "trash"},
                                       {"mark_trash", "trash"}})
        actions.push_back({.name = name, .status = status});
    return actions;
}

// Whether the trip counts other reviews than before.
bool changes_rating(const Review* before, const Review* after) {
    const bool was = before && before->status == Status::approved, is = after && after->status == Status::approved;
    return was != is || (was && is && before->rating != after->rating);
}

json::Number stars(std::int64_t hundredths) { return json::Number{Money{hundredths, Currency::usd()}.decimal()}; }

}  // namespace

Feature::Feature(const Site& site, const Needs& lower)
    : svc::Feature(site),
      trips_(lower.trips.service),
      bookings_(lower.bookings),
      record_(make_record(site.clock)),
      reviews_(record_, options(), rules()) {}

resource::Options Feature::options() const {
    return {.store = site_.store,
            .path = "/reviews",
            .one = "review",
            .many = "reviews",
            .reads = Permission::can(may_view),
            .writes = Permission::can(may_edit),
            .removes = Permission::can(may_delete),
            .filters = {{.name = "trip_id", .type = api::id(), .help = "Only reviews of this trip."},
                        {.name = "rating", .type = api::integer(1, 5), .help = "Only reviews with this rating."}},
            .bulk = review_actions(),
            .restored_status = "pending",
            .zone = [this] { return site_.settings.zone(); },
            .events = {.hooks = &site_.hooks,
                       .created = &review_created,
                       .updated = &review_updated,
                       .deleted = &review_deleted},
            .written = [this] { trips_.public_trips().reload_changed(); },
            .taken = [](std::string_view) { return Error{errc::duplicate_review}; }};
}

resource::Rules<Review> Feature::rules() const {
    return {.adjust =
                [](const Review*, Review& after, const Value&, Faults&) {
                    after.content = text::clean_lines(after.content);
                    if (after.reply)
                        after.reply = text::clean_lines(*after.reply);
                    if (after.reply && after.reply->empty())
                        after.reply.reset();
                },
            .check =
                [this](const Review* before, const Review& after, Faults& faults) {
                    if (after.content.empty())
                        faults.at("content", "Write what you think of the trip."_sentence);
                    const auto least = site_.settings.integer("min_rating");
                    if ((!before || before->rating != after.rating) && after.rating < least)
                        faults.at("rating",
                                  "The lowest rating that is accepted is {least}."_sentence.with("least", least));
                },
            .check_stored =
                [](store::Session& session, const Review* before, const Review& after, Faults& faults) {
                    if (!before && after.trip_id > 0 && !Repository::has_trip(session, after.trip_id))
                        faults.at("trip_id", "This trip does not exist."_sentence);
                },
            .after_write =
                [](store::Transaction& tx, const Review* before, const Review* after, const record::Writer& writer) {
                    if (after && before && before->status != after->status)
                        Repository::set_moderated(tx, after->id, writer.user_id, writer.now);
                    if (after && before && before->reply != after->reply)
                        Repository::set_replied(tx, after->id, after->reply ? writer.user_id : std::nullopt,
                                                after->reply ? std::optional(writer.now) : std::nullopt);
                    if (!changes_rating(before, after))
                        return;
                    const std::int64_t trip_id = (after ? after : before)->trip_id;
                    catalog::trips::Service::set_rating(tx, trip_id, Repository::rating_of(tx, trip_id));
                },
            .add_counts = [this](store::Session& session, Value& counts) { count_more(session, counts); }};
}

void Feature::declare() {
    declare_hooks(site_.hooks);
    reviews::declare_settings(site_.settings);
}

void Feature::add_routes() {
    auto bulk = reviews_.bulk_route(api::Method::put);
    bulk.who = Permission::can(may_manage);
    for (auto spec :
         {reviews_.list_route(), reviews_.create_route(), stats_route(), std::move(bulk), reviews_.read_route(),
          reviews_.update_route(), reviews_.remove_route(), status_route(), shown_route(), write_route(),
          may_write_route(), page_route(), form_route(), own_route(), change_route()})
        site_.routes.add(std::move(spec));
}

void Feature::add_jobs() {
    site_.jobs.add({.name = "review_request",
                    .help = "Asks customers of completed bookings for a review, review_reminder_days later, 200 a run.",
                    .every = std::chrono::hours(1),
                    .run = [this](Instant now) { return ask_for_reviews(now); }});
    // Where a review came from serves against abuse alone, which shows itself soon.
    site_.housekeeping.add("review_clients", [](store::Transaction& tx, Instant now, int most) {
        return tx.run(
            "UPDATE svc_reviews SET ip_hash = '' WHERE id IN (SELECT id FROM svc_reviews WHERE ip_hash <> '' AND"
            " created_at < :before ORDER BY created_at LIMIT :most)",
            {{"before", now.minus(std::chrono::hours(24 * days_with_client))}, {"most", most}});
    });
}

api::RouteSpec Feature::status_route() const {
    auto spec = reviews_.action_route(
        "status", "Moderate a review. Visitors see only approved reviews, and only these count for the trip's rating.",
        {{.name = "status", .type = api::choice({std::begin(statuses), std::end(statuses)}), .required = true}},
        [this](store::Transaction& tx, const Request& request,
               std::optional<std::int64_t> version) -> Result<record::Any> {
            return reviews_.engine().change(
                tx, request.path_id(), version,
                [&](void* review, Faults&) { record_.set_text(review, "status", request.body["status"].text()); },
                resource::writer_of(request));
        });
    spec.name = "setReviewStatus";
    spec.method = api::Method::put;
    spec.who = Permission::can(may_manage);
    return spec;
}

api::RouteSpec Feature::stats_route() const {
    auto spec = reviews_.stats_route();
    spec.summary = "Count reviews by status; `all` and `total` exclude the trash.";
    std::vector<api::Field> by_status;
    for (const std::string_view status : statuses)
        by_status.push_back({.name = std::string(status), .type = api::integer(0), .required = true});
    spec.answer = api::object(spec.answer.members->plus(
        {{.name = "total", .type = api::integer(0), .required = true},
         {.name = "this_month",
          .type = api::integer(0),
          .help = "Written this month, without spam and trash.",
          .required = true},
         {.name = "by_status", .type = api::object(api::Schema(std::move(by_status))), .required = true},
         {.name = "average_rating",
          .type = api::decimal(0, 5),
          .help = "Of the approved reviews; 0 without any.",
          .required = true}}));
    return spec;
}

void Feature::count_more(store::Session& session, Value& counts) const {
    auto by_status = Value::object();
    for (const std::string_view status : statuses)
        by_status.set(std::string(status), counts[status]);
    counts.set("by_status", std::move(by_status));
    counts.set("total", counts["all"]);
    const Date first = today().plus_days(1 - static_cast<int>(today().day()));
    const auto all = Repository::overall(session, site_.settings.zone().instant_of(first, {}));
    counts.set("this_month", all.this_month);
    counts.set("average_rating", stars(all.approved > 0 ? (all.stars * 200 + all.approved) / (2 * all.approved) : 0));
}

std::int64_t Feature::forget(store::Transaction& tx, std::string_view email, std::int64_t user_id) const {
    const auto removed = Repository::remove_of(tx, email, user_id);
    for (const std::int64_t trip_id : removed.trip_ids)
        catalog::trips::Service::set_rating(tx, trip_id, Repository::rating_of(tx, trip_id));
    if (!removed.trip_ids.empty())
        tx.after_commit([this] { trips_.public_trips().reload_changed(); });
    return removed.rows;
}

Value Feature::written_by(store::Session& session, std::string_view email, std::int64_t user_id) const {
    static const auto of_ids = record_.select_of("r.id", "ORDER BY r.created_at DESC, r.id DESC");
    auto all = Value::array();
    for (const Review& each : record_.all_of(session, of_ids, Repository::ids_of(session, email, user_id)))
        all.push(shown_to_author(each));
    return all;
}

}  // namespace svc::reviews
