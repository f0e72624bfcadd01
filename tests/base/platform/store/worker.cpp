// The processes of the tests of crashes, races and failing disks.
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/platform/store/open.hpp"
#include "tests/base/platform/store/sample_steps.hpp"
#include "tests/support/faulty_store.hpp"

namespace {
std::atomic<int> syncs = 0, failing_every = 0;
}

// Stands before the C library's: a disk that does not keep what it is given.
extern "C" __attribute__((visibility("default"))) int fdatasync(int fd) {
    if (failing_every > 0 && ++syncs % failing_every == 0) {
        errno = EIO;
        return -1;
    }
    return static_cast<int>(syscall(SYS_fdatasync, fd));
}

namespace svc::tests {
namespace {

using namespace store;

int number(std::string_view text) {
    int value = 0;
    if (const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
        failed != std::errc{} || end != text.data() + text.size())
        throw std::invalid_argument("a number was expected");
    return value;
}

// A line is on its way whole when this returns, so that a kill cannot take an acknowledgement back.
void say(const std::string& word) {
    const auto line = word + "\n";
    if (::write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        _exit(3);
}

// Two rows that belong together, under a key of the worker's.
Result<void> book(Store& store, std::int64_t key, Durability how = Durability::durable) {
    const auto work = [&](Transaction& tx) -> Result<void> {
        tx.run("INSERT INTO svc_rows (id, part) VALUES (:id, 1)", {{"id", key}});
        tx.run("INSERT INTO svc_rows (id, part) VALUES (:id, 2)", {{"id", key}});
        return {};
    };
    return how == Durability::durable ? store.write(work) : store.write_relaxed(work);
}

// Until it is killed: two threads book and acknowledge, every other time relaxed, which a kill does not undo either.
int rows(const StoreOptions& options, int base) {
    const auto store = open(options);
    std::atomic<std::int64_t> next = std::int64_t{base} * 1'000'000;
    const auto work = [&] {
        for (;;) {
            const auto key = ++next;
            if (book(*store, key, key % 2 == 0 ? Durability::durable : Durability::relaxed))
                say(std::to_string(key));
        }
    };
    std::thread other(work);
    work();
    other.join();
    return 0;
}

// Bookings on a disk whose every n-th sync fails.
int failing_sync(const StoreOptions& options, int count, int every) {
    const auto store = open(options);
    failing_every = every;
    for (int key = 1; key <= count; ++key) {
        try {
            if (book(*store, key))
                say(std::to_string(key));
        } catch (const Unavailable&) {
            say("unavailable");
        }
    }
    return 0;
}

// Books until the file may not grow, reads on, gets room, books on.
int full_disk(const StoreOptions& options, const std::string& file) {
    const auto store = open(options);
    signal(SIGXFSZ, SIG_IGN);
    struct stat now {};
    if (stat((file + "-wal").c_str(), &now) != 0)
        throw std::runtime_error("no file");
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const auto room = limit.rlim_cur;
    limit.rlim_cur = static_cast<rlim_t>(now.st_size) + 400'000;
    setrlimit(RLIMIT_FSIZE, &limit);
    int key = 0, refused = 0;
    while (refused < 5) {
        try {
            if (book(*store, ++key))
                say(std::to_string(key));
        } catch (const Unavailable&) {
            ++refused;
            say("unavailable");
        }
        const auto count = store->reading<std::int64_t>(
            [](Session& session) { return session.number("SELECT COUNT(*) FROM svc_rows", {}); });
        say("read " + std::to_string(count));
    }
    limit.rlim_cur = room;
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 5; ++i)
        if (book(*store, ++key))
            say(std::to_string(key));
    say("healed");
    return 0;
}

// Buys one seat at a time until `tries` are used up, from four threads.
int seats(const StoreOptions& options, int tries) {
    const auto store = open(options);
    std::atomic<int> left = tries, sold = 0, refused = 0, failed = 0;
    const auto work = [&] {
        while (left-- > 0) {
            try {
                const auto bought = store->write([&](Transaction& tx) -> Result<void> {
                    const auto taken = tx.run(
                        "UPDATE svc_seats SET booked = booked + :n"
                        " WHERE id = 1 AND booked + :n <= capacity",
                        {{"n", 1}});
                    if (taken == 0)
                        return errc::sold_out;
                    tx.run("INSERT INTO svc_sales (seats) VALUES (:n)", {{"n", 1}});
                    return {};
                });
                ++(bought ? sold : refused);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s\n", error.what());
                ++failed;
            }
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(work);
    for (auto& thread : threads)
        thread.join();
    say(std::to_string(sold) + " " + std::to_string(refused) + " " + std::to_string(failed));
    return 0;
}

// Applies the sample steps; dies right after its k-th statement, 0: never.
int migrating(const StoreOptions& options, int last) {
    const auto real = open(options);
    FaultyStore store(*real);
    store.after_statement([&](int k) {
        if (k == last)
            kill(getpid(), SIGKILL);
    });
    for (const auto& name : migrate(store, "base", sample_steps, Instant::from_micros(1)))
        say(name);
    return 0;
}

int run(const std::vector<std::string>& arguments) {
    const auto& what = arguments.at(1);
    const StoreOptions options{.url = arguments.at(2), .sessions = 4, .lease_time = std::chrono::seconds(20)};
    if (what == "rows")
        return rows(options, number(arguments.at(3)));
    if (what == "failing-sync")
        return failing_sync(options, number(arguments.at(3)), number(arguments.at(4)));
    if (what == "full-disk")
        return full_disk(options, arguments.at(3));
    if (what == "seats")
        return seats(options, number(arguments.at(3)));
    if (what == "migrate")
        return migrating(options, number(arguments.at(3)));
    throw std::invalid_argument("unknown work: " + what);
}

}  // namespace
}  // namespace svc::tests

int main(int count, char** values) {
    try {
        return svc::tests::run({values, values + count});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
