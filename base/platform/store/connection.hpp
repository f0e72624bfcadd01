// One session with a database: its prepared statements, its transaction, and whether it can still be used.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <soci/soci.h>

#include "base/platform/store/statement.hpp"
#include "base/platform/store/text.hpp"
#include "shared/core/by_text.hpp"
#include "shared/store/store.hpp"

namespace svc::store {

// Used by one thread at a time. Every failure leaves as an exception of shared/store/store.hpp; after one that
// makes the session useless broken() is true and its owner drops it, statements and all.
class Connection {
  public:
    virtual ~Connection() = default;
    [[nodiscard]] virtual Dialect dialect() const = 0;

    void each(std::string_view sql, Columns columns, const Params& params, const std::function<void(const Row&)>& take);
    std::int64_t run(std::string_view sql, const Params& params);
    // It may wait for the next one, or for the end of the transaction.
    void run_later(std::string_view sql, const Params& params);
    // Runs what waits.
    void settle();

    virtual void begin(Durability how) = 0;  // for writing
    virtual void begin_snapshot() = 0;       // for reading one state, to the rollback
    virtual void commit() = 0;               // returns only after the database confirmed the COMMIT
    virtual void rollback() = 0;
    // They nest; the innermost open one is meant.
    virtual void savepoint() = 0;
    virtual void release() = 0;
    virtual void rollback_to_savepoint() = 0;
    [[nodiscard]] virtual bool in_transaction() const = 0;

    [[nodiscard]] bool broken() const { return broken_; }

  protected:
    // Turns what SOCI threw into an exception of the contract and sets broken_ where the session is lost.
    [[noreturn]] virtual void fail(const soci::soci_error& error) = 0;
    // `bound` is the kinds of the values without NULLs. Throws soci::soci_error, and std::logic_error when the driver
    // would take only a part of the text.
    [[nodiscard]] virtual std::unique_ptr<Statement> prepare(const std::string& driver_text, std::string_view bound,
                                                             Columns columns) = 0;
    // The id of the last inserted row, where the database reports it for less than RETURNING costs.
    [[nodiscard]] virtual bool knows_new_id() const { return false; }
    [[nodiscard]] virtual std::int64_t new_id() { throw std::logic_error("this database returns no new id"); }

    // Declared in this order, so that statements end before their session.
    std::unique_ptr<soci::session> session_;
    bool broken_ = false;

    virtual void send_waiting() {}  // throws soci::soci_error

  private:
    struct Prepared {
        explicit Prepared(std::string_view sql) : text(sql) {}
        StatementText text;
        std::vector<std::unique_ptr<Statement>> variants;  // by the kinds of the values and the columns read
    };

    class Use;
    Statement& prepared(std::string_view sql, Columns columns, const Params& params);
    Statement& variant(Prepared& prepared, const std::string& kinds, Columns columns);
    void evict();
    void forget(std::string_view sql, const Statement& statement);

    ByText<Prepared> texts_;
    std::size_t prepared_count_ = 0;
    std::uint64_t tick_ = 0;
    // Of the statement being prepared, reused by the next one.
    std::vector<const Cell*> values_;  // those that are not NULL
    std::string kinds_;
};

}  // namespace svc::store
