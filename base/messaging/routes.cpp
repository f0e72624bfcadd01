// RouteSpecs of e-mails.
#include "base/messaging/routes.hpp"

#include "base/messaging/templates/template_keys.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/mails/offered.hpp"

namespace svc::messaging {
namespace {

// The base's own and those of plugins whose module is on.
std::vector<const Template*> listed_templates(const Service& messaging) {
    std::vector<const Template*> all;
    for (const Template& each : templates())
        all.push_back(&each);
    for (const Template* each : messaging.parts.plugin_templates->listed())
        all.push_back(each);
    return all;
}

const Template* find_template(const Service& messaging, std::string_view key) {
    for (const Template* each : listed_templates(messaging))
        if (each->key == key)
            return each;
    return nullptr;
}

api::Type tag_type() {
    return api::object("MergeTag",
                       {{.name = "key",
                         .type = api::text(100),
                         .help = "As in {{ key }}; contact_* stands for each field of the"
                                 " form.",
                         .required = true},
                        {.name = "label", .type = api::text(200)},
                        {.name = "description", .type = api::text(500)},
                        {.name = "category", .type = api::text(60)},
                        {.name = "sample", .type = api::raw_text(2000)},
                        {.name = "is_secret",
                         .type = api::boolean(),
                         .help = "The value holds a link that grants access; copies of the e-mail hold it without"
                                 " its token."},
                        {.name = "events",
                         .type = api::list(api::text(60), 100),
                         .help = "The events whose e-mails have the tag; empty: all.",
                         .required = true}});
}

// What a body asks to be rendered.
Result<Draft> draft_of(const Service& messaging, const api::Request& request) {
    const Bookings& bookings = messaging.parts.bookings;
    const json::Value& body = request.body;
    Draft draft{.which = find_template(messaging, body.text_or("template_key")),
                .subject = body.maybe_text("subject"),
                .body = body.maybe_text("body"),
                .locale = body.text_or("locale")};
    if (!draft.which)
        return invalid("template_key", "There is no such e-mail template."_sentence);
    if (const auto id = body.maybe_integer("booking_id")) {
        if (!api::may_read_bookings(request.caller))
            return Error{errc::forbidden, "Rendering a booking requires the permission svc_view_bookings."_sentence};
        draft.booking = bookings.seen(*id, request.caller);
        if (!draft.booking)
            return errc::booking_not_found;
        draft.payment = bookings.last_payment(*id);
    } else if (const auto trip = body.maybe_integer("trip_id")) {
        draft.trip = bookings.trip(*trip);
        if (draft.trip.is_null())
            return errc::trip_not_found;
    }
    return draft;
}

api::Reply preview_reply(const Service& messaging, const api::Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto draft, draft_of(messaging, request));
    return api::respond(messaging.previews.preview(draft), [&](Preview preview) {
        return api::ok(json::Value::object({{"subject", preview.subject},
                                            {"body", preview.html},
                                            {"text", preview.text},
                                            {"template_key", draft.which->key},
                                            {"event_key", draft.which->event_key},
                                            {"locale", preview.locale}}));
    });
}

// The mail server's answer to one e-mail.
api::Reply sent_reply(const api::Request& request, const FindServer& find_server, const std::string& to,
                      const std::function<outbound::Mail()>& make_mail) {
    const auto answer = [&](bool sent, const Sentence& message) {
        return api::ok(json::Value::object({{"sent", sent}, {"message", request.say(message)}, {"to", to}}));
    };
    const auto server = find_server();
    if (!server)
        return answer(false, "No mail server is set. Enter smtp_host and switch smtp_enabled on."_sentence);
    const auto done = outbound::send(make_mail(), *server);
    if (done)
        return answer(true, "The mail server took the e-mail."_sentence);
    const Error& error = done.error();
    return answer(false, error.cause().empty() ? error.message() : Sentence::verbatim(error.cause()));
}

api::Schema sent_answer() {
    return {{.name = "sent", .type = api::boolean(), .required = true},
            {.name = "message",
             .type = api::text(1000),
             .help = "The mail server's answer, or the missing settings.",
             .required = true},
            {.name = "to", .type = api::text(254), .help = "The recipient.", .required = true}};
}

// An e-mail with the settings that belong to it.
json::Value template_json(const Service& messaging, const Template& each) {
    auto shown = json::Value::object({{"key", each.key},
                                      {"event_key", each.event_key},
                                      {"name", each.offered ? json::Value(each.offered->name) : json::Value()},
                                      {"is_for_staff", is_for_staff(each.key)}});
    const auto source = [&](const char* ending) {
        return messaging.composer.files().source(std::string(each.key) + ending);
    };
    const std::string subject = source(".subject");
    shown.set("built_in_subject", subject.substr(0, subject.find('\n'))).set("built_in_body", source(".html"));
    const auto keys = to_json(keys_of(each, messaging.parts.hooks, messaging.parts.settings));
    for (const auto& [name, key] : keys.members())
        shown.set(std::string(name), key);
    return shown;
}

api::Schema draft_fields() {
    return {
        {.name = "template_key", .type = api::text(100, 1), .required = true},
        {.name = "subject", .type = api::raw_text(300).or_null(), .help = "A draft in place of the current subject."},
        {.name = "body", .type = api::raw_text(60'000).or_null(), .help = "A draft in place of the current HTML."},
        {.name = "booking_id",
         .type = api::id().or_null(),
         .help = "The booking to render, with svc_view_bookings; links that grant access remain samples."},
        {.name = "trip_id", .type = api::id().or_null(), .help = "The trip of the sample data, without booking_id."},
        {.name = "locale", .type = api::text(20).or_null(), .help = "Defaults to the language that would be used."}};
}

void add_template_routes(api::RouteTable& routes, Service& messaging, const FindServer& find_server) {
    const auto who = api::Permission::any_of({"svc_manage_settings", "svc_manage_emails"});
    routes.add({.method = api::Method::post,
                .path = "/email-template-preview",
                .who = who,
                .summary = "Render an e-mail exactly as it would be sent, with sample data or for a booking.",
                .body = draft_fields(),
                .answer = api::object(
                    {{.name = "subject", .type = api::raw_text(2000), .required = true},
                     {.name = "body", .type = api::raw_text(1'000'000), .help = "The HTML.", .required = true},
                     {.name = "text", .type = api::raw_text(1'000'000), .help = "The plain text.", .required = true},
                     {.name = "template_key", .type = api::text(100), .required = true},
                     {.name = "event_key", .type = api::text(60), .required = true},
                     {.name = "locale", .type = api::text(20), .required = true}}),
                .errors = {&errc::booking_not_found, &errc::trip_not_found},
                .keeps_replay = false,
                .handle = [&messaging](const api::Request& request) { return preview_reply(messaging, request); }});
    routes.add(
        {.method = api::Method::post,
         .path = "/email-template-test",
         .who = who,
         .summary = "Send an e-mail to the caller alone, rendered as /email-template-preview renders it.",
         .body = draft_fields(),
         .answer = api::object("MailSent", sent_answer()),
         .errors = {&errc::booking_not_found, &errc::trip_not_found},
         .lane = api::Lane::provider,
         .limit = {.burst = 60, .seconds = 600, .per = api::RateLimit::Per::credential},
         .keeps_replay = false,
         .handle = [&messaging, find_server](const api::Request& request) -> api::Reply {
             SVC_ASSIGN_OR_RETURN(const auto draft, draft_of(messaging, request));
             SVC_ASSIGN_OR_RETURN(const auto preview, messaging.previews.preview(draft));
             const std::string& to = request.caller.email;
             if (to.empty())
                 return api::failed({errc::conflict, "Confirm the e-mail address of your account first."_sentence});
             return sent_reply(request, find_server, to,
                               [&] { return messaging.previews.mail_of(*draft.which, preview, to); });
         }});
    routes.add(
        {.method = api::Method::get,
         .path = "/email-template-catalog",
         .who = who,
         .summary = "List the e-mails, each with the settings that switch it and replace its text.",
         .answer = api::list(
             api::object(
                 "MailTemplate",
                 {{.name = "key", .type = api::text(100), .required = true},
                  {.name = "event_key", .type = api::text(100), .required = true},
                  {.name = "name",
                   .type = api::text(100).or_null(),
                   .help = "What a plugin calls it; null: an e-mail of the"
                           " base, whose key says it.",
                   .required = true},
                  {.name = "is_for_staff", .type = api::boolean(), .required = true},
                  {.name = "built_in_subject",
                   .type = api::raw_text(1000),
                   .help = "As it comes with this release or the theme.",
                   .required = true},
                  {.name = "built_in_body", .type = api::raw_text(200'000), .required = true},
                  {.name = "switch_setting", .type = api::text(120), .help = "Turns the e-mail off.", .required = true},
                  {.name = "subject_setting",
                   .type = api::text(120).or_null(),
                   .help = "Replaces the subject.",
                   .required = true},
                  {.name = "body_setting",
                   .type = api::text(120).or_null(),
                   .help = "Replaces the HTML.",
                   .required = true},
                  {.name = "cc_setting",
                   .type = api::text(120).or_null(),
                   .help = "Null: it has one recipient.",
                   .required = true},
                  {.name = "bcc_setting",
                   .type = api::text(120).or_null(),
                   .help = "Null: it has one recipient.",
                   .required = true}}),
             1000),
         .handle = [&messaging](const api::Request&) {
             return api::ok(json::array_of(listed_templates(messaging),
                                           [&](const Template* each) { return template_json(messaging, *each); }));
         }});
    routes.add(
        {.method = api::Method::get,
         .path = "/email-template-variables",
         .who = who,
         .summary = "List the merge tags for the texts of e-mails, by category.",
         .query = {{.name = "template_key", .type = api::text(100), .help = "Tags of this e-mail alone."},
                   {.name = "event_key", .type = api::text(60), .help = "Tags of the e-mails of this event alone."}},
         .answer = api::map(api::list(tag_type(), 1000)),
         .handle = [&messaging](const api::Request& request) -> api::Reply {
             std::string event = request.query.text_or("event_key");
             if (const auto key = request.query.maybe_text("template_key")) {
                 const Template* which = find_template(messaging, *key);
                 if (!which)
                     return api::failed(invalid("template_key", "There is no such e-mail template."_sentence));
                 event = which->event_key;
             }
             return api::ok(grouped(messaging.parts.hooks, event.empty() ? defined_tags(messaging.parts.hooks)
                                                                         : tags_of(messaging.parts.hooks, event)));
         }});
    routes.add({.method = api::Method::post,
                .path = "/settings/test-email",
                .who = api::Permission::can("svc_manage_settings"),
                .summary = "Send a test e-mail by the mail server as it is set now and report what the server says.",
                .body = {{.name = "to", .type = api::email(), .required = true, .also = {"email"}}},
                .answer = api::object("MailSent", sent_answer()),
                .lane = api::Lane::provider,
                .limit = {.burst = 10, .seconds = 60, .per = api::RateLimit::Per::credential},
                .keeps_replay = false,
                .handle = [&messaging, find_server](const api::Request& request) {
                    const std::string to = request.body["to"].text();
                    return sent_reply(request, find_server, to, [&] { return messaging.previews.test_mail(to); });
                }});
}

}  // namespace

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

void add_routes(api::RouteTable& routes, Service& messaging, const FindServer& find_server) {
    add_template_routes(routes, messaging, find_server);
    routes.add(
        {.method = Method::post,
         .path = "/bookings/{id}/email",
         .name = "sendBookingEmail",
         .who = Permission::can("svc_edit_bookings"),
         .summary = "Resend an e-mail about a booking. confirmation sends booking_confirmed for confirmed and"
                    " completed bookings, otherwise booking_confirmation.",
         .body = {{.name = "type", .type = api::choice(resendable()), .otherwise = json::Value("confirmation")}},
         .answer = api::object(
             {{.name = "sent", .type = api::boolean(), .help = "Whether the e-mail was queued.", .required = true},
              {.name = "reason",
               .type = api::text(200).or_null(),
               .help = "Why it was not sent; null if it was queued.",
               .required = true},
              {.name = "template", .type = api::text(60), .required = true},
              {.name = "recipient", .type = api::text(2000), .required = true}}),
         .errors = {&errc::booking_not_found},
         .repeats_safely = true,
         .handle = [&messaging](const Request& request) -> Reply {
             const Bookings& bookings = messaging.parts.bookings;
             const auto booking = bookings.seen(request.path_id(), request.caller);
             if (!booking)
                 return api::failed(errc::booking_not_found);
             const auto answer = [&request](const Resent& done) {
                 return api::ok(json::Value::object(
                     {{"sent", done.sent},
                      {"reason", done.reason.empty() ? json::Value() : json::Value(request.say(done.reason))},
                      {"template", done.template_key},
                      {"recipient", done.recipient}}));
             };
             SVC_ASSIGN_OR_RETURN(const auto prepared,
                                  messaging.resends.prepare(request.body["type"].text(), *booking,
                                                            bookings.last_payment(request.path_id())));
             const api::StoreReply keeping(request, answer(prepared.queued));
             return answer(messaging.resends.send(prepared));
         }});
}

}  // namespace svc::messaging
