"""A library that lets a share of all allocations fail, by a seed; loaded before the server's own, armed and read by a file.

    with FailingMalloc(site) as memory: server = site.start(); memory.arm(0.0005); ...; memory.disarm(); memory.failed()
"""
import mmap
import pathlib
import struct

from proving import compiled

SOURCE = r"""
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>

struct Control { std::uint64_t of_four_billion, seed, asked, failed; };
static Control nobody{};
static Control* control = &nobody;

__attribute__((constructor)) static void open_control() {
    const char* path = std::getenv("FAILING_MALLOC");
    const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void* there = file < 0 ? MAP_FAILED : mmap(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (there != MAP_FAILED)
        control = static_cast<Control*>(there);
}

static bool fails() {
    const std::uint64_t share = __atomic_load_n(&control->of_four_billion, __ATOMIC_RELAXED);
    if (share == 0)
        return false;
    std::uint64_t x = control->seed * 0x9e3779b97f4a7c15 + __atomic_fetch_add(&control->asked, 1, __ATOMIC_RELAXED);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    if (((x ^ (x >> 31)) & 0xffffffff) >= share)
        return false;
    __atomic_fetch_add(&control->failed, 1, __ATOMIC_RELAXED);
    errno = ENOMEM;
    return true;
}

template <typename Call> static Call next(Call& kept, const char* name) {
    if (!kept)
        kept = reinterpret_cast<Call>(dlsym(RTLD_NEXT, name));
    return kept;
}
#define NEXT(name, ...) static decltype(&name) kept; return next(kept, #name)(__VA_ARGS__)

extern "C" {
void* malloc(std::size_t size) { if (fails()) return nullptr; NEXT(malloc, size); }
void* calloc(std::size_t count, std::size_t size) { if (fails()) return nullptr; NEXT(calloc, count, size); }
void* realloc(void* old, std::size_t size) { if (size && fails()) return nullptr; NEXT(realloc, old, size); }
void* aligned_alloc(std::size_t by, std::size_t size) { if (fails()) return nullptr; NEXT(aligned_alloc, by, size); }
int posix_memalign(void** into, std::size_t by, std::size_t size) {
    if (fails()) return ENOMEM;
    NEXT(posix_memalign, into, by, size);
}
}

// As the allocator's own do it: the new handler is asked until there is memory or it throws.
static void* made(std::size_t size, const char* name) {
    static void* (*one)(std::size_t);
    static void* (*many)(std::size_t);
    while (fails()) {
        const auto handler = std::get_new_handler();
        if (!handler)
            throw std::bad_alloc();
        handler();
    }
    return next(name[3] == 'w' ? one : many, name)(size);
}
void* operator new(std::size_t size) { return made(size, "_Znwm"); }
void* operator new[](std::size_t size) { return made(size, "_Znam"); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return malloc(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return malloc(size); }
"""
CONTROL = struct.Struct("=QQQQ")


class FailingMalloc:
    def __init__(self, site, seed):
        self.site, self.seed = site, seed

    def __enter__(self):
        control = pathlib.Path(self.site.dir) / "failing.control"
        control.write_bytes(CONTROL.pack(0, self.seed, 0, 0))
        self.file = open(control, "r+b")
        self.seen = mmap.mmap(self.file.fileno(), CONTROL.size)
        self.site.environment.update({"LD_PRELOAD": compiled(self.site, "failing", SOURCE), "FAILING_MALLOC": str(control)})
        return self

    def __exit__(self, *_):
        for name in ("LD_PRELOAD", "FAILING_MALLOC"):
            self.site.environment.pop(name)
        self.seen.close()
        self.file.close()

    def arm(self, share):
        self.seen[:8] = struct.pack("=Q", int(share * (1 << 32)))

    def disarm(self):
        self.arm(0)

    def counts(self):
        """Allocations asked for while armed, and those that failed."""
        return CONTROL.unpack(self.seen[:])[2:]
