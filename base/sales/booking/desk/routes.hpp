// Routes of the staff's bookings (spec 4.7).
#pragma once

#include "base/sales/booking/desk/desk.hpp"
#include "base/sales/booking/desk/lists.hpp"
#include "base/sales/booking/desk/removal.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

// Dependencies of staff's routes.
struct DeskRoutes {
    Service& records;
    Desk& desk;
    Lists& lists;
    Removal& removal;
    Creator& creator;
    const settings::Settings& settings;
};

void add_admin_routes(api::RouteTable& routes, const DeskRoutes& staff);
void add_edit_routes(api::RouteTable& routes, const DeskRoutes& staff);
void add_removal_routes(api::RouteTable& routes, const DeskRoutes& staff);
void add_traveler_routes(api::RouteTable& routes, const DeskRoutes& staff);
void add_waiting_list_routes(api::RouteTable& routes, const DeskRoutes& staff);

// -- shared by the files of routes
// The statuses that lists can filter by; on_hold is another name of on-hold.
std::vector<std::string> listed_statuses(bool with_trash);
// The status filter of a list; empty: all but the trash.
std::string status_filter(const json::Value& query);
// A status that staff set: `type` with what may follow each.
api::Type set_by_staff(const api::Type& type);
Actor staff_of(const api::Request& request);
// `force`, by which staff overbook; forbidden without the right to manage departures.
api::Field force_field();
Result<bool> forced_of(const api::Request& request);
// Of a booking that staff make or change: the parts of its price that they may set; contact, travelers, payment and
// status; trip, date and party by its number, since `travelers` are the people there.
api::Schema by_hand_fields();
api::Schema contact_fields();
api::Schema party_fields();
api::Schema bulk_fields(std::vector<std::string> actions);
api::Type bulk_answer();
json::Value bulk_json(const std::string& action, const std::vector<Outcome>& outcomes, const api::Request& request);

}  // namespace svc::booking
