// What staff do with discounts, and what buyers are told of a code.
#include "base/discounts/service.hpp"

#include "base/platform/store/changes.hpp"
#include "shared/core/text.hpp"

namespace svc::discounts {
namespace {

// Codes that somebody typed; there may be many more in the database.
constexpr std::size_t most_remembered = 4096;

const Error code_taken = Error{errc::conflict, "Another discount uses this code. Choose a different one."}.at(
    "code", "This code is already in use.");

std::optional<Error> limit_fault(store::Session& session, const Discount& discount, const Buyer& buyer) {
    if (discount.usage_limit > 0 && rows::uses(session, discount.id) >= discount.usage_limit)
        return errc::coupon_usage_limit;
    if (discount.usage_limit_per_customer > 0 && buyer.is_known() &&
        rows::uses_of(session, discount.id, buyer.customer_id, buyer.email_lower, buyer.user_id) >=
            discount.usage_limit_per_customer)
        return errc::coupon_customer_limit;
    if (discount.first_time_customer_only && buyer.has_booked && buyer.has_booked(session))
        return errc::coupon_first_time_only;
    return std::nullopt;
}

bool counts_uses(const Discount& discount) { return discount.is_limited() || discount.first_time_customer_only; }

}  // namespace

void Service::forget() {
    const std::lock_guard lock(mutex_);
    ++generation_;
    by_code_.clear();
    groups_.reset();
}

template <class Work>
Result<Discount> Service::writing(Work work) {
    try {
        auto done = parts_.store.transact<Discount>([&](store::Transaction& tx) {
            store::touch(tx, channel);
            return work(tx);
        });
        if (done)
            forget();
        return done;
    } catch (const store::UniqueViolation&) {
        return code_taken;
    }
}

Result<Discount> Service::written(store::Transaction& tx, Discount before, const Change& change, std::int64_t user_id) {
    auto discount = changed(std::move(before), change, parts_.settings.currency(), has_groups());
    if (!discount)
        return discount.error();
    if (const auto unknown = rows::unknown_trip(tx, discount->trip_ids))
        return invalid("trip_ids", "Unknown trip " + std::to_string(*unknown) + ".");
    if (user_id > 0)
        discount->updated_by = user_id;
    return discount;
}

Result<Discount> Service::create(const Change& change, std::int64_t user_id, const Kept& kept) {
    return writing([&](store::Transaction& tx) -> Result<Discount> {
        auto discount = written(tx, {}, change, user_id);
        if (!discount)
            return discount.error();
        discount->created_by = discount->updated_by;
        if (!discount->code.empty() && rows::by_code(tx, discount->code))
            return code_taken;
        auto stored = rows::find(tx, rows::insert(tx, *discount, parts_.clock.now())).value();
        if (kept)
            kept(tx, stored);
        return stored;
    });
}

Result<Discount> Service::update(std::int64_t id, const Change& change, std::int64_t user_id, const Kept& kept) {
    return writing([&](store::Transaction& tx) -> Result<Discount> {
        auto before = rows::find(tx, id);
        if (!before)
            return errc::not_found;
        if (change.row_version && *change.row_version != before->row_version)
            return Error{errc::conflict}.with("row_version", std::to_string(before->row_version));
        auto discount = written(tx, std::move(*before), change, user_id);
        if (!discount)
            return discount.error();
        if (const auto other = discount->code.empty() ? std::nullopt : rows::by_code(tx, discount->code);
            other && other->id != id)
            return code_taken;
        if (!rows::update(tx, *discount, parts_.clock.now()))
            return errc::conflict;
        auto stored = rows::find(tx, id).value();
        if (kept)
            kept(tx, stored);
        return stored;
    });
}

Result<void> Service::remove(std::int64_t id) {
    const Error used{errc::in_use, "Bookings use this discount. Set its status to trash instead."};
    try {
        auto removed = writing([&](store::Transaction& tx) -> Result<Discount> {
            auto discount = rows::find(tx, id);
            if (!discount)
                return errc::not_found;
            rows::lock(tx, id);
            if (rows::was_used(tx, id))
                return used;
            rows::remove(tx, id);
            return std::move(*discount);
        });
        return removed ? Result<void>{} : Result<void>{removed.error()};
    } catch (const store::ConstraintViolation&) {
        return used;  // just now
    }
}

std::optional<Discount> Service::find(std::int64_t id) const {
    return parts_.store.reading<std::optional<Discount>>(
        [&](store::Session& session) { return rows::find(session, id); });
}

std::pair<std::vector<Discount>, std::int64_t> Service::list(const Query& query) const {
    std::pair<std::vector<Discount>, std::int64_t> found;
    parts_.store.read([&](store::Session& session) {
        found = {rows::list(session, query), rows::count(session, query)};
    });
    return found;
}

Counts Service::counts() const {
    return parts_.store.reading<Counts>([](store::Session& session) { return rows::counts(session); });
}

Shared Service::by_code(const std::string& code, store::Session* session) {
    const auto read = [&](store::Session& own) {
        auto found = rows::by_code(own, code);
        return found ? std::make_shared<const Discount>(std::move(*found)) : Shared{};
    };
    if (session)
        return read(*session);
    std::int64_t generation = 0;
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = by_code_.find(code); known != by_code_.end())
            return known->second;
        generation = generation_;
    }
    auto found = parts_.store.reading<Shared>(read);
    const std::lock_guard lock(mutex_);
    // A code that nobody made is not remembered: guesses would fill the memory.
    if (found && generation == generation_) {
        if (by_code_.size() >= most_remembered)
            by_code_.clear();
        by_code_.emplace(code, found);
    }
    return found;
}

