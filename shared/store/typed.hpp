// Reads of few columns by their C++ types, in the order of the SELECT list: aggregates and joins that are no record.
//
//     for (const auto& [id, name] : store::tuples<std::int64_t, std::string>(session, sql, params))
//
// A cell is an std::int64_t, int, bool, std::string, Instant, Date, Rate, or an std::optional of one (NULL).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "shared/core/money.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

template <class T>
struct CellOf;
template <>
struct CellOf<std::int64_t> {
    static constexpr char type = 'i';
    static std::int64_t read(const Row& row, std::size_t at) { return row.integer(at); }
};
template <>
struct CellOf<int> {
    static constexpr char type = 'i';
    static int read(const Row& row, std::size_t at) { return static_cast<int>(row.integer(at)); }
};
template <>
struct CellOf<bool> {
    static constexpr char type = 'i';
    static bool read(const Row& row, std::size_t at) { return row.flag(at); }
};
template <>
struct CellOf<Instant> {
    static constexpr char type = 'i';
    static Instant read(const Row& row, std::size_t at) { return row.instant(at); }
};
template <>
struct CellOf<Rate> {
    static constexpr char type = 'i';
    static Rate read(const Row& row, std::size_t at) { return {row.integer(at)}; }
};
template <>
struct CellOf<std::string> {
    static constexpr char type = 't';
    static std::string read(const Row& row, std::size_t at) { return row.text(at); }
};
template <>
struct CellOf<Date> {
    static constexpr char type = 't';
    static Date read(const Row& row, std::size_t at) { return row.date(at); }
};
template <class T>
struct CellOf<std::optional<T>> {
    static constexpr char type = CellOf<T>::type;
    static std::optional<T> read(const Row& row, std::size_t at) {
        return row.is_null(at) ? std::nullopt : std::optional<T>(CellOf<T>::read(row, at));
    }
};

template <class... Cells>
constexpr std::array<char, sizeof...(Cells)> cell_types{CellOf<Cells>::type...};
template <class... Cells>
Columns columns_of() {
    return {cell_types<Cells...>.data(), sizeof...(Cells)};
}
template <class... Cells, std::size_t... At>
std::tuple<Cells...> tuple_in(const Row& row, std::index_sequence<At...>) {
    return std::tuple<Cells...>{CellOf<Cells>::read(row, At)...};
}
template <class... Cells>
std::tuple<Cells...> tuple_in(const Row& row) {
    return tuple_in<Cells...>(row, std::index_sequence_for<Cells...>());
}

// All rows, in order.
template <class... Cells>
std::vector<std::tuple<Cells...>> tuples(Session& session, std::string_view sql, const Params& params = {}) {
    std::vector<std::tuple<Cells...>> rows;
    session.each(sql, columns_of<Cells...>(), params, [&](const Row& row) { rows.push_back(tuple_in<Cells...>(row)); });
    return rows;
}
template <class... Cells>
std::vector<std::tuple<Cells...>> tuples_of(Session& session, const ByIds& statement,
                                            std::span<const std::int64_t> ids) {
    std::vector<std::tuple<Cells...>> rows;
    each_of(session, statement, columns_of<Cells...>(), ids,
            [&](const Row& row) { rows.push_back(tuple_in<Cells...>(row)); });
    return rows;
}
// The first row.
template <class... Cells>
std::optional<std::tuple<Cells...>> tuple(Session& session, std::string_view sql, const Params& params) {
    auto rows = tuples<Cells...>(session, sql, params);
    return rows.empty() ? std::nullopt : std::optional(std::move(rows.front()));
}

// The same as structs with these members, in the struct's order.
template <class T, class... Cells>
std::vector<T> structs(Session& session, std::string_view sql, const Params& params = {}) {
    std::vector<T> rows;
    session.each(sql, columns_of<Cells...>(), params,
                 [&](const Row& row) { rows.push_back(std::make_from_tuple<T>(tuple_in<Cells...>(row))); });
    return rows;
}
template <class T, class... Cells>
std::optional<T> first_struct(Session& session, std::string_view sql, const Params& params) {
    auto rows = structs<T, Cells...>(session, sql, params);
    return rows.empty() ? std::nullopt : std::optional(std::move(rows.front()));
}

// Statements of one column.
template <class T>
std::vector<T> values(Session& session, std::string_view sql, const Params& params = {}) {
    std::vector<T> rows;
    session.each(sql, columns_of<T>(), params, [&](const Row& row) { rows.push_back(CellOf<T>::read(row, 0)); });
    return rows;
}
// Of the first row; nothing without one and for NULL.
template <class T>
std::optional<T> value(Session& session, std::string_view sql, const Params& params) {
    auto rows = values<std::optional<T>>(session, sql, params);
    return rows.empty() ? std::nullopt : std::move(rows.front());
}
// "SELECT status, COUNT(*) … GROUP BY status"
inline std::map<std::string, std::int64_t> counts(Session& session, std::string_view sql, const Params& params = {}) {
    std::map<std::string, std::int64_t> found;
    for (auto& [key, count] : tuples<std::string, std::int64_t>(session, sql, params))
        found[key] = count;
    return found;
}

}  // namespace svc::store
