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

// Copies files: a third of the time that writing a thousand of them to the log takes.
void create(const std::string& cluster, const std::string& name, const std::string& model) {
    command(cluster, "CREATE DATABASE " + name + " TEMPLATE " + model + " STRATEGY file_copy");
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
        create(cluster_, name_, model.empty() ? "template0" : model);
        return "postgresql:" + cluster_ + " dbname=" + name_;
    }
    [[nodiscard]] std::string kept() const override {
        struct Model {
            std::string cluster, name;
            ~Model() { drop(cluster, name); }
        };
        static const Model model{cluster_, "svc_model_" + std::to_string(getpid())};
        create(cluster_, model.name, name_);
        return model.name;
    }

    std::string cluster_, name_;
};

}  // namespace

// Memory where that has room, as for the PostgreSQL of the tests: a commit waits for no disk. TMPDIR overrules it.
static std::filesystem::path folder_of_tests() {
    constexpr std::uintmax_t room = std::uintmax_t{4} << 30U;
    const std::filesystem::path memory = "/dev/shm";
    std::error_code failed;
    const auto space = std::filesystem::space(memory, failed);
    if (environment("TMPDIR").empty() && !failed && space.available >= room)
        return memory;
    return std::filesystem::temp_directory_path();
}

TempDir::TempDir() {
    std::string pattern = folder_of_tests() / "svc-test-XXXXXX";
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

namespace {

// A base of a later release, where SVC_TEST_NEWER_BASE asks for one: every table that plugins' views read has one more
// column, or every view has a next version beside it.
void make_newer(store::Store& store) {
    const char* wanted = std::getenv("SVC_TEST_NEWER_BASE");
    if (!wanted)
        return;
    if (wanted == std::string_view("column"))
        execute(store, {"ALTER TABLE svc_bookings ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_booking_departures ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_departures ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_payments ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_payment_intents ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_refunds ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_customers ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_booking_travelers ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_booking_sessions ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_enquiries ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'",
                        "ALTER TABLE svc_trips ADD COLUMN of_next_release TEXT NOT NULL DEFAULT 'next'"});
    else if (wanted == std::string_view("view"))
        execute(store, {"CREATE VIEW svc_booking_v3 AS SELECT id AS booking_id, reference AS number FROM svc_bookings",
                        "CREATE VIEW svc_booking_guide_v2 AS SELECT booking_id AS id FROM svc_booking_departures",
                        "CREATE VIEW svc_payment_v2 AS SELECT id AS payment_id, status AS state FROM svc_payments",
                        "CREATE VIEW svc_refund_v2 AS SELECT id AS refund_id, status AS state FROM svc_refunds",
                        "CREATE VIEW svc_departure_v2 AS SELECT id AS departure_id FROM svc_departures",
                        "CREATE VIEW svc_customer_v2 AS SELECT id AS customer_id FROM svc_customers",
                        "CREATE VIEW svc_traveler_v2 AS SELECT id AS traveler_id FROM svc_booking_travelers",
                        "CREATE VIEW svc_checkout_v2 AS SELECT id AS checkout_id FROM svc_booking_sessions",
                        "CREATE VIEW svc_enquiry_v2 AS SELECT id AS enquiry_id FROM svc_enquiries",
                        "CREATE VIEW svc_trip_v3 AS SELECT id AS trip_id, title AS name FROM svc_trips"});
    else
        throw std::runtime_error("SVC_TEST_NEWER_BASE is column or view");
}

}  // namespace

std::unique_ptr<store::Store> Database::open_migrated() const {
    static std::map<store::Dialect, std::string> models;
    const Instant now = SystemClock{}.now();
    std::string& model = models[dialect()];
    if (url_.empty() && !model.empty()) {
        url_ = made(model);
    } else if (url_.empty()) {
        {
            const auto fresh = open();
            store::migrate(*fresh, "base", embedded::base_steps(), now);
            make_newer(*fresh);
        }
        model = kept();  // PostgreSQL copies only a database that nobody has open
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
