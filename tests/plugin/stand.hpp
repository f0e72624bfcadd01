// A base for plugin tests: real routes, gate, store and keyring, stand-ins for the rest, and plugins made of a
// function.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/app/gate.hpp"
#include "base/plugins/plugins.hpp"
#include "shared/plugin/host.hpp"
#include "tests/plugin/fake_services.hpp"
#include "tests/support/databases.hpp"

namespace svc::tests {

struct SetClock final : Clock {
    Instant at = Instant::parse("2026-05-04T10:00:00Z").value();
    [[nodiscard]] Instant now() const override { return at; }
};

struct Reply {
    int status = 0;
    json::Value body;
    std::string text;
    std::vector<HttpHeader> headers;
    [[nodiscard]] const json::Value& data() const { return body["data"]; }
    [[nodiscard]] std::string code() const { return body.text_or("code"); }
    [[nodiscard]] std::string header(std::string_view name) const;
};

// The tables of the base: the few that plugins' own tests need, made by hand; or all, as a migrated database has them.
// Either holds user 7, the trips 1 and 2, and booking 50.
enum class Schema : std::uint8_t { by_hand, real };

// The base without any plugin; the log is caught in `log`.
class Stand {
  public:
    explicit Stand(std::unique_ptr<Database> on = Database::sqlite(), Schema schema = Schema::by_hand);
    ~Stand();
    Stand(const Stand&) = delete;
    Stand& operator=(const Stand&) = delete;

    // The plugin's table of the base; change it before the first attach.
    [[nodiscard]] plugins::Services services();
    plugins::Plugins& plugins();
    Result<std::string> attach(svc_plugin_entry_fn* entry) { return plugins().attach(entry); }
    // A plugin whose attach is this function.
    Result<std::string> attach(std::function<void(plugin::Host&)> script);

    // Over the routes there are now; the stand outlives it.
    [[nodiscard]] app::Gate gate();
    Reply call(std::string_view method, const std::string& target, const json::Value& body = {});
    [[nodiscard]] std::size_t log_lines(std::string_view event) const;
    [[nodiscard]] std::int64_t number(std::string_view sql);

    // Additions to the base's own.
    [[nodiscard]] std::size_t registered() const;

    SetClock clock;
    std::unique_ptr<Database> database;
    std::unique_ptr<store::Store> store;
    api::RouteTable routes;
    FakeModules modules;
    FakeHooks hooks{modules};
    FakeSettings settings;
    FakeJobs jobs;
    payment::Gateways gateways;
    std::shared_ptr<const crypto::Keyring> keyring = crypto::Keyring::for_tests();
    std::function<Result<plugins::FetchReply>(const plugins::FetchRequest&)> fetch;
    std::function<Result<bool>(std::int64_t, bool)> confirms;
    plugins::Charges charges;
    plugins::PageOffers pages;
    plugins::Call calls;
    plugins::MailOffers mails;
    plugins::BookingOffers bookings;
    plugins::ChangeSource changes;
    std::function<limits::Verdict(std::string_view, std::string_view, limits::Limit, bool)> take_limit;
    std::function<void(std::string, jobs::Housekeeping::Piece)> add_old_rows;
    std::function<Result<pdf::Rendered>(const json::Value&)> print;
    api::Caller caller;
    std::vector<HttpHeader> headers;
    std::vector<std::string> kept;  // data of replies kept for a repeat
    bool keeps_replies = false;
    std::string log;

    bool answered_first = false;  // keeping throws, as when an equal request was faster

  private:
    struct AnsweredFirst {};
    api::Reply perform(api::Request& request, const api::RouteSpec& route);
    std::unique_ptr<plugins::Plugins> plugins_;
    std::size_t own_ = 0;
};

// A plugin's table with functions and numbers to change, and the entry that hands it out. One at a time.
svc_plugin& scripted_table();
const svc_plugin* scripted_entry();
void script(std::function<void(plugin::Host&)> attach);

}  // namespace svc::tests
