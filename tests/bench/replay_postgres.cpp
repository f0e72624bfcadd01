// The floor of a whole flow: replay_postgres CONNINFO SCRIPT COUNT does a flow's statements COUNT times by libpq alone,
// prepared once and one after the other, with the process that wrote them down left out.
#include <map>
#include <memory>

#include <libpq-fe.h>

#include "tests/bench/replay.hpp"

namespace {

using namespace svc::bench;

class Replay {
  public:
    Replay(const std::string& conninfo, const std::string& script)
        : connection_(PQconnectdb(conninfo.c_str()), &PQfinish), steps_(read_script(script)) {
        if (PQstatus(connection_.get()) != CONNECTION_OK)
            throw std::runtime_error(PQerrorMessage(connection_.get()));
        PQsetNoticeProcessor(
            connection_.get(), [](void*, const char*) {}, nullptr);
        for (const Written& step : steps_) {
            auto& name = names_[step.sql];
            if (!name.empty() || is_control(step.sql))
                continue;
            name = "bench_" + std::to_string(names_.size());
            done(PQprepare(connection_.get(), name.c_str(), step.sql.c_str(), 0, nullptr));
        }
    }

    void flow(std::int64_t number) {
        made_.clear();
        for (const Written& step : steps_)
            run(step, number);
    }

  private:
    using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

    // Several of these stand in one text, which cannot be prepared.
    static bool is_control(std::string_view sql) {
        return sql.starts_with("BEGIN") || sql.starts_with("COMMIT") || sql.starts_with("ROLLBACK") ||
               sql.starts_with("SET ");
    }

    Result done(PGresult* result) {
        Result owned(result, &PQclear);
        const auto status = PQresultStatus(result);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            throw std::runtime_error(PQresultErrorMessage(result));
        return owned;
    }

    void run(const Written& step, std::int64_t number) {
        if (is_control(step.sql)) {
            done(PQexec(connection_.get(), step.sql.c_str()));
            return;
        }
        std::vector<std::string> texts(step.arguments.size());
        std::vector<const char*> values;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const Argument& each = step.arguments[i];
            if (each.kind == 'r')
                texts[i] = made_.at(static_cast<std::size_t>(each.number));
            else if (each.kind == 'i' || each.kind == 'v')
                texts[i] = std::to_string(each.number + (each.kind == 'v' ? number : 0));
            else if (each.kind != 'n')
                texts[i] = each.kind == 't' ? each.text : other(each.text, number);
            values.push_back(each.kind == 'n' ? nullptr : texts[i].c_str());
        }
        const Result result = done(PQexecPrepared(connection_.get(), names_.at(step.sql).c_str(),
                                                  static_cast<int>(values.size()), values.data(), nullptr, nullptr, 0));
        if (PQntuples(result.get()) > 0 && std::string_view(PQcmdStatus(result.get())).starts_with("INSERT"))
            made_.emplace_back(PQgetvalue(result.get(), 0, 0));
    }

    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
    std::vector<Written> steps_;
    std::map<std::string, std::string> names_;
    std::vector<std::string> made_;
};

}  // namespace

int main(int count, char** values) { return replayed<Replay>("replay_postgres", count, values); }
