// The two columns of a place, for the records that have one.
#pragma once

#include "base/catalog/trips/record/place.hpp"
#include "shared/record/column.hpp"

namespace svc::catalog::trips {

// `<which>_latitude` and `<which>_longitude`, both NULL where there is no place. `place` is a member of T or of a base.
template <class T, auto place>
record::Entry<T> place_columns(const std::string& which) {
    using Angle = std::optional<std::int64_t>;
    auto columns = record::converted<T, Angle>(
        which + "_latitude",
        [](const T& record) { return record.*place ? Angle((record.*place)->latitude.e7) : std::nullopt; },
        [](T& record, Angle e7) {
            record.*place = e7 ? std::optional(Place{{*e7}, {}}) : std::nullopt;
        },
        api::integer(), record::hidden);
    auto longitude = record::converted<T, Angle>(
        which + "_longitude",
        [](const T& record) { return record.*place ? Angle((record.*place)->longitude.e7) : std::nullopt; },
        [](T& record, Angle e7) {
            if (record.*place && e7)
                (record.*place)->longitude = {*e7};
            else
                (record.*place).reset();
        },
        api::integer(), record::hidden);
    columns.columns.push_back(std::move(longitude.columns.front()));
    return columns;
}

}  // namespace svc::catalog::trips
