// Counts by standing in front of libc's own, for every std::mutex and std::shared_mutex of the program.
#include "tests/schedules/held_mutexes.hpp"

#include <dlfcn.h>
#include <pthread.h>

namespace {

thread_local int held = 0;

template <class Lock>
using Call = int (*)(Lock*);

template <class Lock>
Call<Lock> real(const char* name) {
    return reinterpret_cast<Call<Lock>>(dlsym(RTLD_NEXT, name));
}

// Both answer 0 when they have done it.
template <class Lock>
int taken(Call<Lock> call, Lock* lock) {
    const int failed = call(lock);
    held += failed == 0 ? 1 : 0;
    return failed;
}
template <class Lock>
int given_back(Call<Lock> call, Lock* lock) {
    const int failed = call(lock);
    held -= failed == 0 ? 1 : 0;
    return failed;
}

}  // namespace

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) {
    static const auto call = real<pthread_mutex_t>("pthread_mutex_lock");
    return taken(call, mutex);
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) {
    static const auto call = real<pthread_mutex_t>("pthread_mutex_trylock");
    return taken(call, mutex);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) {
    static const auto call = real<pthread_mutex_t>("pthread_mutex_unlock");
    return given_back(call, mutex);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
    static const auto call = real<pthread_rwlock_t>("pthread_rwlock_rdlock");
    return taken(call, lock);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
    static const auto call = real<pthread_rwlock_t>("pthread_rwlock_wrlock");
    return taken(call, lock);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
    static const auto call = real<pthread_rwlock_t>("pthread_rwlock_unlock");
    return given_back(call, lock);
}

}  // extern "C"

int svc::tests::held_mutexes() noexcept { return held; }
