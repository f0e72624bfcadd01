// A trip of the former plugins with its days and pictures as fields; for the sources of this folder alone.
#pragma once

#include "base/data/wordpress_import/kinds.hpp"

namespace svc::wordpress_import {

std::string slug_of(const Item& item);
// The kind of a taxonomy's terms; empty: none of ours.
std::string_view kind_of_taxonomy(std::string_view taxonomy);
// WP Travel Engine stores the settings of a trip in one meta.
json::Value engine_settings(const Item& item);
// Returns the address of a picture: of the attachment with this number, or the text itself. Empty unless it is http(s).
std::string picture_address(const std::string& stored, const References& references);

// Adds the trip with its prices, dates, days, pictures and reviews.
void add_trip(const Item& item, const References& references, std::vector<StagedRecord>& all, LeftOut& left);

// Adds prices by traveler category, or departures, of the trip with that slug.
void add_prices(std::vector<json::Value> prices, const std::string& trip, std::vector<StagedRecord>& all,
                LeftOut& left);
void add_dates(std::vector<json::Value> dates, const std::string& trip, const std::string& seats,
               std::vector<StagedRecord>& all);

// Adds a sentence for the job's list to a record.
void add_remark(json::Value& fields, const std::string& sentence);

}  // namespace svc::wordpress_import
