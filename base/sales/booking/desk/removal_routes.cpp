// RouteSpecs by which staff remove bookings and act on many at once.
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/api/bulk.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

// The permission of each bulk action.
Result<void> may_act(const api::Caller& caller, const std::string& action) {
    const char* right = action == "delete" || action == "restore" ? "svc_delete_bookings" : "svc_change_booking_status";
    if (!caller.can(right))
        return Error{errc::forbidden, "This requires the permission {right}."_sentence.with("right", right)};
    return {};
}

Reply bulk(const DeskRoutes& staff, const Request& request) {
    const std::string action = request.body["action"].text();
    SVC_RETURN_IF_ERROR(may_act(request.caller, action));
    return api::respond(api::bulk_ids_of(request.body), [&](const std::vector<std::int64_t>& ids) {
        return api::ok(bulk_json(action, staff.removal.bulk(action, ids, staff_of(request)), request));
    });
}

Reply removed(const DeskRoutes& staff, const Request& request) {
    const std::int64_t id = request.path_id();
    const auto booking = staff.records.seen(id, request.caller);
    if (!booking)
        return api::failed(errc::booking_not_found);
    const bool force = request.query.maybe_boolean("force").value_or(false);
    const bool in_trash = booking->status == status::trash;
    Reply reply = api::ok(
        Value::object({{"id", id}, {"status", in_trash || force ? Value() : Value("trash")}, {"deleted", true}}));
    // Stored with the change itself: a repetition would find it in the trash and delete it permanently.
    const api::StoreReply keeping(request, reply);
    const Actor actor = staff_of(request);
    auto done = in_trash || force ? staff.removal.remove(id, force ? &actor : nullptr) : staff.removal.trash(id, actor);
    return done ? std::move(reply) : api::failed(done.error());
}

}  // namespace

api::Schema bulk_fields(std::vector<std::string> actions) {
    return {{.name = "action", .type = api::choice(std::move(actions)), .required = true}, api::bulk_ids_field()};
}

api::Type bulk_answer() {
    return api::object(
        "BookingBulk",
        {{.name = "action", .type = api::text(30)},
         {.name = "affected", .type = api::integer(0)},
         {.name = "failed", .type = api::integer(0)},
         {.name = "results",
          .type = api::list(api::object(
              "BookingBulkResult",
              {{.name = "id", .type = api::id()},
               {.name = "ok", .type = api::boolean()},
               api::sometimes_sent({.name = "error", .type = api::text(500), .help = "Why the action failed."})}))}});
}

Value bulk_json(const std::string& action, const std::vector<Outcome>& outcomes, const Request& request) {
    std::int64_t failed = 0;
    Value results = Value::array();
    for (const Outcome& outcome : outcomes) {
        Value result = Value::object({{"id", outcome.id}, {"ok", !outcome.error}});
        if (outcome.error) {
            ++failed;
            result.set("error", request.say(outcome.error->message()));
        }
        results.push(std::move(result));
    }
    return Value::object({{"action", action},
                          {"affected", static_cast<std::int64_t>(outcomes.size()) - failed},
                          {"failed", failed},
                          {"results", std::move(results)}});
}

void add_removal_routes(api::RouteTable& routes, const DeskRoutes& staff) {
    routes.add(
        {.method = Method::del,
         .path = "/bookings/{id}",
         .who = Permission::can("svc_delete_bookings"),
         .summary = "Move a booking to the trash and release its seats; delete a booking in the trash permanently.",
         .query = {{.name = "force", .type = api::boolean(), .help = "Delete permanently at once."}},
         .answer = api::object({{.name = "id", .type = api::id(), .required = true},
                                {.name = "status",
                                 .type = api::choice({"trash"}).or_null(),
                                 .help = "null: the booking was deleted.",
                                 .required = true},
                                {.name = "deleted", .type = api::boolean(), .required = true}}),
         .errors = {&errc::booking_not_found, &errc::invalid_transition, &errc::conflict, &errc::in_use},
         .stores_reply = true,
         .handle = [staff](const Request& request) { return removed(staff, request); }});
    routes.add({.method = Method::put,
                .path = "/bookings/bulk",
                .who = Permission::any_of({"svc_change_booking_status", "svc_delete_bookings"}),
                .summary = "Apply one action to many bookings; bookings that do not allow it are unchanged.",
                .body = bulk_fields({"mark_pending", "mark_processing", "mark_on-hold", "mark_confirmed",
                                     "mark_completed", "mark_cancelled", "trash", "restore", "delete"}),
                .answer = bulk_answer(),
                .repeats_safely = true,
                .handle = [staff](const Request& request) { return bulk(staff, request); }});
}

}  // namespace svc::booking
