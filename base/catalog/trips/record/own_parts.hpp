// The parts of a trip that are stored in their own tables.
#pragma once

#include <functional>
#include <string>

#include "base/catalog/trips/record/part.hpp"

namespace svc::catalog::trips {

// Where a picture is found, by its number.
struct Pictures {
    std::function<std::string(std::int64_t media_id)> url, thumbnail_url;
    // The picture's srcset for <img>, {jpeg, webp}, from svc_media.sizes; null without copies.
    std::function<json::Value(std::int64_t media_id, const std::string& sizes)> srcset = [](auto, const auto&) {
        return json::Value();
    };
};

// destinations, activity_types, trip_category; written as ids, the first is the primary one, or as answered.
Parts link_parts();
// difficulty: the level that the trip's difficulty_level names.
std::shared_ptr<const Part> difficulty_part();
// highlights, their details, faqs.
Parts text_parts();
// gallery_images, featured_image_url and featured_image_srcset.
Parts picture_parts(const Pictures& pictures);

// All of them, then those of other features.
Parts own_parts(const Pictures& pictures, const Parts& of_others = {});

}  // namespace svc::catalog::trips