std::vector<Shared> Service::groups(store::Session* session) {
    const auto read = [](store::Session& own) {
        std::vector<Shared> found;
        for (Discount& each : rows::groups(own))
            found.push_back(std::make_shared<const Discount>(std::move(each)));
        return found;
    };
    if (session)
        return read(*session);
    std::int64_t generation = 0;
    {
        const std::lock_guard lock(mutex_);
        if (groups_)
            return *groups_;
        generation = generation_;
    }
    auto found = std::make_shared<const std::vector<Shared>>(parts_.store.reading<std::vector<Shared>>(read));
    const std::lock_guard lock(mutex_);
    if (generation == generation_)
        groups_ = found;
    return *found;
}

std::optional<Error> Service::state_fault(const Discount& discount) const {
    const Date now = today();
    if (!discount.is_coupon() || discount.status == status::draft || discount.status == status::trash)
        return errc::coupon_inactive;
    if (!discount.has_started(now))
        return errc::coupon_not_started;
    if (discount.has_ended(now))
        return errc::coupon_expired;
    return std::nullopt;
}

Shared Service::typed_code(std::string_view typed, store::Session* session) {
    const std::string code = code_of(typed);
    return code.empty() || text::length(code) > longest_code ? Shared{} : by_code(code, session);
}

bool Service::is_usable(std::string_view typed) {
    const Shared discount = typed_code(typed, nullptr);
    return discount && !state_fault(*discount);
}

Looked Service::look_up(std::string_view typed, std::int64_t trip_id, Currency currency, const Buyer& buyer,
                        store::Session* session) {
    Looked looked;
    looked.discount = typed_code(typed, session);
    if (!looked.discount) {
        looked.fault = errc::coupon_not_found;
        return looked;
    }
    const Discount& discount = *looked.discount;
    looked.fault = state_fault(discount);
    if (!looked.fault && counts_uses(discount))
        looked.fault = session ? limit_fault(*session, discount, buyer)
                               : parts_.store.reading<std::optional<Error>>(
                                     [&](store::Session& own) { return limit_fault(own, discount, buyer); });
    if (!looked.fault && !discount.is_for(trip_id, currency))
        looked.fault = errc::coupon_not_applicable;
    return looked;
}

std::vector<Shared> Service::groups_of(std::int64_t trip_id, Currency currency, store::Session* session) {
    std::vector<Shared> candidates;
    const Date now = today();
    for (const Shared& each : groups(session)) {
        if (!each->is_live(now) || !each->is_for(trip_id, currency))
            continue;
        const auto is_free = [&](store::Session& own) { return rows::uses(own, each->id) < each->usage_limit; };
        if (each->usage_limit == 0 || (session ? is_free(*session) : parts_.store.reading<bool>(is_free)))
            candidates.push_back(each);
    }
    return candidates;
}

Result<void> Service::redeem(store::Transaction& tx, const Discount& discount, const Redemption& redemption,
                             const Buyer& buyer, Instant now) {
    if (!rows::keep(tx, discount.id))  // deleted since it was read
        return errc::coupon_not_found;
    if (counts_uses(discount)) {
        rows::lock(tx, discount.id);
        if (auto full = limit_fault(tx, discount, redemption.is_coupon ? buyer : Buyer{}))
            return *full;
    }
    rows::redeem(tx, discount.id, redemption, now);
    return {};
}

void Service::follow(store::Transaction& tx, std::int64_t booking_id, bool stood, bool stands, Instant now) {
    if (stood == stands)
        return;
    if (!stands) {
        rows::release(tx, booking_id, now);
        return;
    }
    for (const auto& each : rows::released(tx, booking_id)) {
        rows::lock(tx, each.discount_id);
        const auto discount = rows::find(tx, each.discount_id);
        const Buyer buyer = each.is_coupon ? Buyer{.customer_id = each.customer_id,
                                                   .email_lower = each.email_lower,
                                                   .user_id = each.user_id,
                                                   .has_booked = {}}
                                           : Buyer{};
        // Beyond a limit the booking keeps its price and the discount does not count it.
        if (discount && !limit_fault(tx, *discount, buyer))
            rows::revive(tx, booking_id, each.discount_id, now);
    }
}

Result<json::Value> Service::expire(Instant now) {
    const Date first = parts_.settings.zone().date_at(now);
    auto done = parts_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        const std::int64_t ended = rows::expire(tx, first, now);
        if (ended > 0)
            store::touch(tx, channel);
        return ended;
    });
    if (!done)
        return done.error();
    if (*done > 0)
        forget();
    return json::Value::object({{"ended", *done}});
}

}  // namespace svc::discounts
