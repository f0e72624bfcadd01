// A table as the database's catalog describes it, read and written whole: for exports and imports, which carry every
// column. Statements are assembled from the catalog's names once per table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::record {

struct RawColumn {
    std::string name;
    char cell = 't';  // 'i' integer, 't' text
    bool nullable = true;
    bool is_key = false;  // of the primary key
};

// Any thread. A row is a JSON object of integers, texts and null by the columns' names.
class RawTable {
  public:
    // Without the columns of `left_out`. `condition` is a constant over the table's columns, or empty. Throws
    // std::logic_error for a table that does not exist.
    RawTable(store::Session& session, std::string name, const std::vector<std::string>& left_out = {},
             const std::string& condition = {});

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::vector<RawColumn>& columns() const { return columns_; }
    [[nodiscard]] const RawColumn* find(std::string_view column) const;
    [[nodiscard]] bool has_id() const { return has_id_; }
    [[nodiscard]] json::Value key_of(const json::Value& row) const;  // the columns of the primary key alone

    // Up to `most` rows in the order of the primary key, after that row; null: from the start.
    [[nodiscard]] std::vector<json::Value> page(store::Session& session, const json::Value& after,
                                                std::int64_t most) const;
    [[nodiscard]] std::int64_t count(store::Session& session) const;
    // The row with these values of columns, if there is one; the first of several.
    [[nodiscard]] std::optional<json::Value> find_by(store::Session& session, const std::vector<std::string>& columns,
                                                     const json::Value& row) const;
    [[nodiscard]] bool has_row(store::Session& session, std::int64_t id) const;

    // The fault of a row, a sentence; empty: its values are of the columns' kinds and none is missing that must be
    // there.
    [[nodiscard]] Sentence fault_of(const json::Value& row) const;
    // A row without fault; columns that it does not name have the table's defaults. With an `id` it gets that one.
    // Returns the id; 0 for a table without ids.
    std::int64_t insert(store::Transaction& tx, const json::Value& row) const;
    // Writes the columns that the row names, apart from the id.
    void update(store::Transaction& tx, std::int64_t id, const json::Value& row) const;
    std::int64_t remove_by(store::Transaction& tx, const std::string& column, std::int64_t value) const;
    // Reserves the ids up to that one for rows that bring their ids: rows that others insert get higher ids.
    void reserve_ids(store::Transaction& tx, std::int64_t highest) const;
    [[nodiscard]] std::int64_t highest_id(store::Session& session) const;

    // Inserts a row that names each column, unchanged, for a table that is filled completely. A later statement of the
    // transaction or its commit reports a failure.
    void put(store::Transaction& tx, const json::Value& row) const;
    // Deletes all rows, after setting the `blanked` columns to NULL.
    void clear(store::Transaction& tx, const std::vector<std::string>& blanked) const;
    // The last id that the table assigned, even if its row was deleted; 0 if there is none or the table has no ids.
    [[nodiscard]] std::int64_t last_id(store::Session& session) const;
    // Sets the next id to follow that one.
    void go_on_after(store::Transaction& tx, std::int64_t last) const;

  private:
    [[nodiscard]] json::Value read(const store::Row& row) const;
    [[nodiscard]] store::Params params_of(const json::Value& row) const;

    std::string name_, cells_, selected_, first_page_, next_page_, count_, put_;
    std::vector<RawColumn> columns_;
    std::vector<std::string> key_;
    bool has_id_ = false;
};

}  // namespace svc::record
