// Digests, tokens, password hashes, the key file and sealing, seen from outside.
#include "base/platform/crypto/crypto.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

using namespace svc;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path;
    Folder() {
        std::string pattern = (fs::temp_directory_path() / "svc-crypto-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path = pattern;
    }
    ~Folder() { fs::remove_all(path); }
    [[nodiscard]] std::string file(const std::string& name) const { return (path / name).string(); }
};

void write_file(const std::string& path, const std::string& bytes, mode_t mode) {
    std::ofstream(path, std::ios::binary) << bytes;
    REQUIRE(::chmod(path.c_str(), mode) == 0);
}

}  // namespace

TEST_CASE("digests are those of FIPS 180-4 and RFC 4231") {
    CHECK(crypto::sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(crypto::sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(crypto::sha256("abc").size() == 32);
    CHECK(crypto::hex(crypto::hmac_sha256("Jefe", "what do ya want for nothing?")) ==
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(crypto::hex(crypto::hmac_sha256(std::string(131, '\xaa'),
                                          "Test Using Larger Than Block-Size Key - Hash Key First")) ==
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    CHECK(crypto::hex(crypto::hmac_sha256("", "")) ==
          "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST_CASE("digests agree from many threads") {
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, 0);
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&wrong, t] {
            for (int i = 0; i < 500; ++i)
                if (crypto::hex(crypto::hmac_sha256("Jefe", "what do ya want for nothing?")).substr(0, 8) != "5bdcc146")
                    ++wrong[t];
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("base64 is read strictly") {
    CHECK(crypto::base64("") == "");
    CHECK(crypto::base64("a") == "YQ==");
    CHECK(crypto::from_base64("YQ==").value() == "a");
    CHECK(crypto::from_base64("").value().empty());
    CHECK(crypto::from_base64("AP8=").value() == std::string("\0\xff", 2));
    for (const char* bad : {"YQ", "YQ=", "YQ==\n", "Y Q=", "Y===", "YR==", "-_==", "YQ==YQ=="}) {
        CAPTURE(bad);
        CHECK_FALSE(crypto::from_base64(bad));
    }
}

TEST_CASE("comparison is by content, and other lengths are unequal") {
    CHECK(crypto::equal("same", "same"));
    CHECK_FALSE(crypto::equal("same", "sama"));
    CHECK_FALSE(crypto::equal("same", "samee"));
    CHECK(crypto::equal("", ""));
}

TEST_CASE("tokens are 43 URL-safe characters and never repeat") {
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const auto token = crypto::random_token();
        CHECK(token.size() == 43);
        CHECK(token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
              std::string::npos);
        seen.insert(token);
    }
    CHECK(seen.size() == 1000);
}

TEST_CASE("a code uses its whole alphabet evenly") {
    std::map<char, int> counts;
    const auto code = crypto::random_code(60'000, "abcdef");
    for (const char c : code)
        ++counts[c];
    CHECK(code.size() == 60'000);
    CHECK(counts.size() == 6);
    for (const auto& [letter, count] : counts) {
        CAPTURE(letter);
        CHECK(count > 9'400);  // six standard deviations around 10 000
        CHECK(count < 10'600);
    }
    CHECK(crypto::random_code(3, "x") == "xxx");
    CHECK_THROWS_AS(crypto::random_code(3, ""), std::invalid_argument);
}

TEST_CASE("a password is kept as argon2id with 19 MiB and 2 passes, and only it matches") {
    const auto hash = crypto::hash_password("correct horse");
    CHECK(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    CHECK(hash != crypto::hash_password("correct horse"));
    const auto check = crypto::check_password("correct horse", hash);
    CHECK(check.matches);
    CHECK_FALSE(check.needs_rehash);
    CHECK_FALSE(crypto::check_password("correct hors", hash).matches);
    CHECK_FALSE(crypto::check_password("correct horse", "").matches);
    CHECK_FALSE(crypto::check_password("correct horse", "not a hash").matches);
}

TEST_CASE("an older, weaker hash matches and asks to be renewed") {
    // One pass over 8 MiB, by the same library.
    const std::string older =
        "$argon2id$v=19$m=8192,t=1,p=1$yUZeZqwq+aBu1rKw5VW9kQ$VrkuBmrXFUFxZOMDo0YYpZqwLnuIpmU5CzGFksFls1Q";
    const auto check = crypto::check_password("correct horse", older);
    CHECK(check.matches);
    CHECK(check.needs_rehash);
}

TEST_CASE("many password checks at once do not take as many times the memory") {
    std::vector<std::thread> threads;
    for (int i = 0; i < 40; ++i)
        threads.emplace_back([] { crypto::waste_password_check("guess"); });
    for (auto& thread : threads)
        thread.join();
    std::ifstream status("/proc/self/status");
    long peak_kib = 0;
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            peak_kib = std::stol(line.substr(6));
    CHECK(peak_kib > 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(peak_kib < 120 * 1024);  // forty at once would be 760 MiB
#endif
}

TEST_CASE("the key file is made once, 0400 and 32 bytes, and opens the same afterwards") {
    const Folder folder;
    const auto path = folder.file("svc.key");
    const auto sealed = crypto::Keyring::open(path)->seal("hello", "here");
    struct stat facts {};
    REQUIRE(::stat(path.c_str(), &facts) == 0);
    CHECK((facts.st_mode & 07777U) == 0400);
    CHECK(facts.st_size == 32);
    CHECK(crypto::Keyring::open(path)->open(sealed, "here").value() == "hello");
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("processes that start together end with one key") {
    const Folder folder;
    const auto path = folder.file("svc.key");
    std::vector<std::thread> threads;
    std::vector<std::string> macs(8);
    for (auto& mac : macs)
        threads.emplace_back([&mac, &path] { mac = crypto::Keyring::open(path)->mac("test", "x"); });
    for (auto& thread : threads)
        thread.join();
    CHECK(std::set<std::string>(macs.begin(), macs.end()).size() == 1);
}

TEST_CASE("a key file that others could read, or of another kind, is refused with the path") {
    const Folder folder;
    const auto refused = [&](const std::string& path) {
        try {
            static_cast<void>(crypto::Keyring::open(path));
        } catch (const std::runtime_error& error) {
            return std::string(error.what()).find(path) != std::string::npos;
        }
        return false;
    };
    const std::string key(32, 'k');
    for (const mode_t mode : {0440U, 0404U, 0640U, 0660U, 0410U, 0401U}) {
        const auto path = folder.file("mode" + std::to_string(mode));
        write_file(path, key, mode);
        CAPTURE(mode);
        CHECK(refused(path));
    }
    write_file(folder.file("short"), key.substr(1), 0400);
    CHECK(refused(folder.file("short")));
    write_file(folder.file("long"), key + "k", 0400);
    CHECK(refused(folder.file("long")));
    fs::create_directory(folder.path / "folder");
    CHECK(refused(folder.file("folder")));
    write_file(folder.file("good"), key, 0400);
    fs::create_symlink(folder.path / "good", folder.path / "link");
    CHECK(refused(folder.file("link")));
    CHECK(refused(folder.file("missing/svc.key")));
    if (::geteuid() == 0) {
        write_file(folder.file("theirs"), key, 0400);
        REQUIRE(::chown(folder.file("theirs").c_str(), 65534, 65534) == 0);
        CHECK(refused(folder.file("theirs")));
    }
    CHECK_FALSE(refused(folder.file("good")));
}

TEST_CASE("a text of each length opens again, and its sealed form is base64 as OpenSSL reads it") {
    const auto keyring = crypto::Keyring::for_tests();
    std::string text;
    for (int length = 0; length < 200; ++length, text += static_cast<char>(length * 37)) {
        const auto sealed = keyring->seal(text, "x");
        CHECK(keyring->open(sealed, "x").value() == text);
        CHECK(sealed.size() % 4 == 0);  // the mark "v1.{key}." is 12 letters long
    }
}

TEST_CASE("what is sealed opens only unchanged, with the same key and in the same place") {
    const auto keyring = crypto::Keyring::for_tests();
    const auto sealed = keyring->seal("whsec_secret", "settings/value/a");
    CHECK(sealed.starts_with("v1."));
    CHECK(sealed.find("whsec") == std::string::npos);
    CHECK(keyring->open(sealed, "settings/value/a").value() == "whsec_secret");
    CHECK(keyring->seal("whsec_secret", "settings/value/a") != sealed);
    CHECK_FALSE(keyring->open(sealed, "settings/value/b"));
    CHECK(keyring->open(keyring->seal("", "x"), "x").value().empty());

    std::array<unsigned char, 32> other{};
    CHECK_FALSE(crypto::Keyring(other).open(sealed, "settings/value/a"));

    int opened = 0;
    for (std::size_t i = 0; i < sealed.size(); ++i) {
        auto changed = sealed;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        opened += keyring->open(changed, "settings/value/a") ? 1 : 0;
        opened += keyring->open(std::string_view(sealed).substr(0, i), "settings/value/a") ? 1 : 0;
    }
    CHECK(opened == 0);
}

TEST_CASE("secrets of any length open, and no other text of the same sealed bytes does") {
    const auto keyring = crypto::Keyring::for_tests();
    for (std::size_t length = 0; length < 70; ++length) {
        const std::string secret(length, static_cast<char>(length));
        const std::string sealed = keyring->seal(secret, "x");
        CHECK(sealed.substr(12) == crypto::base64(crypto::from_base64(sealed.substr(12)).value()));
        CHECK(keyring->open(sealed, "x").value() == secret);
        for (const std::string& like :
             {sealed + "\n", sealed + "====", sealed + "AAAA", sealed.substr(0, 12) + " " + sealed.substr(12),
              sealed.substr(0, sealed.size() - 4)})
            CHECK_FALSE(keyring->open(like, "x"));
        if (sealed.ends_with('=')) {  // the last letter holds bits that belong to no byte
            std::string other = sealed;
            ++other[other.find('=') - 1];
            CHECK_FALSE(keyring->open(other, "x"));
        }
    }
}

TEST_CASE("keys change while they are in use: what was sealed opens until its key is dropped") {
    const Folder folder;
    const auto path = folder.file("svc.key");
    const auto ring = crypto::Keyring::open(path);
    const auto look_again = [] { std::this_thread::sleep_for(std::chrono::milliseconds(150)); };
    const auto first = ring->seal("hello", "here"), signed_first = ring->mac("links", "1");
    crypto::Keyring::add(path);
    look_again();
    CHECK(ring->seal("x", "here").substr(0, 12) == first.substr(0, 12));  // not in use yet
    crypto::Keyring::use_last(path);
    look_again();
    const auto second = ring->seal("hello", "here");
    CHECK(second.starts_with(ring->prefix()));
    CHECK(second.substr(0, 12) != first.substr(0, 12));
    CHECK(ring->open(first, "here").value() == "hello");
    CHECK(ring->mac("links", "1") != signed_first);
    const auto is_ours = [&](const std::string& mac) {
        return ring->any([&](const crypto::Keyring& one) { return crypto::equal(one.mac("links", "1"), mac); });
    };
    CHECK(is_ours(signed_first));
    CHECK(is_ours(ring->mac("links", "1")));
    const auto renewed = ring->renewed(first, "here");
    REQUIRE(renewed);
    CHECK(ring->open(*renewed, "here").value() == "hello");
    CHECK_FALSE(ring->renewed(second, "here"));
    CHECK_FALSE(ring->renewed("nonsense", "here"));

    crypto::Keyring::drop_others(path);
    look_again();
    CHECK_FALSE(ring->open(first, "here"));
    CHECK(ring->open(*renewed, "here").value() == "hello");
    CHECK_FALSE(is_ours(signed_first));
    // A file of 32 bytes again, as at first, and of the same mode.
    CHECK(std::filesystem::file_size(path) == 32);
    CHECK((std::filesystem::status(path).permissions() & std::filesystem::perms::all) ==
          std::filesystem::perms::owner_read);
}

TEST_CASE("what a key has sealed that came a moment ago opens at once") {
    const Folder folder;
    const auto path = folder.file("svc.key");
    const auto ring = crypto::Keyring::open(path);
    static_cast<void>(ring->seal("x", "here"));  // it has looked at the file just now
    crypto::Keyring::add(path);
    crypto::Keyring::use_last(path);
    const auto sealed = crypto::Keyring::open(path)->seal("hello", "here");
    CHECK(ring->open(sealed, "here").value() == "hello");
}

TEST_CASE("a key file holds one key to eight, and one alone has none to be used instead") {
    const Folder folder;
    const auto path = folder.file("svc.key");
    static_cast<void>(crypto::Keyring::open(path));
    CHECK_THROWS_AS(crypto::Keyring::use_last(path), std::runtime_error);
    for (int more = 0; more < 7; ++more)
        crypto::Keyring::add(path);
    CHECK_THROWS_AS(crypto::Keyring::add(path), std::runtime_error);
    CHECK_NOTHROW(static_cast<void>(crypto::Keyring::open(path)));
}

TEST_CASE("a mac for one purpose serves no other") {
    const auto keyring = crypto::Keyring::for_tests();
    CHECK(keyring->mac("nonce", "x") == keyring->mac("nonce", "x"));
    CHECK(keyring->mac("nonce", "x") != keyring->mac("link", "x"));
    CHECK(keyring->mac("nonce", "x").size() == 32);
}
