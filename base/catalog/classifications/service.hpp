// The rules of classifications: what a write may do, who must let go of one before it is deleted.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/catalog/classifications/kinds.hpp"
#include "base/catalog/classifications/record.hpp"
#include "base/settings/settings.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::classifications {

// The change-feed channel of classifications: what is kept of them in memory is due for a look.
inline constexpr std::string_view channel = "classifications";

// What a write asks for; empty: not sent.
struct Change {
    std::optional<std::string> name = {}, slug = {}, description = {}, color = {}, status = {};
    std::optional<std::string> seo_title = {}, seo_description = {}, seo_keywords = {};
    std::optional<json::Value> icon = {};
    std::optional<std::optional<std::int64_t>> parent_id = {};  // inside empty: to the top
    std::optional<std::int64_t> item_type_id = {}, sort_order = {};
    std::optional<bool> is_featured = {};
    std::optional<std::optional<std::int64_t>> featured_image = {};
    std::optional<std::vector<std::int64_t>> gallery = {};
    json::Value own = json::Value::object();  // members of Kind::own that were sent
    // Of the slug on updates: kept whatever is sent; made anew of the name.
    std::optional<bool> preserve_slug = {};
    std::optional<std::int64_t> row_version = {};  // what the writer has seen; another one is svc_conflict
};

// A bulk call's outcome for one id.
struct Outcome {
    std::int64_t id = 0;
    std::optional<Error> error;
};

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
    explicit Service(const Parts& parts)
        : store_(parts.store),
          settings_(parts.settings),
          clock_(parts.clock),
          picture_url_(parts.picture_url),
          places_(parts.places) {}

    enum class Written : std::uint8_t { created, updated, trashed, removed, reordered };
    // Those who show classifications. `changing` runs in the transaction before rows change or go, `removing` after it
    // before one goes for good, `written` in it once they have changed, `changed` after the commit and before the write
    // returns. At start-up.
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
    // What else a value must be, asked in the transaction that writes it: `before` is null for a new one.
    using Check = std::function<Result<void>(store::Session&, const Classification* before, const Classification&)>;
    void check(Check check) { checks_.push_back(std::move(check)); }

    [[nodiscard]] Result<Record> find(Type type, std::int64_t id) const;
    // The same within a caller's session.
    [[nodiscard]] std::optional<Record> read(store::Session& session, Type type, std::int64_t id) const;
    [[nodiscard]] Zone zone() const { return settings_.zone(); }  // the site's, in which days are meant
    struct Listed {
        std::vector<Record> records;
        std::int64_t total = 0;
        std::vector<Record> below;  // of a tree asked for as one: all that is not at the top
    };
    [[nodiscard]] Listed list(const Query& query, bool with_below = false) const;
    [[nodiscard]] Counts counts(Type type) const;
    [[nodiscard]] std::vector<std::pair<std::int64_t, std::string>> names(Type type, int most = 500) const;
    // Whether the slug is taken, by another than `own`, and one that is free.
    [[nodiscard]] std::pair<bool, std::string> look_at_slug(Type type, const std::string& slug, std::int64_t own) const;

    // Called in the write's own transaction with what will be answered. May be empty.
    using Kept = std::function<void(store::Transaction&, const Record&)>;
    using User = std::optional<std::int64_t>;

    Result<Record> create(Type type, const Change& change, User user, const Kept& kept = {});
    Result<Record> create(store::Transaction& tx, Type type, const Change& change, User user);
    Result<Record> update(Type type, std::int64_t id, const Change& change, User user, const Kept& kept = {});
    // For good. svc_in_use names who refers to it; an attribute's values of trips go with it. `seen` is the row_version
    // that the writer has read, if it says so; another one is svc_conflict.
    using Seen = std::optional<std::int64_t>;
    Result<void> remove(Type type, std::int64_t id, Seen seen = {});
    // Each id by itself: "trash", "publish", "draft", "restore", "delete".
    using KeptOutcomes = std::function<void(store::Transaction&, const std::vector<Outcome>&)>;
    Result<std::vector<Outcome>> bulk(Type type, const std::string& action, const std::vector<std::int64_t>& ids,
                                      User user, const KeptOutcomes& kept = {});
    // New places; ids that are not there are left out. Answers how many were set.
    std::int64_t reorder(Type type, const std::vector<std::pair<std::int64_t, std::int64_t>>& orders);

  private:
    template <class Work>
    Result<Record> writing(Work work, const Kept& kept);
    void changing(store::Transaction& tx, std::span<const std::int64_t> ids) const;
    void changed() const;
    void written(store::Transaction& tx, Written what, Type type, std::span<const std::int64_t> ids) const;
    Result<Record> update(store::Transaction& tx, Type type, std::int64_t id, const Change& change, User user);
    Result<void> remove(store::Transaction& tx, Type type, std::int64_t id, Seen seen = {});
    // With what lies beside the rows: pictures.
    [[nodiscard]] std::vector<Record> whole(store::Session& session, std::vector<Record> records) const;
    Result<Classification> applied(store::Session& session, Classification row, const Change& change, bool fresh) const;
    Result<void> checked(store::Session& session, const Classification* before, const Classification& row) const;

    store::Store& store_;
    const settings::Settings& settings_;
    const Clock& clock_;
    const std::function<std::string(std::int64_t)> picture_url_;
    const std::function<Places(Type, std::int64_t, const std::string&)> places_;
    std::vector<Follower> followers_;
    std::vector<Check> checks_;
};

}  // namespace svc::catalog::classifications
