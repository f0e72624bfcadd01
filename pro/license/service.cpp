// Activate, deactivate, check, save, evaluate.
#include "pro/license/service.hpp"

#include "pro/license/hooks.hpp"

namespace svc::pro::license {
namespace {

// Also prevents a masked key that was read and sent back from replacing the real one.
Result<void> check_key(const std::string& key) {
    constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (key.size() < 8 || key.size() > 128 || key.find_first_not_of(allowed) != key.npos)
        return Error(invalid_license)
            .at("license_key", "Enter a key of 8 to 128 letters, digits, hyphens and underscores."_sentence);
    return {};
}

}  // namespace

License Service::current() {
    return store_.reading<License>([&](store::Session& session) { return load(session); });
}

License Service::load(store::Session& session) const {
    auto stored = repository_.load(session);
    return stored ? std::move(*stored) : License{.site_id = {}, .key = {}, .terms = {}};
}

std::optional<Evaluation> Service::evaluation() {
    if (!is_evaluation_build())
        return std::nullopt;
    return store_.reading<std::optional<Evaluation>>(
        [&](store::Session& session) { return evaluations_.find(session); });
}

std::optional<Evaluation> Service::running_evaluation(Instant now) {
    auto found = evaluation();
    if (found && (!found->is_running(now) || was_activated(current())))
        found.reset();
    return found;
}

bool Service::can_evaluate() {
    return is_evaluation_build() && base_ends_modules_() && current().terms.status != status::active && !evaluation();
}

License Service::in_effect(Instant now) {
    auto license = current();
    if (was_activated(license))
        return license;
    const auto found = evaluation();
    return found ? evaluated(std::move(license), *found, now) : license;
}

std::optional<Instant> Service::modules_end(Instant now) {
    const License license = current();
    // What a licence had allowed stays on, also where the server has taken the licence back since.
    return was_activated(license) || license.lost_at ? std::nullopt : modules_end_without_license(now);
}

std::optional<Instant> Service::modules_end_without_license(Instant now) {
    const auto found =
        store_.reading<std::optional<Evaluation>>([&](store::Session& session) { return evaluations_.find(session); });
    if (!found)
        return std::nullopt;
    // A build with a key knows no evaluation: what it had allowed needs a licence there.
    return is_evaluation_build() && found->is_running(now) ? found->ends_at() : now;
}

Result<License> Service::evaluate(Instant now) {
    if (!is_evaluation_build())
        return no_evaluation;
    if (!base_ends_modules_())
        return Error(no_evaluation, "This base cannot end an evaluation. Update the base first."_sentence);
    return store_.transact<License>([&](store::Transaction& tx) -> Result<License> {
        const auto stored = repository_.load(tx);
        License license = stored ? *stored : License{.site_id = random_id(), .key = {}, .terms = {}};
        if (license.terms.status == status::active)
            return Error(evaluation_used,
                         "A licence is active on this installation, so there is nothing to evaluate."_sentence);
        if (const auto before = evaluations_.find(tx))
            return Error(
                evaluation_used,
                "The evaluation of this database began on {started_at} and cannot begin again. Enter a licence key and activate it."_sentence
                    .with("started_at", before->started_at.text().substr(0, 10)));
        if (!stored)
            repository_.save(tx, license, now);
        if (!evaluations_.begin(tx, license.site_id, now))
            return evaluation_used;
        license = evaluated(std::move(license), {.started_at = now, .last_seen_at = now, .is_genuine = true}, now);
        hooks_.emit(tx, license_data_updated, {to_json(license, now)});
        return license;
    });
}

Result<bool> Service::see_evaluation(Instant now) {
    if (const auto found = evaluation(); !found || !found->is_running(now))
        return false;
    return store_.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        if (const auto found = evaluations_.find(tx); found && found->is_running(now))
            evaluations_.see(tx, load(tx).site_id, *found, now);
        return true;
    });
}

