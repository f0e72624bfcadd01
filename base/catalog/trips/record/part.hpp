// A part of a trip with its own rows and one member of its JSON: relations, pictures, days.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalog/trips/record/trip.hpp"
#include "base/catalog/trips/record/trip_facts.hpp"
#include "shared/api/schema.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// Any thread. Revisions and duplicates pass values from `read` to `write`, so `write` accepts every value of `read`,
// also for another trip and after the referenced records were deleted (see Writing::lenient).
class Part {
  public:
    Part() = default;
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    virtual ~Part() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;  // the member: "faqs"
    // False: it cannot be written through the trip; then body_type() and write() are not called.
    [[nodiscard]] virtual bool is_written() const { return true; }
    [[nodiscard]] virtual api::Type body_type() const = 0;    // of the member in the body of a write
    [[nodiscard]] virtual api::Type answer_type() const = 0;  // of the member in an answer
    // Whether rows of lists have it too, not only the answer for one trip.
    [[nodiscard]] virtual bool in_rows() const { return false; }
    // False: it is not content. Staff see its current value; it is not cached and not in revisions.
    [[nodiscard]] virtual bool is_content() const { return true; }
    // Its text for staff's search.
    [[nodiscard]] virtual std::string words(store::Session& /*session*/, std::int64_t /*trip_id*/) const { return {}; }

    // Adds its text for the public search; `answered` is the member as lists show it.
    virtual void add_words(const json::Value& /*answered*/, std::string& /*words*/) const {}

    // Calls `take` once for each trip that has a value; the others get `none`.
    using Take = std::function<void(std::int64_t trip_id, json::Value value)>;
    virtual void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const = 0;
    [[nodiscard]] virtual json::Value none() const { return json::Value::array(); }
    // The description of the list filter with the part's name; empty when it has none.
    [[nodiscard]] virtual std::string_view filter_description() const { return {}; }
    // Adds the facts that list filters compare; `staff` is a value of `read`.
    virtual void add_facts(const json::Value& /*staff*/, std::vector<TripFact>& /*facts*/) const {}
    // The conditions of a list filter. Errors name name() or a field below it.
    [[nodiscard]] virtual Result<std::vector<FactFilter>> filters_for(const json::Value& /*asked*/) const {
        return std::vector<FactFilter>{};
    }

    // The public version; `staff` is a value of `read`.
    [[nodiscard]] virtual json::Value public_value(const json::Value& staff) const { return staff; }

    struct Writing {
        std::optional<std::int64_t> user_id;
        Instant now;
        // For restoring and duplicating: missing references are left out and reported instead of rejected.
        bool lenient = false;
        std::vector<std::string>* left_out = nullptr;
        // The original of a duplicate. Its references are accepted like those the trip already has: in the trash too,
        // and values of unpublished attributes.
        const Trip* copy_of = nullptr;
        [[nodiscard]] const Trip& own(const Trip& trip) const { return copy_of ? *copy_of : trip; }
        hooks::Hooks* hooks = nullptr;  // receives the actions of single rows; null: none are emitted
    };
    // Returns the errors that write() would return, without writing. `trip` has no id before it is stored.
    [[nodiscard]] virtual Result<void> check(store::Session& /*session*/, const Trip& /*trip*/,
                                             const json::Value& /*value*/, const Writing& /*writing*/) const {
        return {};
    }
    // Replaces the whole part with the validated value; null clears. Errors name name() or a field below it.
    virtual Result<void> write(store::Transaction& tx, const Trip& trip, const json::Value& value,
                               const Writing& writing) const = 0;
    // The part's conditions for publishing (docs/rules.md); called in the transaction after everything is written.
    virtual Result<void> fit_to_publish(store::Session& /*session*/, const Trip& /*trip*/) const { return {}; }
    // The same, of a trip that everyone could not read before this write alone.
    virtual Result<void> fit_to_appear(store::Session& /*session*/, const Trip& /*trip*/) const { return {}; }
};

// A part that nobody writes through the trip; rows of lists have it too.
class ReadOnlyPart : public Part {
  public:
    [[nodiscard]] bool is_written() const final { return false; }
    [[nodiscard]] api::Type body_type() const final { return answer_type(); }
    [[nodiscard]] bool in_rows() const override { return true; }
    Result<void> write(store::Transaction& /*tx*/, const Trip& /*trip*/, const json::Value& /*value*/,
                       const Writing& /*writing*/) const final {
        return {};
    }
};

using Parts = std::vector<std::shared_ptr<const Part>>;

}  // namespace svc::catalog::trips
