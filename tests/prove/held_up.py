"""A library that gives SQLite a function hold_up(milliseconds), as PostgreSQL has pg_sleep; loaded before the server's own.

    site.environment["LD_PRELOAD"] = held_up.library(site); server = site.start()
"""
from proving import compiled

SOURCE = r"""
#include <ctime>
#include <dlfcn.h>
#include <sqlite3.h>

static long overslept = 0;  // is taken off the next one's time: a busy machine wakes us late. Of the one writer

static long now() {
    timespec at{};
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1'000'000'000L + at.tv_nsec;
}

static void hold_up(sqlite3_context* context, int, sqlite3_value** milliseconds) {
    const long until = now() + sqlite3_value_int64(*milliseconds) * 1'000'000L - overslept;
    const timespec at{until / 1'000'000'000L, until % 1'000'000'000L};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) != 0) {}
    overslept = now() - until;
    sqlite3_result_null(context);
}

extern "C" int sqlite3_open_v2(const char* file, sqlite3** opened, int flags, const char* vfs) {
    static const auto next = reinterpret_cast<decltype(&sqlite3_open_v2)>(dlsym(RTLD_NEXT, "sqlite3_open_v2"));
    const int code = next(file, opened, flags, vfs);
    return code != SQLITE_OK ? code
                             : sqlite3_create_function_v2(*opened, "hold_up", 1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nullptr,
                                                          hold_up, nullptr, nullptr, nullptr);
}
"""


def library(site):
    """Its file."""
    return compiled(site, "held_up", SOURCE, "-lsqlite3")
