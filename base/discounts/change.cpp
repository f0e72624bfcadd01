// The rules of what a discount may say.
#include "base/discounts/change.hpp"

#include <algorithm>

#include "shared/core/capitals.hpp"
#include "shared/core/exact_money.hpp"
#include "shared/core/text.hpp"

namespace svc::discounts {
namespace {

constexpr std::int64_t whole_ppm = 1'000'000;

class Changing {
  public:
    Changing(Discount discount, const Change& change, Currency site, bool has_groups)
        : before_(std::move(discount)), change_(change), site_(site), has_groups_(has_groups) {}

    Result<Discount> done() {
        take_words();
        take_amounts();
        take_dates();
        take_group();
        if (const std::string field = has_groups_ ? "" : group_change(); !field.empty())
            fault(field, "Group discounts require the module advanced_discount. Enable it first.");
        check_whole();
        if (failed_)
            return error_;
        return std::move(discount_);
    }

  private:
    void fault(const std::string& field, const std::string& sentence) {
        error_ = failed_ ? std::move(error_) : Error{errc::validation_error, sentence};
        error_.at(field, sentence);
        failed_ = true;
    }

    void take_words() {
        const auto take = [](std::string& member, const std::optional<std::string>& sent) {
            if (sent)
                member = *sent;
        };
        if (change_.code)
            discount_.code = code_of(*change_.code);
        take(discount_.name, change_.name);
        take(discount_.description, change_.description);
        take(discount_.mode, change_.mode);
        if (!change_.mode && change_.is_group && *change_.is_group != discount_.is_group())
            discount_.mode = !*change_.is_group ? "promo" : is_typed() ? "both" : "group";
        if (change_.status)
            take_status(*change_.status);
        if (change_.applicable_to)
            discount_.for_all_trips = *change_.applicable_to == "all";
        if (change_.trip_ids) {
            discount_.trip_ids = *change_.trip_ids;
            std::sort(discount_.trip_ids.begin(), discount_.trip_ids.end());
            discount_.trip_ids.erase(std::unique(discount_.trip_ids.begin(), discount_.trip_ids.end()),
                                     discount_.trip_ids.end());
        }
        if (change_.first_time_customer_only)
            discount_.first_time_customer_only = *change_.first_time_customer_only;
    }

    // Whether it has what a coupon has. A group discount that has none is never one that anybody can type.
    bool is_typed() const {
        const bool has_amount = change_.amount ? !is_nothing(*change_.amount) : discount_.cut != Cut{};
        return !discount_.code.empty() && has_amount;
    }

    static bool is_nothing(const std::optional<std::string>& amount) {
        return !amount || amount->find_first_not_of("0.") == std::string::npos;
    }

    void take_status(const std::string& status) {
        if (status == status::trash && discount_.status != status::trash)
            discount_.status_before_trash = discount_.status;
        else if (status != status::trash)
            discount_.status_before_trash.reset();
        discount_.status = status;
    }

    // `or_nothing`: it may be 0.
    std::optional<Cut> cut_of(const std::string& type, const std::string& amount, const std::string& field,
                              bool or_nothing = false) {
        const std::string least = or_nothing ? "of at least 0" : "above 0";
        if (type == "percentage") {
            const auto rate = Rate::parse_percent(amount);
            if (rate && (or_nothing ? rate->ppm >= 0 : rate->ppm > 0) && rate->ppm <= whole_ppm)
                return Cut{.rate = *rate, .flat = {}};
            fault(field, "A percentage is " + least + " and at most 100, with at most 4 decimals.");
            return std::nullopt;
        }
        const auto money = parse_exact(amount, site_);
        if (money && !money->is_negative() && (or_nothing || !money->is_zero()))
            return Cut{.rate = {}, .flat = *money};
        fault(field, "A fixed discount is an amount " + least + ".");
        return std::nullopt;
    }

    std::optional<Money> money_of(const std::optional<std::string>& sent, const std::string& field) {
        if (!sent)
            return std::nullopt;
        const auto money = parse_exact(*sent, site_);
        if (money && !money->is_negative())
            return money->is_zero() ? std::nullopt : std::optional(*money);
        fault(field, "Enter an amount.");
        return std::nullopt;
    }

    void take_amounts() {
        const bool is_new = discount_.id == 0;
        if (is_new || change_.amount || change_.most || change_.min_amount || change_.group_amount || change_.ranges ||
            change_.category_ranges)
            change_currency(is_new);
        // A coupon that says nothing takes nothing off.
        if (is_new && discount_.is_coupon() && !change_.amount)
            discount_.cut = cut_of(change_.type.value_or("percentage"), "0", "amount", true).value();
        // Forms send 0 for what a group discount does not have.
        if (change_.amount && (!*change_.amount || (!discount_.is_coupon() && is_nothing(*change_.amount)))) {
            discount_.cut = {};
        } else if (change_.amount || (change_.type && !is_new)) {
            const std::string type =
                change_.type.value_or(discount_.cut.rate || !discount_.cut.flat ? "percentage" : "fixed");
            const bool other_kind = change_.type && (type == "percentage") != discount_.cut.rate.has_value();
            if (change_.amount)
                discount_.cut = cut_of(type, **change_.amount, "amount", true).value_or(discount_.cut);
            else if (other_kind)  // ten percent must not become ten dollars
                fault("amount", "Enter an amount when changing the type.");
        }
        if (change_.most)
            discount_.most = money_of(*change_.most, "max_discount_amount");
        if (change_.min_amount)
            discount_.min_amount = money_of(*change_.min_amount, "min_amount");
        if (change_.usage_limit)
            discount_.usage_limit = *change_.usage_limit;
        if (change_.usage_limit_per_customer)
            discount_.usage_limit_per_customer = *change_.usage_limit_per_customer;
    }

