// Requests for reviews, and the link that proves the booking of the recipient.
#include <charconv>

#include "base/people/identity/mailed_page.hpp"
#include "base/people/reviews/feature.hpp"
#include "base/people/reviews/hooks.hpp"
#include "base/sales/booking/record/pay_link.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/core/mailbox.hpp"
#include "shared/core/text.hpp"

namespace svc::reviews {
namespace {

using json::Value;

constexpr std::int64_t most_asked = 200;
constexpr std::string_view token_mark = "r1.";
// Skips journeys that ended earlier, for example when requests are switched on.
constexpr auto asked_within = std::chrono::hours(24 * 30);

}  // namespace

std::string review_token(const crypto::Keyring& keyring, std::int64_t booking_id, std::string_view email) {
    return std::string(token_mark) + std::to_string(booking_id) + "." +
           crypto::hex(keyring.mac("review", std::to_string(booking_id) + ":" + booking::address_digest(email)));
}

std::string Feature::page_of(const Value& booking) const {
    return site_.installation.root + "/reviews/write?token=" +
           review_token(*site_.keyring, booking["id"].integer(), booking.text_or("customer_email"));
}

Result<booking::Booking> Feature::booking_of(store::Session& session, std::string_view token) const {
    const auto dot = token.find('.', token_mark.size());
    if (!token.starts_with(token_mark) || dot == std::string_view::npos)
        return errc::invalid_token;
    std::int64_t id = 0;
    std::from_chars(token.data() + token_mark.size(), token.data() + dot, id);
    auto booking = booking::Service::read(session, id);
    if (!booking || !site_.keyring->any([&](const crypto::Keyring& one) {
            return crypto::equal(review_token(one, booking->id, booking->email), token);
        }))
        return errc::invalid_token;
    return std::move(*booking);
}

Result<Author> Feature::author_by_token(store::Session& session, std::int64_t trip_id, std::string_view token) const {
    const auto booking = booking_of(session, token);
    if (!booking)
        return booking.error();
    if (booking->trip_id != trip_id)
        return errc::invalid_token;
    const bool is_over = booking->status == booking::status::completed ||
                         (booking->status == booking::status::confirmed && booking->end_date < today());
    if (!is_over)
        return errc::booking_required;
    return Author{.key = "m:" + mailbox_key(booking->email),
                  .name = text::clean(booking->first_name + " " + booking->last_name),
                  .email = booking->email,
                  .user_id = booking->user_id,
                  .customer_id = booking->customer_id,
                  .booking_id = booking->id};
}

// What is wrong with each field, else with the whole.
static Sentence all_of(const Error& error) {
    Sentence all;
    for (const FieldError& each : error.fields())
        all = all.empty() ? each.sentence : "{one} {next}"_sentence.with("one", all).with("next", each.sentence);
    return all.empty() ? error.message() : all;
}

api::RouteSpec Feature::page_route() const {
    api::RouteSpec spec{
        .method = api::Method::get,
        .path = "/reviews/write",
        .name = "showReviewForm",
        .who = api::Permission::everyone(),
        .summary =
            "Show the page of a review request's link, with a form for the review. Changes"
            " nothing.",
        .query = {{.name = "token", .type = api::raw_text(120), .help = "Of the link.", .required = true}},
        .enveloped = false,
        .files = {"text/html"}};
    spec.handle = [this](const api::Request& request) {
        const std::string token = request.query["token"].text();
        booking::Booking traveled;
        const auto may = site_.store.reading<Result<Author>>([&](store::Session& session) -> Result<Author> {
            SVC_ASSIGN_OR_RETURN(const auto booking, booking_of(session, token));
            traveled = booking;
            return author_of(session, {}, booking.trip_id, token, {});
        });
        if (!may)
            return identity::message_page(200, "Review"_sentence, may.error().message(), site_.installation.address,
                                          "Go on"_sentence);
        using Kind = identity::FormField::Kind;
        return identity::form_page(
            {.title = "How was {trip}?"_sentence.with("trip", traveled.trip_title),
             .text = "Other travelers read what you write. Your e-mail address is not shown."_sentence,
             .action = "write",
             .token = token,
             .button = "Send the review"_sentence,
             .fields = {{.name = "rating",
                         .label = "Stars"_sentence,
                         .kind = Kind::choice,
                         .choices = {"5", "4", "3", "2", "1"}},
                        {.name = "title", .label = "Title"_sentence},
                        {.name = "content", .label = "Your review"_sentence, .kind = Kind::lines, .longest = 5'000}}});
    };
    return spec;
}

api::RouteSpec Feature::form_route() const {
    api::RouteSpec spec{
        .method = api::Method::post,
        .path = "/reviews/write",
        .name = "writeReviewByLink",
        .who = api::Permission::everyone(),
        .summary = "Write a review by the link of a review request, without an account.",
        .body = record_.create_schema()
                    .without({"trip_id", "status", "author_email"})
                    .changed([](api::Field& field) { field.required = false; })
                    .plus({{.name = "token", .type = api::raw_text(120), .help = "Of the link.", .required = true}})
                    .named("ReviewByLink"),
        .answer = api::object(own_answer()),
        .files = {"text/html"},
        .success = 201,
        .errors = {&errc::invalid_token, &errc::reviews_disabled, &errc::booking_required, &errc::duplicate_review},
        .limit = {.burst = 5, .seconds = 60, .per = api::RateLimit::Per::address},
        .stores_reply = true};
    spec.handle = [this](const api::Request& request) -> api::Reply {
        const std::string token = request.body["token"].text();
        const auto trip_id =
            site_.store.reading<Result<std::int64_t>>([&](store::Session& session) -> Result<std::int64_t> {
                SVC_ASSIGN_OR_RETURN(const auto booking, booking_of(session, token));
                return booking.trip_id;
            });
        api::Reply reply = trip_id ? written(request, *trip_id, token) : api::failed(trip_id.error());
        if (!identity::sent_by_form(request))
            return reply;
        if (!reply.error)
            return identity::message_page(201, "Review"_sentence, "Thank you for your review."_sentence,
                                          site_.installation.address, "Go on"_sentence);
        return identity::message_page(reply.error->code().status, "Review"_sentence, all_of(*reply.error),
                                      site_.installation.address, "Go on"_sentence);
    };
    return spec;
}

Result<Value> Feature::ask_for_reviews(Instant now) const {
    const auto days = site_.settings.integer("review_reminder_days");
    std::int64_t requests = 0;
    if (days == 0 || !takes_reviews())
        return Value::object({{"asked", requests}});
    const Instant until = now.minus(std::chrono::hours(24 * days));
    const auto due = site_.store.reading<std::vector<std::int64_t>>([&](store::Session& session) {
        return Repository::to_ask(session, until.minus(asked_within), until, most_asked);
    });
    for (const std::int64_t id : due) {
        const auto done = site_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
            const auto booking = booking::Service::read(tx, id);
            if (!booking || !Repository::claim_request(tx, id, now))
                return false;
            const Author author{
                .key = booking->user_id ? "u:" + std::to_string(*booking->user_id) : "m:" + mailbox_key(booking->email),
                .email = booking->email,
                .user_id = booking->user_id,
                .booking_id = id};
            if (booking->email.empty() || Repository::written_by(tx, booking->trip_id, author) ||
                !trips_.published(booking->trip_id))
                return false;
            site_.hooks.emit(tx, review_request_due, {id, booking::to_json(*booking)});
            return true;
        });
        if (!done)
            return done.error();
        requests += *done ? 1 : 0;
    }
    return Value::object({{"asked", requests}});
}

}  // namespace svc::reviews
