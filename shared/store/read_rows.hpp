// Rows as the parameters of a callable: a column's type and name are those of its parameter, so that no statement needs
// a list of types and no reader a column's number. For joins, aggregates and single columns; whole records have
// shared/record.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "shared/store/by_ids.hpp"

namespace svc::store {
namespace detail {

// The types of parameters: std::int64_t, int, bool, std::string, Instant, Date, ClockTime, and std::optional of them
// for columns that may be NULL.
template <class T>
struct Read {
    static constexpr char cell =
        std::is_same_v<T, std::string> || std::is_same_v<T, Date> || std::is_same_v<T, ClockTime> ? 't' : 'i';
    static decltype(auto) from(const Row& row, std::size_t at) {
        if constexpr (std::is_same_v<T, std::string>)
            return row.text(at);
        else if constexpr (std::is_same_v<T, Date>)
            return row.date(at);
        else if constexpr (std::is_same_v<T, ClockTime>)
            return ClockTime(ClockTime::parse(row.text(at)).value());  // value() of a temporary would dangle
        else if constexpr (std::is_same_v<T, Instant>)
            return row.instant(at);
        else if constexpr (std::is_same_v<T, bool>)
            return row.flag(at);
        else {
            static_assert(std::is_same_v<T, std::int64_t> || std::is_same_v<T, int>, "no column has this type");
            return static_cast<T>(row.integer(at));
        }
    }
};
template <class T>
struct Read<std::optional<T>> {
    static constexpr char cell = Read<T>::cell;
    static std::optional<T> from(const Row& row, std::size_t at) {
        return row.is_null(at) ? std::nullopt : std::optional<T>(Read<T>::from(row, at));
    }
};

template <class Signature>
struct Parameters;
template <class C, class R, class... P>
struct Parameters<R (C::*)(P...) const> {
    using Result = R;
    static constexpr char cells[] = {Read<std::decay_t<P>>::cell..., 0};
    static constexpr Columns columns{cells, sizeof...(P)};
    template <class Take>
    static R call(const Take& take, const Row& row) {
        return call(take, row, std::index_sequence_for<P...>{});
    }

  private:
    template <class Take, std::size_t... at>
    static R call(const Take& take, const Row& row, std::index_sequence<at...>) {
        return take(Read<std::decay_t<P>>::from(row, at)...);
    }
};
template <class Take>
using ParametersOf = Parameters<decltype(&Take::operator())>;

}  // namespace detail

// Calls `take` for each row; texts as const std::string&, which is valid during the call.
//     store::each_row(session, "SELECT id, name FROM svc_x", {}, [&](std::int64_t id, const std::string& name) { … });
template <class Take>
void each_row(Session& session, std::string_view sql, const Params& params, const Take& take) {
    using Of = detail::ParametersOf<Take>;
    session.each(sql, Of::columns, params, [&take](const Row& row) { Of::call(take, row); });
}
// The results of `make`, in the order of the rows.
template <class Make>
auto all_rows(Session& session, std::string_view sql, const Params& params, const Make& make) {
    using Of = detail::ParametersOf<Make>;
    std::vector<typename Of::Result> rows;
    session.each(sql, Of::columns, params, [&](const Row& row) { rows.push_back(Of::call(make, row)); });
    return rows;
}
template <class Make>
auto first_row(Session& session, std::string_view sql, const Params& params, const Make& make) {
    using Of = detail::ParametersOf<Make>;
    std::optional<typename Of::Result> first;
    session.each(sql, Of::columns, params, [&](const Row& row) {
        if (!first)
            first = Of::call(make, row);
    });
    return first;
}
// The one column of each row.
inline std::vector<std::int64_t> numbers(Session& session, std::string_view sql, const Params& params) {
    return all_rows(session, sql, params, [](std::int64_t number) { return number; });
}
// Of many ids; see by_ids.hpp.
template <class Take>
void each_row_of(Session& session, const ByIds& statement, std::span<const std::int64_t> ids, const Take& take,
                 Params params = {}) {
    using Of = detail::ParametersOf<Take>;
    each_of(
        session, statement, Of::columns, ids, [&take](const Row& row) { Of::call(take, row); }, std::move(params));
}

}  // namespace svc::store
