// Sends by libpq; postponed statements in pipeline mode.
#include "base/platform/store/postgres_wire.hpp"

#include <poll.h>
#include <utility>

#include <soci/postgresql/soci-postgresql.h>

namespace svc::store {
namespace {

constexpr std::size_t most_put_off = 64;  // their answers are a few bytes each, so neither side ever waits to write

bool is_good(const PGresult* result) {
    const auto status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

}  // namespace

void PostgresWire::refuse(const PGresult* result) {
    const char* state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
    const std::string message = result ? PQresultErrorMessage(result) : PQerrorMessage(connection_);
    throw soci::postgresql_soci_error(message, state ? state : "     ");
}

PostgresWire::Answer PostgresWire::checked(PGresult* result) {
    Answer answer(result);
    if (!result || !is_good(result))
        refuse(result);
    return answer;
}

PostgresWire::Named PostgresWire::named(std::string text) {
    return {.name = "svc_" + std::to_string(++named_), .text = std::move(text)};
}

// In a transaction that has failed nothing can be forgotten; the name is not used again.
void PostgresWire::forget(const Named& statement) noexcept {
    if (!connection_ || !statement.text.empty() || PQstatus(connection_) != CONNECTION_OK ||
        PQtransactionStatus(connection_) == PQTRANS_INERROR)
        return;
    try {
        const Answer answer(PQexec(connection_, ("DEALLOCATE " + statement.name).c_str()));
    } catch (const std::exception&) {
        // No memory for the text: it stays prepared.
    }
}

PostgresWire::Answer PostgresWire::ask(Named& statement, const Values& values) {
    if (!off_.empty() || !statement.text.empty())
        return all(&statement, nullptr, values);
    return checked(PQexecPrepared(connection_, statement.name.c_str(), static_cast<int>(values.size()), values.data(),
                                  nullptr, nullptr, 0));
}

PostgresWire::Answer PostgresWire::say(const char* text) {
    return off_.empty() ? checked(PQexec(connection_, text)) : all(nullptr, text, {});
}

void PostgresWire::prepare(Named& statement) {
    if (statement.text.empty())
        return;
    checked(PQprepare(connection_, statement.name.c_str(), statement.text.c_str(), 0, nullptr));
    statement.text.clear();
}

void PostgresWire::postpone(Named& statement, const Values& values) {
    prepare(statement);
    if (off_.size() >= most_put_off)
        settle();
    off_.push_back({.name = statement.name, .text = {}, .values = {values.begin(), values.end()}});
}

void PostgresWire::postpone(std::string text) { off_.push_back({.name = {}, .text = std::move(text), .values = {}}); }

// Local to the transaction, which a trip outside of one is by itself; in an open one the settings from before return
// with the same trip. Disables sorts, as the index has the order: a generic plan does not know how many rows match and
// would sort all of them.
void PostgresWire::use_generic_plan() {
    if (one_plan_.name.empty()) {
        one_plan_ = named(
            "SELECT pg_catalog.set_config('svc.plan_cache_mode', pg_catalog.current_setting('plan_cache_mode'), true),"
            " pg_catalog.set_config('svc.enable_sort', pg_catalog.current_setting('enable_sort'), true),"
            " pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true),"
            " pg_catalog.set_config('enable_sort', 'off', true)");
        own_plan_ = named(
            "SELECT pg_catalog.set_config('plan_cache_mode', pg_catalog.current_setting('svc.plan_cache_mode'), true),"
            " pg_catalog.set_config('enable_sort', pg_catalog.current_setting('svc.enable_sort'), true)");
    }
    const bool is_in_transaction = waits() || PQtransactionStatus(connection_) != PQTRANS_IDLE;
    if (is_in_transaction)
        prepare(own_plan_);
    postpone(one_plan_, {});
    restores_ = is_in_transaction;
}

void PostgresWire::settle() {
    if (!off_.empty())
        all(nullptr, nullptr, {});
}

bool PostgresWire::send(const Put& put) {
    if (put.name.empty())
        return PQsendQueryParams(connection_, put.text.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0) == 1;
    Values values;
    values.reserve(put.values.size());
    for (const std::string& value : put.values)
        values.push_back(value.c_str());
    return send(put.name, values);
}

bool PostgresWire::send(const std::string& name, const Values& values) {
    return PQsendQueryPrepared(connection_, name.c_str(), static_cast<int>(values.size()), values.data(), nullptr,
                               nullptr, 0) == 1;
}

// After a failure the server skips the rest; the first error is reported.
PostgresWire::Answer PostgresWire::all(Named* statement, const char* text, const Values& values) {
    const std::vector<Put> off = std::exchange(off_, {});
    const bool restores = std::exchange(restores_, false), is_new = statement && !statement->text.empty();
    bool sent = PQenterPipelineMode(connection_) == 1;
    for (const Put& put : off)
        sent = sent && send(put);
    if (is_new)
        sent = sent && PQsendPrepare(connection_, statement->name.c_str(), statement->text.c_str(), 0, nullptr) == 1;
    if (statement)
        sent = sent && send(statement->name, values);
    else if (text)
        sent = sent && send({.name = {}, .text = text, .values = {}});
    if (restores)
        sent = sent && send(own_plan_.name, {});
    if (!sent || PQpipelineSync(connection_) != 1)
        refuse(nullptr);
    Answer last, failed;
    const std::size_t asked = off.size() + (is_new ? 1 : 0), count = asked + (statement || text ? 1 : 0);
    for (std::size_t at = 0; at < count + (restores ? 1 : 0); ++at)
        while (PGresult* result = PQgetResult(connection_)) {
            Answer answer(result);
            if (is_good(result)) {
                if (is_new && at == off.size())
                    statement->text.clear();  // the server keeps it whatever happens to the transaction
                if (at <= asked)
                    last = std::move(answer);
            } else if (PQresultStatus(result) != PGRES_PIPELINE_ABORTED && !failed)
                failed = std::move(answer);
            if (PQstatus(connection_) != CONNECTION_OK)
                refuse(failed.get());
        }
    const Answer end(PQgetResult(connection_));
    if (PQresultStatus(end.get()) != PGRES_PIPELINE_SYNC || PQexitPipelineMode(connection_) != 1)
        refuse(failed.get());
    if (failed)
        refuse(failed.get());
    return last;
}

bool PostgresWire::is_open() {
    // A server that shuts down reports it before it closes: the second read finds the end.
    for (int looks = 0; looks < 3; ++looks) {
        pollfd place{.fd = PQsocket(connection_), .events = POLLIN, .revents = 0};
        if (poll(&place, 1, 0) <= 0)
            break;
        if (PQconsumeInput(connection_) == 0)
            return false;
    }
    return PQstatus(connection_) == CONNECTION_OK;
}

}  // namespace svc::store
