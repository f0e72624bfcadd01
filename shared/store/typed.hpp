// Reads of few columns by their C++ types, in the order of the SELECT list: aggregates and joins that are no record.
//
//     for (const auto& [id, name] : store::tuples<std::int64_t, std::string>(session, sql, params))
//
// The types of cells are those of read_rows.hpp, which calls back with each row's.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "shared/store/read_rows.hpp"

namespace svc::store {

template <class... Cells>
constexpr std::array<char, sizeof...(Cells)> cell_types{detail::Read<Cells>::cell...};
template <class... Cells>
Columns columns_of() {
    return {cell_types<Cells...>.data(), sizeof...(Cells)};
}
template <class... Cells, std::size_t... At>
std::tuple<Cells...> tuple_in(const Row& row, std::index_sequence<At...>) {
    return std::tuple<Cells...>{detail::Read<Cells>::from(row, At)...};
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
    session.each(sql, columns_of<T>(), params, [&](const Row& row) { rows.push_back(detail::Read<T>::from(row, 0)); });
    return rows;
}
// Of the first row; nothing without one and for NULL.
template <class T>
std::optional<T> value(Session& session, std::string_view sql, const Params& params) {
    auto rows = values<std::optional<T>>(session, sql, params);
    return rows.empty() ? std::nullopt : std::move(rows.front());
}

}  // namespace svc::store
