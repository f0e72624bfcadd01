// The configuration: its sources, their order, and what is refused.
#include "shell/config.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include <doctest/doctest.h>

using namespace svc::shell;

namespace {

// A file that lives as long as the test case.
class File {
  public:
    explicit File(const std::string& text) : path_(std::filesystem::temp_directory_path() / name()) {
        std::ofstream(path_) << text;
    }
    ~File() { std::filesystem::remove(path_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    static std::string name() {
        static int count = 0;
        return "svc-config-test-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".toml";
    }
    std::filesystem::path path_;
};

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const ConfigError& error) {
        return error.what();
    }
    return {};
}

std::string refusal_of_file(const std::string& text) {
    const File file(text);
    std::string help = refusal([&] { combine(values_of_file(file.path()), {}, {}); });
    if (const std::size_t at = help.find(file.path()); at != std::string::npos)
        help.replace(at, file.path().size(), "FILE");
    return help;
}

}  // namespace

TEST_CASE("behind an https address the cookie is secure unless the operator sets otherwise") {
    const Values https{{"site.url", "https://book.example.org"}};
    const auto secure = [&](const Values& file) { return combine(file, {}, {}).config.base.cookie_secure; };
    CHECK(secure(https));
    CHECK_FALSE(secure({{"site.url", "http://book.example.org"}}));
    CHECK_FALSE(secure({}));
    CHECK_FALSE(secure({{"site.url", "https://book.example.org"}, {"site.cookie_secure", "false"}}));
    CHECK(secure({{"site.url", "http://book.example.org"}, {"site.cookie_secure", "true"}}));
    CHECK(combine(https, {}, {}).origins.at("site.cookie_secure") == "site.url");
}

TEST_CASE("a library is named by a file of root's or the service's alone, which nobody else may write") {
    const File file("[pro]\nlibrary = \"/opt/pro.so\"\n");
    const auto with = [&](std::filesystem::perms rights) {
        std::filesystem::permissions(file.path(), rights);
        return refusal([&] { values_of_file(file.path()); });
    };
    using std::filesystem::perms;
    const perms own = perms::owner_read | perms::owner_write;
    CHECK(with(own).empty());
    CHECK(with(own | perms::group_read | perms::others_read).empty());
    CHECK(with(own | perms::others_write).find("Run: chmod 0640") != std::string::npos);
    CHECK(with(own | perms::group_write).find("pro.library") != std::string::npos);
    if (geteuid() == 0) {
        std::filesystem::permissions(file.path(), own);
        REQUIRE(chown(file.path().c_str(), 65534, 65534) == 0);
        CHECK(refusal([&] { values_of_file(file.path()); }).find("pro.library") != std::string::npos);
    }
    const File other("[listen]\nport = 1\n");
    std::filesystem::permissions(other.path(), own | perms::group_write);
    CHECK(refusal([&] { values_of_file(other.path()); }).empty());
    std::filesystem::permissions(other.path(), own | perms::others_write);
    CHECK(refusal([&] { values_of_file(other.path()); }).find("can be written by everybody") != std::string::npos);
}

TEST_CASE("without any source every setting has the default of its declaration") {
    const Effective effective = combine({}, {}, {});
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.key);
        CHECK(setting.get(effective.config) == setting.initial());
        CHECK(effective.origins.at(std::string(setting.key)) == "default");
    }
}

TEST_CASE("flags beat the environment, the environment beats the file") {
    const File file("[listen]\nport = 1\nworkers = 11\nwait_ms = 21\n");
    const auto variable = [](const char* name) -> const char* {
        const std::string_view wanted(name);
        return wanted == "SVC_LISTEN_PORT" ? "2" : wanted == "SVC_LISTEN_WORKERS" ? "12" : nullptr;
    };
    const Effective effective =
        combine(values_of_file(file.path()), values_of_environment(variable), {{"listen.port", "3"}});
    CHECK(effective.config.http.port == 3);
    CHECK(effective.config.http.workers == 12);
    CHECK(effective.config.http.longest_wait.count() == 21);
    CHECK(effective.origins.at("listen.port") == "flag");
    CHECK(effective.origins.at("listen.workers") == "environment");
    CHECK(effective.origins.at("listen.wait_ms") == "file");
}

TEST_CASE("every setting takes its own default back from its text") {
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.key);
        Config config;
        setting.set(config, setting.initial());
        CHECK(setting.get(config) == setting.initial());
    }
}

TEST_CASE("every setting changes one value and is read back changed") {
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.key);
        Config config;
        const std::string other = setting.kind == Kind::flag    ? (setting.initial() == "true" ? "false" : "true")
                                  : setting.kind == Kind::whole ? std::to_string(setting.most)
                                  : setting.key == "site.url" || setting.key == "site.cors_origins"
                                      ? "https://other.example"
                                  : setting.key == "site.base_path"         ? "/other"
                                  : setting.key == "outbound.private_hosts" ? "other.example:25"
                                  : setting.key == "log.level"              ? "error"
                                  : setting.key.ends_with(".address")       ? "127.0.0.9"
                                                                            : "other";
        setting.set(config, other);
        CHECK(setting.get(config) == other);
        for (const Setting& another : all_settings())
            if (another.key != setting.key)
                CHECK(another.get(config) == another.initial());
    }
}

