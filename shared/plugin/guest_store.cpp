// The base's store as a table: sessions are lent to a callback and refused outside it.
#include "shared/plugin/guest.hpp"

namespace {

// The innermost session lent on this thread. A face is valid when it is in this chain, so comparing detects a stale
// pointer.
thread_local svc_session* lent_here = nullptr;

}  // namespace

svc_session::svc_session(svc::store::Session& s) : session(s), transaction(nullptr), outer(lent_here) {
    lent_here = this;
}
svc_session::svc_session(svc::store::Transaction& t) : session(t), transaction(&t), outer(lent_here) {
    lent_here = this;
}
svc_session::~svc_session() { lent_here = outer; }

namespace svc::plugin {

bool is_lent_here() noexcept { return lent_here != nullptr; }

namespace {

// A plugin's error that only the plugin can fix; it has its own code.
struct Detached {
    const char* help;
};

svc_session& lent(svc_session* face) {
    for (auto* live = lent_here; live; live = live->outer)
        if (live == face)
            return *live;
    throw Detached{"A session was used outside the callback it was lent to."};
}

template <class Body>
svc_status entry(const svc_answer* answer, const Body& body) noexcept {
    return barrier(answer, [&] {
        try {
            return body();
        } catch (const Detached& detached) {
            return answer_failure(answer, SVC_FAILURE_DETACHED, detached.help);
        }
    });
}

store::Params params_of(const svc_param* params, std::size_t count) {
    store::Params list;
    list.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto& value = params[i].value;
        store::Cell cell;
        if (value.kind == SVC_INTEGER)
            cell = value.integer;
        else if (value.kind == SVC_STRING)
            cell = std::string(view(value.text));
        else if (value.kind != SVC_NULL)
            throw Failed("A parameter of an unknown kind.");
        list.emplace_back(view(params[i].name), std::move(cell));
    }
    return list;
}

void cells_of(const store::Row& row, std::string_view columns, std::vector<svc_cell>& cells) {
    cells.assign(columns.size(), svc_cell{});
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (row.is_null(i))
            continue;
        if (columns[i] == 'i') {
            cells[i].kind = SVC_INTEGER;
            cells[i].integer = row.integer(i);
        } else {
            cells[i].kind = SVC_STRING;
            cells[i].text = borrow(row.text(i));
        }
    }
}

// Calls `then` at most once and `release` exactly once.
struct Afterwards {
    Afterwards(void* c, void (*t)(void*), void (*r)(void*)) : context(c), then(t), release(r) {}
    Afterwards(const Afterwards&) = delete;
    Afterwards& operator=(const Afterwards&) = delete;
    ~Afterwards() {
        if (release)
            (void)barrier(nullptr, [this] { return release(context), SVC_OK; });
    }
    void* context;
    void (*then)(void*);
    void (*release)(void*);
};

}  // namespace

store::Transaction& transaction_of(svc_session* face) {
    for (auto* live = lent_here; live; live = live->outer)
        if (live == face && live->transaction)
            return *live->transaction;
    throw Failed("A transaction was used outside the callback it was lent to, or a session is none.");
}

struct StoreTable::Entries {
    static StoreTable& of(void* self) {
        auto& table = *static_cast<StoreTable*>(self);
        table.guest_->must_be_present();
        return table;
    }

    static std::uint32_t dialect(void* self) noexcept {
        return static_cast<StoreTable*>(self)->store_.dialect() == store::Dialect::postgresql ? SVC_DIALECT_POSTGRESQL
                                                                                              : SVC_DIALECT_SQLITE;
    }

    // A second session on a thread that holds one would wait for itself.
    static void alone() {
        if (lent_here)
            throw Detached{"A session is already lent to this thread; use it."};
    }

    static svc_status read(void* self, void* context,
                           svc_status (*work)(void* context, svc_session* session, svc_answer* answer),
                           svc_answer* answer) noexcept {
        return entry(answer, [&] {
            auto& table = of(self);
            alone();
            Result<void> outcome;
            table.store_.read([&](store::Session& session) {
                svc_session face(session);
                Answer inner;
                outcome = inner.done(barrier(inner.table(), [&] { return work(context, &face, inner.table()); }));
            });
            return answer_result(answer, outcome);
        });
    }

    static svc_status write(void* self, void* context,
                            svc_status (*work)(void* context, svc_session* transaction, svc_answer* answer),
                            svc_answer* answer) noexcept {
        return entry(answer, [&] {
            auto& table = of(self);
            alone();
            return answer_result(answer, table.store_.write([&](store::Transaction& tx) {
                svc_session face(tx);
                Answer inner;
                return inner.done(barrier(inner.table(), [&] { return work(context, &face, inner.table()); }));
            }));
        });
    }

    static svc_status each(void*, svc_session* session, svc_text sql, svc_text columns, const svc_param* params,
                           std::size_t param_count, void* context,
                           svc_status (*row)(void* context, const svc_cell* cells, std::size_t cell_count),
                           svc_answer* answer) noexcept {
        return entry(answer, [&] {
            struct Ended {};
            auto& face = lent(session);
            svc_status status = SVC_OK;
            std::vector<svc_cell> cells;
            try {
                face.session.each(view(sql), view(columns), params_of(params, param_count), [&](const store::Row& r) {
                    cells_of(r, view(columns), cells);
                    status = barrier(nullptr, [&] { return row(context, cells.data(), cells.size()); });
                    if (status != SVC_OK)
                        throw Ended{};
                });
            } catch (...) {
                if (status == SVC_OK)
                    throw;
            }
            return status;
        });
    }

    static svc_status run(void*, svc_session* session, svc_text sql, const svc_param* params, std::size_t param_count,
                          std::int64_t* affected, svc_answer* answer) noexcept {
        return entry(answer, [&] {
            *affected = lent(session).session.run(view(sql), params_of(params, param_count));
            return SVC_OK;
        });
    }

    static svc_status after_commit(void* self, svc_session* transaction, void* context, void (*then)(void* context),
                                   void (*release)(void* context)) noexcept {
        return entry(nullptr, [&] {
            auto& face = lent(transaction);
            if (!face.transaction)
                return SVC_REFUSED;
            auto held = std::make_shared<Afterwards>(context, then, nullptr);
            face.transaction->after_commit([held, guest = of(self).guest_] {
                guest->must_be_here();
                (void)barrier(nullptr, [&] { return held->then(held->context), SVC_OK; });
            });
            held->release = release;  // only now is context ours to release
            return SVC_OK;
        });
    }

    static svc_status attempt(void*, svc_session* transaction, void* context,
                              svc_status (*part)(void* context, svc_answer* answer), svc_answer* answer) noexcept {
        return entry(answer, [&] {
            auto& face = lent(transaction);
            if (!face.transaction)
                throw Detached{"A savepoint needs a transaction."};
            return answer_result(answer, face.transaction->attempt([&] {
                Answer inner;
                return inner.done(barrier(inner.table(), [&] { return part(context, inner.table()); }));
            }));
        });
    }
};

StoreTable::StoreTable(store::Store& store, GuestPtr guest)
    : store_(store), guest_(std::move(guest)), table_{sizeof(svc_store_1), this,
                                                      &Entries::dialect,   &Entries::read,
                                                      &Entries::write,     &Entries::each,
                                                      &Entries::run,       &Entries::after_commit,
                                                      &Entries::attempt} {}

}  // namespace svc::plugin
