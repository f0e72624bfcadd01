// Opening a plugin library: bad ones are not loaded, whatever is wrong with them, and the base stays up.
#include "shell/library.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "shell/elf.hpp"
#include "tests/plugin/stand.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using namespace svc::tests;
using shell::Library;
using shell::LibraryRules;
using shell::open_library;
namespace fs = std::filesystem;

namespace {

// True when the rules of open_library hold for a folder and all above it.
bool is_safe(const fs::path& folder) {
    for (fs::path here = folder;; here = here.parent_path()) {
        struct stat facts {};
        if (::lstat(here.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode))
            return false;
        const bool open = (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0;
        if ((open && (here == folder || (facts.st_mode & S_ISVTX) == 0)) ||
            (facts.st_uid != 0 && facts.st_uid != ::geteuid()))
            return false;
        if (here == here.root_path())
            return true;
    }
}

// A fresh folder where a library could be installed; gone with the test.
class Folder {
  public:
    Folder() {
        const auto* home = std::getenv("HOME");
        const auto* runtime = std::getenv("XDG_RUNTIME_DIR");
        for (const auto* place : {SVC_BINARY_DIR, runtime ? runtime : "", home ? home : ""}) {
            if (!*place || !is_safe(place))
                continue;
            std::string name = std::string(place) + "/svc-library-XXXXXX";
            if (::mkdtemp(name.data())) {
                path_ = name;
                return;
            }
        }
        FAIL("neither the build folder nor the home folder is safe from other users' writing");
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

std::string bytes_of(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    REQUIRE(stream.good());
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

void write(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    REQUIRE(::chmod(path.c_str(), 0644) == 0);
}

std::string built(const std::string& name) { return bytes_of(SVC_LIBRARIES "/libplugin_" + name + ".so"); }

std::string installed(const Folder& folder, const std::string& name) {
    const auto path = folder.file("libsvc-pro.so");
    write(path, built(name));
    return path;
}

// Libraries whose code has run in this process since the last question.
std::string ran() {
    const auto* name = std::getenv("SVC_TEST_LIBRARY_RAN");
    std::string answer = name ? name : "";
    ::unsetenv("SVC_TEST_LIBRARY_RAN");
    return answer;
}

// The base that must stay up: it answers before and after.
struct Up : Stand {
    Up() {
        routes.add({.method = api::Method::get,
                    .path = "/up",
                    .who = api::Permission::everyone(),
                    .handle = [](const api::Request&) { return api::ok(true); }});
        ran();
    }
    void check_refused(const Library& library, const std::string& because) {
        CAPTURE(library.refusal);
        CHECK_FALSE(static_cast<bool>(library.entry));
        CHECK_FALSE(library.missing);
        CHECK(library.refusal.find(because) != std::string::npos);
        CHECK(ran().empty());
        CHECK(call("GET", "/up").status == 200);
    }
};

}  // namespace

TEST_CASE("a good library is opened and attaches") {
    Folder folder;
    Up up;
    const auto library = open_library(installed(folder, "good"));
    CAPTURE(library.refusal);
    REQUIRE(static_cast<bool>(library.entry));
    CHECK(ran() == "good");
    CHECK(*up.attach(library.entry) == "good 1");
}

TEST_CASE("the real Pro library is opened and attaches") {
    Folder folder;
    Up up;
    write(folder.file("libsvc-pro.so"), bytes_of(SVC_PRO_LIBRARY));
    const auto library = open_library(folder.file("libsvc-pro.so"));
    CAPTURE(library.refusal);
    REQUIRE(static_cast<bool>(library.entry));
    REQUIRE(up.attach(library.entry));
    CHECK(up.call("GET", "/license").status == 200);
    up.plugins().detach();
}

TEST_CASE("a missing library is no fault") {
    Folder folder;
    for (const auto* name : {"libsvc-pro.so", "no/such/folder/libsvc-pro.so"}) {
        const auto library = open_library(folder.file(name));
        CHECK(library.missing);
        CHECK_FALSE(static_cast<bool>(library.entry));
        CHECK(library.refusal.empty());
    }
}

TEST_CASE("a library that is wrong in itself is not loaded") {
    struct Bad {
        const char* name;
        std::string because;
    };
    for (const auto& bad : {Bad{"wrong_major", "abi_major: expected 1, got 2"},
                            Bad{"newer_minor", "abi_minor: expected " + std::to_string(SVC_ABI_MINOR) + ", got " +
                                                   std::to_string(SVC_ABI_MINOR + 1)},
                            Bad{"no_note", "no plugin note"}, Bad{"no_entry", "does not export svc_plugin_entry"},
                            Bad{"unresolved", "svc_symbol_that_nobody_has"}, Bad{"throwing_init", "Its load ended"},
                            Bad{"aborting_init", "Its load ended"}, Bad{"exiting_init", "Its load ended"}}) {
        CAPTURE(bad.name);
        Folder folder;
        Up up;
        up.check_refused(open_library(installed(folder, bad.name)), bad.because);
    }
}

TEST_CASE("what is no library is not loaded") {
    Folder folder;
    Up up;
    const auto path = folder.file("libsvc-pro.so");
    write(path, "#!/bin/sh\necho hello\n");
    up.check_refused(open_library(path), "no ELF file");
    write(path, "");
    up.check_refused(open_library(path), "no ELF file");
    write(path, bytes_of("/proc/self/exe"));  // a program, or a position-independent one without the note
    CHECK_FALSE(static_cast<bool>(open_library(path).entry));
    fs::remove(path);
    fs::create_directory(path);
    CHECK_FALSE(static_cast<bool>(open_library(path).entry));
    fs::remove(path);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    up.check_refused(open_library(path), "no regular file");
}

TEST_CASE("a library cut off anywhere is not loaded") {
    Folder folder;
    Up up;
    const auto whole = built("good");
    const auto path = folder.file("libsvc-pro.so");
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
        CAPTURE(size);
        write(path, std::string_view(whole).substr(0, size));
        CHECK_FALSE(static_cast<bool>(open_library(path).entry));
    }
    CHECK(ran().empty());
    CHECK(up.call("GET", "/up").status == 200);
}

TEST_CASE("headers of any content are read within the file, and nothing is found that is not there") {
    const auto whole = built("good");
    test::Random random;
    CAPTURE(random.seed);
    const auto below = [&](std::size_t most) {
        return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(most) - 1));
    };
    int faults = 0;
    for (int round = 0; round < 4000; ++round) {
        auto spoiled = whole.substr(0, round % 3 ? whole.size() : 64 + below(whole.size() - 64));
        for (int i = 0; i < 8; ++i)
            spoiled[below(round % 2 ? std::min<std::size_t>(spoiled.size(), 1024) : spoiled.size())] =
                static_cast<char>(below(256));
        const auto facts = shell::read_elf(spoiled);
        faults += facts.fault.empty() ? 0 : 1;
        if (facts.fault.empty() && facts.exports_entry)
            CHECK(spoiled.find("svc_plugin_entry") != std::string::npos);
    }
    CHECK(faults > 2000);
}

TEST_CASE("a library others may write, directly or through a folder, is not loaded") {
    Folder folder;
    Up up;
    const auto path = installed(folder, "good");
    for (const mode_t mode : {0664U, 0646U, 0666U}) {
        REQUIRE(::chmod(path.c_str(), mode) == 0);
        up.check_refused(open_library(path), "may be written");
    }
    REQUIRE(::chmod(path.c_str(), 0644) == 0);
    for (const mode_t mode : {0775U, 0757U, 01777U}) {
        REQUIRE(::chmod(folder.path().c_str(), mode) == 0);
        up.check_refused(open_library(path), "may be written");
    }
    fs::create_directory(folder.file("inner"));
    fs::copy(path, folder.file("inner/libsvc-pro.so"));
    REQUIRE(::chmod(folder.file("inner").c_str(), 0755) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
    up.check_refused(open_library(folder.file("inner/libsvc-pro.so")), "may be written");
}

TEST_CASE("below a folder such as /tmp, where others may write but not rename, a library is loaded") {
    Folder folder;
    const auto path = installed(folder, "good");
    fs::create_directory(folder.file("inner"));
    fs::copy(path, folder.file("inner/libsvc-pro.so"));
    REQUIRE(::chmod(folder.file("inner").c_str(), 0755) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 01777) == 0);
    const bool opened = open_library(folder.file("inner/libsvc-pro.so")).entry != nullptr;
    CHECK(opened);
}

TEST_CASE("a library or folder of another user is not loaded") {
    if (::geteuid() != 0) {
        MESSAGE("only root can give files away: not checked by this run");
        return;
    }
    Folder folder;
    Up up;
    constexpr uid_t nobody = 65534;
    const auto path = installed(folder, "good");
    REQUIRE(::chown(path.c_str(), nobody, nobody) == 0);
    up.check_refused(open_library(path), "belongs neither to root");
    REQUIRE(::chown(path.c_str(), 0, 0) == 0);
    REQUIRE(::chown(folder.path().c_str(), nobody, nobody) == 0);
    up.check_refused(open_library(path), "belongs neither to root");
}

TEST_CASE("a path with a symbolic link, a relative one and a crooked one are not followed") {
    Folder folder;
    Up up;
    const auto path = installed(folder, "good");
    fs::create_symlink(path, folder.file("link.so"));
    up.check_refused(open_library(folder.file("link.so")), "symbolic link");
    fs::create_directory_symlink(folder.path(), folder.file("aside"));
    up.check_refused(open_library(folder.file("aside/libsvc-pro.so")), "symbolic link");
    up.check_refused(open_library("libsvc-pro.so"), "not absolute");
    up.check_refused(open_library(""), "not absolute");
    up.check_refused(
        open_library(folder.path() + "/../" + fs::path(folder.path()).filename().string() + "/libsvc-pro.so"),
        "plain form");
    up.check_refused(open_library(folder.path() + "//libsvc-pro.so"), "plain form");
}

TEST_CASE("a digest that was configured must be the file's") {
    Folder folder;
    Up up;
    const auto path = installed(folder, "good");
    up.check_refused(open_library(path, {.sha256 = std::string(64, '0')}), "SHA-256");
    auto digest = crypto::sha256_hex(built("good"));
    CHECK(static_cast<bool>(open_library(path, {.sha256 = digest}).entry));
    CHECK(ran() == "good");
    for (char& c : digest)
        c = static_cast<char>(std::toupper(c));
    CHECK(static_cast<bool>(open_library(path, {.sha256 = digest}).entry));
}

TEST_CASE("a library that is replaced or written over after the checks is not loaded, neither the old nor the new") {
    Folder folder;
    Up up;
    const auto path = installed(folder, "good");
    up.check_refused(open_library(path, {.after_checks =
                                             [&] {
                                                 write(folder.file("other"), built("other"));
                                                 fs::rename(folder.file("other"), path);
                                             }}),
                     "changed");
    up.check_refused(open_library(path, {.after_checks = [&] { write(path, built("good")); }}), "changed");
}

TEST_CASE("what is opened is the file that was checked, whatever its folder's name leads to by then") {
    Folder folder;
    Up up;
    fs::create_directory(folder.file("a"));
    REQUIRE(::chmod(folder.file("a").c_str(), 0755) == 0);
    write(folder.file("a/libsvc-pro.so"), built("good"));
    fs::create_directory(folder.file("b"));
    write(folder.file("b/libsvc-pro.so"), built("other"));
    const auto library = open_library(folder.file("a/libsvc-pro.so"), {.after_checks = [&] {
                                          fs::rename(folder.file("a"), folder.file("gone"));
                                          fs::rename(folder.file("b"), folder.file("a"));
                                      }});
    CAPTURE(library.refusal);
    REQUIRE(static_cast<bool>(library.entry));
    CHECK(ran() == "good");
}
