// Makes and removes the databases of tests.
#include "tests/support/databases.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

#include <libpq-fe.h>

namespace svc::tests {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

class SqliteFile final : public Database {
  public:
    SqliteFile() : url_("sqlite:" + directory_.file("test.db")) {}
    [[nodiscard]] const std::string& url() const override { return url_; }
    [[nodiscard]] store::Dialect dialect() const override { return store::Dialect::sqlite; }

  private:
    TempDir directory_;
    std::string url_;
};

class PostgresDatabase final : public Database {
  public:
    explicit PostgresDatabase(std::string cluster) : cluster_(std::move(cluster)) {
        static std::atomic<int> count = 0;
        name_ = "svc_test_" + std::to_string(getpid()) + "_" + std::to_string(++count);
        command("CREATE DATABASE " + name_ + " TEMPLATE template0");
        url_ = "postgresql:" + cluster_ + " dbname=" + name_;
    }
    ~PostgresDatabase() override {
        try {
            command("DROP DATABASE IF EXISTS " + name_ + " WITH (FORCE)");
        } catch (const std::exception&) {
            // The cluster goes with all it holds at the end of the run.
        }
    }
    PostgresDatabase(const PostgresDatabase&) = delete;
    PostgresDatabase& operator=(const PostgresDatabase&) = delete;
    [[nodiscard]] const std::string& url() const override { return url_; }
    [[nodiscard]] store::Dialect dialect() const override { return store::Dialect::postgresql; }

  private:
    void command(const std::string& text) const {
        PGconn* connection = PQconnectdb(cluster_.c_str());
        PQsetNoticeProcessor(
            connection, [](void*, const char*) {}, nullptr);
        PGresult* result = PQexec(connection, text.c_str());
        const std::string problem = PQresultStatus(result) == PGRES_COMMAND_OK ? "" : PQerrorMessage(connection);
        PQclear(result);
        PQfinish(connection);
        if (!problem.empty())
            throw std::runtime_error("the PostgreSQL cluster of the tests: " + problem);
    }

    std::string cluster_, name_, url_;
};

}  // namespace

TempDir::TempDir() {
    std::string pattern = std::filesystem::temp_directory_path() / "svc-test-XXXXXX";
    if (!mkdtemp(pattern.data()))
        throw std::runtime_error("no temporary directory can be made");
    path_ = pattern;
}

TempDir::~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string postgres_cluster() {
    if (const auto conninfo = environment("SVC_TEST_POSTGRES"); !conninfo.empty())
        return conninfo;
    const auto file = environment("SVC_TEST_POSTGRES_FILE");
    if (file.empty())
        return {};
    std::string conninfo;
    if (std::ifstream in(file); !in || !std::getline(in, conninfo) || conninfo.empty())
        throw std::runtime_error("the PostgreSQL cluster of the tests does not run: no " + file);
    return conninfo;
}

std::unique_ptr<Database> Database::sqlite() { return std::make_unique<SqliteFile>(); }

std::unique_ptr<Database> Database::postgresql() {
    auto cluster = postgres_cluster();
    if (cluster.empty())
        throw std::runtime_error("no PostgreSQL cluster is named for the tests");
    return std::make_unique<PostgresDatabase>(std::move(cluster));
}

std::vector<std::function<std::unique_ptr<Database>()>> Database::kinds() {
    std::vector<std::function<std::unique_ptr<Database>()>> kinds{&Database::sqlite};
    if (!postgres_cluster().empty())
        kinds.emplace_back(&Database::postgresql);
    return kinds;
}

void each_database(const std::function<void(Database&)>& body) {
    for (const auto& make : Database::kinds()) {
        const auto database = make();
        body(*database);
    }
}

void execute(store::Store& store, std::initializer_list<const char*> statements) {
    for (const char* statement : statements) {
        const auto done = store.write([&](store::Transaction& tx) -> Result<void> {
            tx.run(statement, {});
            return {};
        });
        if (!done)
            throw std::runtime_error("a statement of a test was refused");
    }
}

}  // namespace svc::tests
