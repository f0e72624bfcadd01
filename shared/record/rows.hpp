// Rows of type T: declared once, one line per field; everything else about their storage follows from that.
#pragma once

#include <initializer_list>

#include "shared/record/amounts.hpp"
#include "shared/record/table.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::record {

// T is default-constructible and copyable; a struct that is not standard layout is fine. Rows are read and written by
// our code alone: what clients see of them and send is a Record. Declare rows in one function of the feature, as a
// static constant, or as a member where the declaration needs services; they are immutable afterwards and may be used
// by any thread.
template <class T>
class Rows : public Table {
  public:
    Rows(Layout layout, std::initializer_list<Entry<T>> entries)
        : Rows(std::move(layout), std::vector<Entry<T>>(entries)) {}
    Rows(Layout layout, const std::vector<Entry<T>>& entries)
        : Table(std::move(layout), flat(entries),
                {.make = [] { return std::static_pointer_cast<void>(std::make_shared<T>()); },
                 .copy =
                     [](const void* record) {
                         return std::static_pointer_cast<void>(std::make_shared<T>(*static_cast<const T*>(record)));
                     }}) {}

    [[nodiscard]] std::optional<T> find(store::Session& session, std::int64_t id) const {
        return first(session, find_statement(), {{"id", id}});
    }
    [[nodiscard]] std::vector<T> list(store::Session& session, const Query& query) const {
        return moved(Table::list(session, query));
    }
    // `statement` was made once by select(clause) or returning(write).
    [[nodiscard]] std::vector<T> all(store::Session& session, std::string_view statement,
                                     const store::Params& params = {}) const {
        if (reads_more())
            return moved(Table::all(session, statement, params));
        std::vector<T> rows;
        session.each(statement, column_types(), params,
                     [&](const store::Row& row) { read_row(row, &rows.emplace_back()); });
        return rows;
    }
    [[nodiscard]] std::vector<T> all_of(store::Session& session, const IdStatement& statement,
                                        std::span<const std::int64_t> ids) const {
        if (ids.empty())
            return {};
        const bool sqlite = session.dialect() == store::Dialect::sqlite;
        return all(session, sqlite ? statement.sqlite : statement.postgresql,
                   {{"ids", store::ids_text(session.dialect(), ids)}});
    }
    [[nodiscard]] std::optional<T> first(store::Session& session, std::string_view statement,
                                         const store::Params& params) const {
        std::optional<T> found;
        if (reads_more()) {
            auto rows = all(session, statement, params);
            if (!rows.empty())
                found = std::move(rows.front());
            return found;
        }
        session.each(statement, column_types(), params, [&](const store::Row& row) {
            if (!found)
                read_row(row, &found.emplace());
        });
        return found;
    }
    // A row of select_with(), without members in tables of their own.
    [[nodiscard]] T read(const store::Row& row) const {
        T record;
        read_row(row, &record);
        return record;
    }
    void insert(store::Transaction& tx, T& record, const Writer& writer) const { Table::insert(tx, &record, writer); }
    bool insert_new(store::Transaction& tx, std::string_view statement, T& record, const Writer& writer) const {
        return Table::insert_new(tx, statement, &record, writer);
    }
    bool update(store::Transaction& tx, T& record, const Writer& writer) const {
        return Table::update(tx, &record, writer);
    }

  private:
    static std::vector<Column> flat(const std::vector<Entry<T>>& entries) {
        std::vector<Column> columns;
        for (const Entry<T>& entry : entries)
            columns.insert(columns.end(), entry.columns.begin(), entry.columns.end());
        return columns;
    }
    static std::vector<T> moved(std::vector<Any> records) {
        std::vector<T> typed;
        typed.reserve(records.size());
        for (const Any& record : records)
            typed.push_back(std::move(*static_cast<T*>(record.get())));
        return typed;
    }
};

}  // namespace svc::record
