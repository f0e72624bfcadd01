// What trips tell, and what may be changed about how they are shown.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::catalog::trips {

inline const hooks::Action trip_created{
    "svc_trip_created", "3.0.0", "A trip's row was inserted. Not fired for updates.", {"trip_id"}};
inline const hooks::Action trip_created_with_relations{
    "svc_trip_created_with_relations", "3.0.0", "A trip was inserted and all that hangs on it is saved.", {"trip_id"}};
inline const hooks::Action trip_updated{
    "svc_trip_updated", "3.0.0", "A trip's row was updated. Not fired when it goes to the trash.", {"trip_id"}};
inline const hooks::Action trip_updated_with_relations{
    "svc_trip_updated_with_relations", "3.0.0", "A trip was updated and all that hangs on it is saved.", {"trip_id"}};
inline const hooks::Action trip_deleted{
    "svc_trip_deleted",
    "3.0.0",
    "Written before a trip goes to the trash, and again before it is deleted for good; with the whole trip as it was.",
    {"trip_id", "trip"}};

// These three are asked when a trip enters the memory of published trips, and for each trip that staff read; the last
// one of them not for the rows of their lists.
inline const hooks::Filter trip_display_price{"svc_trip_display_price",
                                              "3.0.0",
                                              "The price a trip is shown with, in major units of its currency.",
                                              json::Kind::number,
                                              {"trip_id"}};
inline const hooks::Filter price_unit_label{
    "svc_price_unit_label",
    "3.0.0",
    "The words beside a shown price; price_type is null without traveler categories.",
    json::Kind::string,
    {"unit", "price_type"}};
// Parts of the price a trip is shown with, in this order, around svc_trip_display_price and svc_price_unit_label; what
// is booked is priced by none of them. Asked when those are.
inline const hooks::Filter resolve_pricing_type{
    "svc_resolve_pricing_type",
    "3.0.0",
    "How a trip is shown to be priced: regular or traveler_based; anything else is ignored.",
    json::Kind::string,
    {"trip_id"}};
inline const hooks::Filter resolve_price_types{
    "svc_resolve_price_types",
    "3.0.0",
    "The prices by traveler category that everyone sees; of those the shown price is chosen, at their effective_price.",
    json::Kind::array,
    {"trip_id"},
    R"([{"category_id": 1, "effective_price": 0.5}])"};
inline const hooks::Filter resolve_effective_price{"svc_resolve_effective_price",
                                                   "3.0.0",
                                                   "The price that is paid, before svc_trip_display_price.",
                                                   json::Kind::number,
                                                   {"trip_id"}};
inline const hooks::Filter resolve_discount_info{
    "svc_resolve_discount_info",
    "3.0.0",
    "What the price is lowered from: regular_price, effective_price and "
    "discount_percent; the second is not taken back.",
    json::Kind::object,
    {"trip_id"},
    R"({"regular_price": 0.5, "effective_price": 0.5, "discount_percent": 1})"};
inline const hooks::Filter resolve_display_pricing{
    "svc_resolve_display_pricing",
    "3.0.0",
    "All that a price is shown with, by the names it has in a trip's answer; the last word on the trip's own page.",
    json::Kind::object,
    {"trip_id"},
    R"({"display_price": 0.5, "display_regular_price": 0.5, "price_prefix": "", "discount_percent": 1, "price_unit": "",
        "price_unit_label": "", "traveler_min_price": 0.5, "traveler_max_price": 0.5})"};
inline const hooks::Filter resolve_card_pricing{
    "svc_resolve_card_pricing",
    "3.0.0",
    "The same as rows of lists show it, after svc_resolve_display_pricing.",
    json::Kind::object,
    {"trip_id"},
    R"({"display_price": 0.5, "display_regular_price": 0.5, "price_prefix": "", "discount_percent": 1, "price_unit": "",
        "price_unit_label": "", "traveler_min_price": 0.5, "traveler_max_price": 0.5})"};
inline const hooks::Filter trip_loaded_with_relations{
    "svc_trip_loaded_with_relations",
    "3.0.0",
    "A trip with all that hangs on it, as it will be answered and filtered by; its id and slug stay.",
    json::Kind::object,
    {"trip_id"},
    R"({"title": "", "destinations": [{"id": 1, "name": "", "slug": "", "country_code": ""}],
        "activity_types": [{"id": 1, "name": "", "slug": ""}], "trip_category": [{"id": 1, "name": "", "slug": ""}],
        "difficulty": {"id": 1, "name": "", "slug": ""}, "difficulty_level": 1, "avg_rating": 0.5, "pricing_type": "",
        "price_types": [{"category_id": 1, "effective_price": 0.5}], "itinerary_days": [{"day_number": 1, "entries":
        [{"id": 1, "title": "", "charge": true, "cost": 0.5, "cost_per_person": true}]}]})"};
