// What the listeners store and the job sends.
#pragma once

#include <string>

#include "pro/google_calendar/connection.hpp"
#include "pro/google_calendar/event.hpp"
#include "pro/google_calendar/items.hpp"

namespace svc::pro::google_calendar {

// What a copy of everything would do, as far as we know what is in the calendar.
struct Forecast {
    struct Change {
        Subject subject;
        std::string title, day, change;  // create, update, remove
    };
    std::int64_t created = 0, updated = 0, removed = 0, unchanged = 0;
    std::vector<Change> changes = {};  // the first of them
};

// Other processes follow a change of settings within a second; what it changes of events is sent after that.
inline constexpr auto settings_spread = std::chrono::seconds(2);

// Any thread.
class Sync {
  public:
    Sync(const Site& site, const Google& google, Connection& connection, const plugin::Calls& calls)
        : site_(site), google_(google), connection_(connection), calls_(calls) {}

    // Each stores rows and wakes the job; nothing waits for Google. They throw on failure, so that the base reports the
    // action again.
    void departure_changed(std::int64_t departure_id) const;
    // `old_date`: of a booking that moved; else empty.
    void booking_changed(std::int64_t booking_id, const std::string& old_date = {}) const;
    void trip_changed(std::int64_t trip_id) const;
    // Settings changed what events show or where they are.
    void all_changed() const;

    // All that is to come is sent anew. google_calendar_not_connected.
    Result<void> begin_all() const;
    [[nodiscard]] Forecast forecast() const;

    // The job: sends what is due until it is done, Google asks to wait, or some seconds have passed.
    // {"sent", "failed"}.
    Result<json::Value> run() const;
    // Nightly: what the listeners may have missed, and rows that nobody needs.
    Result<json::Value> check() const;

  private:
    enum class Step : std::uint8_t { sent, failed, again, stop };
    struct Work {
        Basis basis;
        std::string uid, calendar_id, token;
        bool leaves = false;
        bool has_new_token = false;  // one that was refused was replaced in this run
        std::int64_t sent = 0, failed = 0;
    };
    [[nodiscard]] Basis basis() const;
    [[nodiscard]] std::optional<Work> begin() const;
    [[nodiscard]] bool is_due_by(Instant moment) const;
    [[nodiscard]] std::vector<Item> claim(Work& work) const;
    bool send_all(Work& work, const std::vector<Item>& batch, const std::function<bool()>& has_time) const;
    bool turn(Work& work, const Item& item) const;
    Step send(Work& work, const Item& item) const;
    Step put(Work& work, const Item& item, const Plan& plan) const;
    Step amend(Work& work, const Item& item, const Plan& plan) const;
    Step remove(Work& work, const Item& item, bool ends = true) const;
    Step judged(Work& work, const Item& item, const GoogleAnswer& answer) const;
    void sent(const Item& item, const std::string& calendar_id, const std::string& fingerprint) const;
    void end_run() const;
    void wake() const;

    const Site& site_;
    const Google& google_;
    Connection& connection_;
    const plugin::Calls& calls_;
};

}  // namespace svc::pro::google_calendar
