// Keeps both databases to the same rules inside a transaction.
#include "base/platform/store/transaction.hpp"

#include <stdexcept>

#include "shared/core/log.hpp"

namespace svc::store {
namespace {

thread_local bool inside = false;

}  // namespace

void ReadSession::each(std::string_view sql, Columns columns, const Params& params,
                       const std::function<void(const Row&)>& take) {
    bool taken = false;
    try {
        lease_->each(sql, columns, params, [&](const Row& row) {
            taken = true;
            take(row);
        });
        has_read_ = true;
        return;
    } catch (const Unavailable&) {
        if (!lease_->broken() || taken || (holds_ && has_read_))
            throw;
    } catch (const Retryable&) {
        throw Unavailable("The database is too busy.");
    }
    lease_.renew();
    if (holds_)
        lease_->begin_snapshot();
    lease_->each(sql, columns, params, take);
    has_read_ = true;
}

// The lease rolls it back. A dead session is replaced before it begins, and not once something was read.
void ReadSession::hold_snapshot() {
    if (holds_)
        return;
    try {
        lease_->begin_snapshot();
    } catch (const Unavailable&) {
        if (!lease_->broken())
            throw;
        lease_.renew();
        lease_->begin_snapshot();
    }
    holds_ = true;
}

std::int64_t ReadSession::run(std::string_view sql, const Params& params) {
    return lease_->run(sql, params);  // refused by the database, as the session is for reading
}

template <class Work>
auto OpenTransaction::at_level(Work&& work) {
    if (failed_)
        throw Failure("The transaction has failed already.");
    try {
        return work();
    } catch (const Failure&) {
        failed_ = true;
        throw;
    }
}

void OpenTransaction::each(std::string_view sql, Columns columns, const Params& params,
                           const std::function<void(const Row&)>& take) {
    at_level([&] { connection_.each(sql, columns, params, take); });
}

std::int64_t OpenTransaction::run(std::string_view sql, const Params& params) {
    return at_level([&] { return connection_.run(sql, params); });
}

void OpenTransaction::run_later(std::string_view sql, const Params& params) {
    at_level([&] { connection_.run_later(sql, params); });
}

Result<void> OpenTransaction::attempt(const std::function<Result<void>()>& part) {
    const auto before = after_.size();
    const auto undo = [&] {
        after_.resize(before);
        connection_.rollback_to_savepoint();
        failed_ = false;
    };
    at_level([&] { connection_.savepoint(); });
    try {
        auto outcome = part();
        if (!outcome) {
            undo();
            return outcome;
        }
        check_sound();
        at_level([&] { connection_.settle(); });  // reports failures of deferred statements here
    } catch (...) {
        // A lost session cannot return to a savepoint; then the whole transaction has failed.
        if (connection_.broken() || !connection_.in_transaction())
            failed_ = true;
        else
            undo();
        throw;
    }
    at_level([&] { connection_.release(); });
    return {};
}

void OpenTransaction::check_sound() const {
    if (failed_)
        throw Failure("A failed statement was swallowed inside a transaction.");
}

Inside::Inside() {
    refuse_inside();
    inside = true;
}
Inside::~Inside() { inside = false; }

bool is_inside() noexcept { return inside; }

void refuse_inside() {
    if (inside)
        throw std::logic_error("a transaction was started inside another one");
}

void run_after(const AfterCommit& after) noexcept {
    for (const auto& then : after) {
        try {
            then();
        } catch (const std::exception& error) {
            log::error("after_commit_failed", {{"cause", log::redacted(error.what())}});
        } catch (...) {
            log::error("after_commit_failed", {{"cause", "unknown"}});
        }
    }
}

}  // namespace svc::store
