// Finds or prepares a statement, binds its values by name and walks its rows.
#include "base/platform/store/connection.hpp"

#include <stdexcept>

#include "shared/core/text.hpp"

namespace svc::store {
namespace {

constexpr std::size_t most_prepared = 512;
constexpr std::string_view returning_id = " RETURNING id";

// The row of an INSERT that only returns the new id.
class NewRow final : public Row {
  public:
    explicit NewRow(std::int64_t id) : id_(id) {}
    [[nodiscard]] std::size_t size() const override { return 1; }
    [[nodiscard]] bool is_null(std::size_t) const override { return false; }
    [[nodiscard]] std::int64_t integer(std::size_t column) const override {
        if (column != 0)
            throw std::logic_error("no such column");
        return id_;
    }
    [[nodiscard]] const std::string& text(std::size_t) const override {
        throw std::logic_error("the column holds no text");
    }

  private:
    std::int64_t id_;
};

// True when the database generates the returned id: it is not among the columns, and no existing row is returned.
bool asks_for_new_id(std::string_view sql, Columns columns) {
    const auto has = [&](std::string_view text) { return sql.find(text) != std::string_view::npos; };
    return columns == "i" && sql.starts_with("INSERT") && sql.ends_with(returning_id) && !has("(id,") && !has("(id)") &&
           !has(" DO UPDATE");
}

// Most values are given in the order in which the statement names them: `at` is where to look first.
std::size_t place_of(const Params& params, std::string_view name, std::size_t at) {
    if (at < params.size() && params[at].name == name)
        return at;
    for (std::size_t i = 0; i < params.size(); ++i)
        if (params[i].name == name)
            return i;
    throw std::logic_error("a statement names a value that was not given: " + std::string(name));
}

char kind_of(const Cell& value) {
    if (std::holds_alternative<std::monostate>(value))
        return '0';
    if (std::holds_alternative<std::int64_t>(value))
        return 'i';
    // One database would truncate the text and the other keep it: rejects it.
    const auto& given = std::get<std::string>(value);
    if (given.find('\0') != std::string::npos)
        throw ConstraintViolation("NUL in text");
    if (!text::is_utf8(given))
        throw ConstraintViolation("text is not UTF-8");
    return 't';
}

}  // namespace

// Marks a statement as in use and ends it however its rows were left.
class Connection::Use {
  public:
    Use(Connection& connection, std::string_view sql, Statement& statement)
        : connection_(connection), sql_(sql), statement_(statement) {
        statement_.busy = true;
    }
    ~Use() {
        statement_.busy = false;
        // SOCI finalizes a statement on some failures; a fresh one costs little.
        if (failed_ && !statement_.survives())
            connection_.forget(sql_, statement_);
        else
            statement_.end();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    template <class Work>
    auto guarded(Work&& work) {
        try {
            return work();
        } catch (const soci::soci_error& error) {
            failed_ = true;
            connection_.fail(error);
            throw;  // unreachable; the compiler cannot know that the virtual call never returns
        }
    }

  private:
    Connection& connection_;
    std::string_view sql_;
    Statement& statement_;
    bool failed_ = false;
};

void Connection::each(std::string_view sql, Columns columns, const Params& params,
                      const std::function<void(const Row&)>& take) {
    if (columns.empty())
        throw std::logic_error("a statement read by each() names no columns");
    if (knows_new_id() && asks_for_new_id(sql, columns)) {
        const auto result = run(sql.substr(0, sql.size() - returning_id.size()), params);
        if (result > 1)
            throw std::logic_error("an INSERT of several rows returns no single id");
        if (result == 1)
            take(NewRow(new_id()));
        return;
    }
    Statement& statement = prepared(sql, columns, params);
    Use use(*this, sql, statement);
    bool more = use.guarded([&] { return statement.execute(); });
    if (statement.column_count() != columns.size())
        throw std::logic_error("a statement returns another number of columns than its caller declared");
    while (more) {
        statement.hand_out(take);
        more = use.guarded([&] { return statement.fetch(); });
    }
}

std::int64_t Connection::run(std::string_view sql, const Params& params) {
    Statement& statement = prepared(sql, {}, params);
    Use use(*this, sql, statement);
    return use.guarded([&] {
        statement.execute();
        return statement.affected();
    });
}

void Connection::run_later(std::string_view sql, const Params& params) {
    Statement& statement = prepared(sql, {}, params);
    Use use(*this, sql, statement);
    use.guarded([&] { statement.postpone(); });
}

void Connection::settle() {
    try {
        send_waiting();
    } catch (const soci::soci_error& error) {
        fail(error);
    }
}

Statement& Connection::prepared(std::string_view sql, Columns columns, const Params& params) {
    auto found = texts_.find(sql);
    if (found == texts_.end())
        found = texts_.emplace(std::string(sql), Prepared(sql)).first;

    values_.clear();
    kinds_.clear();
    std::size_t at = 0;
    for (const auto& name : found->second.text.names()) {
        at = place_of(params, name, at);
        const Cell& value = params[at++].value;
        const char kind = kind_of(value);
        kinds_ += kind;
        if (kind != '0')
            values_.push_back(&value);
    }

    Statement& statement = variant(found->second, kinds_, columns);
    if (statement.busy)
        throw std::logic_error("a statement was used again while its rows were being read");
    for (std::size_t i = 0; i < values_.size(); ++i)
        statement.bind(i, *values_[i]);
    statement.used = ++tick_;
    return statement;
}

Statement& Connection::variant(Prepared& prepared, const std::string& kinds, Columns columns) {
    for (const auto& each : prepared.variants)
        if (each->kinds == kinds && each->into == columns)
            return *each;

    if (prepared_count_ >= most_prepared) {
        settle();  // pending statements keep theirs
        evict();
    }
    std::string bound;
    for (const char kind : kinds)
        if (kind != '0')
            bound += kind;
    std::unique_ptr<Statement> statement;
    try {
        statement = prepare(prepared.text.for_driver(dialect(), kinds), bound, columns);
    } catch (const soci::soci_error& error) {
        fail(error);
    }
    statement->kinds = kinds;
    statement->into = columns;
    prepared.variants.push_back(std::move(statement));
    ++prepared_count_;
    return *prepared.variants.back();
}

// Drops the statement unused for longest. Its text stays: texts are literals of the program, so they are few.
void Connection::evict() {
    std::vector<std::unique_ptr<Statement>>* home = nullptr;
    std::size_t place = 0;
    std::uint64_t oldest = tick_ + 1;
    for (auto& [sql, entry] : texts_)
        for (std::size_t i = 0; i < entry.variants.size(); ++i)
            if (!entry.variants[i]->busy && entry.variants[i]->used < oldest) {
                oldest = entry.variants[i]->used;
                home = &entry.variants;
                place = i;
            }
    if (!home)
        return;
    home->erase(home->begin() + static_cast<std::ptrdiff_t>(place));
    --prepared_count_;
}

void Connection::forget(std::string_view sql, const Statement& statement) {
    const auto found = texts_.find(sql);
    if (found == texts_.end())
        return;
    prepared_count_ -=
        std::erase_if(found->second.variants, [&](const auto& each) { return each.get() == &statement; });
}

}  // namespace svc::store
