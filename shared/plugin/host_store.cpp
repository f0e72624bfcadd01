// The base's database and hooks as a plugin's repositories and features use them.
#include <exception>

#include "shared/plugin/codec.hpp"
#include "shared/plugin/crossing.hpp"
#include "shared/plugin/host.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::plugin {
namespace {

store::Dialect dialect_of(const svc_store_1* table) {
    return table->dialect(table->self) == SVC_DIALECT_POSTGRESQL ? store::Dialect::postgresql : store::Dialect::sqlite;
}

svc_cell face(const store::Cell& cell) {
    svc_cell c{};
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
        c.kind = SVC_INTEGER;
        c.integer = *number;
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
        c.kind = SVC_STRING;
        c.text = borrow(*text);
    }
    return c;
}

std::vector<svc_param> faces(const store::Params& params) {
    std::vector<svc_param> list;
    list.reserve(params.size());
    for (const auto& param : params)
        list.push_back({borrow(param.name), face(param.value)});
    return list;
}

class LentRow final : public store::Row {
  public:
    LentRow(const svc_cell* cells, std::size_t count) : cells_(cells), count_(count), texts_(count) {}
    [[nodiscard]] std::size_t size() const override { return count_; }
    [[nodiscard]] bool is_null(std::size_t column) const override { return cell(column).kind == SVC_NULL; }
    [[nodiscard]] std::int64_t integer(std::size_t column) const override {
        if (cell(column).kind != SVC_INTEGER)
            throw std::logic_error("A column is no integer.");
        return cell(column).integer;
    }
    [[nodiscard]] const std::string& text(std::size_t column) const override {
        if (cell(column).kind != SVC_STRING)
            throw std::logic_error("A column is no text.");
        auto& held = texts_[column];
        if (!held)
            held.emplace(view(cell(column).text));
        return *held;
    }

  private:
    [[nodiscard]] const svc_cell& cell(std::size_t column) const {
        if (column >= count_)
            throw std::logic_error("A column beyond the row's end.");
        return cells_[column];
    }
    const svc_cell* cells_;
    std::size_t count_;
    mutable std::vector<std::optional<std::string>> texts_;
};

struct RowTaker {
    const std::function<void(const store::Row&)>& take;
    std::exception_ptr thrown;  // stored here, so that the same exception continues above the base's frames
    static svc_status row(void* context, const svc_cell* cells, std::size_t count) noexcept {
        auto& taker = *static_cast<RowTaker*>(context);
        try {
            taker.take(LentRow(cells, count));
            return SVC_OK;
        } catch (...) {
            taker.thrown = std::current_exception();
            return SVC_FAILED;
        }
    }
};

// Calls that may throw through the base: the exception is stored on this side and reported to the base as a failure.
template <class Work>
struct Kept {
    Work work;
    std::exception_ptr thrown;
};

void each_of(const svc_store_1* table, svc_session* session, std::string_view sql, store::Columns columns,
             const store::Params& params, const std::function<void(const store::Row&)>& take) {
    RowTaker taker{take, nullptr};
    Answer answer;
    const auto list = faces(params);
    const auto status = table->each(table->self, session, borrow(sql), borrow(columns), list.data(), list.size(),
                                    &taker, &RowTaker::row, answer.table());
    if (taker.thrown)
        std::rethrow_exception(taker.thrown);
    if (auto outcome = answer.done(status); !outcome)
        throw store::Failure(outcome.error().message().english());
}

std::int64_t run_of(const svc_store_1* table, svc_session* session, std::string_view sql, const store::Params& params) {
    Answer answer;
    std::int64_t affected = 0;
    const auto list = faces(params);
    const auto status =
        table->run(table->self, session, borrow(sql), list.data(), list.size(), &affected, answer.table());
    if (auto outcome = answer.done(status); !outcome)
        throw store::Failure(outcome.error().message().english());
    return affected;
}

