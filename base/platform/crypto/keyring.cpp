// The installation's key: its file, the keys derived from it, and sealing with XChaCha20-Poly1305.
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <sodium.h>

#include "base/platform/crypto/crypto.hpp"

namespace svc::crypto {
namespace {

constexpr std::size_t key_length = 32;

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

// Written under another name and linked into place whole: a second process starting at this moment finds either
// no file or all of its bytes, and the one that links second takes the first one's key.
void make(const std::string& path) {
    const std::string draft = path + "." + hex(random_bytes(8));
    {
        const File file{::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400)};
        if (!file.good())
            refuse_errno(path, "cannot be made");
        const std::string key = random_bytes(key_length);
        if (::write(file.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size()) ||
            ::fsync(file.get()) != 0) {
            const int reason = errno;
            ::unlink(draft.c_str());
            errno = reason;
            refuse_errno(path, "could not be written");
        }
    }
    const int linked = ::link(draft.c_str(), path.c_str());
    const int reason = errno;
    ::unlink(draft.c_str());
    errno = reason;
    if (linked != 0 && reason != EEXIST)
        refuse_errno(path, "cannot be made");

    const auto parent = std::filesystem::path(path).parent_path();
    const File folder{::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!folder.good() || ::fsync(folder.get()) != 0)
        refuse_errno(path, "could not be made durable");
}

std::array<unsigned char, key_length> read(const File& file, const std::string& path) {
    struct stat facts {};
    if (::fstat(file.get(), &facts) != 0)
        refuse_errno(path, "cannot be read");
    if (!S_ISREG(facts.st_mode))
        refuse(path, "is not a plain file.");
    if (facts.st_uid != ::geteuid())
        refuse(path, "belongs to another user. It must belong to the user that runs the service.");
    if ((facts.st_mode & 077U) != 0)
        refuse(path, "can be used by others. Set its mode to 0400.");
    if (facts.st_size != static_cast<off_t>(key_length))
        refuse(path, "does not hold 32 bytes.");
    std::array<unsigned char, key_length> key{};
    if (::read(file.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size()))
        refuse(path, "could not be read.");
    return key;
}

std::string_view text_of(const std::array<unsigned char, key_length>& key) {
    return {reinterpret_cast<const char*>(key.data()), key.size()};
}

// One HMAC is HKDF-Expand's first block; the master key is already uniform, so there is nothing to extract.
std::string derived(const std::array<unsigned char, key_length>& master, std::string_view purpose) {
    return hmac_sha256(text_of(master), "svc/v1/" + std::string(purpose));
}

std::string key_id(const std::array<unsigned char, key_length>& master) {
    return hex(derived(master, "key id").substr(0, 4));
}

constexpr std::size_t nonce_length = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_length = crypto_aead_xchacha20poly1305_ietf_ABYTES;

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::shared_ptr<const Keyring> Keyring::open(const std::string& path) {
    if (sodium_init() < 0)
        throw std::runtime_error("libsodium could not be initialised.");
    for (const bool first : {true, false}) {
        const File file{::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
        if (file.good())
            return std::make_shared<const Keyring>(read(file, path));
        if (errno != ENOENT || !first)
            refuse_errno(path, "cannot be opened");
        make(path);
    }
    refuse(path, "cannot be opened.");
}

std::shared_ptr<const Keyring> Keyring::for_tests() {
    if (sodium_init() < 0)
        throw std::runtime_error("libsodium could not be initialised.");
    std::array<unsigned char, key_length> key{};
    for (std::size_t i = 0; i < key.size(); ++i)
        key[i] = static_cast<unsigned char>(i);
    return std::make_shared<const Keyring>(key);
}

std::string Keyring::seal(std::string_view secret, std::string_view bound_to) const {
    std::string box = random_bytes(nonce_length);
    box.resize(nonce_length + secret.size() + tag_length);
    const std::string key = derived(key_, "seal");
    unsigned long long length = 0;
    crypto_aead_xchacha20poly1305_ietf_encrypt(bytes_of(box) + nonce_length, &length, bytes_of(secret), secret.size(),
                                               bytes_of(bound_to), bound_to.size(), nullptr, bytes_of(box),
                                               bytes_of(std::string_view(key)));
    return "v1." + key_id(key_) + "." + base64(box);
}

Result<std::string> Keyring::open(std::string_view sealed, std::string_view bound_to) const {
    const auto refused = [](const char* why) {
        return Error{errc::internal_error}.because(std::string("sealed value refused: ") + why);
    };
    constexpr std::size_t prefix = 3 + 8 + 1;  // "v1." key id "."
    if (sealed.size() <= prefix || !sealed.starts_with("v1.") || sealed[prefix - 1] != '.')
        return refused("not of form v1.<key id>.<base64>");
    if (sealed.substr(3, 8) != key_id(key_))
        return refused("sealed with another key");
    const auto box = from_base64(sealed.substr(prefix));
    if (!box || box->size() < nonce_length + tag_length)
        return refused("damaged");
    std::string secret(box->size() - nonce_length - tag_length, '\0');
    const std::string key = derived(key_, "seal");
    const std::string_view whole = *box;
    unsigned long long length = 0;
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(bytes_of(secret), &length, nullptr, bytes_of(whole) + nonce_length,
                                                   whole.size() - nonce_length, bytes_of(bound_to), bound_to.size(),
                                                   bytes_of(whole), bytes_of(std::string_view(key))) != 0)
        return refused("changed, or moved from another place");
    return secret;
}

std::string Keyring::mac(std::string_view purpose, std::string_view bytes) const {
    return hmac_sha256(derived(key_, "mac/" + std::string(purpose)), bytes);
}

}  // namespace svc::crypto
