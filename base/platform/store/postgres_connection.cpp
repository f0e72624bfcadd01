// Connects to PostgreSQL, checks what its COMMIT answered and maps its SQLSTATEs.
#include "base/platform/store/postgres_connection.hpp"

#include <map>
#include <stdexcept>

#include <libpq-fe.h>
#include <soci/postgresql/soci-postgresql.h>

#include "base/platform/store/postgres_statement.hpp"
#include "shared/core/correlation.hpp"
#include "shared/core/log.hpp"

namespace svc::store {
namespace {

struct Clear {
    void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
    void operator()(char* text) const { PQfreemem(text); }
};

// Seconds, and milliseconds. A vanished machine closes no connection: a session that has waited for five seconds (no
// statement takes longer) probes it, and gives up after ten without an answer.
constexpr std::pair<const char*, const char*> unless_named[] = {
    {"application_name", "svc"},  {"connect_timeout", "3"},  {"keepalives", "1"},           {"keepalives_idle", "5"},
    {"keepalives_interval", "2"}, {"keepalives_count", "3"}, {"tcp_user_timeout", "10000"},
};

PGconn* native(const soci::session& session) {
    return static_cast<soci::postgresql_session_backend*>(const_cast<soci::session&>(session).get_backend())->conn_;
}

std::string quoted(std::string_view value) {
    std::string text = "'";
    for (const char c : value) {
        if (c == '\'' || c == '\\')
            text += '\\';
        text += c;
    }
    return text + "'";
}

// The verbose error text has a line per field; its labels are the client's and not translated.
std::string field_of(const std::string& message, std::string_view label) {
    const auto at = message.find(label);
    if (at == std::string::npos)
        return {};
    const auto from = at + label.size();
    return message.substr(from, message.find('\n', from) - from);
}

std::string constraint_named_in(const std::string& message) {
    if (auto name = field_of(message, "\nCONSTRAINT NAME:  "); !name.empty())
        return name;
    const auto table = field_of(message, "\nTABLE NAME:  "), column = field_of(message, "\nCOLUMN NAME:  ");
    return table.empty() ? "a constraint" : table + "." + column;
}

// libpq's own words, which name host, port, user and database, and no password: in one line, without the driver's
// first.
std::string words_of(const std::string& message) {
    std::string words;
    for (std::size_t at = message.find('\n'); at != std::string::npos && at + 1 < message.size();) {
        const auto end = std::min(message.find('\n', at + 1), message.size());
        const auto from = message.find_first_not_of(" \t", at + 1);
        if (from != std::string::npos && from < end)
            words += (words.empty() ? "" : " ") + message.substr(from, end - from);
        at = end == message.size() ? std::string::npos : end;
    }
    return words;
}

// What helps, by the server's reason.
std::string remedy_for(const std::string& words) {
    if (words.find("does not exist") != std::string::npos && words.find("database ") != std::string::npos)
        return " Create it (createdb), or let database.url name another one.";
    if (words.find("role ") != std::string::npos && words.find("does not exist") != std::string::npos)
        return " Create it (createuser), or let database.url name another user.";
    if (words.find("authentication failed") != std::string::npos || words.find("no password") != std::string::npos ||
        words.find("pg_hba.conf") != std::string::npos)
        return " Check user and password of database.url and the server's pg_hba.conf.";
    return " Check that it runs and that host and port of database.url are right.";
}

// A comment for the server's log and pg_stat_activity. A request's id cannot contain the end of the comment.
std::string of_request() {
    const auto& id = Correlation::current();
    return is_correlation_id(id) ? " /* request " + id + " */" : "";
}

}  // namespace

std::string conninfo_with_settings(const std::string& conninfo, std::string* password) {
    char* problem = nullptr;
    const std::unique_ptr<PQconninfoOption, Clear> options(PQconninfoParse(conninfo.c_str(), &problem));
    const std::unique_ptr<char, Clear> freed(problem);
    if (!options)
        throw std::runtime_error("The database address cannot be read: postgresql: and libpq's keywords or a URI.");
    std::map<std::string, std::string> settings(std::begin(unless_named), std::end(unless_named));
    for (const auto* option = options.get(); option->keyword; ++option)
        if (option->val)
            settings[option->keyword] = option->val;
    settings["client_encoding"] = "UTF8";
    if (password) {
        *password = settings["password"];
        settings.erase("password");
    }
    std::string text;
    for (const auto& [keyword, value] : settings)
        text += keyword + "=" + quoted(value) + " ";
    return text;
}

PostgresConnection::PostgresConnection(const std::string& conninfo, bool require_durable) {
    const auto settings = conninfo_with_settings(conninfo, nullptr);
    try {
        session_ = std::make_unique<soci::session>(soci::postgresql, settings);
    } catch (const soci::soci_error& refused) {
        const std::string words = words_of(refused.what());
        throw Unavailable("The database server cannot be used" + (words.empty() ? "." : ": " + words + ".") +
                          remedy_for(words));
    }
    PGconn* connection = native(*session_);
    wire_ = std::make_shared<PostgresWire>(connection);
    PQsetNoticeProcessor(
        connection, [](void*, const char*) {}, nullptr);
    PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
    // In one text, as each trip costs every start. Only begin() writes: a stray INSERT outside of a transaction is
    // refused here as on SQLite.
    control(
        "SET statement_timeout = 5000; SET lock_timeout = 3000; SET idle_in_transaction_session_timeout = 30000;"
        " SET standard_conforming_strings = on; SET default_transaction_isolation = 'read committed';"
        " SET default_transaction_read_only = on",
        "SET");
    if (!require_durable)
        return;
    for (const auto& setting : durability())
        if (!setting.ok)
            throw std::runtime_error("The database server acknowledges before data is on disk: " + setting.name +
                                     " is " + setting.value + ".");
}

PostgresConnection::~PostgresConnection() {
    if (wire_)
        wire_->close();
}

std::vector<DurableSetting> PostgresConnection::durability() {
    std::vector<DurableSetting> settings;
    // Not the view of all settings, which takes the server some milliseconds.
    each(
        "SELECT name, pg_catalog.current_setting(name)"
        " FROM (VALUES ('fsync'), ('full_page_writes'), ('synchronous_commit')) AS wanted (name)",
        "tt", {}, [&](const Row& row) {
            const auto& value = row.text(1);
            const bool waits = row.text(0) == "synchronous_commit" ? value != "off" : value == "on";
            settings.push_back({row.text(0), value, waits});
        });
    return settings;
}

void PostgresConnection::listen(const std::string& channel) { control(("LISTEN " + channel).c_str(), "LISTEN"); }

int PostgresConnection::socket() const { return PQsocket(native(*session_)); }

void PostgresConnection::take_notices() {
    PGconn* connection = native(*session_);
    if (PQconsumeInput(connection) == 0)
        broken_ = true;
    while (PGnotify* notice = PQnotifies(connection))
        PQfreemem(notice);
}

// Sent with the first statement. Only unprepared statements name the request: a prepared one with a name in it would
// differ each time.
void PostgresConnection::begin(Durability how) {
    if (!wire_->is_open()) {
        broken_ = true;
        throw Unavailable("The database is not available.");
    }
    wire_->postpone("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE" + of_request());
    if (how == Durability::relaxed)
        wire_->postpone("SET LOCAL synchronous_commit = off");
}

void PostgresConnection::begin_snapshot() {
    if (!wire_->is_open()) {
        broken_ = true;
        throw Unavailable("The database is not available.");
    }
    wire_->postpone("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" + of_request());
    // Such reads add up whole spans: they are planned for theirs, add up in memory (up to twice this) and are over
    // before compiling them would help.
    wire_->postpone("SET LOCAL plan_cache_mode = force_custom_plan");
    wire_->postpone("SET LOCAL work_mem = '32MB'");
    wire_->postpone("SET LOCAL jit = off");
    // Workers cost such a read three times the processor time that they save it, and take it from who buys meanwhile.
    wire_->postpone("SET LOCAL max_parallel_workers_per_gather = 0");
    // Snapshots read from memory: an index scan costs no more than reading the rows.
    wire_->postpone("SET LOCAL random_page_cost = 1.1");
}

// COMMIT of a failed transaction answers ROLLBACK and no error, and without a transaction it answers COMMIT.
void PostgresConnection::commit() {
    if (!in_transaction())
        throw Failure("The transaction was ended by something else than its commit.");
    control(("COMMIT" + of_request()).c_str(), "COMMIT");
}

void PostgresConnection::rollback() {
    wire_->drop();
    if (in_transaction())
        control("ROLLBACK", "ROLLBACK");
}
void PostgresConnection::savepoint() { control("SAVEPOINT svc", "SAVEPOINT"); }
void PostgresConnection::release() { control("RELEASE SAVEPOINT svc", "RELEASE"); }
void PostgresConnection::rollback_to_savepoint() {
    wire_->drop();  // a savepoint sends everything before it, so all of this came later
    control("ROLLBACK TO SAVEPOINT svc", "ROLLBACK");
    control("RELEASE SAVEPOINT svc", "RELEASE");
}

bool PostgresConnection::in_transaction() const {
    const auto status = PQtransactionStatus(native(*session_));
    return wire_->waits() || status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE;
}

void PostgresConnection::send_waiting() { wire_->settle(); }

void PostgresConnection::control(const char* text, std::string_view tag) {
    try {
        const auto answer = wire_->say(text);
        if (tag != PQcmdStatus(answer.get()))
            throw Failure("The database rolled a transaction back instead of committing it.");
    } catch (const soci::soci_error& error) {
        fail(error);
    }
}

// The server refuses a second statement in one text.
std::unique_ptr<Statement> PostgresConnection::prepare(const std::string& driver_text, std::string_view bound,
                                                       Columns columns) {
    return std::make_unique<PostgresStatement>(wire_, driver_text, bound.size(), columns);
}

void PostgresConnection::fail(const soci::soci_error& error) {
    const auto* known = dynamic_cast<const soci::postgresql_soci_error*>(&error);
    fail_with(known ? known->sqlstate() : "", error.get_error_message());
}

void PostgresConnection::fail_with(std::string_view sqlstate, const std::string& message) {
    const bool lost = PQstatus(native(*session_)) != CONNECTION_OK;
    const auto of_class = [&](std::string_view prefix) { return sqlstate.starts_with(prefix); };
    if (!lost) {
        if (sqlstate == "23505")
            throw UniqueViolation(constraint_named_in(message));
        if (of_class("23"))
            throw ConstraintViolation(constraint_named_in(message));
        if (of_class("22"))
            throw ConstraintViolation("a value does not fit");
        if (sqlstate == "40001" || sqlstate == "40P01")
            throw Retryable("The transaction met another one.");
        if (sqlstate == "55P03" || sqlstate == "57014")
            throw Unavailable("The database is too busy.");
        if (sqlstate == "25006")
            throw std::logic_error("a read-only session received a write");
    }
    // The first line of other classes may hold values of a statement.
    const bool is_about_server = lost || of_class("08") || of_class("53") || of_class("57") || of_class("58");
    log::error("database_failed", {{"database", "postgresql"},
                                   {"sqlstate", sqlstate},
                                   {"cause", is_about_server ? message.substr(0, message.find('\n')) : std::string()}});
    if (!lost && (of_class("42") || of_class("25")))
        throw Failure("The database refused a statement.");
    // Without room on its disk, or without memory, the server ends the statement and not the session; nor could another
    // one begin then, as each writes a file when it begins.
    broken_ = lost || !of_class("53");  // no connection, 08, 57P, 58, XX, 0A000 (plan outdated) ...
    throw Unavailable("The database is not available.");
}

}  // namespace svc::store
