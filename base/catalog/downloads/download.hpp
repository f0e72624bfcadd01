// Files that travelers of a trip may fetch, and who each of them is for.
#pragma once

#include "shared/record/record.hpp"

namespace svc::catalog::downloads {

inline constexpr std::size_t most_downloads = 50;  // of a trip

enum class Visibility : std::uint8_t { public_, logged_in, booked_only };
inline constexpr std::string_view visibilities[] = {"public", "logged_in", "booked_only"};
inline std::string_view name_of(Visibility visibility) { return visibilities[static_cast<std::size_t>(visibility)]; }

struct Download {
    std::int64_t id = 0, trip_id = 0, media_id = 0;
    std::string title = {}, description = {}, category = {};
    Visibility visibility = Visibility::booked_only;
    bool is_active = true;
    std::int64_t download_count = 0, sort_order = 0;
    Instant created_at = {}, updated_at = {};
    // Of the file, when read.
    std::string file_name = {}, mime_type = {};
    std::int64_t file_size = 0;
    std::string url = {};  // of the link; set by the code that shows the download
};
const record::Record<Download>& download_record();

enum class Action : std::uint8_t { download, preview };
inline std::string_view name_of(Action action) { return action == Action::preview ? "preview" : "download"; }

}  // namespace svc::catalog::downloads
