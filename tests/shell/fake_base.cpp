// The fake's answers: small, fixed, and telling enough for a test to see which call was made.
#include "tests/shell/fake_base.hpp"

#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace svc {
namespace testing {
namespace {

HttpAnswer text(int status, std::string body) {
    return {status, {{"Content-Type", "text/plain"}}, std::make_shared<const std::string>(std::move(body))};
}

// A request for /slow ends when this file of the data directory appears: the test decides, not the clock.
std::string release_file;  // NOLINT: one per process, set before any request

void wait_for_release() {
    while (!std::filesystem::exists(release_file)) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable().wait_for(lock, std::chrono::milliseconds(5));
    }
}

}  // namespace

HttpPlan FakeBase::plan(std::string_view, std::string_view target, const std::vector<HttpHeader>&) {
    return {target == "/svc/v1/large" ? std::size_t{20} << 20 : std::size_t{1} << 20, target != "/svc/v1/memory",
            target == "/svc/v1/hook" ? HttpLane::webhook : HttpLane::general};
}

HttpAnswer FakeBase::answer(const HttpRequest& request) {
    {
        const std::lock_guard lock(mutex_);
        targets_.emplace_back(request.target);
    }
    if (request.target == "/svc/v1/slow") {
        std::fputs("slow request begun\n", stderr);
        wait_for_release();
    }
    return text(200, std::string(request.method) + " " + std::string(request.target) + " " + std::string(request.body));
}

std::optional<HttpAnswer> FakeBase::answer_at_once(const HttpRequest& request) {
    if (request.target == "/svc/v1/memory")
        return answer(request);
    return std::nullopt;
}

HttpAnswer FakeBase::redirected(const HttpRequest&, const std::string& location) {
    HttpAnswer answer = text(302, "");
    answer.headers.emplace_back("Location", location);
    return answer;
}

HttpAnswer FakeBase::failure(int status, const std::vector<HttpHeader>&) { return text(status, "refused"); }

Readiness FakeBase::readiness() {
    return {!draining_, {{"database", "ok"}, {"draining", draining_ ? "the server is stopping" : "ok"}}};
}

std::string FakeBase::metrics() { return "svc_fake 1\n"; }

void FakeBase::stop() { std::fputs("base stopped\n", stderr); }

std::string FakeBase::route_list() { return "GET /trips/public everyone -\n"; }

std::vector<std::string> FakeBase::targets() {
    const std::lock_guard lock(mutex_);
    return targets_;
}

}  // namespace testing

std::unique_ptr<Base> Base::open(const BaseOptions& options, svc_plugin_entry_fn*, const std::string&) {
    if (options.database == "sqlite:/broken")
        throw std::runtime_error("cannot open the database");
    testing::release_file = options.data_dir + "/release";
    return std::make_unique<testing::FakeBase>();
}

namespace commands {

// Users are lines of a file, so that two runs of the program see the same ones.
static std::string users_file(const BaseOptions& options) { return options.data_dir + "/users"; }

std::vector<std::string> migrate(const BaseOptions&, svc_plugin_entry_fn*, Progress&) { return {"base/0001_settings"}; }

std::int64_t add_user(const BaseOptions& options, const std::string& login, const std::string& email,
                      const std::string& role, const std::string& password) {
    std::ofstream(users_file(options), std::ios::app)
        << login << " " << email << " " << role << " " << password.size() << "\n";
    return 1;
}

std::string add_application_password(const BaseOptions&, const std::string& login, const std::string& name) {
    return "secret of " + login + " for " + name;
}

bool has_users(const BaseOptions& options) { return std::filesystem::exists(users_file(options)); }

std::vector<ListedUser> list_users(const BaseOptions&, bool with_customers) {
    std::vector<ListedUser> all{{"ada", "ada@example.org", "owner", "active", "2026-11-01T00:00:00Z"}};
    if (with_customers)
        all.push_back({"bo7", "bo@example.org", "svc_customer", "blocked", ""});
    return all;
}
void set_user_role(const BaseOptions&, const std::string&, const std::string& role) {
    if (role == "none")
        throw std::runtime_error("There is no role \"none\".");
}
void set_user_enabled(const BaseOptions&, const std::string&, bool) {}
void set_user_password(const BaseOptions& options, const std::string& login, const std::string& password) {
    std::ofstream(users_file(options), std::ios::app) << login << " " << password << "\n";
}
void accept_key(const BaseOptions&) {}

Evaluation evaluate(const BaseOptions&, svc_plugin_entry_fn*) { return {"2026-12-29T00:00:00Z", {"license"}}; }

std::string catalogue(svc_plugin_entry_fn*, const std::string& kind) { return "# " + kind + "\n"; }

void backup(const BaseOptions&, const std::string& path, Progress&) { std::ofstream(path) << "copy"; }

void export_to(const BaseOptions&, svc_plugin_entry_fn*, const std::string& path, const ExportWish& wish, Progress&) {
    std::ofstream(path) << (wish.everything ? "everything" : "records");
}
std::vector<std::string> import_from(const BaseOptions&, svc_plugin_entry_fn*, const std::string&,
                                     const ImportWish& wish, Progress&) {
    return {"imported by " + wish.mode};
}
std::vector<std::string> restore(const BaseOptions&, const std::string& path, const RestoreChoice& choice, Progress&) {
    return {(choice.replaces ? "replaced by " : "restored ") + path + (choice.any_key ? " with any key" : "")};
}

int load_samples(const BaseOptions&, Progress&) { return 3; }

void add_key(const BaseOptions&) {}
void use_last_key(const BaseOptions&) {}
std::int64_t renew_sealed(const BaseOptions&, svc_plugin_entry_fn*) { return 2; }
void drop_other_keys(const BaseOptions&) {}

std::string export_person(const BaseOptions&, svc_plugin_entry_fn*, const std::string& address) {
    return "{\"address\":\"" + address + "\"}";
}
std::vector<std::pair<std::string, std::int64_t>> erase_person(const BaseOptions&, svc_plugin_entry_fn*,
                                                               const std::string&) {
    return {{"svc_customers", 1}};
}

std::vector<std::pair<std::string, std::string>> theme_check(const BaseOptions&) {
    return {{"svc/page.html", "a tag is not closed"}};
}
std::string theme_eject(const BaseOptions&, const std::string& name) { return "theme/" + name; }

std::vector<FailedDeliveries> given_up(const BaseOptions&) {
    return {{"mail", 7, "welcome", "2026-11-01T00:00:00Z", "Refused."}};
}

int run_again(const BaseOptions&, const std::string& kind, std::int64_t id) {
    if (kind != "mail" || (id != 0 && id != 7))
        throw std::runtime_error("there is no " + kind + " " + std::to_string(id) + " that was given up");
    return 1;
}

std::vector<Finding> doctor(const BaseOptions& options, svc_plugin_entry_fn*) {
    using Level = Finding::Level;
    return {{Level::good, "database", "durable"},
            {options.require_durable ? Level::warning : Level::bad, "disk", "nearly full"}};
}

}  // namespace commands
}  // namespace svc
