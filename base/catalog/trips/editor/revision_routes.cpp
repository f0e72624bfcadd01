// Routes for duplicates, revisions and bulk actions of trips.
#include <algorithm>

#include "base/catalog/trips/editor/routes.hpp"
#include "base/catalog/trips/editor/staff_answer.hpp"
#include "shared/api/author.hpp"
#include "shared/api/bulk.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::catalog::trips {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

Value to_json(const Revision& revision) {
    return Value::object({{"id", revision.id},
                          {"trip_id", revision.trip_id},
                          {"version", revision.version},
                          {"status", revision.restored ? "restored" : "inherit"},
                          {"restored_from_id", revision.restored_from_id},
                          {"created_at", revision.created_at},
                          {"created_by", revision.created_by},
                          {"created_by_name", revision.created_by_name}});
}

api::Schema revision_members() {
    using namespace api;
    using api::text;
    return {
        {.name = "id", .type = id(), .required = true},
        {.name = "trip_id", .type = id(), .required = true},
        {.name = "version", .type = integer(1), .help = "Version of the trip that was replaced."},
        {.name = "status",
         .type = choice({"inherit", "restored"}),
         .help = "restored: restored itself, or stored because another revision was restored."},
        {.name = "restored_from_id", .type = id().or_null(), .help = "The revision restored in its place."},
        {.name = "created_at", .type = instant()},
        {.name = "created_by", .type = id().or_null()},
        {.name = "created_by_name", .type = text(255).or_null()},
    };
}

Reply revisions(const Service& trips, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, trips.zone()));
    SVC_ASSIGN_OR_RETURN(const auto found,
                         trips.history().revisions(request.path_id(),
                                                   {.made = period, .status = request.query.text_or("status")}, page));
    auto items = json::array_of(found.revisions, [&](const Revision& revision) { return to_json(revision); });
    return api::list_reply(std::move(items), page, found.total);
}

Reply revision(const Service& trips, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto found, trips.history().revision(request.path_id(), request.path_id("revision_id")));
    auto data = json::parse(found.snapshot, stored_limits);
    auto value = to_json(found);
    value.set("data", data ? std::move(*data) : Value::object());
    return api::ok(std::move(value));
}

Reply restore_revision(Service& trips, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(trips, request));
    std::vector<std::string> left_out;
    return answer_write(
        trips, request,
        [&] {
            return trips.history().restore_revision(request.path_id(), request.path_id("revision_id"),
                                                    api::author(request.caller), left_out, seen);
        },
        [&](Reply& reply, const Trip&) {
            auto skipped = json::array_of(left_out);
            reply.data.set("skipped", std::move(skipped));
        });
}

Reply restore(Service& trips, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(trips, request));
    return answer_write(trips, request, [&] {
        return trips.lifecycle().restore(request.path_id(), api::author(request.caller), seen);
    });
}

Reply duplicate(Service& trips, const Request& request) {
    return answer_write(
        trips, request, [&] { return trips.editor().duplicate(request.path_id(), api::author(request.caller)); },
        [](Reply& reply, const Trip& trip) {
            made(reply, trip);
            reply.data = Value::object({{"id", trip.id}, {"trip", std::move(reply.data)}});
        });
}

// The additional permission of each action.
Result<void> may_act(const api::Caller& caller, const std::string& action) {
    const char* right = action == "trash"    ? "svc_edit_trips"
                        : action == "delete" ? "svc_delete_trips"
                                             : "svc_publish_trips";
    if (!caller.can(right))
        return Error{errc::forbidden, "This requires the permission {right}."_sentence.with("right", right)};
    return {};
}

Reply bulk(Service& trips, const Request& request, const TripRemover& remover) {
    const std::string action = request.body["action"].text();
    SVC_RETURN_IF_ERROR(may_act(request.caller, action));
    SVC_ASSIGN_OR_RETURN(const auto ids, api::bulk_ids_of(request.body));
    const auto answer = [&](const std::vector<Lifecycle::Outcome>& outcomes) {
        std::int64_t failed = 0;
        auto results = Value::array();
        for (const auto& outcome : outcomes) {
            auto result = Value::object({{"id", outcome.id}, {"ok", !outcome.error}});
            if (outcome.error) {
                ++failed;
                result.set("error", request.say(outcome.error->message()));
            }
            results.push(std::move(result));
        }
        return api::ok(Value::object({{"action", action},
                                      {"affected", static_cast<std::int64_t>(outcomes.size()) - failed},
                                      {"failed", failed},
                                      {"results", std::move(results)}}));
    };
    using Outcomes = std::vector<Lifecycle::Outcome>;
    const auto keeping = api::StoreReply::of<Outcomes>(
        request, [&](store::Transaction&, const Outcomes& outcomes) { return answer(outcomes); });
    return answer(trips.lifecycle().bulk(action, ids, api::author(request.caller), remover));
}

