// Chooses the database by its address.
#include "base/platform/store/open.hpp"

#include <random>
#include <stdexcept>
#include <thread>

#include "base/platform/store/engine.hpp"

namespace svc::store {
namespace {

struct HeldSession {
    const Engine* of = nullptr;
    Session* session = nullptr;
};
thread_local HeldSession held_session;

}  // namespace

Session* Engine::held() const { return held_session.of == this ? held_session.session : nullptr; }

void Engine::in_one_state(const std::function<void()>& work) {
    if (held())
        return work();
    read([&](Session& session) {
        hold_snapshot(session);
        struct Holding {
            HeldSession before = held_session;
            ~Holding() { held_session = before; }
        } const holding;
        held_session = {this, &session};
        work();
    });
}

namespace {

constexpr std::string_view sqlite_scheme = "sqlite:", postgres_scheme = "postgresql:";

Engine& engine(Store& store) {
    if (auto* found = dynamic_cast<Engine*>(&store))
        return *found;
    throw std::logic_error("the store was not made by open()");
}

}  // namespace

Dialect dialect_of(const StoreOptions& options) {
    if (options.url.starts_with(sqlite_scheme))
        return Dialect::sqlite;
    if (options.url.starts_with(postgres_scheme))
        return Dialect::postgresql;
    throw std::runtime_error("The database address must begin with sqlite: or postgresql:.");
}

std::string sqlite_path(const StoreOptions& options) { return options.url.substr(sqlite_scheme.size()); }

// "postgresql://..." is libpq's own form of address, anything else is "keyword=value ...".
std::string postgres_conninfo(const StoreOptions& options) {
    auto rest = options.url.substr(postgres_scheme.size());
    return rest.starts_with("//") ? options.url : rest;
}

void back_off(int tries) {
    thread_local std::minstd_rand random{std::random_device{}()};
    const int most = 2000 << std::min(tries, 6);  // microseconds: 4 ms growing to 128 ms
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution<>(most / 4, most)(random)));
}

std::unique_ptr<Store> open(const StoreOptions& options) {
    if (options.sessions < 1 || options.sessions > 200)
        throw std::runtime_error("The number of database sessions must be between 1 and 200.");
    if (dialect_of(options) == Dialect::sqlite)
        return open_sqlite(options);
    return open_postgres(options);
}

std::jthread open_another(Store& store) {
    return std::jthread([&opened = engine(store)] {
        try {
            opened.open_another();
        } catch (const std::exception&) {  // Unavailable
        }
    });
}

Activity activity(const Store& store) { return engine(const_cast<Store&>(store)).activity(); }
std::vector<DurableSetting> durability(Store& store) { return engine(store).durability(); }

void release_memory(Store& store) { engine(store).release_memory(); }

}  // namespace svc::store
