// Activate, deactivate, check, save.
#include "pro/license/service.hpp"

#include "pro/license/hooks.hpp"

namespace svc::pro::license {
namespace {

// Also prevents a masked key that was read and sent back from replacing the real one.
Result<void> check_key(const std::string& key) {
    constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (key.size() < 8 || key.size() > 128 || key.find_first_not_of(allowed) != key.npos)
        return Error(invalid_license)
            .at("license_key", "Enter a key of 8 to 128 letters, digits, hyphens and underscores.");
    return {};
}

}  // namespace

License Service::current() {
    return store_.reading<License>([&](store::Session& session) {
        auto stored = repository_.load(session);
        return stored ? std::move(*stored) : License{.site_id = {}, .key = {}, .terms = {}};
    });
}

Result<License> Service::activate(const std::string& key, Instant now) {
    SVC_RETURN_IF_ERROR(check_key(key));
    auto license = current();
    license.key = key;
    license.key_origin = server_.origin();
    return call_server("activate", std::move(license), now);
}

Result<License> Service::deactivate(Instant now) { return call_server("deactivate", current(), now); }

Result<License> Service::check(Instant now) { return call_server("check", current(), now); }

Result<License> Service::save(const std::string& key, Instant now) {
    SVC_RETURN_IF_ERROR(check_key(key));
    auto license = current();
    if (license.key != key) {  // the terms were another key's
        license.terms = {};
        license.server_answer.clear();
        license.last_checked_at.reset();
    }
    license.key = key;
    license.key_origin = server_.origin();
    return store(std::move(license), now);
}

Result<License> Service::call_server(std::string_view action, License license, Instant now) {
    if (license.key.empty())
        return Error(invalid_license, "No licence key is stored. Save a key first.");
    // A stored key goes to the server that it was given for: who may change the address may not read the key.
    const std::string origin = server_.origin();
    if (!license.key_origin.empty() && !origin.empty() && license.key_origin != origin)
        return Error(invalid_license, "The licence server has another address now. Enter the licence key again.")
            .at("license_key", "Enter the licence key again, because the server that receives it has changed.");
    license.key_origin = origin;
    if (license.site_id.empty())
        license.site_id = random_id();
    auto answer = server_.ask(action, license.key, license.site_id, now);
    const bool is_revoked = !answer && action == "check" && answer.error().code().name == invalid_license.name;
    if (is_revoked)
        answer = Answer{{.status = std::string(status::invalid)}, license.server_answer};
    if (!answer)
        return answer.error();
    license.terms = std::move(answer->terms);
    license.server_answer = std::move(answer->text);
    license.last_checked_at = now;
    return store(std::move(license), now);
}

Result<License> Service::store(License license, Instant now) {
    if (license.site_id.empty())
        license.site_id = random_id();
    return store_.transact<License>([&](store::Transaction& tx) -> Result<License> {
        repository_.save(tx, license, now);
        hooks_.emit(tx, license_data_updated, {to_json(license, now)});
        return license;
    });
}

}  // namespace svc::pro::license
