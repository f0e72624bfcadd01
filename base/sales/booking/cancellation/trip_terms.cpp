// Reads and writes svc_trip_cancellation_terms, and declares the setting.
#include "base/sales/booking/cancellation/trip_terms.hpp"

#include <algorithm>

#include "base/catalog/trips/record/rows_part.hpp"

namespace svc::booking {
namespace {

using json::Value;

constexpr std::int64_t ppm_of_bp = 100;

std::optional<std::int64_t> bp_of(const std::optional<Rate>& rate) {
    return rate ? std::optional(rate->ppm / ppm_of_bp) : std::nullopt;
}

CancellationStep stored_step(std::optional<int> days, std::optional<std::int64_t> bp, std::optional<std::int64_t> minor,
                             bool per_traveler, Currency currency) {
    CancellationStep step{.until_days = days, .per_traveler = per_traveler};
    if (bp)
        step.percentage = Rate{*bp * ppm_of_bp};
    if (minor)
        step.amount = Money(*minor, currency);
    return step;
}

class TermsOfTrip final : public catalog::trips::Part {
  public:
    [[nodiscard]] std::string_view name() const override { return cancellation_terms_name; }
    [[nodiscard]] api::Type body_type() const override { return cancellation_terms_type().or_null(); }
    [[nodiscard]] api::Type answer_type() const override { return cancellation_terms_type().or_null(); }
    [[nodiscard]] Value none() const override { return {}; }

    void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const override {
        std::int64_t trip = 0;
        CancellationTerms terms;
        const auto give = [&] {
            if (!terms.empty())
                take(trip, to_json(std::exchange(terms, {})));
        };
        store::each_row_of(
            session,
            SVC_BY_IDS("SELECT c.trip_id, c.until_days, c.percentage_bp, c.amount_minor, c.per_traveler, t.currency"
                       " FROM svc_trip_cancellation_terms c JOIN svc_trips t ON t.id = c.trip_id WHERE",
                       "c.trip_id", "ORDER BY c.trip_id, c.sort_order"),
            trip_ids,
            [&](std::int64_t trip_id, std::optional<int> days, std::optional<std::int64_t> bp,
                std::optional<std::int64_t> minor, bool per_traveler, const std::string& currency) {
                if (trip_id != trip)
                    give();
                trip = trip_id;
                terms.steps.push_back(stored_step(days, bp, minor, per_traveler, Currency::parse(currency).value()));
            });
        give();
    }

    [[nodiscard]] Result<void> check(store::Session& /*session*/, const catalog::trips::Trip& trip, const Value& value,
                                     const Writing& /*writing*/) const override {
        const auto terms = cancellation_terms_of(value, trip.currency, std::string(name()));
        return terms ? Result<void>{} : terms.error();
    }

    Result<void> write(store::Transaction& tx, const catalog::trips::Trip& trip, const Value& value,
                       const Writing& writing) const override {
        auto checked = cancellation_terms_of(value, trip.currency, std::string(name()));
        // A former version of the trip may have had another currency.
        if (!checked && !writing.lenient)
            return checked.error();
        if (!checked && writing.left_out)
            writing.left_out->push_back(std::string(name()));
        const CancellationTerms terms = checked ? std::move(*checked) : CancellationTerms{};
        tx.run("DELETE FROM svc_trip_cancellation_terms WHERE trip_id = :trip_id", {{"trip_id", trip.id}});
        std::int64_t place = 0;
        for (const CancellationStep& step : terms.steps)
            tx.run(
                "INSERT INTO svc_trip_cancellation_terms (trip_id, sort_order, until_days, percentage_bp, amount_minor,"
                " per_traveler) VALUES (:trip_id, :sort_order, :until_days, :percentage, :amount, :per_traveler)",
                {{"trip_id", trip.id},
                 {"sort_order", place++},
                 {"until_days", step.until_days ? std::optional<std::int64_t>(*step.until_days) : std::nullopt},
                 {"percentage", bp_of(step.percentage)},
                 {"amount", step.amount ? std::optional(step.amount->minor()) : std::nullopt},
                 {"per_traveler", step.per_traveler}});
        return {};
    }
};

}  // namespace

std::shared_ptr<const catalog::trips::Part> cancellation_terms_part() { return std::make_shared<TermsOfTrip>(); }

void declare_cancellation_settings(settings::Settings& settings) {
    settings.declare(
        {.key = std::string(cancellation_terms_name),
         .type = cancellation_terms_type(),
         .initial = Value::array(),
         .help =
             "What cancelling costs, by days before the departure, for trips without terms of their own; amounts are"
             " in the site's currency. Empty: nothing is said.",
         .group = "booking",
         .also_checks = [&settings](const Value& rows) -> Result<void> {
             const auto terms = cancellation_terms_of(rows, settings.currency(), std::string(cancellation_terms_name));
             return terms ? Result<void>{} : terms.error();
         },
         .cleans = [&settings](const Value& rows) -> Value {
             const auto terms = cancellation_terms_of(rows, settings.currency(), std::string(cancellation_terms_name));
             return terms ? to_json(*terms) : rows;
         }});
}

CancellationTerms default_cancellation_terms(const settings::Settings& settings, Currency currency) {
    auto terms = cancellation_terms_of(settings.get(cancellation_terms_name), currency, {});
    // Of no amount is known what it would be in another currency.
    if (!terms || (terms->has_amounts() && currency != settings.currency()))
        return {};
    return std::move(*terms);
}

CancellationTerms cancellation_terms_of_trip(const Value& member, Currency currency,
                                             const settings::Settings& settings) {
    auto own = cancellation_terms_of(member, currency, {});
    return own && !own->empty() ? std::move(*own) : default_cancellation_terms(settings, currency);
}

AgreedCancellation cancellation_offered(store::Session& session, std::int64_t trip_id, Currency currency,
                                        const settings::Settings& settings) {
    AgreedCancellation offered;
    store::each_row(
        session,
        "SELECT t.cancellation_policy, c.until_days, c.percentage_bp, c.amount_minor, COALESCE(c.per_traveler, 0)"
        " FROM svc_trips t LEFT JOIN svc_trip_cancellation_terms c ON c.trip_id = t.id WHERE t.id = :trip"
        " ORDER BY c.sort_order",
        {{"trip", trip_id}},
        [&](const std::string& policy, std::optional<int> days, std::optional<std::int64_t> bp,
            std::optional<std::int64_t> minor, bool per_traveler) {
            offered.policy = policy;
            if (bp || minor)
                offered.terms.steps.push_back(stored_step(days, bp, minor, per_traveler, currency));
        });
    if (offered.terms.empty())
        offered.terms = default_cancellation_terms(settings, currency);
    return offered;
}

}  // namespace svc::booking
