// Features register with their Site, and each step runs for all of them.
#include <doctest/doctest.h>

#include "tests/support/recording_hooks.hpp"
#include "tests/support/test_site.hpp"

namespace svc::tests {
namespace {

using Steps = std::vector<std::string>;

class Recorded final : public Feature {
  public:
    Recorded(const Site& site, std::string name, Steps& steps) : Feature(site), name_(std::move(name)), steps_(steps) {}

    void connect() override { step("connect"); }
    void declare() override { step("declare"); }
    void add_routes() override { step("add_routes"); }
    void add_jobs() override { step("add_jobs"); }
    void follow_changes() override { step("follow_changes"); }
    void load() override { step("load"); }
    void start(bool with_jobs) override { step(with_jobs ? "start with jobs" : "start"); }
    void stop() override { step("stop"); }
    Result<std::int64_t> renew_sealed() override { return sealed; }

    Result<std::int64_t> sealed = 0;

  private:
    void step(const char* which) { steps_.push_back(std::string(which) + " " + name_); }

    const std::string name_;
    Steps& steps_;
};

TEST_CASE("each step runs for all features, in the order they were built; stop runs in reverse") {
    const auto database = Database::sqlite();
    TestSite base(database->open_migrated());
    Steps steps;
    Recorded lower(base.site, "lower", steps), upper(base.site, "upper", steps);
    base.begin();
    CHECK(steps == Steps{"connect lower", "connect upper", "declare lower", "declare upper", "add_routes lower",
                         "add_routes upper", "add_jobs lower", "add_jobs upper", "follow_changes lower",
                         "follow_changes upper", "load lower", "load upper"});
    steps.clear();
    base.features.start(true);
    base.features.start(false);
    base.features.stop();
    CHECK(steps == Steps{"start with jobs lower", "start with jobs upper", "start lower", "start upper", "stop upper",
                         "stop lower"});
}

TEST_CASE("renewing what is sealed adds up, and the first error ends it") {
    const auto database = Database::sqlite();
    TestSite base(database->open_migrated());
    Steps steps;
    Recorded lower(base.site, "lower", steps), upper(base.site, "upper", steps);
    lower.sealed = 2;
    upper.sealed = 3;
    CHECK(base.features.renew_sealed().value() == 5);
    lower.sealed = Error{errc::conflict};
    CHECK(base.features.renew_sealed().error().code().name == errc::conflict.name);
}

TEST_CASE("what is built from a Site with other hooks registers apart") {
    const auto database = Database::sqlite();
    TestSite base(database->open_migrated());
    RecordingHooks hooks;
    Features apart;
    const Site other = with_hooks(base.site, hooks, apart);
    Steps steps;
    Recorded feature(other, "apart", steps);
    base.features.declare();
    CHECK(steps.empty());
    apart.declare();
    CHECK(steps == Steps{"declare apart"});
    CHECK(&other.hooks == &hooks);
    CHECK(&other.store == &base.site.store);
}

}  // namespace
}  // namespace svc::tests
