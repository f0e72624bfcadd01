// Makes and removes the databases of tests.
#include "tests/support/databases.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <unistd.h>

#include <libpq-fe.h>

#include "base/platform/store/migrate.hpp"

namespace svc::tests {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

class SqliteFile final : public Database {
  public:
    [[nodiscard]] store::Dialect dialect() const override { return store::Dialect::sqlite; }

  private:
    [[nodiscard]] std::string made(const std::string& model) const override {
        if (!model.empty())
            std::filesystem::copy_file(model, directory_.file("test.db"));
        return "sqlite:" + directory_.file("test.db");
    }
    [[nodiscard]] std::string kept() const override {
        static const TempDir models;
        std::filesystem::copy_file(directory_.file("test.db"), models.file("model.db"));
        return models.file("model.db");
    }

    TempDir directory_;
};

// Runs one command on the cluster itself.
void command(const std::string& cluster, const std::string& text) {
    PGconn* connection = PQconnectdb(cluster.c_str());
    PQsetNoticeProcessor(
        connection, [](void*, const char*) {}, nullptr);
    PGresult* result = PQexec(connection, text.c_str());
    const std::string problem = PQresultStatus(result) == PGRES_COMMAND_OK ? "" : PQerrorMessage(connection);
    PQclear(result);
    PQfinish(connection);
    if (!problem.empty())
        throw std::runtime_error("the PostgreSQL cluster of the tests: " + problem);
}

void drop(const std::string& cluster, const std::string& name) {
    try {
        command(cluster, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    } catch (const std::exception&) {
        // The cluster goes with all it holds at the end of the run.
    }
}

class PostgresDatabase final : public Database {
  public:
    explicit PostgresDatabase(std::string cluster) : cluster_(std::move(cluster)) {
        static std::atomic<int> count = 0;
        name_ = "svc_test_" + std::to_string(getpid()) + "_" + std::to_string(++count);
    }
    ~PostgresDatabase() override { drop(cluster_, name_); }
    PostgresDatabase(const PostgresDatabase&) = delete;
    PostgresDatabase& operator=(const PostgresDatabase&) = delete;
    [[nodiscard]] store::Dialect dialect() const override { return store::Dialect::postgresql; }

  private:
    [[nodiscard]] std::string made(const std::string& model) const override {
        command(cluster_, "CREATE DATABASE " + name_ + " TEMPLATE " + (model.empty() ? "template0" : model));
        return "postgresql:" + cluster_ + " dbname=" + name_;
    }
    [[nodiscard]] std::string kept() const override {
        struct Model {
            std::string cluster, name;
            ~Model() { drop(cluster, name); }
        };
        static const Model model{cluster_, "svc_model_" + std::to_string(getpid())};
        command(cluster_, "CREATE DATABASE " + model.name + " TEMPLATE " + name_);
        return model.name;
    }

    std::string cluster_, name_;
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

const std::string& Database::url() const {
    if (url_.empty())
        url_ = made({});
    return url_;
}

std::unique_ptr<store::Store> Database::open_migrated() const {
    static std::map<store::Dialect, std::string> models;
    const Instant now = SystemClock{}.now();
    std::string& model = models[dialect()];
    if (url_.empty() && !model.empty()) {
        url_ = made(model);
    } else if (url_.empty()) {
        store::migrate(*open(), "base", embedded::base_steps(), now);
        model = kept();
    }
    auto store = open();
    store::migrate(*store, "base", embedded::base_steps(), now);  // of one that was opened before
    return store;
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
