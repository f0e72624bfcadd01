// Visitors' routes: read a trip's reviews, write one, change it while it waits.
#include <algorithm>

#include "base/people/identity/proven.hpp"
#include "base/people/reviews/feature.hpp"
#include "shared/api/keeping.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/core/person_name.hpp"

namespace svc::reviews {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr std::int64_t most_own = 100;
constexpr std::string_view staffs_own[] = {"author_email", "user_id",      "customer_id",         "booking_id",
                                           "replied_by",   "moderated_at", "moderated_by",        "deleted_at",
                                           "updated_at",   "row_version",  "status_before_trash", "can_edit"};

json::Number mean_of(std::int64_t hundredths) { return json::Number{Money{hundredths, Currency::usd()}.decimal()}; }

Value without(Value review, std::initializer_list<std::string_view> but) {
    for (const std::string_view member : staffs_own)
        if (std::find(but.begin(), but.end(), member) == but.end())
            review.erase(member);
    return review;
}

std::vector<std::string_view> others_than(std::initializer_list<std::string_view> but) {
    std::vector<std::string_view> names;
    for (const std::string_view member : staffs_own)
        if (std::find(but.begin(), but.end(), member) == but.end())
            names.push_back(member);
    return names;
}

std::string_view reason_of(const ErrorCode& code) {
    if (&code == &errc::unauthorized)
        return "login_required";
    return code.name;
}

api::Field token_field() {
    return {.name = "review_token",
            .type = api::raw_text(120),
            .help = "The token of a review request's link; proves the booking without signing in."};
}

}  // namespace

api::Schema Feature::shown_answer() const {
    return record_.answer_schema().without(others_than({})).named("ShownReview");
}

api::Schema Feature::own_answer() const {
    return record_.answer_schema().without(others_than({"can_edit", "updated_at", "row_version"})).named("OwnReview");
}

Value Feature::public_json(const Review& review) const { return without(record_.to_json(review), {}); }

Value Feature::shown_to_author(const Review& review) const {
    return without(record_.to_json(review), {"can_edit", "updated_at", "row_version"});
}

bool Feature::takes_reviews() const {
    return site_.settings.flag("enable_reviews") && site_.settings.flag("allow_customer_reviews");
}

namespace {

// `counts`: how many reviews have one star, two stars, …
Value summary_of(const std::array<std::int64_t, 5>& counts) {
    auto distribution = Value::object();
    std::int64_t all = 0, stars = 0;
    for (std::int64_t rating_of = 1; rating_of <= 5; ++rating_of) {
        const std::int64_t count = counts.at(static_cast<std::size_t>(rating_of - 1));
        distribution.set(std::to_string(rating_of), count);
        all += count;
        stars += rating_of * count;
    }
    return Value::object({{"average_rating", mean_of(all > 0 ? (stars * 200 + all) / (2 * all) : 0)},
                          {"review_count", all},
                          {"distribution", std::move(distribution)}});
}

}  // namespace

