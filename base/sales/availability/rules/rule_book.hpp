// Staff's operations on recurring rules. Each trip has few, so a change is one transaction and one reload.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/sales/availability/dates/calendar.hpp"
#include "base/sales/availability/record/parts.hpp"
#include "base/sales/availability/record/rule_rows.hpp"

namespace svc::availability {

// Any thread. The calendar shows a change of this process when the call that commits it returns.
class RuleBook {
  public:
    RuleBook(const Parts& parts, Calendar& calendar) : parts_(parts), calendar_(calendar) {}

    // Rules of one trip; svc_conflict for one more.
    static constexpr std::int64_t most_rules = 50;

    struct Listed {
        std::vector<Rule> rules;
        std::int64_t total = 0;
    };
    // trip_not_found for no trip at all.
    [[nodiscard]] Result<Listed> list(const RuleQuery& query) const;
    [[nodiscard]] Result<RuleCounts> counts(std::int64_t trip_id) const;
    // svc_not_found for a rule of another trip than the one named.
    [[nodiscard]] Result<Rule> find(std::optional<std::int64_t> trip_id, std::int64_t id) const;

    // Applies a change to the rule; the result passed consistent(). Checks references in the session.
    using Change = std::function<Result<Rule>(store::Session&, Rule)>;
    // Each write of one rule is one transact<Rule>(). `user_id` is recorded; it may be empty (samples).
    using User = std::optional<std::int64_t>;
    Result<Rule> create(std::int64_t trip_id, const Change& change, User user_id);
    // svc_conflict when the rule was changed since row_version.
    Result<Rule> update(std::optional<std::int64_t> trip_id, std::int64_t id, std::optional<std::int64_t> row_version,
                        const Change& change, User user_id);
    // Its departures that are booked or waited for stay on sale, the others go with it.
    Result<void> remove(std::optional<std::int64_t> trip_id, std::int64_t id, User user_id);
    // The copy is inactive.
    Result<Rule> duplicate(std::int64_t id, const std::optional<std::string>& name, User user_id);
    // All rules of a trip for another one, as they are, in the caller's transaction; the caller refreshes the calendar.
    void copy(store::Transaction& tx, std::int64_t from_trip_id, std::int64_t to_trip_id,
              std::optional<std::int64_t> user_id);

    // The errors in fields that create and update would return; nothing is written. Without a trip, inherited values
    // are not checked.
    [[nodiscard]] std::vector<FieldError> faults_of_new(std::optional<std::int64_t> trip_id,
                                                        const Change& change) const;
    [[nodiscard]] std::vector<FieldError> faults_of_change(std::optional<std::int64_t> trip_id, std::int64_t id,
                                                           const Change& change) const;

    // The dates that a rule produces from today on, for 365 days if it has no end; stores nothing. `trip_id` may be
    // empty: nothing is inherited then.
    [[nodiscard]] Result<Produced> preview(std::optional<std::int64_t> trip_id, const Change& change,
                                           std::size_t most) const;
    [[nodiscard]] Result<Produced> preview(const Rule& rule, std::size_t most) const;
    // The dates that a trip's active rules produce in a period, clipped to 3660 days from today.
    [[nodiscard]] Result<Produced> produce(std::int64_t trip_id, Date first, Date last) const;

    [[nodiscard]] Moment moment() const { return {parts_.clock.now(), parts_.settings.zone()}; }

  private:
    [[nodiscard]] std::vector<FieldError> faults_of(const Rule& rule, const Change& change) const;
    Result<Rule> insert(store::Transaction& tx, Rule rule, User user_id);
    [[nodiscard]] Produced produce(const catalog::trips::Trip& trip, const Rule& rule, std::size_t most) const;

    const Parts parts_;
    Calendar& calendar_;
};

}  // namespace svc::availability
