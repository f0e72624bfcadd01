// Checks a plugin library on one open file and tries it in a child, loads that very file.
#include "shell/library.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdexcept>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <openssl/evp.h>

#include "shared/core/ascii.hpp"
#include "shell/elf.hpp"

namespace svc::shell {
namespace {

constexpr off_t largest_library = 512 << 20;
constexpr unsigned trial_seconds = 10;
constexpr std::string_view loaded = "loaded";

// Why a library is not taken. Stays inside this file.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct Missing {};

class File {
  public:
    explicit File(int number = -1) : number_(number) {}
    File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    File& operator=(File&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~File() {
        if (number_ >= 0)
            ::close(number_);
    }
    [[nodiscard]] int number() const { return number_; }
    int keep() { return std::exchange(number_, -1); }

  private:
    int number_;
};

struct stat facts_of(const File& file) {
    struct stat facts {};
    if (::fstat(file.number(), &facts) != 0)
        throw Refusal("It could not be looked at.");
    return facts;
}

enum class Stands : std::uint8_t { above, directly };

// Above the library's own folder a sticky one suffices, such as /tmp: other users cannot rename or delete our files
// there.
void check_owner(const struct stat& facts, const std::string& what, Stands position) {
    if (facts.st_uid != 0 && facts.st_uid != ::geteuid())
        throw Refusal(what + " belongs neither to root nor to the service's user.");
    const bool is_sticky = position == Stands::above && (facts.st_mode & S_ISVTX) != 0;
    if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !is_sticky)
        throw Refusal(what + " may be written by its group or by others.");
}

File next(const File& folder, const std::string& name, const std::string& so_far, bool last) {
    const int how = last ? O_RDONLY | O_NONBLOCK : O_PATH | O_DIRECTORY;
    File file(::openat(folder.number(), name.c_str(), how | O_NOFOLLOW | O_CLOEXEC));
    if (file.number() >= 0)
        return file;
    if (errno == ENOENT)
        throw Missing{};
    if (errno == ELOOP || errno == ENOTDIR)
        throw Refusal(so_far + " is a symbolic link or no folder.");
    throw Refusal(so_far + " could not be opened: " + std::generic_category().message(errno) + ".");
}

// Opens the file folder by folder, so that the checked file is the opened one.
File open_checked(const std::string& path) {
    if (path.empty() || path.front() != '/')
        throw Refusal("The path is not absolute.");
    File here(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    std::string so_far;
    std::size_t begin = 1;
    while (true) {
        const auto end = std::min(path.find('/', begin), path.size());
        check_owner(facts_of(here), so_far.empty() ? "/" : so_far,
                    end == path.size() ? Stands::directly : Stands::above);
        const auto name = path.substr(begin, end - begin);
        if (name.empty() || name == "." || name == "..")
            throw Refusal("The path is not in its plain form.");
        so_far += "/" + name;
        const bool last = end == path.size();
        here = next(here, name, so_far, last);
        if (last)
            break;
        begin = end + 1;
    }
    const auto facts = facts_of(here);
    if (!S_ISREG(facts.st_mode))
        throw Refusal(path + " is no regular file.");
    check_owner(facts, path, Stands::directly);
    if (facts.st_size > largest_library)
        throw Refusal(path + " is too large.");
    return here;
}

// Mapped instead of read: only a small part of a library is needed. Only in the child, since truncating the file
// meanwhile ends the reader.
std::string_view mapped(const File& file, off_t size) {
    if (size == 0)
        return {};
    const auto length = static_cast<std::size_t>(size);
    const void* place = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (place == MAP_FAILED)
        throw Refusal("It could not be read.");
    return {static_cast<const char*>(place), length};
}

std::string sha256_hex(std::string_view bytes) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr) != 1)
        throw Refusal("Its digest could not be computed.");
    return ascii::hex({reinterpret_cast<const char*>(digest), length});
}

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'F')
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

std::string differing(const char* field, unsigned expected, unsigned got) {
    return std::string(field) + ": expected " + std::to_string(expected) + ", got " + std::to_string(got) + ".";
}

