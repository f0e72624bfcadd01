// The ledger of steps and their application under a lock.
#include "base/platform/store/migrate.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/platform/crypto/crypto.hpp"
#include "shared/core/ascii.hpp"
#include "shared/store/typed.hpp"

namespace svc::store {
namespace {

constexpr std::string_view lines = " \t\r\n";  // the blanks of a script

// The ending of steps that remove something the previous release needs; such a step comes one release after the code
// stopped using it.
constexpr std::string_view contracting = "_contract.sql";

using Ledger = std::map<std::string, std::string, std::less<>>;  // name, checksum

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

// `CHECK (a IN (x, y, z))` as `CHECK (a = x OR a = y OR a = z)`: for a list of three and more SQLite builds a b-tree in
// memory whenever a row is written.
std::string with_chains(std::string_view text) {
    constexpr std::string_view begins = "CHECK (", in = " IN (", ends = "))";
    std::string whole;
    for (auto at = text.find(begins); at != std::string_view::npos; at = text.find(begins)) {
        const auto column_at = at + begins.size();
        const auto column_end = text.find_first_of(" ()\n", column_at);
        const auto end = text.find(')', std::min(column_end, text.size() - 1) + in.size());
        if (text.substr(column_end, in.size()) != in || text.substr(end, ends.size()) != ends) {
            whole += text.substr(0, column_at);
            text.remove_prefix(column_at);
            continue;
        }
        const auto column = text.substr(column_at, column_end - column_at);
        auto values = text.substr(column_end + in.size(), end - column_end - in.size());
        whole += text.substr(0, column_at);
        for (auto comma = values.find(','); comma != std::string_view::npos; comma = values.find(',')) {
            whole.append(column).append(" = ").append(ascii::trimmed(values.substr(0, comma), lines)).append(" OR ");
            values.remove_prefix(comma + 1);
        }
        whole.append(column).append(" = ").append(ascii::trimmed(values, lines)).append(")");
        text.remove_prefix(end + ends.size());
    }
    return whole.append(text);
}

// The part of a line that counts for the database.
std::string_view line_for(std::string_view line, Dialect dialect) {
    constexpr std::string_view sqlite = "-- sqlite:", postgresql = "-- postgresql:";
    const auto bare = ascii::trimmed(line, lines);
    if (bare.starts_with(sqlite))
        return dialect == Dialect::sqlite ? ascii::trimmed(bare.substr(sqlite.size()), lines) : std::string_view{};
    if (bare.starts_with(postgresql))
        return dialect == Dialect::postgresql ? ascii::trimmed(bare.substr(postgresql.size()), lines)
                                              : std::string_view{};
    if (bare.starts_with("--"))
        return {};
    return ascii::trimmed(line.substr(0, line.find_last_not_of(" \t\r") + 1), lines).empty() ? std::string_view{}
                                                                                             : line;
}

bool has_ledger(Session& session) {
    if (session.dialect() == Dialect::sqlite)
        return session.number("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'svc_migrations'",
                              {}) > 0;
    return session.number("SELECT CASE WHEN to_regclass('svc_migrations') IS NULL THEN 0 ELSE 1 END", {}) > 0;
}

Ledger ledger_of(Session& session, std::string_view edition) {
    Ledger ledger;
    if (has_ledger(session))
        for (const auto& [name, checksum] : tuples<std::string, std::string>(
                 session, "SELECT name, checksum FROM svc_migrations WHERE edition = :edition ORDER BY name",
                 {{"edition", edition}}))
            ledger.emplace(name, checksum);
    return ledger;
}

// One process at a time. SQLite's BEGIN IMMEDIATE has seen to it already; PostgreSQL's lock ends with the
// transaction, and waiting for it may take as long as another's step does.
void lock(Transaction& tx) {
    if (tx.dialect() == Dialect::sqlite)
        return;
    tx.run("SET LOCAL statement_timeout = 0", {});
    tx.run("SET LOCAL lock_timeout = 0", {});
    tx.each("SELECT CAST(pg_advisory_xact_lock(7381920461) AS TEXT)", "t", {}, [](const Row&) {});
    // A step that meets long transactions gives up rather than let everybody queue behind it.
    tx.run("SET LOCAL lock_timeout = 10000", {});
}

std::string sentence_about_change(std::string_view edition, std::string_view name) {
    return "The step " + std::string(edition) + "/" + std::string(name) +
           " was applied with another text than this release has; the database cannot be used with it.";
}

// True when it was applied now, false when it had been already.
bool apply(Store& store, std::string_view edition, const Step& step, Instant now) {
    const auto statements = statements_of(step, store.dialect());
    const auto checksum = crypto::sha256_hex(step.text);
    bool applied = false;
    const auto done = store.write([&](Transaction& tx) -> Result<void> {
        lock(tx);
        tx.run(
            "CREATE TABLE IF NOT EXISTS svc_migrations (edition TEXT NOT NULL, name TEXT NOT NULL,"
            " checksum TEXT NOT NULL, applied_at BIGINT NOT NULL, PRIMARY KEY (edition, name))",
            {});
        const auto ledger = ledger_of(tx, edition);
        const auto found = ledger.find(step.name);
        applied = found == ledger.end();
        if (!applied) {
            if (found->second != checksum)
                throw std::runtime_error(sentence_about_change(edition, step.name));
            return {};
        }
        for (const auto& statement : statements)
            tx.run(statement, {});
        tx.run(
            "INSERT INTO svc_migrations (edition, name, checksum, applied_at)"
            " VALUES (:edition, :name, :checksum, :now)",
            {{"edition", edition}, {"name", step.name}, {"checksum", checksum}, {"now", now}});
        return {};
    });
    if (!done)
        throw std::runtime_error("The step " + std::string(step.name) + " failed.");
    return applied;
}

Error outdated(std::string sentence) { return {errc::unavailable, Sentence::verbatim(std::move(sentence))}; }

}  // namespace

std::vector<std::string> statements_of(const Step& step, Dialect dialect) {
    const std::string_view id = dialect == Dialect::sqlite ? "INTEGER PRIMARY KEY AUTOINCREMENT"
                                                           : "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY";
    std::vector<std::string> statements;
    std::string statement;
    for (std::string_view rest = step.text; !rest.empty();) {
        const auto end = rest.find('\n');
        const auto line = line_for(rest.substr(0, end), dialect);
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
        if (line.empty())
            continue;
        statement += line;
        statement += '\n';
        if (ascii::trimmed(line, lines).ends_with(';')) {
            statement = replaced(std::move(statement), "{{id}}", id);
            statements.push_back(dialect == Dialect::sqlite ? with_chains(statement) : statement);
            statement.clear();
        }
    }
    if (!statement.empty())
        throw std::runtime_error("The step " + std::string(step.name) + " ends within a statement.");
    return statements;
}

std::vector<std::string> migrate(Store& store, std::string_view edition, std::span<const Step> steps, Instant now,
                                 Progress& progress) {
    const auto all = static_cast<std::int64_t>(steps.size());
    std::int64_t done = 0;
    Ledger ledger;
    store.read([&](Session& session) { ledger = ledger_of(session, edition); });
    std::vector<std::string> names;
    for (const auto& step : steps) {
        // Skips applied steps without a transaction; apply() checks again under the lock.
        if (const auto found = ledger.find(step.name); found != ledger.end()) {
            if (found->second != crypto::sha256_hex(step.text))
                throw std::runtime_error(sentence_about_change(edition, step.name));
            ++done;
            continue;
        }
        if (progress.is_stopped())
            throw std::runtime_error(std::to_string(done) + " of " + std::to_string(all) +
                                     " steps of the schema are applied; run the command again to apply the rest.");
        progress.at("steps of the schema", done, all);
        if (apply(store, edition, step, now))
            names.emplace_back(step.name);
        progress.at("steps of the schema", ++done, all);
    }
    return names;
}

Result<void> check_current(Store& store, std::string_view edition, std::span<const Step> required,
                           std::span<const Step> known) {
    Ledger ledger;
    store.read([&](Session& session) { ledger = ledger_of(session, edition); });
    for (const auto& step : required) {
        const auto found = ledger.find(step.name);
        if (found == ledger.end())
            return outdated("The database is older than this release: the step " + std::string(edition) + "/" +
                            std::string(step.name) + " is missing. Run `svc migrate`.");
        if (found->second != crypto::sha256_hex(step.text))
            return outdated(sentence_about_change(edition, step.name));
    }
    for (const auto& applied : ledger) {
        const auto is_it = [&](const Step& step) { return step.name == applied.first; };
        if (applied.first.ends_with(contracting) && std::none_of(known.begin(), known.end(), is_it))
            return outdated("The database is newer than this release, which does not know the step " +
                            std::string(edition) + "/" + applied.first + ".");
    }
    return {};
}

std::vector<std::string> newer_steps(Store& store, std::string_view edition, std::span<const Step> known) {
    Ledger ledger;
    store.read([&](Session& session) { ledger = ledger_of(session, edition); });
    std::vector<std::string> names;
    for (const auto& applied : ledger)
        if (std::none_of(known.begin(), known.end(), [&](const Step& step) { return step.name == applied.first; }))
            names.push_back(applied.first);
    return names;
}

}  // namespace svc::store