    // Amounts of another currency would silently become those of this one.
    void change_currency(bool is_new) {
        if (!is_new && discount_.currency != site_ &&
            (discount_.cut.flat || discount_.most || discount_.min_amount ||
             (discount_.group_cut && discount_.group_cut->flat)))
            fault("amount", "This discount's amounts are in " + std::string(discount_.currency.code()) +
                                ". Create a new discount for another currency.");
        discount_.currency = site_;
    }

    void take_dates() {
        for (const std::string& field : change_.unreadable)
            fault(field, "This must be a date of the form YYYY-MM-DD or a moment of the form 2026-06-10T09:00:00Z.");
        if (change_.valid_from)
            discount_.valid_from = *change_.valid_from;
        if (change_.expiry_date)
            discount_.expiry_date = *change_.expiry_date;
        if (discount_.valid_from && discount_.expiry_date && *discount_.expiry_date < *discount_.valid_from)
            fault("expiry_date", "The last day must not be before the first day.");
    }

    void take_group() {
        if (change_.group_mode)
            discount_.by_category = *change_.group_mode == "category_based";
        if (change_.min_group_size)
            discount_.min_group_size = *change_.min_group_size;
        if (change_.max_group_size)
            discount_.max_group_size = *change_.max_group_size;
        if (change_.group_amount && !*change_.group_amount)
            discount_.group_cut.reset();
        else if (change_.group_amount)
            discount_.group_cut = cut_of(
                change_.group_type.value_or(discount_.group_cut && discount_.group_cut->flat ? "fixed" : "percentage"),
                **change_.group_amount, "group_discount_amount");
        if (change_.ranges)
            take_ranges(*change_.ranges, "group_discount_ranges", false);
        if (change_.category_ranges)
            take_ranges(*change_.category_ranges, "category_discounts", true);
    }

    void take_ranges(const std::vector<RangeChange>& sent, const std::string& field, bool of_categories) {
        std::erase_if(discount_.ranges,
                      [&](const Range& range) { return range.category_id.has_value() == of_categories; });
        for (const RangeChange& each : sent) {
            if (each.category_id && *each.category_id < 0)
                fault(field, "Enter category ids.");
            if (each.most && *each.most < each.least)
                fault(field, "The end of a range must not be below its start.");
            const auto cut = cut_of(each.type, each.amount, field);
            if (!cut)
                return;
            const Range range{.category_id = each.category_id, .least = each.least, .most = each.most, .cut = *cut};
            for (const Range& other : discount_.ranges)
                if (other.category_id == range.category_id && (!other.most || *other.most >= range.least) &&
                    (!range.most || *range.most >= other.least))
                    fault(field, "Ranges must not overlap.");
            discount_.ranges.push_back(range);
        }
    }

    // The first field of groups that would change; a coupon sent back as it was read changes none.
    std::string group_change() const {
        const auto same_ranges = [&](bool of_categories) {
            const auto kept = [&](std::vector<Range> ranges) {
                std::erase_if(ranges, [&](const Range& each) { return each.category_id.has_value() != of_categories; });
                return ranges;
            };
            const auto before = kept(before_.ranges), after = kept(discount_.ranges);
            return std::is_permutation(before.begin(), before.end(), after.begin(), after.end());
        };
        const bool other_mode = discount_.mode != before_.mode && discount_.is_group();
        if (other_mode)
            return change_.mode ? "discount_mode" : "is_group_discount";
        if (discount_.by_category != before_.by_category)
            return "group_discount_mode";
        if (change_.group_type && *change_.group_type != before_.group_cut.value_or(Cut{}).type())
            return "group_discount_type";
        if (discount_.min_group_size != before_.min_group_size)
            return "min_group_size";
        if (discount_.max_group_size != before_.max_group_size)
            return "max_group_size";
        if (discount_.group_cut != before_.group_cut)
            return "group_discount_amount";
        if (!same_ranges(false))
            return "group_discount_ranges";
        return same_ranges(true) ? "" : "category_discounts";
    }

    void check_whole() {
        const bool has_code = !discount_.code.empty();
        if (!has_code && discount_.is_coupon())
            fault("code", "This field is required.");
        else if (has_code && (!text::is_slug(discount_.code) || text::length(discount_.code) > longest_code))
            fault("code", "Enter 1 to 50 letters, digits, hyphens and underscores.");
        if (discount_.is_coupon() && !discount_.cut.rate && !discount_.cut.flat &&
            (!change_.amount || !*change_.amount))
            fault("amount", "This field is required.");
        if (discount_.max_group_size && *discount_.max_group_size < discount_.min_group_size.value_or(1))
            fault("max_group_size", "The maximum group size must not be below the minimum.");
        if (discount_.for_all_trips)
            discount_.trip_ids.clear();
        if (discount_.is_group() && !discount_.group_cut && discount_.ranges.empty())
            fault("group_discount_amount", "Enter the amount of the group discount.");
    }

    const Discount before_;
    Discount discount_ = before_;
    const Change& change_;
    Currency site_;
    bool has_groups_;
    Error error_{errc::validation_error};
    bool failed_ = false;
};

}  // namespace

std::string code_of(std::string_view typed) { return text::folded_capitals(text::strip_invisible(typed)); }

Result<Discount> changed(Discount discount, const Change& change, Currency site, bool has_groups) {
    return Changing(std::move(discount), change, site, has_groups).done();
}

}  // namespace svc::discounts
