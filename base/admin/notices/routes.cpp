// Notices, counters and usage reports by the interface.
#include "base/admin/notices/routes.hpp"

#include <algorithm>

#include "shared/api/named.hpp"

namespace svc::notices {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

Reply list_notices(const Notices& notices, const Request& request) {
    auto rows = json::array_of(notices.of(request.caller), [&](const Notice& notice) {
        return to_json(notice).set("since", notice.since.micros() == 0 ? Value() : Value(notice.since));
    });
    const auto total = static_cast<std::int64_t>(rows.size());
    api::Page page;
    page.per_page = std::max<std::int64_t>(total, 1);
    return api::list_reply(std::move(rows), page, total);
}

Reply mark_seen(const Counters& counters, const Request& request) {
    const std::string section = request.body.text_or("section");
    const auto& all = counters.sections();
    if (std::none_of(all.begin(), all.end(), [&](const Section& each) { return each.name == section; })) {
        std::string names;
        for (const Section& each : all)
            names += (names.empty() ? "" : ", ") + each.name;
        return api::failed(invalid("section", "This must be one of {names}."_sentence.with("names", names)));
    }
    SVC_RETURN_IF_ERROR(counters.mark(request.caller, section));
    return api::ok(Value::object({{"section", section}, {"count", 0}}));
}

Value status_json(const Usage& usage) {
    const auto is = usage.status();
    return Value::object({{"enabled", is.enabled},
                          {"last_sync", is.last_sync},
                          {"next_scheduled", is.next_scheduled},
                          {"next_retry", is.next_retry},
                          {"retry_count", is.retry_count},
                          {"instance_id", is.instance_id},
                          {"last_send_error", is.last_error},
                          {"has_address", is.has_address}});
}

}  // namespace

