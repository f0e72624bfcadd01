// The database for repositories: statements with named values, rows, transactions.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <variant>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/result.hpp"

namespace svc::store {

// A bound or read value: SQL NULL, a 64-bit integer (numbers, money, instants, flags 0/1) or text (UTF-8, no NUL).
using Cell = std::variant<std::monostate, std::int64_t, std::string>;

// A value bound by its name (`:name` in the statement). Dates go as YYYY-MM-DD, instants as microseconds.
struct Param {
    std::string_view name;
    Cell value;

    Param(std::string_view n, std::nullptr_t) : name(n) {}
    Param(std::string_view n, bool v) : name(n), value(std::int64_t{v ? 1 : 0}) {}
    Param(std::string_view n, int v) : name(n), value(std::int64_t{v}) {}
    Param(std::string_view n, std::int64_t v) : name(n), value(v) {}
    Param(std::string_view n, const char* v) : name(n), value(std::string(v)) {}
    Param(std::string_view n, std::string v) : name(n), value(std::move(v)) {}
    Param(std::string_view n, std::string_view v) : name(n), value(std::string(v)) {}
    Param(std::string_view n, Date v) : name(n), value(v.text()) {}
    Param(std::string_view n, ClockTime v) : name(n), value(v.text()) {}
    Param(std::string_view n, Instant v) : name(n), value(v.micros()) {}
    Param(std::string_view n, Cell v) : name(n), value(std::move(v)) {}
    template <class T>
    Param(std::string_view n, const std::optional<T>& v) : name(n) {
        if (v)
            value = Param(n, *v).value;
    }
};
using Params = std::vector<Param>;

// One row, columns in the order of the SELECT list. Valid during the callback it is handed to.
class Row {
  public:
    virtual ~Row() = default;
    [[nodiscard]] virtual std::size_t size() const = 0;
    [[nodiscard]] virtual bool is_null(std::size_t column) const = 0;
    // Throw std::logic_error for NULL or the other type.
    [[nodiscard]] virtual std::int64_t integer(std::size_t column) const = 0;
    [[nodiscard]] virtual const std::string& text(std::size_t column) const = 0;

    [[nodiscard]] bool flag(std::size_t column) const { return integer(column) != 0; }
    [[nodiscard]] Instant instant(std::size_t column) const { return Instant::from_micros(integer(column)); }
    [[nodiscard]] Date date(std::size_t column) const { return Date::parse(text(column)).value(); }
    [[nodiscard]] std::optional<std::int64_t> maybe_integer(std::size_t c) const {
        return is_null(c) ? std::nullopt : std::optional(integer(c));
    }
    [[nodiscard]] std::optional<std::string> maybe_text(std::size_t c) const {
        return is_null(c) ? std::nullopt : std::optional(text(c));
    }
    [[nodiscard]] std::optional<Instant> maybe_instant(std::size_t c) const {
        return is_null(c) ? std::nullopt : std::optional(instant(c));
    }
    [[nodiscard]] std::optional<Date> maybe_date(std::size_t c) const {
        return is_null(c) ? std::nullopt : Date::parse(text(c));
    }
};

// The types of a statement's columns, declared beside the statement, because SOCI binds static types: 'i' integer, 't'
// text; "iit" is two integers, then a text. Any column may be NULL.
using Columns = std::string_view;

// Failures that are not expected. what() never holds SQL or bound values.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct Unavailable : Failure {
    using Failure::Failure;
};  // unreachable, full, failing or too busy: 503 with Retry-After
struct UniqueViolation : Failure {
    using Failure::Failure;
};  // what() names the constraint or table.column
struct ConstraintViolation : Failure {
    using Failure::Failure;
};  // CHECK, NOT NULL or foreign key
struct Retryable : Failure {
    using Failure::Failure;
};  // serialization, deadlock, busy: transact() runs it again

enum class Dialect : std::uint8_t { sqlite, postgresql };

