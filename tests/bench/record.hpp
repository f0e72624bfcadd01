// Shared by both recorders of the bench: the file, and texts in hex.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <string>
#include <string_view>

namespace svc::bench {

// Appends to the file that SVC_BENCH_RECORD names, if it names one.
class Log {
  public:
    Log() {
        if (const char* name = std::getenv("SVC_BENCH_RECORD"))
            file_ = std::fopen(name, "a");
    }
    void line(const void* connection, const std::string& rest) {
        if (!file_)
            return;
        const std::lock_guard lock(mutex_);
        std::fprintf(file_, "%p %s\n", connection, rest.c_str());
        std::fflush(file_);
    }

  private:
    std::mutex mutex_;
    std::FILE* file_ = nullptr;
};

inline std::string hex(std::string_view text) {
    std::string digits;
    for (const char each : text) {
        constexpr auto digit = "0123456789abcdef";
        digits += digit[static_cast<unsigned char>(each) >> 4];
        digits += digit[static_cast<unsigned char>(each) & 15];
    }
    return digits;
}

// The library's own function of that name.
template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace svc::bench