void check_contents(std::string_view bytes, const LibraryRules& rules) {
    if (!rules.sha256.empty() && sha256_hex(bytes) != lower(rules.sha256))
        throw Refusal("Its SHA-256 is not the one configured.");
    const auto facts = read_elf(bytes);
    if (!facts.fault.empty())
        throw Refusal(facts.fault);
    if (!facts.has_note)
        throw Refusal("It has no plugin note (.note.svc.plugin).");
    if (facts.abi_major != SVC_ABI_MAJOR)
        throw Refusal(differing("abi_major", SVC_ABI_MAJOR, facts.abi_major));
    if (facts.abi_minor > SVC_ABI_MINOR)
        throw Refusal(differing("abi_minor", SVC_ABI_MINOR, facts.abi_minor));
    if (!facts.exports_entry)
        throw Refusal("It does not export svc_plugin_entry.");
}

svc_plugin_entry_fn* load(const std::string& path) {
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<svc_plugin_entry_fn*>(::dlsym(library, "svc_plugin_entry")) : nullptr;
}

// In the child. Reports the reason on the pipe; ends without any of the parent's exit work.
[[noreturn]] void try_in_child(const File& file, off_t size, const std::string& path, const LibraryRules& rules,
                               int report_end) {
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM, SIGTERM, SIGINT})
        (void)std::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    const struct rlimit no_core {};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::alarm(trial_seconds);
    const auto report = [&](std::string_view words) { (void)!::write(report_end, words.data(), words.size()); };
    int outcome = 2;
    try {
        check_contents(mapped(file, size), rules);
        // Success is reported in words: a constructor that calls exit(0) must not look like it.
        if (load(path)) {
            report(loaded);
            ::_exit(0);
        }
        const char* why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread
        report("It does not load: " + std::string(why ? why : "no reason given") + ".");
    } catch (const Refusal& refusal) {
        report(refusal.what());
    } catch (...) {
        outcome = 3;
    }
    ::_exit(outcome);
}

void try_loading(const File& file, off_t size, const std::string& path, const LibraryRules& rules) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw Refusal("It could not be tried: no pipe.");
    const File hear(ends[0]);
    File report_end(ends[1]);
    const auto child = ::fork();
    if (child < 0)
        throw Refusal("It could not be tried: no process.");
    if (child == 0)
        try_in_child(file, size, path, rules, report_end.number());
    { const File closed(std::move(report_end)); }
    std::string why(512, '\0');
    const auto got = ::read(hear.number(), why.data(), why.size());
    why.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && why == loaded)
        return;
    if (!why.empty() && why != loaded)
        throw Refusal(why);
    if (WIFSIGNALED(status))
        throw Refusal(std::string("Its load ended in ") + ::sigdescr_np(WTERMSIG(status)) + ".");
    throw Refusal("Its load ended the process or threw an exception.");
}

bool same(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec &&
           a.st_ctim.tv_sec == b.st_ctim.tv_sec && a.st_ctim.tv_nsec == b.st_ctim.tv_nsec && a.st_mode == b.st_mode &&
           a.st_uid == b.st_uid;
}

svc_plugin_entry_fn* open_or_refuse(const std::string& path, const LibraryRules& rules) {
    auto file = open_checked(path);
    const auto before = facts_of(file);
    // Why by number: the name may point elsewhere by now, the open file cannot.
    const auto by_number = "/proc/self/fd/" + std::to_string(file.number());
    try_loading(file, before.st_size, by_number, rules);
    if (rules.after_checks)
        rules.after_checks();
    if (!same(before, facts_of(file)))
        throw Refusal("It was changed while it was checked.");
    auto* entry = load(by_number);
    if (!entry) {
        const char* why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread
        throw Refusal(std::string("It does not load: ") + (why ? why : "no reason given") + ".");
    }
    // Kept open: the loader knows libraries by name, and the number must not come to name another file.
    (void)file.keep();
    return entry;
}

}  // namespace

Library open_library(const std::string& path, const LibraryRules& rules) noexcept {
    Library library;
    try {
        library.entry = open_or_refuse(path, rules);
    } catch (const Missing&) {
        library.missing = true;
    } catch (const std::exception& e) {
        library.refusal = "The library " + path + " was refused. " + e.what();
    } catch (...) {
        library.refusal = "The library was refused.";
    }
    return library;
}

}  // namespace svc::shell