TEST_CASE("no two settings share an environment variable or a flag") {
    std::set<std::string> names;
    for (const Setting& setting : all_settings()) {
        CHECK(names.insert(setting.environment()).second);
        CHECK(names.insert(setting.flag()).second);
        CHECK(setting.help.back() == '.');
    }
}

TEST_CASE("a file's mistakes are refused with file, line and setting") {
    CHECK(refusal_of_file("[listen]\nprot = 1\n") == "FILE:2: listen.prot is not a setting");
    CHECK(refusal_of_file("[listen]\nport = \"1\"\n") == "FILE:2: listen.port must be a whole number");
    CHECK(refusal_of_file("[jobs]\nrun = 1\n") == "FILE:2: jobs.run must be true or false");
    CHECK(refusal_of_file("[site]\ncors_origins = \"a\"\n") == "FILE:2: site.cors_origins must be an array of texts");
    CHECK(refusal_of_file("[site]\nurl = 1\n") == "FILE:2: site.url must be a text");
    CHECK(refusal_of_file("port = 1\n") == "FILE: port must stand under a [section]");
    CHECK(refusal_of_file("[listen\n").starts_with("FILE:1: "));
    CHECK(refusal_of_file("[listen]\nport = 65536\n") == "listen.port must be from 0 to 65535, not 65536");
}

TEST_CASE("a file that cannot be read is refused, not taken as empty") {
    CHECK(refusal([] { values_of_file("/nonexistent/svc.toml"); }).starts_with("/nonexistent/svc.toml"));
}

TEST_CASE("a bad value is refused under the name it was given by") {
    CHECK(refusal([] {
              combine({}, {{"listen.port", "80x"}}, {});
          }) == "SVC_LISTEN_PORT must be a whole number, not \"80x\"");
    CHECK(refusal([] { combine({}, {}, {{"jobs.run", "yes"}}); }) == "--jobs-run must be true or false, not \"yes\"");
    CHECK(refusal([] {
              combine({}, {}, {{"listen.workers", "-1"}});
          }) == "--listen-workers must be from 1 to 256, not -1");
    CHECK(refusal([] {
              combine({}, {}, {{"listen.workers", ""}});
          }) == "--listen-workers must be a whole number, not \"\"");
    CHECK(refusal([] {
              combine({}, {}, {{"site.cors_origins", "https://a.example,,https://b.example"}});
          }) == "--site-cors-origins must not hold an empty item");
}

TEST_CASE("lists are arrays in the file and commas elsewhere") {
    const File file("[site]\ncors_origins = [\"https://a.example\", \"https://b.example\"]\n");
    const std::vector<std::string> both{"https://a.example", "https://b.example"};
    CHECK(combine(values_of_file(file.path()), {}, {}).config.base.cors_origins == both);
    CHECK(combine({}, {}, {{"site.cors_origins", "https://a.example,https://b.example"}}).config.base.cors_origins ==
          both);
    CHECK(combine({}, {}, {{"site.trusted_proxies", ""}}).config.base.trusted_proxies.empty());
}

TEST_CASE("an address or a path that could not be used is refused where it is told") {
    for (const auto& [key, value] : {std::pair{"site.url", "foo"},
                                     {"site.url", "https://example.org/shop"},
                                     {"site.base_path", "nope"},
                                     {"site.base_path", "/svc/v1/"},
                                     {"site.cors_origins", "https://a.example,notorigin"}})
        CHECK_THROWS_AS(combine({}, {}, {{key, value}}), ConfigError);
    CHECK(combine({}, {}, {{"site.url", "http://[::1]:8080"}}).config.base.site_url == "http://[::1]:8080");
}

TEST_CASE("the listing hides the password of the database however it is written") {
    for (const char* url : {"postgresql:host=db password=canary user=svc", "postgresql:password='canary two' host=db",
                            "postgresql:postgresql://svc:canary@db/svc", "postgresql:postgresql://svc:can@ary@db/svc",
                            "postgresql:postgresql://db/svc?password=canary&user=svc",
                            "postgresql:host=db user=svc password=canary sslpassword=canary"}) {
        const std::string text = listing(combine({}, {{"database.url", url}}, {}));
        CAPTURE(text);
        CHECK(text.find("can") == std::string::npos);
        CHECK(text.find("****") != std::string::npos);
        CHECK(text.find("svc") != std::string::npos);
    }
}

TEST_CASE("the example is a file that can be read, and holds what was asked for") {
    const Effective asked = combine({}, {}, {{"files.data_dir", "/var/lib/svc"}, {"listen.port", "8090"}});
    const File file(example(asked));
    const Values values = values_of_file(file.path());
    CHECK(values == Values{{"files.data_dir", "/var/lib/svc"}, {"listen.port", "8090"}});
    std::string uncommented = example(asked);
    for (std::size_t at = 0; (at = uncommented.find("\n#", at)) != std::string::npos; ++at)
        if (uncommented.at(at + 2) != ' ')
            uncommented.erase(at + 1, 1);
    const File whole(uncommented);
    CHECK(values_of_file(whole.path()).size() == all_settings().size());
}

TEST_CASE("docs/configuration.md is what svc config --markdown prints") {
    std::ifstream file(SVC_SOURCE_DIR "/docs/configuration.md");
    const std::string stored{std::istreambuf_iterator<char>(file), {}};
    CHECK(stored == markdown());
}
