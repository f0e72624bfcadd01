// Fresh, empty databases for tests: an SQLite file always, a PostgreSQL database when the cluster runs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/platform/store/open.hpp"
#include "shared/store/store.hpp"

namespace svc::tests {

// Removed with all it holds on destruction. Stores opened on it must be gone by then.
class Database {
  public:
    static std::unique_ptr<Database> sqlite();
    // Throws std::runtime_error when no cluster runs.
    static std::unique_ptr<Database> postgresql();
    // Both kinds, or SQLite alone where no cluster is named by SVC_TEST_POSTGRES (a conninfo) or
    // SVC_TEST_POSTGRES_FILE (a file that holds one; the ctest fixture sets it, and then it must be there).
    static std::vector<std::function<std::unique_ptr<Database>()>> kinds();

    virtual ~Database() = default;
    [[nodiscard]] const std::string& url() const;
    [[nodiscard]] virtual store::Dialect dialect() const = 0;

    [[nodiscard]] store::StoreOptions options() const { return {.url = url(), .sessions = 4}; }
    [[nodiscard]] std::unique_ptr<store::Store> open() const { return store::open(options()); }
    // With the base's tables. A fresh one is copied from the process's first, as the steps take longer than most tests.
    [[nodiscard]] std::unique_ptr<store::Store> open_migrated() const;
    [[nodiscard]] std::string name() const { return dialect() == store::Dialect::sqlite ? "SQLite" : "PostgreSQL"; }

  private:
    // Makes it when it is first asked for, as a copy of the model if one is named; its url.
    [[nodiscard]] virtual std::string made(const std::string& model) const = 0;
    // Keeps a copy of it for the rest of the process; the model's name.
    [[nodiscard]] virtual std::string kept() const = 0;

    mutable std::string url_;
};

// Runs `body` on a fresh database of each kind. Inside a doctest case name the database by CAPTURE(db.name()).
void each_database(const std::function<void(Database&)>& body);

// Each statement in a transaction of its own, as a migration would.
void execute(store::Store& store, std::initializer_list<const char*> statements);

// The conninfo of the cluster, empty when there is none.
std::string postgres_cluster();

// A directory that vanishes with its contents.
class TempDir {
  public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

}  // namespace svc::tests
