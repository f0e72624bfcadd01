// The statements of a table's rows, assembled once at start from their declaration. Works on untyped records; rows.hpp
// is its typed interface, wire.hpp their JSON.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/record/column.hpp"
#include "shared/record/orders.hpp"

namespace svc::record {

// A record of a type that only its declaration knows.
using Any = std::shared_ptr<void>;

// The condition for the filter of that name; `:name` is its value.
struct Condition {
    std::string name, sql;
};

// Encrypts the fields marked `sealed`. `bound_to` is "table.column".
struct Sealer {
    std::function<std::string(std::string_view text, std::string_view bound_to)> seal;
    std::function<std::string(std::string_view sealed, std::string_view bound_to)> open;
};

// What keeps lists of many rows fast. No answer depends on it.
struct Tuning {
    // The FTS5 table of SQLite that finds rows by any three letters of the search column; rows after the last one that
    // it holds are read one by one. On PostgreSQL an index of svc_grams_of(search) does; see
    // migrations/base/0121_list_speed.sql. Empty: a search reads every row.
    std::string grams = {};
    bool tallied = false;  // svc_row_tallies counts the rows by status
};

struct Layout {
    std::string table;           // "svc_enquiries"; every table has an `id`
    std::string component = {};  // of a Record: its name in OpenAPI, "Enquiry"
    std::string joins = {};
    std::string where = {};          // narrows every read but those of select(): "r.type = 'item'"
    std::string search_column = {};  // holds the text that search_key() folds; empty: the list has no search
    std::string searched = {};       // SQL that is searched in place of that column, over `r`
    Tuning tuning = {};
    std::vector<Sort> sorts = {};   // over `r`, besides the fields marked `sortable`
    std::string default_sort = {};  // empty: the first of the fields
    std::vector<Condition> conditions = {};
    std::string hidden_status = "trash";  // left out of lists that name no status
    std::string place = {};               // the integer field that a reorder writes
    // Reads members that are in other tables, for all the records of one read at once.
    std::function<void(store::Session&, const std::vector<Any>&)> read_more = {};
    Sealer sealer = {};
};

struct Query {
    std::string status = {};  // empty and "all": all but the hidden one
    std::string search = {};
    std::optional<std::vector<std::int64_t>> found = {};            // by Table::find_words(), in place of `search`
    std::vector<std::pair<std::string, store::Cell>> filters = {};  // by the names of the conditions
    std::optional<Instant> from = {}, to = {};                      // of created_at; `to` is exclusive
    std::string order_by = {};                                      // one of sort_keys(); others sort as the first
    bool ascending = false;
    std::int64_t limit = 20, offset = 0;
};

// The records whose `column` is one of many ids, in one statement for each database.
struct IdStatement {
    std::string sqlite, postgresql;
};

// The writing user and the time.
struct Writer {
    std::optional<std::int64_t> user_id = {};
    Instant now = {};
};

// Immutable after the start: any thread. Throws std::logic_error for a declaration that contradicts itself.
class Table {
  public:
    struct Type {
        std::function<Any()> make;
        std::function<Any(const void*)> copy;
    };
    Table(Layout layout, std::vector<Column> columns, Type type);
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
    [[nodiscard]] const Column* find_column(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const { return find_column(name) != nullptr; }
    [[nodiscard]] std::vector<std::string> sort_keys() const;     // the default first
    [[nodiscard]] std::vector<std::string> statuses() const;      // of the field `status`
    [[nodiscard]] std::vector<std::string> list_columns() const;  // the fields `in_lists`, in order
    [[nodiscard]] Any make() const { return type_.make(); }
    [[nodiscard]] Any copy(const void* record) const { return type_.copy(record); }

    // SQL. `clause` is a constant: "WHERE r.code = :code".
    [[nodiscard]] const std::string& select() const { return select_; }
    [[nodiscard]] std::string select(std::string_view clause) const;
    // The record's fields, which read_row() reads, and further columns, from where `r` is one of several tables:
    // "b.status", "FROM svc_bookings b LEFT JOIN svc_payments r ON r.booking_id = b.id".
    [[nodiscard]] std::string select_with(std::string_view more, std::string_view from) const;
    // "r.trip_id", "ORDER BY r.trip_id, r.id"
    [[nodiscard]] IdStatement select_of(std::string_view column, std::string_view tail) const;
    // The columns of select() as a write returns them, unqualified: a record with joins or expressions over `r` has
    // none. `statement` is a constant, or made by plain_insert_statement(conflict).
    [[nodiscard]] std::string returning(std::string_view statement) const;
    [[nodiscard]] store::Columns column_types() const { return column_types_; }
    [[nodiscard]] const std::string& insert_statement() const { return insert_; }
    // "ON CONFLICT (transaction_id) DO NOTHING"
    [[nodiscard]] std::string insert_statement(std::string_view conflict) const;
    // Without RETURNING, for returning().
    [[nodiscard]] std::string plain_insert_statement(std::string_view conflict) const;
    [[nodiscard]] const std::string& update_statement() const { return update_; }
    [[nodiscard]] const std::string& find_statement() const { return find_; }  // by `:id`
    [[nodiscard]] std::string list_statement(std::string_view key, bool ascending) const;
    [[nodiscard]] store::Params params_of(const void* record) const;
    [[nodiscard]] std::string search_text_of(const void* record) const;

    // Rows. `statement` was made by select(clause).
    [[nodiscard]] std::vector<Any> all(store::Session& session, std::string_view statement,
                                       const store::Params& params) const;
    [[nodiscard]] std::vector<Any> all_of(store::Session& session, const IdStatement& statement,
                                          std::span<const std::int64_t> ids) const;
    [[nodiscard]] Any find(store::Session& session, std::int64_t id) const;  // null: not found
    void read_row(const store::Row& row,
                  void* record) const;  // of select_with(), without members in tables of their own
    // The ids of the rows that hold the query's search text, by the index of its letters. Nothing where there is no
    // index, the text is shorter than three letters, or the rows are so many that reading all of them is as good.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> find_words(store::Session& session,
                                                                      const Query& query) const;
    [[nodiscard]] std::vector<Any> list(store::Session& session, const Query& query) const;
    [[nodiscard]] std::int64_t count(store::Session& session, const Query& query) const;
    [[nodiscard]] std::map<std::string, std::int64_t> count_by_status(store::Session& session) const;
    // Sets id, times, authors and version in `record` too.
    void insert(store::Transaction& tx, void* record, const Writer& writer) const;
    // By insert_statement(conflict). False: there is such a row already, and `record` has no id.
    bool insert_new(store::Transaction& tx, std::string_view statement, void* record, const Writer& writer) const;
    // False: the row does not exist or has another row_version than `record`. Increments the version in `record`.
    bool update(store::Transaction& tx, void* record, const Writer& writer) const;
    // Whether insert() and update() would store both alike.
    [[nodiscard]] bool is_stored_alike(const void* one, const void* other) const;
    bool remove(store::Transaction& tx, std::int64_t id) const;
    // Locks the row until the transaction ends; `for_deletion` also against new references.
    void lock(store::Transaction& tx, std::int64_t id, bool for_deletion) const;
    bool set_place(store::Transaction& tx, std::int64_t id, std::int64_t place, Instant now) const;
    // Folds the search texts of all rows by text::search_key, for rows that an earlier version wrote. Returns how many
    // rows changed; 0 for a record without search. A row that another transaction changes meanwhile stays as it is.
    std::int64_t fold_search(store::Transaction& tx) const;
    // Reports ids of linked fields that do not exist.
    void check_links(store::Session& session, const void* record, Faults& faults) const;

