// Actions of trips, and filters for their display.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::catalog::trips {

inline const hooks::Action trip_created{"svc_trip_created", "A trip was created. Not fired for updates.", {"trip_id"}};
inline const hooks::Action trip_created_with_relations{
    "svc_trip_created_with_relations", "A trip and its parts were created.", {"trip_id"}};
inline const hooks::Action trip_updated{
    "svc_trip_updated", "A trip was updated. Not fired when it is moved to the trash.", {"trip_id"}};
inline const hooks::Action trip_updated_with_relations{
    "svc_trip_updated_with_relations", "A trip and its parts were updated.", {"trip_id"}};
inline const hooks::Action trip_deleted{
    "svc_trip_deleted",
    "A trip is about to be moved to the trash or deleted permanently; passes the whole trip.",
    {"trip_id", "trip"}};

inline const hooks::Action trip_duplicated{
    "svc_trip_duplicated", "A trip was copied: trip_id is the copy's.", {"trip_id", "source_trip_id"}};

// These three run when a trip is loaded into memory, and for each trip that staff read; the last one not for rows of
// lists.
inline const hooks::Filter trip_display_price{"svc_trip_display_price",
                                              "A trip's displayed price in major units of its currency.",
                                              json::Kind::number,
                                              {"trip_id"}};
inline const hooks::Filter price_unit_label{
    "svc_price_unit_label",
    "The text beside a displayed price; price_type is null without traveler categories.",
    json::Kind::string,
    {"unit", "price_type"}};
// Parts of the displayed price, in this order, around svc_trip_display_price and svc_price_unit_label; they run with
// those and do not affect the price of bookings.
inline const hooks::Filter resolve_pricing_type{
    "svc_resolve_pricing_type",
    "A trip's displayed pricing type: regular or traveler_based; other results are ignored.",
    json::Kind::string,
    {"trip_id"}};
inline const hooks::Filter resolve_price_types{
    "svc_resolve_price_types",
    "The public prices by traveler category; the displayed price is chosen from their effective_price.",
    json::Kind::array,
    {"trip_id"},
    R"([{"category_id": 1, "effective_price": 0.5}])"};
inline const hooks::Filter resolve_effective_price{
    "svc_resolve_effective_price", "The price to pay, before svc_trip_display_price.", json::Kind::number, {"trip_id"}};
inline const hooks::Filter resolve_discount_info{
    "svc_resolve_discount_info",
    "The price before discount: regular_price, effective_price and "
    "discount_percent; changes of effective_price are ignored.",
    json::Kind::object,
    {"trip_id"},
    R"({"regular_price": 0.5, "effective_price": 0.5, "discount_percent": 1})"};
inline const hooks::Filter resolve_display_pricing{
    "svc_resolve_display_pricing",
    "All displayed price members of a trip's own page; applied last.",
    json::Kind::object,
    {"trip_id"},
    R"({"display_price": 0.5, "display_regular_price": 0.5, "price_prefix": "", "discount_percent": 1, "price_unit": "",
        "price_unit_label": "", "traveler_min_price": 0.5, "traveler_max_price": 0.5})"};
inline const hooks::Filter resolve_card_pricing{
    "svc_resolve_card_pricing",
    "Displayed price members of trips in lists, after svc_resolve_display_pricing.",
    json::Kind::object,
    {"trip_id"},
    R"({"display_price": 0.5, "display_regular_price": 0.5, "price_prefix": "", "discount_percent": 1, "price_unit": "",
        "price_unit_label": "", "traveler_min_price": 0.5, "traveler_max_price": 0.5})"};
