// Declares the record of campaigns, its rules, and how a text takes its values.
#include "pro/abandoned_bookings/campaign.hpp"

#include <algorithm>

#include "pro/common/markup.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Calls `plain` for text and `tag` for the name between {{ and }}, in order.
template <class Plain, class Tag>
void each_part(std::string_view text, Plain plain, Tag tag) {
    while (!text.empty()) {
        const auto open = text.find("{{");
        const auto close = open == std::string_view::npos ? open : text.find("}}", open);
        if (close == std::string_view::npos) {
            plain(text);
            return;
        }
        plain(text.substr(0, open));
        tag(trimmed(text.substr(open + 2, close - open - 2)));
        text.remove_prefix(close + 2);
    }
}

void check_tags(const char* field, std::string_view text, Faults& faults) {
    const auto& known = campaign_tags();
    std::string unknown;
    each_part(
        text, [](std::string_view) {},
        [&](std::string_view name) {
            if (unknown.empty() && std::find(known.begin(), known.end(), name) == known.end())
                unknown = name.empty() ? std::string("an empty tag") : std::string(name.substr(0, 60));
        });
    if (!unknown.empty())
        faults.at(field,
                  "There is no tag {unknown}. Use one of those that are listed."_sentence.with("unknown", unknown));
}

void check(const Campaign& campaign, Faults& faults) {
    check_tags("subject", campaign.subject, faults);
    check_tags("email_body", campaign.email_body, faults);
    if (campaign.email_body.find("recovery_link") == std::string::npos)
        faults.at("email_body",
                  "Add the tag {tag}, by which the customer goes on."_sentence.with("tag", "{{ recovery_link }}"));
}

void take_amount(Campaign& campaign, const Value& given, Currency site, Faults& faults) {
    constexpr std::int64_t whole = 1'000'000;
    campaign.rate = {};
    campaign.currency = site;
    campaign.amount = Money::zero(site);
    if (campaign.discount_type == "percentage") {
        if (const auto rate = Rate::parse_percent(given.number_text()); rate && rate->ppm >= 0 && rate->ppm <= whole)
            campaign.rate = *rate;
        else
            faults.at("discount_amount", "Enter a percentage from 0 to 100 with at most 4 decimals."_sentence);
    } else if (const auto amount = parse_exact(given.number_text(), site); amount && !amount->is_negative()) {
        campaign.amount = *amount;
    } else {
        faults.at("discount_amount",
                  "Enter an amount with the decimals of {currency}."_sentence.with("currency", site.code()));
    }
}

}  // namespace

const std::vector<std::string_view>& campaign_tags() {
    static const std::vector<std::string_view> all{
        "customer_name", "customer_first_name", "trip_name",   "travel_date",   "travelers_count",
        "total",         "coupon_code",         "coupon_html", "recovery_link", "stop_link"};
    return all;
}

std::string with_values(std::string_view text, const std::map<std::string, std::string, std::less<>>& values,
                        bool is_html) {
    std::string out;
    each_part(
        text, [&](std::string_view plain) { out += plain; },
        [&](std::string_view name) {
            const auto found = values.find(name);
            if (found != values.end())
                out += is_html && !name.ends_with("_html") ? escape_html(found->second) : found->second;
        });
    return out;
}

const record::Record<Campaign>& campaign_record() {
    using namespace record;
    using C = Campaign;
    constexpr std::int64_t longest_delay = 720;
    static const Record<C> declared{
        {.table = "svc_abandoned_campaigns",
         .component = "RecoveryCampaign",
         .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}, {"updated_at", {"r.updated_at"}}},
         .default_sort = "delay_hours"},
        {id(&C::id), column("name", &C::name, api::text(150, 1), by_client | required | sortable, "For staff."),
         column("subject", &C::subject, api::text(300, 1), by_client | required, "May use tags, as the body."),
         column("email_body", &C::email_body, api::raw_text(60'000), by_client | required,
                "HTML with tags such as {{ recovery_link }}, which it needs."),
         column("delay_hours", &C::delay_hours, api::integer(1, longest_delay),
                by_client | default_value(24) | sortable, "Hours after the visitor's last activity."),
         column("status", &C::status, api::choice({"active", "inactive"}),
                by_client | default_value("inactive") | sortable,
                "At most three are active; while one is, none of the standard reminders is sent."),
         column("discount_code", &C::discount_code, api::text(50), by_client,
                "A code of yours; without one, each customer gets a code that counts once."),
         column("discount_type", &C::discount_type, api::choice({"percentage", "fixed"}),
                by_client | default_value("percentage")),
         // Taken by the resource, which knows the site's currency.
         computed<C>(
             "discount_amount", api::decimal(0),
             [](const C& c) { return c.discount_type == "percentage" ? Value(c.rate) : Value(c.amount); },
             [](C&, const Value&, Faults&) {}, by_client, "Percentage or amount of the codes that are made; 0: none."),
         column("rate_ppm", &C::rate, api::decimal(), hidden),
         column("currency", &C::currency, api::text(3), by_server, "Of a fixed amount."),
         money("amount_minor", &C::amount, &C::currency, api::money(), hidden | stored_as("amount_minor")),
         row_version<C>(), timestamps<C>(), authors<C>(Names::left_out, hidden)}};
    return declared;
}

std::vector<Campaign> active_campaigns(store::Session& session) {
    static const std::string sql =
        campaign_record().select("WHERE r.status = 'active' ORDER BY r.delay_hours, r.id LIMIT 3");
    return campaign_record().all(session, sql);
}

resource::Resource<Campaign> campaign_resource(const Site& site) {
    const auto may = api::Permission::can(std::string(capability));
    resource::Options options{.store = site.store,
                              .path = "/abandoned-bookings/campaigns",
                              .one = "recovery campaign",
                              .many = "recovery campaigns",
                              .reads = may,
                              .writes = may,
                              .removes = may,
                              .module = std::string(module_slug),
                              .ascending = true,
                              .zone = [&site] { return site.zone(); }};
    resource::Rules<Campaign> rules;
    rules.adjust = [&site](const auto* before, Campaign& after, const Value& body, Faults& faults) {
        if (const Value& amount = body["discount_amount"]; amount.is_number())
            take_amount(after, amount, site.currency(), faults);
        else if (before && before->discount_type != after.discount_type && before->has_discount())
            faults.at("discount_amount", "Enter a value when changing discount_type."_sentence);
    };
    rules.check = [](const auto*, const Campaign& after, Faults& faults) { check(after, faults); };
    rules.check_stored = [](store::Session& session, const Campaign* before, const Campaign& after, Faults& faults) {
        if (after.status != "active" || (before && before->status == "active"))
            return;
        if (session.number("SELECT COUNT(*) FROM svc_abandoned_campaigns WHERE status = 'active'", {}) >=
            most_reminders)
            faults.at("status", "Three campaigns are active already. Deactivate one of them first."_sentence);
    };
    return {campaign_record(), std::move(options), std::move(rules)};
}

}  // namespace svc::pro::abandoned_bookings