// Base: store::Session or store::Transaction.
template <class Base>
class Lent : public Base {
  public:
    Lent(const svc_store_1* table, svc_session* face) : table_(table), face_(face) {}
    [[nodiscard]] svc_session* face() const { return face_; }
    [[nodiscard]] store::Dialect dialect() const override { return dialect_of(table_); }
    void each(std::string_view sql, store::Columns columns, const store::Params& params,
              const std::function<void(const store::Row&)>& take) override {
        each_of(table_, face_, sql, columns, params, take);
    }
    std::int64_t run(std::string_view sql, const store::Params& params) override {
        return run_of(table_, face_, sql, params);
    }

  protected:
    const svc_store_1* table_;
    svc_session* face_;
};

using LentSession = Lent<store::Session>;

class LentTransaction final : public Lent<store::Transaction> {
  public:
    using Lent::Lent;
    void after_commit(std::function<void()> then) override {
        auto held = std::make_unique<std::function<void()>>(std::move(then));
        const auto status = table_->after_commit(table_->self, face_, held.get(), &call, [](void* context) {
            delete static_cast<std::function<void()>*>(context);
        });
        if (status != SVC_OK)
            throw Failed("The base took no work for after the commit.");
        held.release();  // NOLINT: the base releases it, run or not
    }
    Result<void> attempt(const std::function<Result<void>()>& part) override {
        Kept<const std::function<Result<void>()>&> kept{part, nullptr};
        Answer answer;
        const auto status = table_->attempt(table_->self, face_, &kept, &part_of<decltype(kept)>, answer.table());
        if (kept.thrown)
            std::rethrow_exception(kept.thrown);
        return answer.done(status);
    }

  private:
    static void call(void* context) noexcept {
        (void)barrier(nullptr, [&] {
            (*static_cast<std::function<void()>*>(context))();
            return SVC_OK;
        });
    }
    template <class Held>
    static svc_status part_of(void* context, svc_answer* answer) noexcept {
        auto& listener = *static_cast<Held*>(context);
        return barrier(answer, [&] {
            try {
                return answer_result(answer, listener.work());
            } catch (...) {
                listener.thrown = std::current_exception();
                throw;
            }
        });
    }
};

struct Reading {
    const svc_store_1* table;
    const std::function<void(store::Session&)>& work;
    std::exception_ptr thrown;
    static svc_status run(void* context, svc_session* session, svc_answer* answer) noexcept {
        auto& reading = *static_cast<Reading*>(context);
        return barrier(answer, [&] {
            try {
                LentSession lent(reading.table, session);
                reading.work(lent);
                return SVC_OK;
            } catch (...) {
                reading.thrown = std::current_exception();
                throw;
            }
        });
    }
};

struct Writing {
    const svc_store_1* table;
    const std::function<Result<void>(store::Transaction&)>& work;
    static svc_status run(void* context, svc_session* transaction, svc_answer* answer) noexcept {
        const auto& writing = *static_cast<const Writing*>(context);
        return barrier(answer, [&] {
            LentTransaction lent(writing.table, transaction);
            return answer_result(answer, writing.work(lent));
        });
    }
};

}  // namespace

store::Dialect Store::dialect() const { return dialect_of(table_); }

void Store::read(const std::function<void(store::Session&)>& work) {
    Reading reading{table_, work, nullptr};
    Answer answer;
    const auto status = table_->read(table_->self, &reading, &Reading::run, answer.table());
    if (reading.thrown)
        std::rethrow_exception(reading.thrown);
    if (auto outcome = answer.done(status); !outcome)
        throw store::Failure(outcome.error().message().english());
}

// Ignores a stored exception when the base ran the work again: the last run decides.
Result<void> Store::write(const std::function<Result<void>(store::Transaction&)>& work) {
    // Appends this library's LastOfAll work here: the base only sees its own, unless both are one program.
    const auto whole = store::LastOfAll::behind(work);
    const store::LastOfAll::Not not_again;
    Writing writing{table_, whole};
    Answer answer;
    return answer.done(table_->write(table_->self, &writing, &Writing::run, answer.table()));
}

