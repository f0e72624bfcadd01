// Staged records of a former installation, in files next to those of tasks: one file a kind, a record a line.
#pragma once

#include <optional>

#include "base/data/wordpress_import/kinds.hpp"
#include "base/maintenance/feature.hpp"

namespace svc::wordpress_import {

// Any thread, one upload at a time.
class Staging {
  public:
    Staging(const Site& site, const maintenance::Tasks& tasks) : site_(site), tasks_(tasks) {}

    // Reads a WordPress export that was uploaded to `path`, and puts its records in the place of earlier ones; a file
    // that cannot be read leaves those. `after`: the last migration, which was of earlier ones. Returns how many
    // records of each kind it holds.
    Result<json::Value> stage(const std::string& path, std::int64_t after) const;
    // Adds the rows of a table that the export lacks, as one kind, before what the export has of it and in the place of
    // an earlier table. `tour_id`, `trip_id` and `booking_id` are numbers of the staged export.
    Result<json::Value> stage_table(const std::string& path, const std::string& kind, std::int64_t after) const;
    void clear() const;

    // {kind: total}.
    [[nodiscard]] json::Value totals() const;
    // {name: count} of the data that is not migrated.
    [[nodiscard]] json::Value left_out() const;
    // {code: number of bookings}.
    [[nodiscard]] json::Value currencies() const;
    // {kind: the last migration before it was staged}: later ones are of what is staged now.
    [[nodiscard]] json::Value migrations_before() const;

    [[nodiscard]] std::string file_of(std::string_view kind) const;
    // Where a trip with that slug, or a booking with that reference, begins in its file.
    using Places = std::unordered_map<std::string, std::int64_t>;
    [[nodiscard]] Places places_of(std::string_view kind) const;
    [[nodiscard]] std::optional<json::Value> record_at(std::string_view kind, std::int64_t place) const;

  private:
    [[nodiscard]] std::string path_of(std::string_view which, std::string_view kind) const;
    [[nodiscard]] json::Value read_state(const char* name) const;
    Result<void> write_state(const char* name, const json::Value& value) const;
    void remove_kinds(std::string_view which) const;
    void clear_but_fresh() const;
    Result<json::Value> read_export(const std::string& path, References& references, LeftOut& left) const;
    Result<json::Value> read_table(const std::string& path, const std::string& kind, LeftOut& left) const;

    const Site& site_;
    const maintenance::Tasks& tasks_;
};

inline constexpr json::Limits staged_limits{.depth = 32, .elements = 20'000, .text = 4 << 20};
inline constexpr std::size_t longest_row = 4 << 20;

}  // namespace svc::wordpress_import
