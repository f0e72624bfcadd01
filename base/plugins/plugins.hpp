// Attaches a plugin through shared/plugin/svc_plugin.h: whole or not at all, and never to the base's harm.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/modules/modules.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/jobs/housekeeping.hpp"
#include "base/platform/jobs/jobs.hpp"
#include "base/platform/limits/rate_limits.hpp"
#include "base/platform/pdf/pdf.hpp"
#include "base/plugins/calls.hpp"
#include "base/plugins/changes.hpp"
#include "base/sales/payment/gateways/gateways.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/api/route.hpp"
#include "shared/core/date.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/mails/offered.hpp"
#include "shared/pages/offered.hpp"
#include "shared/plugin/svc_plugin.h"
#include "shared/store/store.hpp"

namespace svc::plugins {

struct FetchRequest {
    std::string method, url;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    int timeout_ms = 5000;
    std::size_t limit = 256 * 1024;
    std::string certificate_chain = {}, certificate_key = {};  // PEM of the client's; empty: none
};

struct FetchReply {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
};

// A charge without the customer there: see svc.booking.charges/1.
struct ChargeRequest {
    std::int64_t booking_id = 0, method_id = 0;
    Money amount;
    std::string key;
    std::optional<Money> balance = {};
};

// Answers, as the interface passes them.
struct Charges {
    std::function<Result<json::Value>(std::int64_t payment_id)> kept = {};
    std::function<Result<json::Value>(const ChargeRequest&)> charge = {};
};

// Bookings of a plugin, see svc.bookings/1; empty functions: the ability is not offered.
struct BookedBy {
    std::string cause, name, reason;  // cause: staff, customer or channel
};
struct BookingOffers {
    using Also = std::function<Result<void>(store::Transaction&, const json::Value& booking)>;
    std::function<Result<json::Value>(const json::Value& wanted)> quote = {};
    std::function<Result<json::Value>(const json::Value& wanted, const BookedBy& by, const Also& also)> hold = {};
    using Change = std::function<Result<json::Value>(store::Transaction&, std::int64_t id, const BookedBy& by)>;
    Change confirm = {}, cancel = {};
};

// A step of a plugin's schema, recorded under the plugin's name.
struct PluginStep {
    std::string plugin, module;  // module empty: belongs to the plugin, always enabled
    std::string name, sql;
};

// Where a plugin's pages go; empty functions: nowhere, and the ability is not offered.
struct PageOffers {
    std::function<Result<void>(const pages::OfferedPage&)> check = {};
    std::function<void(pages::OfferedPage)> add = {};
    std::function<void(const pages::OfferedAsset&)> add_asset = {};
    std::function<void(const std::string& of, const pages::Origins&)> declare = {};
    std::function<Result<void>(const pages::OfferedTag&)> check_tag = {};
    std::function<void(pages::OfferedTag)> add_tag = {};
};

// Where a plugin's e-mails go; empty functions: nowhere, and the ability is not offered. `plugin` is its name.
struct MailOffers {
    std::function<Result<void>(const mails::OfferedTemplate&)> check = {};
    std::function<void(const std::string& plugin, const mails::OfferedTemplate&)> add = {};
    std::function<Result<void>(store::Transaction&, const std::string& plugin, const mails::QueuedMail&)> queue = {};
    std::function<std::vector<mails::LoggedMail>(const std::string& plugin, const mails::LogQuery&)> log = {};
};

// The services for plugins. The references outlive Plugins. An empty function is an ability this base does not have;
// `knows_capability` is required. A plugin's schema steps are recorded under its name.
struct Services {
    api::RouteTable& routes;
    hooks::Hooks& hooks;
    store::Store& store;
    settings::Settings& settings;
    modules::Modules& modules;
    jobs::Jobs& jobs;
    payment::Gateways& gateways;
    const crypto::Keyring& keyring;
    const Clock& clock;
    std::function<bool(std::string_view capability)> knows_capability;
    std::string_view capabilities_filter = {};  // the filter by which a plugin declares its own
    std::function<Result<FetchReply>(const FetchRequest&)> fetch = {};
    std::function<Result<bool>(std::int64_t booking_id, bool settles_in_full)> confirms = {};
    Charges charges = {};
    PageOffers pages = {};
    Call call = {};
    BookingOffers bookings = {};
    ChangeSource changes = {};
    std::function<limits::Verdict(std::string_view bucket, std::string_view subject, limits::Limit limit, bool strict)>
        take_limit = {};
    std::function<void(std::string name, jobs::Housekeeping::Piece piece)> add_old_rows = {};
    std::function<Result<pdf::Rendered>(const json::Value& document)> print = {};  // see svc.documents/1
    std::function<bool()> is_in_transaction = [] { return false; };                // on this thread
    MailOffers mails = {};
};

// Used by the start-up thread; registered functions are called from any thread until detach.
class Plugins {
  public:
    explicit Plugins(Services services);
    ~Plugins();  // detaches
    Plugins(const Plugins&) = delete;
    Plugins& operator=(const Plugins&) = delete;

    // The plugin's name and version, or svc_unavailable with a cause that names the field, expected and got; that
    // refusal has been logged, one line, and nothing of the plugin is in place. Never throws. [start-up]
    Result<std::string> attach(svc_plugin_entry_fn* entry) noexcept;
    // The same for a plugin beside Pro: its name is no attached one's and not Pro's, and state() stays Pro's.
    // [start-up]
    Result<std::string> attach_beside_pro(svc_plugin_entry_fn* entry) noexcept;
    // Followers of changes run once: what plugins loaded before may be older than the first change that is noted.
    // [start-up]
    void changes_noted() const;
    // Ends all plugins, the last attached first. No request, listener or job is running. [shut-down]
    void detach() noexcept;
    // Of all that is attached, in order.
    [[nodiscard]] std::vector<PluginStep> steps() const;
    // Of Pro: "attached svc-pro 3.0.0", "none", or the refusal.
    [[nodiscard]] std::string state() const { return state_; }
    // What attached plugins asked for and this base lacks: the plugin's name and version, and the ability's id.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> missing() const;
    // Names and versions of the attached plugins beside Pro.
    [[nodiscard]] const std::vector<std::string>& beside_pro() const { return beside_pro_; }

  private:
    struct Attached;
    Result<std::string> meet(svc_plugin_entry_fn* entry, bool beside_pro);
    Result<std::string> meet_and_log(svc_plugin_entry_fn* entry, bool beside_pro) noexcept;
    Services services_;
    std::vector<std::unique_ptr<Attached>> attached_;
    std::string state_ = "none";
    std::vector<std::string> beside_pro_;
};

}  // namespace svc::plugins
