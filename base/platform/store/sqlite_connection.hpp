// A session with an SQLite file.
#pragma once

#include <string>

#include "base/platform/store/connection.hpp"
#include "base/platform/store/open.hpp"

namespace svc::store {

enum class SqliteRole : std::uint8_t { reader, writer };

class SqliteConnection final : public Connection {
  public:
    // Throws Unavailable when the file cannot be opened, std::runtime_error when a setting does not hold.
    SqliteConnection(const std::string& path, SqliteRole role);
    ~SqliteConnection() override;

    [[nodiscard]] Dialect dialect() const override { return Dialect::sqlite; }
    void begin(Durability how) override;  // BEGIN IMMEDIATE: a read that turns into a write would fail at once
    void begin_snapshot() override;
    void commit() override;
    void rollback() override;
    void savepoint() override;
    void release() override;
    void rollback_to_savepoint() override;
    [[nodiscard]] bool in_transaction() const override;

    // The current settings that affect durability.
    std::vector<DurableSetting> durability();
    void release_memory();  // its cached pages
    // Changes whenever another connection committed.
    std::int64_t data_version();

  protected:
    [[noreturn]] void fail(const soci::soci_error& error) override;
    [[nodiscard]] std::unique_ptr<Statement> prepare(const std::string& driver_text, std::string_view bound,
                                                     Columns columns) override;
    // RETURNING costs SQLite a b-tree in memory for every row.
    [[nodiscard]] bool knows_new_id() const override { return true; }
    [[nodiscard]] std::int64_t new_id() override;

  private:
    void set_up();
    void use_wal();
    void pragma(const char* text);
    void sync_as(Durability how);
    std::string pragma_value(const char* text);
    [[noreturn]] void fail_with(int code, const std::string& message);

    const std::string path_;
    const SqliteRole role_;
    Durability synced_as_ = Durability::durable;
};

}  // namespace svc::store