void add_revision_routes(api::RouteTable& routes, Service& trips) {
    routes.add({.method = Method::get,
                .path = "/trips/{id}/revisions",
                .who = Permission::can("svc_view_trips"),
                .summary = "List a published trip's revisions, newest first.",
                .query = api::period_fields(),
                .is_list = true,
                .sortable = {"version"},
                .statuses = {"inherit", "restored"},
                .answer = api::list(api::object("TripRevision", revision_members())),
                .errors = {&errc::trip_not_found},
                .handle = [&trips](const Request& request) { return revisions(trips, request); }});
    routes.add({.method = Method::get,
                .path = "/trips/{id}/revisions/{revision_id}",
                .who = Permission::can("svc_view_trips"),
                .summary = "Return a revision with the trip's data at that time.",
                .answer = api::object("TripRevisionContent",
                                      revision_members().plus({{.name = "data",
                                                                .type = api::map(api::anything(), 1000),
                                                                .help = "The trip as returned to staff."}})),
                .errors = {&errc::not_found},
                .handle = [&trips](const Request& request) { return revision(trips, request); }});
    routes.add(
        {.method = Method::put,
         .path = "/trips/{id}/revisions/{revision_id}",
         .who = Permission::can("svc_edit_trips"),
         .summary = "Restore a revision, except its status and schedule.",
         .answer = api::object("RestoredTrip",
                               trip_answer(trips.showing().parts)
                                   .members->plus({{.name = "skipped",
                                                    .type = api::list(api::text(300)),
                                                    .help = "References that no longer exist and were skipped."}})),
         .errors = {&errc::trip_not_found, &errc::not_found, &errc::conflict},
         .stores_reply = true,
         .handle = [&trips](const Request& request) { return restore_revision(trips, request); }});
}

}  // namespace

void add_copy_routes(api::RouteTable& routes, Service& trips, const TripRemover& remover) {
    add_revision_routes(routes, trips);
    routes.add({.method = Method::post,
                .path = "/trips/{id}/duplicate",
                .who = Permission::can("svc_create_trips"),
                .summary = "Duplicate a trip as a draft, without dates, bookings and revisions.",
                .answer = api::object({{.name = "id", .type = api::id(), .required = true},
                                       {.name = "trip", .type = trip_answer(trips.showing().parts), .required = true}}),
                .success = 201,
                .errors = {&errc::trip_not_found},
                .stores_reply = true,
                .handle = [&trips](const Request& request) { return duplicate(trips, request); }});
    routes.add({.method = Method::post,
                .path = "/trips/{id}/restore",
                .who = Permission::can("svc_publish_trips"),
                .summary = "Restore a trip from the trash with its former status.",
                .answer = trip_answer(trips.showing().parts),
                .errors = {&errc::trip_not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [&trips](const Request& request) { return restore(trips, request); }});
    std::vector<std::string> actions(writable_statuses.begin(), writable_statuses.end());
    for (const char* action : {"trash", "restore", "delete"})
        actions.emplace_back(action);
    routes.add({.method = Method::post,
                .path = "/trips/bulk",
                .who = Permission::any_of({"svc_edit_trips", "svc_publish_trips", "svc_delete_trips"}),
                .summary = "Apply one action to many trips; trips that do not allow it are unchanged.",
                .body = {{.name = "action",
                          .type = api::choice(actions),
                          .help = "A status, or trash, restore, delete.",
                          .required = true},
                         api::bulk_ids_field()},
                .answer = api::object(
                    {{.name = "action", .type = api::text(20)},
                     {.name = "affected", .type = api::integer(0)},
                     {.name = "failed", .type = api::integer(0)},
                     {.name = "results",
                      .type = api::list(api::object(
                          "TripBulkResult", {{.name = "id", .type = api::id()},
                                             {.name = "ok", .type = api::boolean()},
                                             api::sometimes_sent({.name = "error", .type = api::text(500)})}))}}),
                .stores_reply = true,
                .handle = [&trips, remover](const Request& request) { return bulk(trips, request, remover); }});
}

}  // namespace svc::catalog::trips
