// Staff's operations on discounts, and the checks of codes for buyers.
#include "base/sales/discounts/service.hpp"

#include "base/platform/store/changes.hpp"
#include "shared/core/text.hpp"

namespace svc::discounts {
namespace {

// Limit of cached codes; the database may have many more.
constexpr std::size_t most_remembered = 4096;

const Error code_taken = Error{errc::conflict, "Another discount uses this code. Choose a different one."_sentence}.at(
    "code", "This code is already in use."_sentence);

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

Service::Service(Parts parts)
    : parts_(std::move(parts)), resource_(discount_record(), options(), discount_rules([this] {
                                              return Terms{.currency = parts_.settings.currency(),
                                                           .zone = parts_.settings.zone(),
                                                           .has_groups = has_groups()};
                                          })) {}

resource::Options Service::options() {
    using Does = resource::BulkAction::Does;
    const auto manage = api::Permission::can("svc_manage_discounts");
    return {.store = parts_.store,
            .path = "/discounts",
            .one = "discount",
            .many = "discounts",
            .reads = manage,
            .writes = manage,
            .removes = manage,
            .filters = {{.name = "type",
                         .type = api::choice({"percentage", "fixed"}),
                         .help = "Only discounts of this type."}},
            .bulk = {{.name = "publish", .status = "publish"},
                     {.name = "draft", .status = "draft"},
                     {.name = "trash", .status = "trash"},
                     {.name = "restore", .does = Does::restore},
                     {.name = "delete", .does = Does::remove}},
            .deletes_at_once = true,
            .zone = [this] { return parts_.settings.zone(); },
            .note_change = [](store::Transaction& tx) { store::touch(tx, channel); },
            .changed = [this] { forget(); },
            .taken = [](std::string_view) { return code_taken; }};
}

void Service::forget() {
    const std::lock_guard lock(mutex_);
    ++generation_;
    by_code_.clear();
    groups_.reset();
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
    // Unknown codes are not cached: guesses would fill the memory.
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

void Service::follow(store::Transaction& tx, std::int64_t booking_id, bool was_active, bool is_active, Instant now) {
    if (was_active == is_active)
        return;
    if (!is_active) {
        rows::release(tx, booking_id, now);
        return;
    }
    for (const auto& each : rows::released(tx, booking_id)) {
        rows::lock(tx, each.discount_id);
        const auto discount = discount_record().find(tx, each.discount_id);
        const Buyer buyer = each.is_coupon ? Buyer{.customer_id = each.customer_id,
                                                   .email_lower = each.email_lower,
                                                   .user_id = each.user_id,
                                                   .has_booked = {}}
                                           : Buyer{};
        // Beyond a limit the booking keeps its price without counting as a use.
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
