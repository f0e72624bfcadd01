// The installation's key: its file, the keys derived from it, and sealing with XChaCha20-Poly1305.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <openssl/evp.h>
#include <sodium.h>

#include "base/platform/crypto/crypto.hpp"
#include "shared/core/log.hpp"

namespace svc::crypto {
namespace {

constexpr std::size_t key_length = 32, most_keys = 8;
constexpr std::int64_t look_every = 100;  // milliseconds

class File {
  public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    ~File() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    [[nodiscard]] int get() const { return descriptor_; }
    [[nodiscard]] bool good() const { return descriptor_ >= 0; }

  private:
    int descriptor_;
};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw std::runtime_error("The key file " + path + " " + why);
}

[[noreturn]] void refuse_errno(const std::string& path, const std::string& what) {
    refuse(path, what + ": " + std::generic_category().message(errno) + ".");
}

std::string draft_of(const std::string& path, std::string_view bytes) {
    std::string draft = path + "." + hex(random_bytes(8));
    const File file{::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400)};
    if (!file.good())
        refuse_errno(path, "cannot be made");
    if (::write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
        ::fsync(file.get()) != 0) {
        const int reason = errno;
        ::unlink(draft.c_str());
        errno = reason;
        refuse_errno(path, "could not be written");
    }
    return draft;
}

void sync_folder_of(const std::string& path) {
    const auto parent = std::filesystem::path(path).parent_path();
    const File folder{::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!folder.good() || ::fsync(folder.get()) != 0)
        refuse_errno(path, "could not be made durable");
}

// Written under another name and linked into place whole: a second process starting at this moment finds either
// no file or all of its bytes, and the one that links second takes the first one's key.
void make(const std::string& path) {
    const std::string draft = draft_of(path, random_bytes(key_length));
    const int linked = ::link(draft.c_str(), path.c_str());
    const int reason = errno;
    ::unlink(draft.c_str());
    errno = reason;
    if (linked != 0 && reason != EEXIST)
        refuse_errno(path, "cannot be made");
    sync_folder_of(path);
}

std::int64_t moment_of(const struct stat& facts) {
    return static_cast<std::int64_t>(facts.st_mtim.tv_sec) * 1'000'000'000 + facts.st_mtim.tv_nsec +
           static_cast<std::int64_t>(facts.st_ino);
}

std::vector<Keyring::Key> read(const File& file, const std::string& path) {
    struct stat facts {};
    if (::fstat(file.get(), &facts) != 0)
        refuse_errno(path, "cannot be read");
    if (!S_ISREG(facts.st_mode))
        refuse(path, "is not a plain file.");
    if (facts.st_uid != ::geteuid())
        refuse(path, "belongs to another user. It must belong to the user that runs the service.");
    if ((facts.st_mode & 077U) != 0)
        refuse(path, "can be used by others. Set its mode to 0400.");
    const auto length = static_cast<std::size_t>(facts.st_size);
    if (length == 0 || length % key_length != 0 || length > most_keys * key_length)
        refuse(path, "does not hold 32 bytes, or as many for each of at most eight keys.");
    std::vector<Keyring::Key> keys(length / key_length);
    for (Keyring::Key& key : keys)
        if (::read(file.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size()))
            refuse(path, "could not be read.");
    return keys;
}

