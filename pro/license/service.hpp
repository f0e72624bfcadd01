// The rules of the licence: requests to the server, stored terms, and unchanged service during its outage.
#pragma once

#include <functional>
#include <string>

#include "pro/license/evaluation.hpp"
#include "pro/license/repository.hpp"
#include "pro/license/server.hpp"
#include "shared/core/result.hpp"

namespace svc::pro::license {

// Any thread. `base_ends_modules` says whether the base turns off what an evaluation had turned on.
class Service {
  public:
    Service(store::Store& store, hooks::Hooks& hooks, Repository repository, Evaluations evaluations, Server server,
            std::function<bool()> base_ends_modules)
        : store_(store),
          hooks_(hooks),
          repository_(repository),
          evaluations_(evaluations),
          server_(server),
          base_ends_modules_(std::move(base_ends_modules)) {}

    [[nodiscard]] License current();  // an inactive one without a key when none is stored
    // With the terms of the evaluation where no licence is active and this build can be evaluated.
    [[nodiscard]] License in_effect(Instant now);
    // In a build that can be evaluated: the evaluation of this database, if it has begun.
    [[nodiscard]] std::optional<Evaluation> evaluation();
    // The same while it allows modules: where no licence does.
    [[nodiscard]] std::optional<Evaluation> running_evaluation(Instant now);
    // Whether evaluate() would begin it.
    [[nodiscard]] bool can_evaluate();
    // When the modules that are on go off, because the evaluation alone has let them be on; empty: they stay on.
    [[nodiscard]] std::optional<Instant> modules_end(Instant now);
    // The same for the moment in which another key is saved or the licence is deactivated here.
    [[nodiscard]] std::optional<Instant> modules_end_without_license(Instant now);
    // Begins it: no_evaluation in a build with a key, evaluation_used the second time.
    Result<License> evaluate(Instant now);
    // Notes that the evaluation lasts; whether one does.
    Result<bool> see_evaluation(Instant now);
    // invalid_license, activation_limit, svc_upstream_error: the stored licence stays.
    Result<License> activate(const std::string& key, Instant now);
    Result<License> deactivate(Instant now);
    Result<License> check(Instant now);
    // Stores the key without asking; the licence is inactive until it is activated.
    Result<License> save(const std::string& key, Instant now);

  private:
    // `stored`: the key as it was stored before; one that is saved while the server is asked stays (svc_conflict).
    Result<License> call_server(std::string_view action, License license, const std::string& stored, Instant now);
    Result<License> store(License license, Instant now, const std::string& stored);
    License keep(store::Transaction& tx, License license, Instant now);
    void note_silence(const std::string& stored, Instant now);
    License load(store::Session& session) const;

    store::Store& store_;
    hooks::Hooks& hooks_;
    Repository repository_;
    Evaluations evaluations_;
    Server server_;
    std::function<bool()> base_ends_modules_;
};

}  // namespace svc::pro::license