Result<License> Service::activate(const std::string& key, Instant now) {
    SVC_RETURN_IF_ERROR(check_key(key));
    auto license = current();
    const std::string stored = license.key;
    license.key = key;
    license.key_origin = server_.origin();
    return call_server("activate", std::move(license), stored, now);
}

Result<License> Service::deactivate(Instant now) {
    auto license = current();
    const std::string stored = license.key;
    return call_server("deactivate", std::move(license), stored, now);
}

Result<License> Service::check(Instant now) {
    auto license = current();
    const std::string stored = license.key;
    return call_server("check", std::move(license), stored, now);
}

Result<License> Service::save(const std::string& key, Instant now) {
    SVC_RETURN_IF_ERROR(check_key(key));
    const std::string origin = server_.origin();
    return store_.transact<License>([&](store::Transaction& tx) -> Result<License> {
        Repository::lock(tx);
        License license = load(tx);  // as an activation under way left it
        if (license.key != key) {    // the terms were another key's
            license.terms = {};
            license.server_answer.clear();
            license.last_checked_at.reset();
            license.unreached_since.reset();
            license.lost_at.reset();
        }
        license.key = key;
        license.key_origin = origin;
        return keep(tx, std::move(license), now);
    });
}

Result<License> Service::call_server(std::string_view action, License license, const std::string& stored, Instant now) {
    if (license.key.empty())
        return Error(invalid_license, "No licence key is stored. Save a key first."_sentence);
    // A stored key goes to the server that it was given for: who may change the address may not read the key.
    const std::string origin = server_.origin();
    if (!license.key_origin.empty() && !origin.empty() && license.key_origin != origin)
        return Error(invalid_license,
                     "The licence server has another address now. Enter the licence key again."_sentence)
            .at("license_key",
                "Enter the licence key again, because the server that receives it has changed."_sentence);
    license.key_origin = origin;
    if (license.site_id.empty())
        license.site_id = random_id();
    auto answer = server_.ask(action, license.key, license.site_id, now);
    const bool is_revoked = !answer && action == "check" && answer.error().code().name == invalid_license.name;
    if (is_revoked)
        answer = Answer{{.status = std::string(status::invalid)}, license.server_answer};
    if (!answer) {
        if (action == "check" && answer.error().code().name == errc::upstream_error.name)
            note_silence(stored, now);
        return answer.error();
    }
    const bool was_active = was_activated(license);
    license.terms = std::move(answer->terms);
    if (action != "check" || was_activated(license))
        license.lost_at.reset();
    else if (was_active)
        license.lost_at = now;
    license.unreached_since.reset();
    license.server_answer = std::move(answer->text);
    license.last_checked_at = now;
    auto done = store(std::move(license), now, stored);
    // What the server says of the earlier key is not asked for any more.
    return !done && action == "check" && &done.error().code() == &errc::conflict ? Result<License>(current())
                                                                                 : std::move(done);
}

void Service::note_silence(const std::string& stored, Instant now) {
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        Repository::lock(tx);
        if (load(tx).key == stored)
            Repository::note_silence(tx, now);
        return {};
    }));
}

// `stored`: the key that was there when the licence server was asked; a key that was saved meanwhile stays.
Result<License> Service::store(License license, Instant now, const std::string& stored) {
    return store_.transact<License>([&](store::Transaction& tx) -> Result<License> {
        Repository::lock(tx);
        if (load(tx).key != stored)
            return Error(errc::conflict,
                         "Another licence key was saved meanwhile, and it stays. Look at it and try again."_sentence);
        return keep(tx, license, now);
    });
}

License Service::keep(store::Transaction& tx, License license, Instant now) {
    if (license.site_id.empty())
        license.site_id = random_id();
    repository_.save(tx, license, now);
    hooks_.emit(tx, license_data_updated, {to_json(license, now)});
    return license;
}

}  // namespace svc::pro::license