inline const hooks::Filter trip_revision_limit{"svc_trip_revision_limit",
                                               "3.0.0",
                                               "How many revisions of a trip are kept, the newest; 0 keeps all.",
                                               json::Kind::number,
                                               {"trip_id"}};

// What the routes of staff write a trip from, stage by stage. What a listener makes of it is looked at like what a
// client has sent; where it is not fit to be written it is as if nobody had been asked.
inline const hooks::Filter trip_create_raw_data{
    "svc_trip_create_raw_data", "3.0.0", "The whole body that a trip is made of.", json::Kind::object, {}};
inline const hooks::Filter trip_create_sanitized_data{
    "svc_trip_create_sanitized_data",
    "3.0.0",
    "The fields of the new trip itself, after svc_trip_create_raw_data.",
    json::Kind::object,
    {}};
inline const hooks::Filter trip_create_relationships{
    "svc_trip_create_relationships",
    "3.0.0",
    "What hangs on the new trip, as far as it was sent: classifications, pictures, days, attributes and the like.",
    json::Kind::object,
    {}};
inline const hooks::Filter trip_update_raw_data{
    "svc_trip_update_raw_data", "3.0.0", "The whole body that changes a trip.", json::Kind::object, {"trip_id"}};
inline const hooks::Filter trip_update_sanitized_data{"svc_trip_update_sanitized_data",
                                                      "3.0.0",
                                                      "The changed fields of the trip itself, after"
                                                      " svc_trip_update_raw_data.",
                                                      json::Kind::object,
                                                      {"trip_id"}};
inline const hooks::Filter trip_update_relationships{"svc_trip_update_relationships",
                                                     "3.0.0",
                                                     "What hangs on the trip, as far as it was sent.",
                                                     json::Kind::object,
                                                     {"trip_id"}};
inline const hooks::Filter trip_prepare_item{
    "svc_trip_prepare_item_for_response",
    "3.0.0",
    "A trip as staff are answered, in lists too; its id and slug stay. The request is an object with method and path.",
    json::Kind::object,
    {"trip_id", "request"}};

// The public list. Must not wait: it is answered from memory, on the threads that read requests.
inline const hooks::Filter is_trip_listing{
    "svc_is_trip_listing",
    "3.0.0",
    "Whether a request of the public list is the trip listing; of one that is not, the other filters of listings are"
    " not asked.",
    json::Kind::boolean,
    {"query"}};
inline const hooks::Filter listing_max_per_page{
    "svc_trip_listing_max_per_page",
    "3.0.0",
    "How many trips a page of the listing has at most; an answer that is no whole number from 1 to 100 is ignored.",
    json::Kind::number,
    {"query"}};
inline const hooks::Filter listing_filters{"svc_trip_listing_filters",
                                           "3.0.0",
                                           "What the listing is asked for, by the names of its parameters; an answer"
                                           " that a client could not have asked for is ignored.",
                                           json::Kind::object,
                                           {}};
inline const hooks::Filter listing_context{
    "svc_trip_listing_context",
    "3.0.0",
    "What the answer's meta says besides its pages; page, per_page, total and total_pages stay.",
    json::Kind::object,
    {"query"}};
inline const hooks::Filter listing_nonce{"svc_listing_nonce",
                                         "3.0.0",
                                         "What the pages of a theme send back with their own requests; told as `nonce`"
                                         " in the answer's meta, unless it is empty, as it is by itself: the listing"
                                         " takes no writes.",
                                         json::Kind::string,
                                         {"query"}};
inline const hooks::Filter listing{
    "svc_trip_listing", "3.0.0",   "The trips of one page of the listing; the pages and the total stay.",
    json::Kind::array,  {"query"}, R"([{}])"};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action :
         {&trip_created, &trip_created_with_relations, &trip_updated, &trip_updated_with_relations, &trip_deleted})
        hooks.declare(*action);
    hooks.declare(trip_display_price);
    hooks.declare(price_unit_label);
    hooks.declare(trip_loaded_with_relations);
    hooks.declare(trip_revision_limit);
    for (const auto* filter :
         {&trip_create_raw_data, &trip_create_sanitized_data, &trip_create_relationships, &trip_update_raw_data,
          &trip_update_sanitized_data, &trip_update_relationships, &trip_prepare_item, &is_trip_listing,
          &listing_max_per_page, &listing_filters, &listing_context, &listing_nonce, &listing, &resolve_pricing_type,
          &resolve_price_types, &resolve_effective_price, &resolve_discount_info, &resolve_display_pricing,
          &resolve_card_pricing})
        hooks.declare(*filter);
}

}  // namespace svc::catalog::trips
