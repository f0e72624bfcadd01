// Facts of the tables of availability.
#include "base/sales/availability/facts.hpp"

namespace svc::availability {

std::vector<facts::Table> table_facts() {
    return {
        {.name = "svc_availability_rules",
         .refers = {{"trip_id", "svc_trips"}},
         .listed = {{.type = "'recurring_rule'",
                     .title = "COALESCE(NULLIF(r.name, ''), t.title)",
                     .from = "svc_availability_rules r JOIN svc_trips t ON t.id = r.trip_id"}},
         .uses = {{facts::of_trip_currency, "svc_availability_rules",
                   "SELECT id FROM svc_availability_rules WHERE trip_id = :id"}},
         .carried = {{.name = "availability_rules",
                      .kinds = {"availability_rules"},
                      .key = {"trip_id", "name", "rule_type", "start_date"},
                      .parent = "trip_id",
                      .left_out = {"guide_user_id", "created_by", "updated_by", "deleted_by"}}}},

        {.name = "svc_availability_rule_slots",
         .refers = {{"rule_id", "svc_availability_rules"}},
         .carried = {{.name = "availability_rule_slots", .kinds = {"availability_rules"}, .parent = "rule_id"}}},
        {.name = "svc_availability_rule_weekdays",
         .refers = {{"rule_id", "svc_availability_rules"}},
         .carried = {{.name = "availability_rule_weekdays", .kinds = {"availability_rules"}, .parent = "rule_id"}}},
        {.name = "svc_availability_rule_prices",
         .refers = {{"rule_id", "svc_availability_rules"},
                    {"slot_id", "svc_availability_rule_slots"},
                    {"category_id", "svc_classifications"}},
         .uses =
             {{facts::of_classification, "svc_availability_rules",
               "SELECT p.rule_id FROM svc_availability_rule_prices p JOIN svc_availability_rules u ON u.id = p.rule_id"
               " WHERE p.category_id = :id AND u.deleted_at IS NULL"}},
         .carried = {{.name = "availability_rule_prices", .kinds = {"availability_rules"}, .parent = "rule_id"}}},
        {.name = "svc_departures",
         .refers = {{"trip_id", "svc_trips"}, {"rule_id", "svc_availability_rules"}},
         .listed = {{.type = "'departure'", .title = "r.start_date"}},
         .uses = {{facts::of_trip_currency, "svc_departures", "SELECT id FROM svc_departures WHERE trip_id = :id"}},
         .carried = {{.name = "departures",
                      .kinds = {"availability", "departures"},
                      .key = {"trip_id", "start_date", "start_time"},
                      .left_out = {"guide_user_id", "created_by", "updated_by", "deleted_by"}}}},
        {.name = "svc_departure_prices",
         .refers = {{"departure_id", "svc_departures"}, {"category_id", "svc_classifications"}},
         .uses = {{facts::of_classification, "svc_departures",
                   "SELECT departure_id FROM svc_departure_prices WHERE category_id = :id"}},
         .carried = {{.name = "departure_prices", .kinds = {"availability", "departures"}, .parent = "departure_id"}}},
        {.name = "svc_booking_departures",
         .refers = {{"booking_id", "svc_bookings"}, {"departure_id", "svc_departures"}},
         .carried = {{.name = "booking_departures", .kinds = {"bookings"}, .parent = "booking_id"}}},
        {.name = "svc_waitlist",
         .refers = {{"booking_id", "svc_bookings"}, {"departure_id", "svc_departures"}},
         .carried = {{.name = "waitlist", .kinds = {"bookings"}, .parent = "booking_id"}}},
    };
}

}  // namespace svc::availability