std::vector<Keyring::Key> read(const std::string& path) {
    const File file{::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
    if (!file.good())
        refuse_errno(path, "cannot be opened");
    return read(file, path);
}

// Atomic: concurrent readers find the old keys or the new ones.
void write(const std::string& path, const std::vector<Keyring::Key>& keys) {
    std::string bytes;
    for (const Keyring::Key& key : keys)
        bytes.append(reinterpret_cast<const char*>(key.data()), key.size());
    const std::string draft = draft_of(path, bytes);
    if (::rename(draft.c_str(), path.c_str()) != 0) {
        const int reason = errno;
        ::unlink(draft.c_str());
        errno = reason;
        refuse_errno(path, "could not be written");
    }
    sync_folder_of(path);
}

std::int64_t now_in_millis() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::string_view text_of(const Keyring::Key& key) { return {reinterpret_cast<const char*>(key.data()), key.size()}; }

// One HMAC is HKDF-Expand's first block; the master key is already uniform, so there is nothing to extract.
std::string derived(const Keyring::Key& master, std::string_view purpose) {
    return hmac_sha256(text_of(master), "svc/v1/" + std::string(purpose));
}

std::string key_id(const Keyring::Key& master) { return hex(derived(master, "key id").substr(0, 4)); }

constexpr std::size_t nonce_length = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_length = crypto_aead_xchacha20poly1305_ietf_ABYTES;

constexpr std::string_view base64_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The two letters of each 12 bits.
constexpr auto base64_pairs = [] {
    std::array<std::array<char, 2>, 4096> pairs{};
    for (std::size_t bits = 0; bits < pairs.size(); ++bits)
        pairs[bits] = {base64_letters[bits >> 6U], base64_letters[bits & 63U]};
    return pairs;
}();

// Ciphertext is not a secret, so its text form need not take libsodium's constant time. Two letters at once take a
// third of the time of EVP_EncodeBlock, which is half of the sealing of an e-mail.
void append_base64(std::string& text, std::string_view box) {
    const std::size_t begin = text.size(), whole = box.size() / 3 * 3;
    text.resize(begin + (box.size() + 2) / 3 * 4);
    char* out = text.data() + begin;
    const auto byte = [&](std::size_t at) -> unsigned { return static_cast<unsigned char>(box[at]); };
    for (std::size_t at = 0; at < whole; at += 3, out += 4) {
        const unsigned bits = byte(at) << 16U | byte(at + 1) << 8U | byte(at + 2);
        std::memcpy(out, base64_pairs[bits >> 12U].data(), 2);
        std::memcpy(out + 2, base64_pairs[bits & 4095U].data(), 2);
    }
    if (whole == box.size())
        return;
    const bool two = box.size() - whole == 2;
    const unsigned bits = byte(whole) << 16U | (two ? byte(whole + 1) << 8U : 0U);
    std::memcpy(out, base64_pairs[bits >> 12U].data(), 2);
    out[2] = two ? base64_letters[bits >> 6U & 63U] : '=';
    out[3] = '=';
}

// Nothing: it is not what append_base64() writes.
std::optional<std::string> box_of(std::string_view text) {
    if (text.empty() || text.size() % 4 != 0 || text.size() > std::size_t{INT32_MAX})
        return std::nullopt;
    std::string box(text.size() / 4 * 3, '\0'), again;
    if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(box.data()),
                        reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size())) < 0)
        return std::nullopt;
    box.resize(box.size() - (text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0));
    append_base64(again, box);  // OpenSSL also reads spaces and several forms of one box
    return again == text ? std::optional(std::move(box)) : std::nullopt;
}

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::shared_ptr<const Keyring> Keyring::open(const std::string& path) {
    if (sodium_init() < 0)
        throw std::runtime_error("libsodium could not be initialised.");
    for (const bool first : {true, false}) {
        const File file{::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
        if (file.good())
            return std::make_shared<const Keyring>(read(file, path), path);
        if (errno != ENOENT || !first)
            refuse_errno(path, "cannot be opened");
        make(path);
    }
    refuse(path, "cannot be opened.");
}

std::shared_ptr<const Keyring> Keyring::for_tests() {
    if (sodium_init() < 0)
        throw std::runtime_error("libsodium could not be initialised.");
    Keyring::Key key{};
    for (std::size_t i = 0; i < key.size(); ++i)
        key[i] = static_cast<unsigned char>(i);
    return std::make_shared<const Keyring>(key);
}

Keyring::Master::Master(const Key& key) : key(key), id(key_id(key)), sealing(derived(key, "seal")) {}

Keyring::Keyring(const Key& key) : keys_(std::make_shared<const std::vector<Master>>(1, Master(key))) {}

Keyring::Keyring(const std::vector<Key>& keys, std::string path)
    : path_(std::move(path)), keys_(std::make_shared<const std::vector<Master>>(keys.begin(), keys.end())) {
    struct stat facts {};
    if (!path_.empty() && ::stat(path_.c_str(), &facts) == 0)
        changed_ = moment_of(facts);
}

Keyring::Keys Keyring::keys() const {
    if (!path_.empty() && now_in_millis() >= look_at_.load(std::memory_order_relaxed))
        return read_again();
    const std::lock_guard lock(mutex_);
    return keys_;
}

// A missing or unreadable file leaves the keys unchanged.
Keyring::Keys Keyring::read_again() const {
    const std::lock_guard lock(mutex_);
    look_at_.store(now_in_millis() + look_every, std::memory_order_relaxed);
    struct stat facts {};
    if (::stat(path_.c_str(), &facts) != 0 || moment_of(facts) == changed_)
        return keys_;
    try {
        const std::vector<Key> keys = read(path_);
        keys_ = std::make_shared<const std::vector<Master>>(keys.begin(), keys.end());
        changed_ = moment_of(facts);
    } catch (const std::exception& problem) {
        log::warning("key_file_not_read", {{"cause", problem.what()}});
    }
    return keys_;
}

void Keyring::add(const std::string& path) {
    auto keys = read(path);
    if (keys.size() == most_keys)
        refuse(path, "holds eight keys already. Drop those that are not in use first.");
    Key fresh;
    const std::string bytes = random_bytes(key_length);
    std::copy(bytes.begin(), bytes.end(), fresh.begin());
    keys.push_back(fresh);
    write(path, keys);
}

void Keyring::use_last(const std::string& path) {
    auto keys = read(path);
    if (keys.size() < 2)
        refuse(path, "holds one key alone. Add one first.");
    std::rotate(keys.begin(), keys.end() - 1, keys.end());
    write(path, keys);
}

void Keyring::drop_others(const std::string& path) {
    auto keys = read(path);
    keys.resize(1);
    write(path, keys);
}

bool Keyring::any(const std::function<bool(const Keyring&)>& check) const {
    const Keys all = keys();
    return std::any_of(all->begin(), all->end(), [&](const Master& each) {
        Keyring alone(std::vector<Key>(), {});
        alone.keys_ = std::make_shared<const std::vector<Master>>(1, each);  // reuses the derived keys
        return check(alone);
    });
}

std::string Keyring::prefix() const { return "v1." + keys()->front().id + "."; }

std::optional<std::string> Keyring::renewed(std::string_view sealed, std::string_view bound_to) const {
    if (sealed.starts_with(prefix()))
        return std::nullopt;
    const auto secret = open(sealed, bound_to);
    return secret ? std::optional(seal(*secret, bound_to)) : std::nullopt;
}

std::string Keyring::seal(std::string_view secret, std::string_view bound_to) const {
    const Keys all = keys();
    const Master& used = all->front();
    std::string box = random_bytes(nonce_length);
    box.resize(nonce_length + secret.size() + tag_length);
    unsigned long long length = 0;
    crypto_aead_xchacha20poly1305_ietf_encrypt(bytes_of(box) + nonce_length, &length, bytes_of(secret), secret.size(),
                                               bytes_of(bound_to), bound_to.size(), nullptr, bytes_of(box),
                                               bytes_of(std::string_view(used.sealing)));
    std::string sealed = "v1." + used.id + ".";
    append_base64(sealed, box);
    return sealed;
}

Result<std::string> Keyring::open(std::string_view sealed, std::string_view bound_to) const {
    const auto refused = [](const char* why) {
        return Error{errc::internal_error}.because(std::string("sealed value refused: ") + why);
    };
    constexpr std::size_t prefix = 3 + 8 + 1;  // "v1." key id "."
    if (sealed.size() <= prefix || !sealed.starts_with("v1.") || sealed[prefix - 1] != '.')
        return refused("not of form v1.<key id>.<base64>");
    const auto found = [&](const Keys& all) {
        return std::find_if(all->begin(), all->end(),
                            [&](const Master& each) { return sealed.substr(3, 8) == each.id; });
    };
    Keys all = keys();
    auto used = found(all);
    if (used == all->end() && !path_.empty()) {
        all = read_again();  // another process may have encrypted it with a key added a moment ago
        used = found(all);
    }
    if (used == all->end())
        return refused("sealed with another key");
    const auto box = box_of(sealed.substr(prefix));
    if (!box || box->size() < nonce_length + tag_length)
        return refused("damaged");
    std::string secret(box->size() - nonce_length - tag_length, '\0');
    const std::string_view whole = *box;
    unsigned long long length = 0;
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(bytes_of(secret), &length, nullptr, bytes_of(whole) + nonce_length,
                                                   whole.size() - nonce_length, bytes_of(bound_to), bound_to.size(),
                                                   bytes_of(whole), bytes_of(std::string_view(used->sealing))) != 0)
        return refused("changed, or moved from another place");
    return secret;
}

std::string Keyring::mac(std::string_view purpose, std::string_view bytes) const {
    return hmac_sha256(derived(keys()->front().key, "mac/" + std::string(purpose)), bytes);
}

}  // namespace svc::crypto