api::RouteSpec Feature::shown_route() const {
    std::vector<api::Field> by_stars;
    for (int rating = 1; rating <= 5; ++rating)
        by_stars.push_back({.name = std::to_string(rating), .type = api::integer(0), .required = true});
    const api::Schema summary{{.name = "average_rating", .type = api::decimal(0, 5), .required = true},
                              {.name = "review_count", .type = api::integer(0), .required = true},
                              {.name = "distribution",
                               .type = api::object(api::Schema(std::move(by_stars))),
                               .help = "Reviews by stars.",
                               .required = true}};
    api::RouteSpec spec{
        .method = api::Method::get,
        .path = "/trips/{trip_id}/reviews",
        .who = Permission::everyone(),
        .summary = "List a trip's approved reviews, newest first, with their mean and how many have how many stars.",
        .query = {{.name = "limit", .type = api::integer(1, 100), .otherwise = 10},
                  {.name = "offset", .type = api::integer(0, 10'000'000), .otherwise = 0},
                  {.name = "rating", .type = api::integer(1, 5), .help = "Only reviews with this rating."}},
        .answer =
            api::object({{.name = "reviews", .type = api::list(api::object(shown_answer()), 100), .required = true},
                         {.name = "summary", .type = api::object(summary), .required = true}}),
        .errors = {&errc::trip_not_found},
        .brief = true};
    spec.handle = [this,
                   newest = record_.select("WHERE r.trip_id = :trip AND r.status = 'approved' ORDER BY"
                                           " r.created_at DESC, r.id DESC LIMIT :limit OFFSET :offset"),
                   rated = record_.select("WHERE r.trip_id = :trip AND r.status = 'approved' AND r.rating = :rating"
                                          " ORDER BY r.created_at DESC, r.id DESC LIMIT :limit OFFSET :offset")](
                      const Request& request) -> Reply {
        const auto trip_id = request.path_id("trip_id");
        if (!trips_.published(trip_id))
            return api::failed(errc::trip_not_found);
        const auto rating = request.query.maybe_integer("rating");
        const auto limit = request.query["limit"].integer();
        auto reviews = Value::array();
        std::array<std::int64_t, 5> counts{};
        site_.store.read([&](store::Session& session) {
            reviews = Value::array();
            for (const Review& each : record_.all(session, rating ? rated : newest,
                                                  {{"trip", trip_id},
                                                   {"rating", rating},
                                                   {"limit", limit},
                                                   {"offset", request.query["offset"].integer()}}))
                reviews.push(public_json(each));
            counts = Repository::distribution(session, trip_id);
        });
        return api::ok(Value::object({{"reviews", std::move(reviews)}, {"summary", summary_of(counts)}}));
    };
    return spec;
}

Result<Author> Feature::author_of(store::Session& session, const api::Caller& caller, std::int64_t trip_id,
                                  std::string_view token, std::string_view email) const {
    if (!takes_reviews())
        return errc::reviews_disabled;
    Author author;
    if (!token.empty()) {
        auto proven = author_by_token(session, trip_id, token);
        if (!proven)
            return proven;
        author = std::move(*proven);
        if (author.user_id)
            author.key = "u:" + std::to_string(*author.user_id);
    } else if (caller.is_user()) {
        if (!identity::is_proven(caller))
            return errc::needs_verification;
        author = Repository::account(session, caller.user_id);
        author.email = caller.email;
        author.booking_id = Repository::journey_of(session, caller.user_id, trip_id, today());
    } else {
        if (!site_.settings.flag("allow_anonymous_reviews"))
            return errc::unauthorized;
        author.key = "m:" + mailbox_key(email);
        author.email = email;
    }
    if (!author.booking_id && site_.settings.flag("require_booking"))
        return errc::booking_required;
    if (const auto known = Repository::written_by(session, trip_id, author))
        return Error{errc::duplicate_review}.with("review_id", std::to_string(*known));
    return author;
}

