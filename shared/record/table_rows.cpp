// Reads and writes a record's rows, and the ids in the tables that belong to them.
#include <algorithm>
#include <stdexcept>

#include "shared/core/text.hpp"
#include "shared/core/words.hpp"
#include "shared/record/table.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/like.hpp"

namespace svc::record {
namespace {

using Ids = std::vector<std::int64_t>;

Ids& linked_ids(const Column& column, void* record) {
    return *reinterpret_cast<Ids*>(static_cast<char*>(record) + column.offset);
}
const Ids& linked_ids(const Column& column, const void* record) {
    return *reinterpret_cast<const Ids*>(static_cast<const char*>(record) + column.offset);
}

// Before it is sealed.
store::Cell plain_cell(const Column& column, const void* record) {
    return column.cell ? column.cell(column, record) : column.codec->cell_of(column, record);
}

}  // namespace

template <class M>
M* Table::member(void* record, std::string_view name) const {
    const Column* column = find_column(name);
    if (!column)
        return nullptr;
    if (column->codec != &codec_for<M>())
        throw std::logic_error("Record " + layout_.table + ": " + std::string(name) + " has another type.");
    return reinterpret_cast<M*>(static_cast<char*>(record) + column->offset);
}

void Table::read_row(const store::Row& row, void* record) const {
    // Currencies first: amounts are read in them.
    for (const bool currencies : {true, false}) {
        std::size_t at = 0;
        for (const Column& column : columns_) {
            if (!column.is_selected())
                continue;
            if (column.is_currency() == currencies) {
                column.read ? column.read(column, record, row, at) : column.codec->read(column, record, row, at);
                if (column.is(Mark::sealed)) {
                    auto& text = *reinterpret_cast<std::string*>(static_cast<char*>(record) + column.offset);
                    if (!text.empty())
                        text = layout_.sealer.open(text, bound_to(column));
                }
            }
            ++at;
        }
    }
}

store::Cell Table::cell_of(const Column& column, const void* record) const {
    if (!column.codec)
        return column.show(record).text();
    store::Cell cell = plain_cell(column, record);
    if (column.is(Mark::null_if_empty) && cell == store::Cell{std::string()})
        return {};
    if (auto* text = std::get_if<std::string>(&cell); text && column.is(Mark::sealed) && !text->empty())
        *text = layout_.sealer.seal(*text, bound_to(column));
    return cell;
}

store::Params Table::params_of(const void* record) const {
    store::Params params;
    for (const Column& column : columns_)
        if (column.is_inserted() || column.name == "id")
            params.emplace_back(column.stored, cell_of(column, record));
    if (!layout_.search_column.empty())
        params.emplace_back(layout_.search_column, search_text_of(record));
    return params;
}

std::string Table::search_text_of(const void* record) const {
    std::string words;
    for (const Column& column : columns_)
        if (column.is(Mark::searched) && column.codec)
            if (const json::Value value = column.show ? column.show(record) : column.codec->json_of(column, record);
                !value.is_null())
                words += (words.empty() ? "" : "\n") + (value.is_string() ? value.text() : value.dump());
    return text::search_key(words);
}

std::int64_t Table::fold_search(store::Transaction& tx) const {
    if (search_texts_.empty())
        return 0;
    std::vector<std::pair<std::int64_t, std::string>> rows;
    tx.each(search_texts_, "it", {}, [&](const store::Row& row) { rows.emplace_back(row.integer(0), row.text(1)); });
    std::int64_t changed = 0;
    for (const auto& [id, before] : rows)
        if (const std::string folded = text::search_key(before); folded != before)
            changed += tx.run(fold_, {{"folded", folded}, {"id", id}, {"before", before}});
    return changed;
}

std::vector<Any> Table::all(store::Session& session, std::string_view statement, const store::Params& params) const {
    std::vector<Any> records;
    session.each(statement, column_types_, params, [&](const store::Row& row) {
        records.push_back(make());
        read_row(row, records.back().get());
    });
    read_links(session, records);
    if (layout_.read_more && !records.empty())
        layout_.read_more(session, records);
    return records;
}

std::vector<Any> Table::all_of(store::Session& session, const IdStatement& statement,
                               std::span<const std::int64_t> ids) const {
    if (ids.empty())
        return {};
    const bool sqlite = session.dialect() == store::Dialect::sqlite;
    return all(session, sqlite ? statement.sqlite : statement.postgresql,
               {{"ids", store::ids_text(session.dialect(), ids)}});
}

Any Table::find(store::Session& session, std::int64_t id) const {
    auto found = all(session, find_, {{"id", id}});
    return found.empty() ? nullptr : std::move(found.front());
}

store::Params Table::conditions_of(const Query& query, store::Dialect dialect) {
    store::Params params;
    if (!query.status.empty())
        params.emplace_back("status", query.status);
    if (query.found)
        params.emplace_back("found", store::ids_text(dialect, *query.found));
    else if (!query.search.empty())
        params.emplace_back("search", store::like_contains(text::search_key(query.search)));
    if (query.from)
        params.emplace_back("from", query.from->micros());
    if (query.to)
        params.emplace_back("to", query.to->micros());
    for (const auto& [name, value] : query.filters)
        params.emplace_back(name, value);
    return params;
}

std::optional<Ids> Table::find_words(store::Session& session, const Query& query) const {
    constexpr std::size_t most_found = 500, gram = 3;
    const std::string words = text::search_key(query.search);
    if (found_sqlite_.empty() || text::length(words) < gram)
        return std::nullopt;
    const bool sqlite = session.dialect() == store::Dialect::sqlite;
    std::string phrase = "\"";
    for (const char c : words)
        phrase += c == '"' ? std::string("\"\"") : std::string(1, c);
    const store::Params params{{"phrase", phrase + "\""},
                               {"words", words},
                               {"search", store::like_contains(words)},
                               {"most", static_cast<std::int64_t>(most_found + 1)}};
    Ids ids;
    const auto take = [&](const store::Row& row) { ids.push_back(row.integer(0)); };
    if (sqlite)
        session.each(since_sqlite_, "i", params, take);  // first: one that is indexed meanwhile is found twice
    session.each(sqlite ? found_sqlite_ : found_postgresql_, "i", params, take);
    return ids.size() <= most_found ? std::optional(std::move(ids)) : std::nullopt;
}

std::vector<Any> Table::list(store::Session& session, const Query& query) const {
    auto params = conditions_of(query, session.dialect());
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    // SQLite must not walk the index of the order past a hundred thousand rows to meet the few found: NOT INDEXED
    // leaves it their ids alone.
    const bool by_id = query.found && session.dialect() == store::Dialect::sqlite;
    const Head head{.sql = (by_id ? selected_ + " FROM " + layout_.table + " r NOT INDEXED" +
                                        (layout_.joins.empty() ? "" : " " + layout_.joins)
                                  : select_) +
                           where_of(query, session.dialect())};
    return all(session, orders_->page(head, query.order_by, query.ascending), params);
}

std::int64_t Table::count(store::Session& session, const Query& query) const {
    const bool of_status_alone =
        !query.found && query.search.empty() && !query.from && !query.to && query.filters.empty();
    if (!layout_.tuning.tallied || !of_status_alone)
        return session.number(count_ + where_of(query, session.dialect()), conditions_of(query, session.dialect()));
    const auto counts = count_by_status(session);
    std::int64_t all = 0;
    for (const auto& [status, records] : counts)
        if (query.status.empty() || query.status == "all" ? status != layout_.hidden_status : status == query.status)
            all += records;
    return all;
}

std::map<std::string, std::int64_t> Table::count_by_status(store::Session& session) const {
    std::map<std::string, std::int64_t> counts;
    for (const std::string& status : statuses())
        counts[status] = 0;
    session.each(by_status_, "ti", {}, [&](const store::Row& row) { counts[row.text(0)] = row.integer(1); });
    return counts;
}

void Table::note_insert(void* record, const Writer& writer) const {
    for (const char* name : {"created_at", "updated_at"})
        if (auto* time = member<Instant>(record, name))
            *time = writer.now;
    for (const char* name : {"created_by", "updated_by"})
        if (auto* user = member<std::optional<std::int64_t>>(record, name))
            *user = writer.user_id;
    if (auto* version = member<std::int64_t>(record, "row_version"))
        *version = 1;
}

void Table::insert(store::Transaction& tx, void* record, const Writer& writer) const {
    note_insert(record, writer);
    *member<std::int64_t>(record, "id") = tx.insert(insert_, params_of(record));
    write_links(tx, record);
}

bool Table::insert_new(store::Transaction& tx, std::string_view statement, void* record, const Writer& writer) const {
    note_insert(record, writer);
    const auto id =
        tx.first<std::int64_t>(statement, "i", params_of(record), [](const store::Row& row) { return row.integer(0); });
    if (!id)
        return false;
    *member<std::int64_t>(record, "id") = *id;
    write_links(tx, record);
    return true;
}

bool Table::update(store::Transaction& tx, void* record, const Writer& writer) const {
    if (auto* time = member<Instant>(record, "updated_at"))
        *time = writer.now;
    if (auto* user = member<std::optional<std::int64_t>>(record, "updated_by"))
        *user = writer.user_id;
    if (tx.run(update_, params_of(record)) == 0)
        return false;
    if (auto* version = member<std::int64_t>(record, "row_version"))
        ++*version;
    write_links(tx, record);
    return true;
}

bool Table::is_stored_alike(const void* one, const void* other) const {
    const auto is_alike = [&](const Column& column) {
        if (column.links)
            return linked_ids(column, one) == linked_ids(column, other);
        // Sealed texts as they are read: sealed twice they differ.
        return !column.codec || !column.is_inserted() || plain_cell(column, one) == plain_cell(column, other);
    };
    return std::all_of(columns_.begin(), columns_.end(), is_alike);
}

bool Table::remove(store::Transaction& tx, std::int64_t id) const { return tx.run(remove_, {{"id", id}}) > 0; }

void Table::lock(store::Transaction& tx, std::int64_t id, bool for_deletion) const {
    if (tx.dialect() == store::Dialect::postgresql)  // SQLite has one writer at a time
        tx.number(for_deletion ? lock_ + "UPDATE" : lock_ + "NO KEY UPDATE", {{"id", id}});
}

bool Table::set_place(store::Transaction& tx, std::int64_t id, std::int64_t place, Instant now) const {
    return tx.run(place_, {{"id", id}, {"place", place}, {"now", now}}) > 0;
}

void Table::read_links(store::Session& session, const std::vector<Any>& records) const {
    if (links_.empty() || records.empty())
        return;
    std::map<std::int64_t, std::vector<void*>> by_id;
    Ids ids;
    for (const Any& record : records) {
        const auto id = integer(record.get(), "id");
        by_id[id].push_back(record.get());
        ids.push_back(id);
    }
    for (const LinkStatements& link : links_)
        store::each_of(session, {link.read_sqlite, link.read_postgresql}, "ii", ids, [&](const store::Row& row) {
            for (void* record : by_id[row.integer(0)])
                linked_ids(*link.column, record).push_back(row.integer(1));
        });
}

void Table::write_links(store::Transaction& tx, const void* record) const {
    const auto id = integer(record, "id");
    for (const LinkStatements& link : links_) {
        Ids ids = linked_ids(*link.column, record);
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        tx.run(link.remove, {{"id", id}});
        for (const std::int64_t other : ids)
            tx.run(link.insert, {{"id", id}, {"other", other}});
    }
}

void Table::check_links(store::Session& session, const void* record, Faults& faults) const {
    for (const LinkStatements& link : links_) {
        const Ids& ids = linked_ids(*link.column, record);
        if (link.known_sqlite.empty() || ids.empty())
            continue;
        Ids known;
        store::each_of(session, {link.known_sqlite, link.known_postgresql}, "i", ids,
                       [&](const store::Row& row) { known.push_back(row.integer(0)); });
        for (const std::int64_t id : ids)
            if (std::find(known.begin(), known.end(), id) == known.end()) {
                faults.at(link.column->name,
                          "There is no {noun} {id}."_sentence.with("noun", Sentence::of(link.column->links->noun))
                              .with("id", id));
                break;
            }
    }
}

std::int64_t Table::integer(const void* record, std::string_view name) const {
    const Column* column = find_column(name);
    if (!column || column->codec != &codec_for<std::int64_t>())
        throw std::logic_error("Record " + layout_.table + ": it has no integer " + std::string(name) + ".");
    return *reinterpret_cast<const std::int64_t*>(static_cast<const char*>(record) + column->offset);
}

std::string Table::text(const void* record, std::string_view name) const {
    const Column* column = find_column(name);
    if (!column || !column->codec)
        throw std::logic_error("Record " + layout_.table + ": it has no " + std::string(name) + ".");
    const json::Value value = column->codec->json_of(*column, record);
    return value.is_null() ? std::string() : value.text();
}

void Table::set_text(void* record, std::string_view name, std::string_view text) const {
    const Column* column = find_column(name);
    if (!column || !column->codec)
        throw std::logic_error("Record " + layout_.table + ": it has no " + std::string(name) + ".");
    column->codec->take(*column, record, json::Value(text));
}

void Table::set_instant(void* record, std::string_view name, std::optional<Instant> instant) const {
    if (auto* time = member<std::optional<Instant>>(record, name))
        *time = instant;
}

void Table::set_maybe_text(void* record, std::string_view name, std::optional<std::string> text) const {
    if (auto* value = member<std::optional<std::string>>(record, name))
        *value = std::move(text);
}

}  // namespace svc::record
