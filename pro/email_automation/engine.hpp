// What makes sequences run: events enrol and end, the clock sends.
#pragma once

#include <map>

#include "pro/common/site.hpp"
#include "pro/email_automation/email_template.hpp"
#include "pro/email_automation/enrolment.hpp"
#include "pro/email_automation/sequence.hpp"

namespace svc::pro::email_automation {

inline constexpr std::string_view sequences_job = "email_sequences";

// Any thread.
class Engine {
  public:
    explicit Engine(const Site& site) : site_(site) {}

    // An automation event: ends sequences that stop on it, and enrols its booking in those that begin with it, once
    // however often it is reported. Throws on failure, so that it is reported again.
    void occurred(const std::string& key, std::int64_t booking_id, const json::Value& payload);
    // Ends sequences that stop on it. Throws as above.
    void reviewed(const json::Value& review);
    void wrote(const json::Value& enquiry);

    // Enrols by days of travel and takes every step that is due: {"enrolled", "queued", "skipped", "ended"}.
    Result<json::Value> run(Instant now);

  private:
    struct Counts {
        std::int64_t handled = 0, queued = 0, skipped = 0, ended = 0;
    };
    // What a batch reads once.
    struct Known {
        std::map<std::int64_t, std::vector<Step>> steps;
        std::map<std::int64_t, std::optional<EmailTemplate>> templates;
    };
    void stop_on(store::Transaction& tx, std::string_view key, std::int64_t booking_id, Instant now) const;
    void enrol(store::Transaction& tx, const std::string& key, std::int64_t booking_id,
               std::optional<std::int64_t> trip_id, Instant at, Instant now) const;
    Result<std::int64_t> enrol_by_day(Instant now);
    Counts take_some(store::Transaction& tx, Instant now) const;
    void take(store::Transaction& tx, const Due& due, Known& known, Instant now, Counts& counts) const;
    void send(store::Transaction& tx, const Due& due, const Step& step, Known& known, Instant now,
              Counts& counts) const;
    // The day and the moment that a sequence by days of travel follows from.
    [[nodiscard]] Instant moment_of(bool is_before, std::int64_t days, Date day) const;

    const Site& site_;
};

}  // namespace svc::pro::email_automation
