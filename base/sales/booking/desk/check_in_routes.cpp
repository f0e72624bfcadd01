// RouteSpecs of check-in.
#include <algorithm>
#include <array>

#include "base/sales/booking/desk/check_in.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/named.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr std::size_t most_travelers = 10'000;

Value as_json(const CheckedIn& one) {
    return Value::object({{"traveler_id", one.traveler_id},
                          {"booking_id", one.booking_id},
                          {"traveler_index", one.index},
                          {"checked_in", one.at.has_value()},
                          {"checked_in_at", one.at},
                          {"checked_in_by", one.by}});
}

api::Type check_in_answer() {
    using namespace api;
    return object(
        "CheckIn",
        {{.name = "traveler_id", .type = id(), .required = true},
         {.name = "booking_id", .type = id(), .required = true},
         {.name = "traveler_index",
          .type = integer(1),
          .help = "The traveler's place in the booking.",
          .required = true},
         {.name = "checked_in", .type = boolean(), .required = true},
         {.name = "checked_in_at", .type = instant().or_null(), .required = true},
         {.name = "checked_in_by", .type = id().or_null(), .help = "The user who noted it.", .required = true}});
}

}  // namespace

bool may_check_in(const api::Caller& staff) {
    constexpr std::array rights{"svc_edit_bookings", "svc_manage_departures"};
    return api::guided_by(staff) ||
           std::any_of(rights.begin(), rights.end(), [&](const char* right) { return staff.can(right); });
}

void add_check_in_routes(api::RouteTable& routes, const Service& records, const CheckIns& check_ins) {
    routes.add(
        {.method = Method::put,
         .path = "/travelers/{id}/check-in",
         .who = Permission::can("svc_view_departures"),
         .summary = "Note that a traveler has arrived, or take that back; for guides, and for staff who change"
                    " bookings or departures.",
         .body = {{.name = "checked_in", .type = api::boolean(), .help = "false: takes it back.", .required = true}},
         .answer = check_in_answer(),
         .errors = {&errc::not_found, &errc::conflict, &errc::forbidden},
         .repeats_safely = true,
         .handle = [&records, check_ins](const Request& request) -> Reply {
             const auto traveler = check_ins.find(request.path_id());
             if (!traveler || !records.seen(traveler->booking_id, request.caller))
                 return api::failed(errc::not_found);
             if (!may_check_in(request.caller))
                 return api::failed(errc::forbidden);
             return api::respond(
                 check_ins.set(traveler->traveler_id, request.body["checked_in"].boolean(), request.caller.user_id),
                 [](const CheckedIn& one) { return api::ok(as_json(one)); });
         }});
    routes.add({.method = Method::get,
                .path = "/departures/{id}/check-ins",
                .who = Permission::can("svc_view_departures"),
                .summary = "List the travelers of a departure who have arrived.",
                .answer = api::list(check_in_answer(), most_travelers),
                .handle = [check_ins](const Request& request) -> Reply {
                    return api::ok(json::array_of(
                        check_ins.of_departure(request.path_id(), api::guided_by(request.caller)), as_json));
                }});
}

}  // namespace svc::booking