void Store::within(svc_session* transaction, const std::function<void(store::Transaction&)>& work) const {
    LentTransaction lent(table_, transaction);
    work(lent);
}

svc_session* Store::face_of(store::Transaction& tx) {
    const auto* lent = dynamic_cast<LentTransaction*>(&tx);
    if (!lent)
        throw std::logic_error("This transaction was not lent by the base.");
    return lent->face();
}

void Hooks::declare(const hooks::Action& action) {
    const auto text = to_json(action).dump();
    if (table_->declare_action(table_->self, borrow(text)) != SVC_OK)
        throw Refused("The base refused the action " + std::string(action.name) + ".");
    actions_.push_back(action);
}

void Hooks::declare(const hooks::Filter& filter) {
    const auto text = to_json(filter).dump();
    if (table_->declare_filter(table_->self, borrow(text)) != SVC_OK)
        throw Refused("The base refused the filter " + std::string(filter.name) + ".");
    filters_.push_back(filter);
}

Result<void> Hooks::on(std::string_view action, hooks::Listener listener, hooks::ActionCall call) {
    auto& held = listeners_.emplace_back(std::move(call));
    const auto text = to_json(listener).dump();
    if (table_->on(table_->self, borrow(action), borrow(text), &held, &call_listener) != SVC_OK)
        return Error(errc::not_found, "The base has no action {action}."_sentence.with("action", action));
    return {};
}

Result<void> Hooks::filter(std::string_view name, hooks::Listener listener, hooks::FilterCall call) {
    auto& held = filter_listeners_.emplace_back(FilterListener{store_, std::move(call)});
    const auto text = to_json(listener).dump();
    if (table_->filter(table_->self, borrow(name), borrow(text), &held, &run_filter) != SVC_OK)
        return Error(errc::not_found, "The base has no filter {name}."_sentence.with("name", name));
    return {};
}

bool Hooks::knows(std::string_view name) const { return table_->knows(table_->self, borrow(name)) == 1; }

void Hooks::emit(store::Transaction& tx, const hooks::Action& action, json::Array arguments) {
    Answer answer;
    const auto text = json::Value(std::move(arguments)).dump();
    const auto outcome =
        answer.done(table_->fire(table_->self, Store::face_of(tx), borrow(action.name), borrow(text), answer.table()));
    if (!outcome)
        throw std::logic_error("An undeclared action was fired: " + std::string(action.name));
}

json::Value Hooks::apply(const hooks::Filter& filter, json::Value value, json::Array arguments,
                         store::Transaction* tx) const {
    Answer answer;
    const auto value_text = value.dump();
    const auto text = json::Value(std::move(arguments)).dump();
    auto outcome = answer.value(table_->apply(table_->self, tx ? Store::face_of(*tx) : nullptr, borrow(filter.name),
                                              borrow(value_text), borrow(text), answer.table()));
    if (!outcome)
        throw std::logic_error("An undeclared filter was applied: " + std::string(filter.name));
    return std::move(*outcome);
}

svc_status Hooks::call_listener(void* context, svc_text arguments) noexcept {
    return barrier(nullptr, [&] {
        (*static_cast<const hooks::ActionCall*>(context))(read_json(arguments).items());
        return SVC_OK;
    });
}

svc_status Hooks::run_filter(void* context, svc_session* tx, svc_text values, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto& listener = *static_cast<const FilterListener*>(context);
        const auto array = read_json(values);
        json::Value value;
        if (tx && listener.store)
            listener.store->within(tx, [&](store::Transaction& lent) { value = listener.call(&lent, array.items()); });
        else
            value = listener.call(nullptr, array.items());
        return answer_value(answer, value);
    });
}

}  // namespace svc::plugin
