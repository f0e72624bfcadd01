// A whole installation as an archive of all its tables, users, password hashes and sealed secrets included, and such an
// archive into a fresh database of either kind (spec 4.11; for the command line alone).
#pragma once

#include <string>

#include "shared/core/progress.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::import_export {

inline constexpr const char* whole_format = "svc-everything";

// The facts about an archive's source besides its rows.
struct WholeSource {
    std::string mark;        // changes with each change of the database
    std::string key_prefix;  // of sealed values: the key file that opens them
    Instant now;
};

// Writes all rows that `session` sees into files of the folder. Continues files of the same mark, and begins again for
// another mark. Needs some megabytes of memory for any amount of data. Throws std::runtime_error with a sentence for
// the operator, also when it is stopped; the folder stays then.
void export_whole(store::Session& session, const WholeSource& source, const std::string& folder, Progress& progress);
// Makes the archive at `path` from the files; leaves an existing file as it is. Throws as above.
void pack_whole(const std::string& folder, const std::string& path, Progress& progress);

// The manifest of such an archive; null: the file is another one.
json::Value whole_manifest(const std::string& path);

// Fills a database of this release, which loses its data. `folder` takes the unpacked archive. Stores some hundred rows
// per transaction; the table svc_moving has the progress until the end, and the same archive continues from there.
// Throws as above; changes nothing before it has read the whole archive.
void import_whole(store::Store& store, const std::string& archive, const std::string& folder, Progress& progress);

// The enabled modules of such an archive: Pro creates their tables before the rows.
void import_modules(store::Store& store, const std::string& archive);

// The export of which an import of everything was interrupted; empty: none.
std::string moving_source(store::Session& session);
// Nothing that an import would take away: no user, trip, customer or booking.
bool is_empty_installation(store::Session& session);

}  // namespace svc::import_export
