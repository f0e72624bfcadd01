// Statements on svc_classifications, and on what refers to it.
#pragma once

#include <span>
#include <vector>

#include "base/catalog/classifications/record.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::classifications::rows {

std::optional<Record> find(store::Session& session, Type type, std::int64_t id);
// Nobody else changes or refers to the row until the transaction ends.
void lock(store::Transaction& tx, std::int64_t id);
// One change of a type's tree at a time.
void lock_tree(store::Transaction& tx, Type type);

std::vector<Record> list(store::Session& session, const Query& query);
std::int64_t count(store::Session& session, const Query& query);
// Those of a tree that are not at its top, in the query's order and of its status.
std::vector<Record> below(store::Session& session, const Query& query);
Counts counts(store::Session& session, Type type);
std::int64_t number_of(store::Session& session, Type type);
std::int64_t highest_order(store::Session& session, Type type);
// Published ones by name.
std::vector<std::pair<std::int64_t, std::string>> names(store::Session& session, Type type, int most);

bool slug_taken(store::Session& session, Type type, const std::string& slug, std::int64_t own);
std::string free_slug(store::Session& session, Type type, const std::string& wished, std::int64_t own);

std::int64_t insert(store::Transaction& tx, const Classification& row);
bool update(store::Transaction& tx, const Classification& row);  // false: another version by now
void set_level(store::Transaction& tx, std::int64_t id, std::int64_t level);
bool set_order(store::Transaction& tx, Type type, std::int64_t id, std::int64_t sort_order, Instant now);
// The entries of itineraries that name an item are of its type.
void move_entries(store::Transaction& tx, std::int64_t item_id, std::int64_t item_type_id, Instant now);
void remove(store::Transaction& tx, std::int64_t id);
std::vector<std::int64_t> children(store::Session& session, std::int64_t id);

// Fills in what each has of the gallery's rows.
void read_galleries(store::Session& session, std::vector<Record>& records);
bool has_picture(store::Session& session, std::int64_t id);  // one that everyone may see

// Who refers to it: trips, items, entries, children. At most `most` of them by name.
Users users_of(store::Session& session, const Classification& row, int most);

}  // namespace svc::catalog::classifications::rows