void add_notice_routes(api::RouteTable& routes, const Notices& notices, const Counters& counters) {
    const auto who = Permission::can("svc_access_admin");
    const api::Schema action{
        {.name = "label", .type = api::text(100)},
        {.name = "url", .type = api::raw_text(500), .help = "The path of a screen, /admin/..., or an address."}};
    const api::Schema notice{
        {.name = "id", .type = api::text(100), .required = true},
        {.name = "type", .type = api::choice({"error", "warning", "info"})},
        {.name = "title", .type = api::text(200)},
        {.name = "message", .type = api::text(1'000)},
        {.name = "actions", .type = api::list(api::object(action), 10)},
        {.name = "dismissible", .type = api::boolean()},
        {.name = "since", .type = api::instant().or_null(), .help = "When its cause last occurred."}};
    routes.add({.method = Method::get,
                .path = "/notices",
                .who = who,
                .summary = "List the notices for the caller, errors first.",
                .answer = api::list(api::object("Notice", notice), 100),
                .handle = [&notices](const Request& request) { return list_notices(notices, request); }});
    routes.add(
        {.method = Method::post,
         .path = "/notices/{key}/dismiss",
         .who = who,
         .summary = "Dismiss a notice for the caller; it reappears when its cause recurs.",
         .answer = api::object("DismissedNotice",
                               {{.name = "id", .type = api::text(100)}, {.name = "dismissed", .type = api::boolean()}}),
         .errors = {&errc::not_found},
         .repeats_safely = true,
         .handle = [&notices](const Request& request) -> Reply {
             const std::string key = request.path["key"].text();
             SVC_ASSIGN_OR_RETURN(const auto done, notices.dismiss(request.caller, key));
             return done ? api::ok(Value::object({{"id", key}, {"dismissed", true}})) : api::failed(errc::not_found);
         }});
    std::vector<api::Field> counts;
    for (const Section& section : counters.sections())
        counts.push_back(
            {.name = section.name, .type = api::integer(0), .help = "Since the caller opened the section."});
    routes.add({.method = Method::get,
                .path = "/admin/new-counts",
                .name = "getNewCounts",
                .who = who,
                .summary = "Count each section's records that the caller has not seen.",
                .answer = api::object("NewCounts", api::Schema(std::move(counts))),
                .handle = [&counters](const Request& request) { return api::ok(counters.of(request.caller)); }});
    routes.add(
        {.method = Method::post,
         .path = "/admin/mark-seen",
         .name = "markSeen",
         .who = who,
         .summary = "Mark a section as seen by the caller; its count is 0 until new records arrive.",
         .body = {{.name = "section", .type = api::text(40), .help = "As in /admin/new-counts.", .required = true}},
         .answer = api::object(
             "SeenSection", {{.name = "section", .type = api::text(40)}, {.name = "count", .type = api::integer(0)}}),
         .repeats_safely = true,
         .handle = [&counters](const Request& request) { return mark_seen(counters, request); }});
}

namespace {

api::Type usage_answer(const api::Field& enabled) {
    return api::object(
        "UsageStatus",
        {enabled,
         {.name = "last_sync", .type = api::instant().or_null()},
         {.name = "next_scheduled", .type = api::instant().or_null()},
         {.name = "next_retry", .type = api::instant().or_null()},
         {.name = "retry_count", .type = api::integer(0)},
         {.name = "instance_id", .type = api::text(64), .help = "Random; empty while reports are off."},
         {.name = "last_send_error", .type = api::text(300).or_null()},
         {.name = "has_address", .type = api::boolean(), .help = "Whether this build has an address for reports."}});
}

}  // namespace

void add_usage_routes(api::RouteTable& routes, const Usage& usage) {
    const auto who = Permission::any_of({"manage_options", "manage_svc"});
    const auto add = [&](Method method, const char* path, const char* summary, api::Schema body, api::Type answer,
                         std::function<Reply(const Request&)> handle) {
        api::RouteSpec spec{.method = method,
                            .path = path,
                            .who = who,
                            .summary = summary,
                            .body = std::move(body),
                            .answer = std::move(answer),
                            .repeats_safely = method != Method::get,
                            .handle = std::move(handle)};
        if (std::string_view(path).ends_with("/send")) {
            spec.errors = {&errc::upstream_error};
            spec.lane = api::Lane::provider;
        }
        routes.add(std::move(spec));
    };
    const api::Field enabled{.name = "enabled", .type = api::boolean(), .required = true};
    add(Method::get, "/usage-tracking/status",
        "Return whether usage reports are enabled, and the outcome of the last one.", {}, usage_answer(enabled),
        [&usage](const Request&) { return api::ok(status_json(usage)); });
    add(Method::post, "/usage-tracking/settings",
        "Enable or disable usage reports; disabling deletes their stored data.", {enabled},
        api::object("UsageSwitch", {enabled}), [&usage](const Request& request) -> Reply {
            const bool on = request.body["enabled"].boolean();
            SVC_RETURN_IF_ERROR(usage.enable(on, request.caller.user_id));
            return api::ok(Value::object({{"enabled", on}}));
        });
    add(Method::post, "/usage-tracking/send", "Send this week's usage report unless it was sent or started before.",
        {{.name = "force",
          .type = api::boolean(),
          .help = "Send even if reports are disabled or this week's was sent."}},
        api::object("UsageSent", {{.name = "sent", .type = api::boolean()}}), [&usage](const Request& request) {
            return api::respond(usage.send(request.body.maybe_boolean("force").value_or(false)), [](bool sent) {
                return api::ok(Value::object({{"sent", sent}}));
            });
        });
    add(Method::get, "/usage-tracking/preview", "Return the usage report exactly as it would be sent now.", {},
        api::object("UsagePreview", {{.name = "json", .type = api::raw_text(64 << 10)}}), [&usage](const Request&) {
            return api::ok(Value::object({{"json", usage.report().dump()}}));
        });
    add(Method::post, "/usage-tracking/clear-cache", "Delete a usage report that could not be sent, and its attempts.",
        {}, api::object("UsageCleared", {{.name = "cleared", .type = api::boolean()}}),
        [&usage](const Request&) -> Reply {
            SVC_RETURN_IF_ERROR(usage.forget_pending());
            return api::ok(Value::object({{"cleared", true}}));
        });
    add(Method::post, "/usage-tracking/delete-snapshots", "Delete the stored copies of sent usage reports.", {},
        api::object("UsageDeleted", {{.name = "deleted", .type = api::integer(0)}}), [&usage](const Request&) {
            return api::respond(usage.delete_snapshots(), [](std::int64_t count) {
                return api::ok(Value::object({{"deleted", count}}));
            });
        });
}

}  // namespace svc::notices