inline const hooks::Filter trip_loaded_with_relations{
    "svc_trip_loaded_with_relations",
    "A trip with all its parts before it is returned or filtered; id and slug cannot be changed.",
    json::Kind::object,
    {"trip_id"},
    R"({"title": "", "destinations": [{"id": 1, "name": "", "slug": "", "country_code": ""}],
        "activity_types": [{"id": 1, "name": "", "slug": ""}], "trip_category": [{"id": 1, "name": "", "slug": ""}],
        "difficulty": {"id": 1, "name": "", "slug": ""}, "difficulty_level": 1, "avg_rating": 0.5, "pricing_type": "",
        "price_types": [{"category_id": 1, "effective_price": 0.5}], "itinerary_days": [{"day_number": 1, "entries":
        [{"id": 1, "title": "", "charge": true, "cost": 0.5, "cost_per_person": true}]}]})"};
inline const hooks::Filter trip_revision_limit{
    "svc_trip_revision_limit", "Number of revisions kept per trip; 0 keeps all.", json::Kind::number, {"trip_id"}};

// The body of staff's writes, stage by stage. A listener's result is validated like a client's body; an invalid one is
// ignored.
inline const hooks::Filter trip_create_raw_data{
    "svc_trip_create_raw_data", "The body of a request that creates a trip.", json::Kind::object, {}};
inline const hooks::Filter trip_create_sanitized_data{
    "svc_trip_create_sanitized_data",
    "The fields of the new trip itself, after svc_trip_create_raw_data.",
    json::Kind::object,
    {}};
inline const hooks::Filter trip_create_relationships{
    "svc_trip_create_relationships",
    "The parts sent with a new trip: classifications, pictures, itinerary, attributes and others.",
    json::Kind::object,
    {}};
inline const hooks::Filter trip_update_raw_data{
    "svc_trip_update_raw_data", "The body of a request that updates a trip.", json::Kind::object, {"trip_id"}};
inline const hooks::Filter trip_update_sanitized_data{"svc_trip_update_sanitized_data",
                                                      "The changed fields of the trip itself, after"
                                                      " svc_trip_update_raw_data.",
                                                      json::Kind::object,
                                                      {"trip_id"}};
inline const hooks::Filter trip_update_relationships{
    "svc_trip_update_relationships", "The parts sent with an update.", json::Kind::object, {"trip_id"}};
inline const hooks::Filter trip_prepare_item{
    "svc_trip_prepare_item_for_response",
    "A trip as returned to staff, also in lists; id and slug cannot be changed. request has method and path.",
    json::Kind::object,
    {"trip_id", "request"}};

// The public list. Must not wait: it is answered from memory, on the threads that read requests.
inline const hooks::Filter is_trip_listing{
    "svc_is_trip_listing",
    "Whether a request of the public list is the trip listing; for others, the filters of listings are"
    " not applied.",
    json::Kind::boolean,
    {"query"}};
inline const hooks::Filter listing_max_per_page{
    "svc_trip_listing_max_per_page",
    "Maximum trips per listing page; results other than integers from 1 to 100 are ignored.",
    json::Kind::number,
    {"query"}};
inline const hooks::Filter listing_filters{"svc_trip_listing_filters",
                                           "The listing's query parameters; results"
                                           " that a client could not send are ignored.",
                                           json::Kind::object,
                                           {}};
inline const hooks::Filter listing_context{
    "svc_trip_listing_context",
    "Members of the listing's meta; page, per_page, total and total_pages cannot be changed.",
    json::Kind::object,
    {"query"}};
inline const hooks::Filter listing_nonce{"svc_listing_nonce",
                                         "A value that a theme sends with its own requests; returned as `nonce`"
                                         " in the listing's meta, unless empty (the default): the listing"
                                         " accepts no writes.",
                                         json::Kind::string,
                                         {"query"}};
inline const hooks::Filter listing{"svc_trip_listing",
                                   "The trips of a listing page; page and total cannot be changed.",
                                   json::Kind::array,
                                   {"query"},
                                   R"([{}])"};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action : {&trip_created, &trip_created_with_relations, &trip_updated, &trip_updated_with_relations,
                               &trip_deleted, &trip_duplicated})
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
