// A session with a PostgreSQL server.
#pragma once

#include <string>

#include "base/platform/store/connection.hpp"
#include "base/platform/store/open.hpp"

namespace svc::store {

class PostgresWire;

class PostgresConnection final : public Connection {
  public:
    // Throws Unavailable when the server cannot be reached or refuses, std::runtime_error for an address that
    // cannot be read and, with `require_durable`, for a server that acknowledges before it is on disk.
    PostgresConnection(const std::string& conninfo, bool require_durable);
    ~PostgresConnection() override;

    [[nodiscard]] Dialect dialect() const override { return Dialect::postgresql; }
    void begin(Durability how) override;
    void begin_snapshot() override;
    void commit() override;
    void rollback() override;
    void savepoint() override;
    void release() override;
    void rollback_to_savepoint() override;
    [[nodiscard]] bool in_transaction() const override;

    // The settings that affect durability, as the server reports them now.
    std::vector<DurableSetting> durability();

    // Notices of a channel come by the socket from then on.
    void listen(const std::string& channel);
    [[nodiscard]] int socket() const;
    // Reads the socket without waiting. A lost session is broken() afterwards.
    void take_notices();

  protected:
    [[noreturn]] void fail(const soci::soci_error& error) override;
    [[nodiscard]] std::unique_ptr<Statement> prepare(const std::string& driver_text, std::string_view bound,
                                                     Columns columns) override;
    void send_waiting() override;

  private:
    // Runs a statement without preparing it; throws unless the server's tag is the expected one.
    void control(const char* text, std::string_view tag);
    [[noreturn]] void fail_with(std::string_view sqlstate, const std::string& message);

    std::shared_ptr<PostgresWire> wire_;  // its statements have it too
};

// A conninfo as keywords with our own settings added. `password` receives the password, which is removed then; null
// leaves it in. Throws std::runtime_error when it is invalid.
std::string conninfo_with_settings(const std::string& conninfo, std::string* password);

}  // namespace svc::store
