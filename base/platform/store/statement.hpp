// A prepared statement of one session: values in, rows out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "shared/store/store.hpp"

namespace svc::store {

// Belongs to one session and thread at a time. The driver's errors are thrown as soci::soci_error.
class Statement {
  public:
    Statement() = default;
    virtual ~Statement() = default;
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    // A value that is not NULL, by its place among those; it must stay as it is until end().
    virtual void bind(std::size_t index, const Cell& value) = 0;

    // Runs it; returns whether there are rows. fetch() reads the next ones.
    virtual bool execute() = 0;
    virtual bool fetch() = 0;
    virtual void hand_out(const std::function<void(const Row&)>& take) = 0;
    // Runs it, at the latest with the next statement of the session that is waited for.
    virtual void postpone() { execute(); }
    [[nodiscard]] virtual std::int64_t affected() = 0;
    // Columns that it really has, after it ran.
    [[nodiscard]] virtual std::size_t column_count() = 0;
    // However its rows were left: it holds no lock afterwards.
    virtual void end() noexcept = 0;
    // Whether it can be used again after it failed.
    [[nodiscard]] virtual bool survives() const { return false; }

    bool busy = false;        // its rows are being read
    std::uint64_t used = 0;   // the session's tick of its last use
    std::string kinds, into;  // its key, NULLs included
};

}  // namespace svc::store
