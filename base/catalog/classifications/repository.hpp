// Statements on svc_classifications that its records do not have, and on what refers to it.
#pragma once

#include "base/catalog/classifications/record.hpp"
#include "shared/record/facts.hpp"

namespace svc::catalog::classifications::rows {

// One change of a type's tree at a time.
void lock_tree(store::Transaction& tx, Type type);
// Its level and its parents; empty when it does not exist.
struct Place {
    std::int64_t level = 0;
    std::optional<std::int64_t> parent_id;
};
std::optional<Place> place_of(store::Session& session, Type type, std::int64_t id);
void set_level(store::Transaction& tx, std::int64_t id, std::int64_t level);
std::vector<std::int64_t> children(store::Session& session, std::int64_t id);

std::int64_t number_of(store::Session& session, Type type);
std::int64_t highest_order(store::Session& session, Type type);
// Published ones by name.
std::vector<std::pair<std::int64_t, std::string>> names(store::Session& session, Type type, int most);

bool slug_exists(store::Session& session, Type type, const std::string& slug, std::int64_t own);
std::string free_slug(store::Session& session, Type type, const std::string& wished, std::int64_t own);

// The entries of itineraries that name an item are of its type.
void move_entries(store::Transaction& tx, std::int64_t item_id, std::int64_t item_type_id, Instant now);

// Reads the galleries of all of them.
void read_galleries(store::Session& session, const std::vector<record::Any>& records);
void write_gallery(store::Transaction& tx, const Classification& one);
bool has_picture(store::Session& session, std::int64_t id);  // one that everyone may see

// The records that refer to it: trips, items, entries, children. At most `most`, by name.
facts::Users users_of(store::Session& session, const Classification& row, int most);

}  // namespace svc::catalog::classifications::rows
