// The same bookings through the store: store_floor URL COUNT, to lay beside the bare floors.
#include "base/platform/store/open.hpp"
#include "tests/bench/bare.hpp"

namespace {

using namespace svc;
using namespace svc::bench;

void make(store::Store& store) {
    for (const auto text : make_tables)
        (void)store.write([&](store::Transaction& tx) -> Result<void> {
            tx.run(text, {});
            return {};
        });
}

void book(store::Store& store, std::int64_t id) {
    const auto done = store.write([&](store::Transaction& tx) -> Result<void> {
        const std::int64_t departure = id % 4 + 1;
        if (tx.run("UPDATE bare_seats SET booked = booked + 2 WHERE id = :id AND booked + 2 <= capacity",
                   {{"id", departure}}) != 1)
            return errc::sold_out;
        tx.run(
            "INSERT INTO bare_bookings (id, departure, name, total_minor, created_at)"
            " VALUES (:id, :departure, :name, 19999, 0)",
            {{"id", id}, {"departure", departure}, {"name", name}});
        tx.run("INSERT INTO bare_events (id, booking, body) VALUES (:id, :id, :body)", {{"id", id}, {"body", body}});
        tx.run("INSERT INTO bare_payments (id, booking, amount_minor) VALUES (:id, :id, 19999)", {{"id", id}});
        return {};
    });
    if (!done)
        throw std::runtime_error("no seats left");
}

void run(const std::string& url, int count) {
    std::int64_t base = 0;
    for (const int threads : {1, 4, 16}) {
        const auto store = store::open({.url = url, .sessions = 8, .lease_time = std::chrono::seconds(60)});
        if (base == 0)
            make(*store);
        base += 1'000'000'000;
        measure("store_floor", url.substr(0, url.find(':')), threads, count,
                [&](int thread, int share, std::vector<double>& times) {
                    for (int i = 0; i < share; ++i)
                        times.push_back(timed([&] { book(*store, base + thread * 10'000'000 + i); }));
                });
        measure("store_read", url.substr(0, url.find(':')), threads, count,
                [&](int thread, int share, std::vector<double>& times) {
                    for (int i = 0; i < share; ++i)
                        times.push_back(timed([&] {
                            store->read([&](store::Session& session) {
                                session.each("SELECT departure, name FROM bare_bookings WHERE id = :id", "it",
                                             {{"id", base + thread * 10'000'000 + i}}, [](const store::Row&) {});
                            });
                        }));
                });
    }
}

}  // namespace

int main(int count, char** values) {
    try {
        if (count != 3)
            throw std::invalid_argument("store_floor URL COUNT");
        run(values[1], whole_number(values[2]));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