api::RouteSpec Feature::may_write_route() const {
    api::RouteSpec spec{
        .method = api::Method::get,
        .path = "/trips/{trip_id}/can-review",
        .name = "mayReview",
        .who = Permission::everyone(),
        .summary = "Return whether the caller can review the trip now, and the reason if not.",
        .query = {token_field()},
        .answer = api::object({{.name = "can_review", .type = api::boolean(), .required = true},
                               {.name = "reason",
                                .type = api::choice({"login_required", "needs_verification", "reviews_disabled",
                                                     "booking_required", "invalid_token", "duplicate_review"})
                                            .or_null(),
                                .required = true},
                               {.name = "message",
                                .type = api::text(200).or_null(),
                                .help = "The reason as a sentence.",
                                .required = true},
                               {.name = "existing_review_id",
                                .type = api::id().or_null(),
                                .help = "The caller's review.",
                                .required = true}}),
        .errors = {&errc::trip_not_found}};
    spec.handle = [this](const Request& request) -> Reply {
        const auto trip_id = request.path_id("trip_id");
        if (!trips_.published(trip_id))
            return api::failed(errc::trip_not_found);
        const std::string token = request.query.text_or("review_token");
        std::optional<std::int64_t> existing;
        const auto author = site_.store.reading<Result<Author>>([&](store::Session& session) {
            const auto may = author_of(session, request.caller, trip_id, token, {});
            existing.reset();
            if (!may && &may.error().code() == &errc::duplicate_review && identity::is_proven(request.caller)) {
                Author self = Repository::account(session, request.caller.user_id);
                self.email = request.caller.email;
                existing = Repository::written_by(session, trip_id, self);
            }
            return may;
        });
        Reply reply =
            api::ok(Value::object({{"can_review", static_cast<bool>(author)},
                                   {"reason", author ? Value() : Value(reason_of(author.error().code()))},
                                   {"message", author ? Value() : Value(request.say(author.error().message()))},
                                   {"existing_review_id", existing}}));
        reply.headers.emplace_back("Cache-Control", "no-store");
        return reply;
    };
    return spec;
}

Result<Review> Feature::write(store::Transaction& tx, const Request& request, std::int64_t trip_id,
                              std::string_view token) const {
    SVC_ASSIGN_OR_RETURN(auto author,
                         author_of(tx, request.caller, trip_id, token, request.body.text_or("author_email")));
    Value body = request.body;
    if (body.text_or("author_name").empty())
        body.set("author_name", author.name);
    Faults faults;
    if (body.text_or("author_name").empty())
        faults.at("author_name", "Enter your name."_sentence);
    else if (const auto good = check_person_name("author_name", body.text_or("author_name")); !good)
        faults.at("author_name", good.error().message());
    for (const auto& [field, sentence] : {std::pair{"rating", "Choose how many stars."_sentence},
                                          {"content", "Write what you think of the trip."_sentence}})
        if (body[field].is_null())
            faults.at(field, sentence);
    if (author.email.empty())
        faults.at("author_email", "Enter your e-mail address; it is not shown."_sentence);
    SVC_RETURN_IF_ERROR(faults.outcome());
    body.set("author_email", author.email);
    Review review;
    review.trip_id = trip_id;
    review.user_id = author.user_id;
    review.customer_id = author.customer_id;
    review.booking_id = author.booking_id;
    review.author_key = author.key;
    review.ip_hash = crypto::base64(site_.keyring->mac("review-client", request.address));
    body.set("status", site_.settings.flag("auto_approve_reviews") || !site_.settings.flag("review_moderation")
                           ? "approved"
                           : "pending");
    return reviews_.create(tx, std::move(review), body, resource::writer_of(request));
}

Reply Feature::written(const Request& request, std::int64_t trip_id, std::string_view token) const {
    return reviews_.engine().guarded(true, [&] {
        return api::respond_once(
            request,
            [&] {
                return site_.store.transact<Review>(
                    [&](store::Transaction& tx) { return write(tx, request, trip_id, token); });
            },
            [&](const Review& review) { return api::created(shown_to_author(review)); });
    });
}

