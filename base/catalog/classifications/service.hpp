// The rules of classifications: validation of writes, and references that prevent deletion.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/catalog/classifications/record.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/resource/resource.hpp"

namespace svc::catalog::classifications {

// The change-feed channel of classifications: caches of them are stale.
inline constexpr std::string_view channel = "classifications";

// Any thread.
class Service {
  public:
    struct Parts {
        store::Store& store;
        const settings::Settings& settings;
        const Clock& clock;
        // Where a picture is found, by its number. Empty: nowhere.
        std::function<std::string(std::int64_t media_id)> picture_url = {};
        // Where the page of one is, for kinds that have pages. Empty: nowhere.
        std::function<Places(Type type, std::int64_t id, const std::string& slug)> places = {};
    };
    explicit Service(const Parts& parts);

    enum class Written : std::uint8_t { created, updated, trashed, removed, reordered };
    // Features that use classifications. `changing` runs in the transaction before rows change or are deleted,
    // `removing` after it before a permanent deletion, `written` in it after the change, `changed` after the commit and
    // before the write returns. At start-up.
    struct Follower {
        std::function<void(store::Transaction&, std::span<const std::int64_t> ids)> changing;
        std::function<void()> changed;
        std::function<void(store::Transaction&, Type type, std::int64_t id)> removing = {};
        std::function<void(store::Transaction&, Written what, Type type, std::span<const std::int64_t> ids)> written =
            {};
        // In the transaction after one was changed, by any write but a reorder.
        std::function<void(store::Transaction&, const Classification& before, const Classification& now)> replaced = {};
    };
    void follow(Follower follower) { followers_.push_back(std::move(follower)); }
    // A further rule of a kind, called in the transaction that writes: `before` is null for a new one.
    using Check = std::function<Result<void>(store::Session&, const Classification* before, const Classification&)>;
    void check(Check check) { checks_.push_back(std::move(check)); }

    // The routes and writes of a kind.
    [[nodiscard]] const resource::Resource<Classification>& resource(Type type) const { return of(type).resource; }
    [[nodiscard]] std::optional<Classification> read(store::Session& session, Type type, std::int64_t id) const;
    // Of any status.
    static bool has(store::Session& session, Type type, std::int64_t id);
    [[nodiscard]] std::vector<Classification> list(Type type, const record::Query& query) const;
    [[nodiscard]] std::vector<std::pair<std::int64_t, std::string>> names(Type type, int most = 500) const;
    // Whether the slug is taken, by another than `own`, and one that is free.
    [[nodiscard]] std::pair<bool, std::string> look_at_slug(Type type, const std::string& slug, std::int64_t own) const;

    // As the create route does; the caller notifies the followers after the commit.
    Result<Classification> create(store::Transaction& tx, Type type, const json::Value& body) const;
    Result<void> remove(Type type, std::int64_t id) const;
    // Sets new places; unknown ids are skipped. Returns how many were set.
    std::int64_t reorder(Type type, const std::vector<std::pair<std::int64_t, std::int64_t>>& orders) const;

  private:
    struct OfKind {
        OfKind(const Service& service, const Kind& kind);
        const std::unique_ptr<const Record> record;
        const resource::Resource<Classification> resource;
    };
    [[nodiscard]] const OfKind& of(Type type) const { return *kinds_.at(static_cast<std::size_t>(type)); }
    [[nodiscard]] resource::Options options(const Kind& kind) const;
    [[nodiscard]] resource::Rules<Classification> rules(const Kind& kind) const;
    // Adds data from other tables: pictures, addresses.
    void read_more(store::Session& session, const std::vector<record::Any>& records) const;
    void check_stored(store::Session& session, const Classification* before, const Classification& after,
                      Faults& faults) const;
    Result<void> settle(store::Transaction& tx, const Kind& kind, const Classification* before, Classification* after,
                        const json::Value& body) const;
    Result<void> may_delete(store::Session& session, const Kind& kind, const Classification& one) const;
    void after_write(store::Transaction& tx, Type type, const Classification* before, const Classification* after,
                     Instant now) const;
    void changing(store::Transaction& tx, std::span<const std::int64_t> ids) const;
    void changed() const;
    void written(store::Transaction& tx, Written what, Type type, std::span<const std::int64_t> ids) const;

    store::Store& store_;
    const settings::Settings& settings_;
    const Clock& clock_;
    const std::function<std::string(std::int64_t)> picture_url_;
    const std::function<Places(Type, std::int64_t, const std::string&)> places_;
    std::vector<Follower> followers_;
    std::vector<Check> checks_;
    std::vector<std::unique_ptr<const OfKind>> kinds_;
};

}  // namespace svc::catalog::classifications