    // Members by their names; they throw std::logic_error for a name that is not declared with that type.
    [[nodiscard]] std::int64_t integer(const void* record, std::string_view name) const;
    [[nodiscard]] std::string text(const void* record, std::string_view name) const;
    void set_text(void* record, std::string_view name, std::string_view text) const;
    void set_instant(void* record, std::string_view name, std::optional<Instant> instant) const;
    void set_maybe_text(void* record, std::string_view name, std::optional<std::string> text) const;

  protected:
    // Whether records have members in other tables.
    [[nodiscard]] bool reads_more() const { return !links_.empty() || layout_.read_more; }

  private:
    struct LinkStatements {
        const Column* column;
        std::string read_sqlite, read_postgresql, remove, insert, known_sqlite, known_postgresql;
    };
    void check_declaration() const;
    void assemble();
    void assemble_lists();
    void assemble_links();
    [[nodiscard]] std::string where_of(const Query& query, store::Dialect dialect) const;
    [[nodiscard]] static store::Params conditions_of(const Query& query, store::Dialect dialect);
    void note_insert(void* record, const Writer& writer) const;
    [[nodiscard]] store::Cell cell_of(const Column& column, const void* record) const;
    void read_links(store::Session& session, const std::vector<Any>& records) const;
    void write_links(store::Transaction& tx, const void* record) const;
    template <class M>
    [[nodiscard]] M* member(void* record, std::string_view name) const;
    [[nodiscard]] std::string bound_to(const Column& column) const { return layout_.table + "." + column.stored; }

    Layout layout_;
    const std::vector<Column> columns_;
    const Type type_;
    std::string selected_, insert_new_;
    std::string select_, column_types_, insert_, update_, find_, count_, by_status_, remove_, place_, lock_;
    std::string search_texts_, fold_;                             // empty: the list has no search
    std::string found_sqlite_, since_sqlite_, found_postgresql_;  // empty: no index of letters
    std::string of_any_status_;                                   // the condition of a list that names no status
    std::optional<Orders> orders_;
    std::vector<LinkStatements> links_;
};

}  // namespace svc::record
