// A part of a trip that lies in rows of its own and is one member of it on the wire: relations, pictures, days.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalog/trips/said_facts.hpp"
#include "base/catalog/trips/trip.hpp"
#include "shared/api/schema.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// Any thread. A revision and a duplicate of a trip are made of what `read` gives and `write` takes, so `write` accepts
// whatever `read` has given, also in another trip and after what it refers to has gone (see Writing::lenient).
class Part {
  public:
    Part() = default;
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    virtual ~Part() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;  // the member: "faqs"
    // False: it cannot be written through the trip; then written() and write() are not called.
    [[nodiscard]] virtual bool is_written() const { return true; }
    [[nodiscard]] virtual api::Type written() const = 0;   // of the member in the body of a write
    [[nodiscard]] virtual api::Type answered() const = 0;  // of the member in an answer
    // Whether rows of lists have it too, not only the answer for one trip.
    [[nodiscard]] virtual bool in_rows() const { return false; }
    // False: it is not content. Staff are told it as it is now; it is neither in memory nor in revisions.
    [[nodiscard]] virtual bool is_content() const { return true; }
    // What of it staff find the trip by, as text.
    [[nodiscard]] virtual std::string words(store::Session& /*session*/, std::int64_t /*trip_id*/) const { return {}; }

    // Adds what of it everyone finds the trip by; `answered` is what lists show of it.
    virtual void add_words(const json::Value& /*answered*/, std::string& /*words*/) const {}

    // Calls `take` for each of the trips that has any of it, once; the others get `none`.
    using Take = std::function<void(std::int64_t trip_id, json::Value value)>;
    virtual void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) const = 0;
    [[nodiscard]] virtual json::Value none() const { return json::Value::array(); }
    // Lists can be cut by what trips say of it: what their parameter of its name takes; empty where there is none.
    [[nodiscard]] virtual std::string_view filter_says() const { return {}; }
    // Adds what of it lists can be cut by; `staff` is what read gave.
    virtual void add_facts(const json::Value& /*staff*/, std::vector<SaidFact>& /*facts*/) const {}
    // What a list asks for in that parameter. Errors name name() or what lies below it.
    [[nodiscard]] virtual Result<std::vector<SaidWish>> wishes(const json::Value& /*asked*/) const {
        return std::vector<SaidWish>{};
    }

    // What of it everyone may see; `staff` is what read gave.
    [[nodiscard]] virtual json::Value shown(const json::Value& staff) const { return staff; }

    struct Writing {
        std::optional<std::int64_t> user_id;
        Instant now;
        // A revision is restored or a trip duplicated: what is referred to and no longer there is left out and told.
        bool lenient = false;
        std::vector<std::string>* left_out = nullptr;
        // The trip that this one is a duplicate of. What it refers to is taken like what a trip refers to already: in
        // the trash too, and values of attributes that are not published.
        const Trip* copy_of = nullptr;
        [[nodiscard]] const Trip& own(const Trip& trip) const { return copy_of ? *copy_of : trip; }
        hooks::Hooks* hooks = nullptr;  // who is told of single rows; null: nobody
    };
    // Replaces all of it with the clean value; null clears. Errors name name() or what lies below it.
    virtual Result<void> write(store::Transaction& tx, const Trip& trip, const json::Value& value,
                               const Writing& writing) const = 0;
    // What publishing needs of it (docs/rules.md); asked in the transaction after everything is written.
    virtual Result<void> fit_to_publish(store::Session& /*session*/, const Trip& /*trip*/) const { return {}; }
    // The same, of a trip that everyone could not read before this write alone.
    virtual Result<void> fit_to_appear(store::Session& /*session*/, const Trip& /*trip*/) const { return {}; }
};

using Parts = std::vector<std::shared_ptr<const Part>>;

}  // namespace svc::catalog::trips