api::RouteSpec Feature::write_route() const {
    auto spec = reviews_.create_route();
    spec.path = "/trips/{trip_id}/reviews";
    spec.name = "writeReview";
    spec.who = Permission::everyone();
    spec.summary =
        "Write a review of a trip, one per person and trip. Requires signing in or the link of a review request, "
        "unless allow_anonymous_reviews is on.";
    spec.body = record_.create_schema()
                    .without({"trip_id", "status"})
                    .changed([](api::Field& field) {
                        if (field.name == "author_name") {
                            field.required = false;
                            field.help = "Without it the account's or the booking's.";
                        } else if (field.name == "author_email")
                            field.help = "The address of an author who is not signed in; never shown.";
                    })
                    .plus({token_field()})
                    .named("ReviewWrite");
    spec.answer = api::object(own_answer());
    spec.errors = {&errc::trip_not_found,   &errc::unauthorized,     &errc::needs_verification, &errc::reviews_disabled,
                   &errc::booking_required, &errc::duplicate_review, &errc::invalid_token};
    spec.has_etag = false;
    spec.rules = {};
    spec.limit = {.burst = 5, .seconds = 60, .per = api::RateLimit::Per::address};
    spec.handle = [this](const Request& request) -> Reply {
        if (!trips_.published(request.path_id("trip_id")))
            return api::failed(errc::trip_not_found);
        return written(request, request.path_id("trip_id"), request.body.text_or("review_token"));
    };
    return spec;
}

api::RouteSpec Feature::change_route() const {
    auto spec = reviews_.update_route();
    spec.path = "/my-reviews/{id}";
    spec.name = "updateMyReview";
    spec.who = Permission::signed_in();
    spec.summary = "Update one of the caller's reviews within 24 hours while it is pending.";
    std::vector<std::string_view> others;
    const api::Schema whole = spec.body;
    for (const api::Field& field : whole.fields())
        if (field.name != "rating" && field.name != "title" && field.name != "content" && field.name != "author_name" &&
            field.name != "author_location" && field.name != "row_version")
            others.emplace_back(field.name);
    spec.body = whole.without(others).named("OwnReviewUpdate");
    spec.answer = api::object(own_answer());
    spec.has_etag = false;
    spec.rules = {};
    spec.errors = {&errc::not_found, &errc::conflict, &errc::forbidden};
    spec.handle = [this](const Request& request) -> Reply {
        const auto work = [&](store::Transaction& tx) -> Result<Review> {
            record_.lock(tx, request.path_id(), false);
            const auto review = record_.find(tx, request.path_id());
            if (!review || review->status == Status::trash)
                return errc::not_found;
            if (!identity::is_proven(request.caller) || review->user_id != request.caller.user_id)
                return Error{errc::forbidden, "Only its author can change a review."_sentence};
            if (!is_editable(*review, request.now))
                return Error{
                    errc::forbidden,
                    "A review can be changed for 24 hours, until it is approved. Please write to us."_sentence};
            if (const auto name = request.body.maybe_text("author_name"))
                SVC_RETURN_IF_ERROR(check_person_name("author_name", *name));
            const auto version = request.body.maybe_integer("row_version");
            if (version && *version != review->row_version)
                return errc::conflict;
            return reviews_.update(tx, review->id, request.body, resource::writer_of(request));
        };
        return reviews_.engine().guarded(false, [&] {
            return api::respond_once(
                request, [&] { return site_.store.transact<Review>(work); },
                [&](const Review& review) { return api::ok(shown_to_author(review)); });
        });
    };
    return spec;
}

api::RouteSpec Feature::own_route() const {
    api::RouteSpec spec{.method = api::Method::get,
                        .path = "/my-reviews",
                        .name = "listMyReviews",
                        .who = Permission::signed_in(),
                        .summary = "List the caller's newest 100 reviews, including pending ones.",
                        .answer = api::list(api::object(own_answer()), most_own)};
    spec.handle = [this, own = record_.select("WHERE r.user_id = :user AND r.status <> 'trash' ORDER BY r.created_at"
                                              " DESC, r.id DESC LIMIT :most")](const Request& request) {
        auto items = Value::array();
        if (identity::is_proven(request.caller))
            site_.store.read([&](store::Session& session) {
                items = Value::array();
                for (const Review& each :
                     record_.all(session, own, {{"user", request.caller.user_id}, {"most", most_own}}))
                    items.push(shown_to_author(each));
            });
        Reply reply = api::ok(std::move(items));
        reply.headers.emplace_back("Cache-Control", "no-store");
        return reply;
    };
    return spec;
}

}  // namespace svc::reviews