// Runs statements. One statement per text; a `:name` may occur in it several times, and other values are ignored. Reads
// outside a transaction see the latest committed state; writes outside one throw std::logic_error.
class Session {
  public:
    virtual ~Session() = default;
    [[nodiscard]] virtual Dialect dialect() const = 0;
    // Calls `take` for each row; the statement may not be used again inside it.
    virtual void each(std::string_view sql, Columns columns, const Params& params,
                      const std::function<void(const Row&)>& take) = 0;
    // INSERT, UPDATE, DELETE: rows affected.
    virtual std::int64_t run(std::string_view sql, const Params& params) = 0;

    // INSERT ... RETURNING id.
    std::int64_t insert(std::string_view sql, const Params& params);
    // The first row, read by `take`.
    template <class T>
    std::optional<T> first(std::string_view sql, Columns columns, const Params& params,
                           const std::function<T(const Row&)>& take) {
        std::optional<T> found;
        each(sql, columns, params, [&](const Row& row) {
            if (!found)
                found = take(row);
        });
        return found;
    }
    template <class T>
    std::vector<T> all(std::string_view sql, Columns columns, const Params& params,
                       const std::function<T(const Row&)>& take) {
        std::vector<T> rows;
        each(sql, columns, params, [&](const Row& row) { rows.push_back(take(row)); });
        return rows;
    }
    // A single integer such as COUNT(*); NULL and no row are 0.
    std::int64_t number(std::string_view sql, const Params& params);
};

// A session inside BEGIN ... COMMIT that writes. A failing statement ends the transaction, or the innermost attempt, on
// both databases: nothing runs there after it and swallowing it is a Failure. Use after_commit for work after the
// transaction is durable.
class Transaction : public Session {
  public:
    // Runs on the committing thread after COMMIT has returned and never when it rolled back.
    virtual void after_commit(std::function<void()> then) = 0;
    // A part that may fail without failing the whole: a savepoint, rolled back when `part` returns an error or throws.
    virtual Result<void> attempt(const std::function<Result<void>()>& part) = 0;
};

// The work of LastOfAll for the next transact<T>() of this thread; see last_of_all.hpp. Empty: none.
using LastWork = std::function<void(Transaction&, const void* value)>;
LastWork last_of(const std::type_info& type);

// The crashes that an acknowledged commit survives. A killed process loses nothing in either case. A crash of the
// machine or of the database server undoes no durable commit, nor any relaxed one that a durable one followed; the last
// relaxed ones may be undone, the newest first. So `relaxed` is for work that can be repeated without harm.
enum class Durability : std::uint8_t { durable, relaxed };

// A database. Any thread; each call leases a session for its length (503 when none is free in time).
class Store {
  public:
    virtual ~Store() = default;
    [[nodiscard]] virtual Dialect dialect() const = 0;

    // Reads, each statement by itself.
    virtual void read(const std::function<void(Session&)>& work) = 0;

    // Runs `work` in a transaction: committed when it returns success, rolled back when it returns an error or
    // throws. Returns only after the commit is durable and its outcome was checked. `work` may run more than
    // once (Retryable) and, on SQLite, on another thread together with other writers' work before one commit,
    // so it touches nothing but the transaction and what it captured. It must not wait for anything else.
    virtual Result<void> write(const std::function<Result<void>(Transaction&)>& work) = 0;
    // The same with Durability::relaxed, where the store knows it; else it is durable.
    virtual Result<void> write_relaxed(const std::function<Result<void>(Transaction&)>& work) { return write(work); }

    template <class T>
    T reading(const std::function<T(Session&)>& work) {
        std::optional<T> answer;
        read([&](Session& session) { answer = work(session); });
        return std::move(answer).value();
    }
    template <class T>
    Result<T> transact(const std::function<Result<T>(Transaction&)>& work, Durability how = Durability::durable) {
        std::optional<Result<T>> answer;
        const auto run = [&, last = last_of(typeid(T))](Transaction& tx) -> Result<void> {
            answer.emplace(work(tx));
            if (!*answer)
                return answer->error();
            if (last)
                last(tx, &**answer);
            return {};
        };
        SVC_RETURN_IF_ERROR(how == Durability::durable ? write(run) : write_relaxed(run));
        return std::move(answer).value();
    }
};

}  // namespace svc::store
