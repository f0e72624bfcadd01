// The rows and the days of the evaluation.
#include "pro/license/evaluation.hpp"

#include <algorithm>

#include "pro/license/public_key.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::license {
namespace {

constexpr std::chrono::hours tolerance{1}, day{24};

// The context of the sealed text.
constexpr std::string_view seal_place = "svc_evaluation/1/seal";

std::string sealed_text(const std::string& site_id, Instant started_at) {
    return site_id + "/" + std::to_string(started_at.micros());
}

}  // namespace

bool Evaluation::is_running(Instant now) const {
    return is_genuine && now >= last_seen_at.minus(tolerance) && now < ends_at();
}

std::int64_t Evaluation::days_left(Instant now) const {
    if (!is_running(now))
        return 0;
    const std::int64_t left = ends_at().micros() - now.micros();
    const std::int64_t one = std::chrono::microseconds(day).count();
    return std::min<std::int64_t>((left + one - 1) / one, length / day);
}

bool is_evaluation_build() { return public_key().empty(); }

License evaluated(License license, const Evaluation& evaluation, Instant now) {
    license.terms = {.status = std::string(evaluation.is_running(now) ? status::active : status::expired),
                     .expires_at = evaluation.ends_at(),
                     .plan_name = "Evaluation",
                     .plan_tier = "agency"};
    return license;
}

std::optional<Evaluation> Evaluations::find(store::Session& session) const {
    using Moment = std::optional<Instant>;
    const auto license =
        store::tuple<std::string, Moment>(session, "SELECT site_id, evaluated_at FROM svc_license WHERE id = 1", {});
    const auto row = store::tuple<Instant, Instant, std::string>(
        session, "SELECT started_at, last_seen_at, seal FROM svc_evaluation WHERE id = 1", {});
    const auto noted = license ? std::get<1>(*license) : Moment();
    if (!row)
        return noted ? std::optional(Evaluation{.started_at = *noted, .last_seen_at = *noted}) : std::nullopt;
    const auto& [started_at, last_seen_at, seal] = *row;
    Evaluation evaluation{.started_at = started_at, .last_seen_at = last_seen_at};
    if (noted == started_at)
        if (const auto opened = secrets_.open(seal, seal_place))
            evaluation.is_genuine = *opened == sealed_text(std::get<0>(*license), started_at);
    return evaluation;
}

std::string Evaluations::seal(const std::string& site_id, Instant started_at) const {
    return secrets_.seal(sealed_text(site_id, started_at), seal_place);
}

bool Evaluations::begin(store::Transaction& tx, const std::string& site_id, Instant now) const {
    if (find(tx))
        return false;
    const bool is_first =
        tx.run(
            "INSERT INTO svc_evaluation (id, started_at, last_seen_at, seal) VALUES (1, :now, :now, :seal)"
            " ON CONFLICT (id) DO NOTHING",
            {{"now", now}, {"seal", seal(site_id, now)}}) > 0;
    if (is_first)
        tx.run("UPDATE svc_license SET evaluated_at = :now WHERE id = 1", {{"now", now}});
    return is_first;
}

void Evaluations::see(store::Transaction& tx, const std::string& site_id, const Evaluation& evaluation,
                      Instant now) const {
    tx.run(
        "UPDATE svc_evaluation SET last_seen_at = CASE WHEN last_seen_at > :now THEN last_seen_at ELSE :now END,"
        " seal = :seal WHERE id = 1",
        {{"now", now}, {"seal", seal(site_id, evaluation.started_at)}});
}

}  // namespace svc::pro::license
