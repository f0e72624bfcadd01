// The choice between templates, by rows and by what the base tells of its own.
#include "pro/email_automation/templates.hpp"

#include <algorithm>
#include <array>

#include "pro/email_automation/events.hpp"
#include "pro/email_automation/mails.hpp"
#include "pro/email_automation/seeds.hpp"
#include "shared/plugin/host_calls.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::email_automation {
namespace {

using json::Value;
using plugin::Calls;

// Trip 3, category 2, trip type 1, none of them 0.
int rank_of(const EmailTemplate& given, const TripFacts& trip) {
    const auto has = [](const auto& list, const auto& value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    if (trip.id == 0)
        return 0;
    if (has(given.trips, trip.id))
        return 3;
    if (std::any_of(trip.categories.begin(), trip.categories.end(),
                    [&](std::int64_t id) { return has(given.categories, id); }))
        return 2;
    return has(given.trip_types, trip.type) ? 1 : 0;
}

constexpr std::array<const char*, 4> names_of_ranks{"global", "trip_type", "category", "trip"};

std::string category_of(const std::string& event_key, bool is_for_staff) {
    if (is_for_staff)
        return "admin";
    const auto kind = event_key.substr(0, event_key.find('.'));
    if (kind == "account" || kind == "booking" || kind == "payment" || kind == "enquiry" || kind == "consent")
        return kind;
    return kind == "scheduled" ? "payment" : kind == "reminder" ? "booking" : "customer";
}

std::string in_words(std::string key) {
    std::replace(key.begin(), key.end(), '_', ' ');
    if (!key.empty() && key[0] >= 'a' && key[0] <= 'z')
        key[0] = static_cast<char>(key[0] - 'a' + 'A');
    return key;
}

Result<std::vector<BuiltIn>> of_base(const Calls& calls) {
    SVC_ASSIGN_OR_RETURN(const auto reply, calls({.path = "/email-template-catalog", .as = Calls::As::system}));
    if (!reply.is_good() || !reply.data().is_array())
        return Error{errc::unavailable}.because("the base did not list its e-mails: " + reply.code());
    std::vector<BuiltIn> all;
    for (const Value& each : reply.data().items()) {
        const std::string key = each.text_or("key");
        const bool is_for_staff = each.maybe_boolean("is_for_staff").value_or(false);
        if (is_own_message(key) || !each["built_in_body"].is_string())
            continue;  // an older base does not tell its texts
        all.push_back({.key = key,
                       .event_key = each.text_or("event_key"),
                       .name = each.text_or("name", in_words(key)),
                       .category = category_of(each.text_or("event_key"), is_for_staff),
                       .recipient_type = is_for_staff ? "admin" : "customer",
                       .subject = each.text_or("built_in_subject"),
                       .body = each.text_or("built_in_body"),
                       .switch_setting = each.text_or("switch_setting")});
    }
    return all;
}

bool is_on(const Site& site, const BuiltIn& each) {
    if (each.switch_setting.empty())
        return true;
    const Value value = site.settings.get(each.switch_setting);
    return value.is_boolean() && value.boolean();
}

// The first field at fault of an answer of the base, under the names that ours have.
Error fault_in(const Calls::Reply& reply) {
    Faults faults;
    for (const auto& [field, sentences] :
         reply.body["data"]["errors"].is_object() ? reply.body["data"]["errors"].members() : Value::object().members())
        faults.at(field == "template_key" ? "subject" : field,
                  Sentence::verbatim(sentences.size() > 0 ? sentences[std::size_t{0}].text()
                                                          : reply.body.text_or("message")));
    if (faults.none())
        faults.at(reply.body["data"].text_or("field", "body"), Sentence::verbatim(reply.body.text_or("message")));
    return faults.error();
}

}  // namespace

TripFacts facts_of(const Value& trip) {
    TripFacts facts;
    if (!trip["id"].is_number())
        return facts;
    facts.id = trip["id"].integer();
    facts.type = trip.text_or("trip_type");
    if (trip["categories"].is_array())
        for (const Value& id : trip["categories"].items())
            if (id.is_number())
                facts.categories.push_back(id.integer());
    return facts;
}

Result<void> Templates::refresh() {
    SVC_ASSIGN_OR_RETURN(auto all, of_base(site_.host.need<Calls>()));
    for (const Seed& seed : seeds())
        all.push_back({.key = seed.template_key,
                       .event_key = {},
                       .name = seed.template_name,
                       .category = seed.is_marketing ? std::string(marketing) : std::string("booking"),
                       .recipient_type = "customer",
                       .subject = mails::text_for(seed.subject, "en"),
                       .body = mails::text_for(seed.body, "en"),
                       .switch_setting = {}});
    SVC_RETURN_IF_ERROR(store_all(all));
    const std::lock_guard lock(mutex_);
    built_in_.clear();
    for (BuiltIn& each : all)
        built_in_.insert_or_assign(each.key, std::move(each));
    return {};
}

Result<void> Templates::store_all(const std::vector<BuiltIn>& all) {
    static const std::string of_system = template_record().select("WHERE r.is_system = 1 AND r.overrides = ''");
    std::map<std::string, EmailTemplate> stored;
    site_.store.read([&](store::Session& session) {
        stored.clear();
        for (EmailTemplate& each : template_record().all(session, of_system))
            stored.insert_or_assign(each.template_key, std::move(each));
    });
    std::vector<EmailTemplate> fresh, changed;
    for (const BuiltIn& each : all) {
        const auto found = stored.find(each.key);
        EmailTemplate row = found == stored.end() ? EmailTemplate{} : found->second;
        const EmailTemplate before = row;
        row.template_key = each.key;
        row.event_key = find_event(each.event_key) ? each.event_key : std::string();
        row.recipient_type = each.recipient_type;
        row.category = each.category;
        row.is_system = true;
        if (!each.switch_setting.empty())
            row.is_active = is_on(site_, each);
        if (found == stored.end()) {
            row.name = each.name.substr(0, 150);
            row.is_customized = false;
        }
        if (!row.is_customized) {
            row.subject = each.subject;
            row.body = each.body;
        }
        if (found == stored.end())
            fresh.push_back(std::move(row));
        else if (row.subject != before.subject || row.body != before.body || row.is_active != before.is_active ||
                 row.event_key != before.event_key || row.category != before.category)
            changed.push_back(std::move(row));
    }
    if (fresh.empty() && changed.empty())
        return {};
    return site_.store.write([&, now = site_.clock.now()](store::Transaction& tx) -> Result<void> {
        static const std::string unless_there = template_record().insert_statement("ON CONFLICT DO NOTHING");
        for (EmailTemplate row : fresh)
            template_record().insert_new(tx, unless_there, row, {.user_id = {}, .now = now});
        for (EmailTemplate row : changed)
            template_record().update(tx, row, {.user_id = row.updated_by, .now = now});
        return {};
    });
}

std::optional<BuiltIn> Templates::built_in(std::string_view key) const {
    const std::lock_guard lock(mutex_);
    const auto found = built_in_.find(key);
    return found == built_in_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Match> Templates::find(store::Session& session, const std::string& key, const TripFacts& trip) {
    static const std::string overriding =
        template_record().select("WHERE r.overrides = :key AND r.is_active = 1 ORDER BY r.priority DESC, r.id");
    static const std::string of_all = template_record().select("WHERE r.template_key = :key AND r.overrides = ''");
    std::optional<Match> best;
    int rank = 0;
    if (trip.id != 0)
        for (EmailTemplate& each : template_record().all(session, overriding, {{"key", key}}))
            if (const int own = rank_of(each, trip); own > rank) {
                rank = own;
                best = Match{.found = std::move(each), .matched_by = names_of_ranks[static_cast<std::size_t>(own)]};
            }
    if (best)
        return best;
    auto global = template_record().first(session, of_all, {{"key", key}});
    return global ? std::optional(Match{.found = std::move(*global), .matched_by = names_of_ranks[0]}) : std::nullopt;
}

std::string Templates::key_of_event(const std::string& event_key) const {
    return site_.store.reading<std::string>([&](store::Session& session) {
        return store::value<std::string>(
                   session,
                   "SELECT template_key FROM svc_email_templates WHERE event_key = :event_key"
                   " AND overrides = '' ORDER BY CASE recipient_type WHEN 'customer' THEN 0 ELSE 1"
                   " END, is_active DESC, id LIMIT 1",
                   {{"event_key", event_key}})
            .value_or(std::string());
    });
}

// The categories of a trip and, by the tree of all, those above them.
Result<TripFacts> Templates::trip_of(std::int64_t trip_id) const {
    const auto& calls = site_.host.need<Calls>();
    SVC_ASSIGN_OR_RETURN(const auto trip,
                         calls({.path = "/trips/" + std::to_string(trip_id), .as = Calls::As::system}));
    if (!trip.is_good())
        return errc::trip_not_found;
    TripFacts facts{.id = trip_id, .type = trip.data().text_or("trip_type"), .categories = {}};
    for (const char* member : {"trip_category", "categories"})
        if (trip.data()[member].is_array())
            for (const Value& each : trip.data()[member].items())
                if (each["id"].is_number())
                    facts.categories.push_back(each["id"].integer());
    std::map<std::int64_t, std::int64_t> above;
    for (std::int64_t page = 1; page <= 50 && !facts.categories.empty(); ++page) {
        SVC_ASSIGN_OR_RETURN(const auto list, calls({.path = "/trip-categories",
                                                     .query = Value::object({{"per_page", 100}, {"page", page}}),
                                                     .as = Calls::As::system}));
        if (!list.is_good() || !list.data().is_array() || list.data().size() == 0)
            break;
        for (const Value& each : list.data().items())
            if (each["parent_id"].is_number())
                above[each["id"].integer()] = each["parent_id"].integer();
    }
    constexpr std::size_t most = 1000;
    for (std::size_t at = 0; at < facts.categories.size() && at < most; ++at)
        if (const auto parent = above.find(facts.categories[at]);
            parent != above.end() &&
            std::find(facts.categories.begin(), facts.categories.end(), parent->second) == facts.categories.end())
            facts.categories.push_back(parent->second);
    return facts;
}

Result<Match> Templates::resolve(std::int64_t trip_id, const std::string& key) const {
    SVC_ASSIGN_OR_RETURN(const auto trip, trip_of(trip_id));
    auto found =
        site_.store.reading<std::optional<Match>>([&](store::Session& session) { return find(session, key, trip); });
    if (!found)
        return Error{errc::not_found, "There is no such e-mail template."_sentence};
    return std::move(*found);
}

Value Templates::message(const json::Array& given) const {
    if (given.size() < 5)
        return given.front();
    Value shown = given[0];
    const Value& values = given[4];
    std::string key = given[1].text();
    const bool is_ours = is_own_message(key);
    bool is_marketing = key == marketing_message;
    if (is_ours && values.is_object() && values["text_body"].is_string()) {
        shown.set("subject", values.text_or("text_subject")).set("body", values.text_or("text_body"));
        key = values.text_or("text_template");
    } else if (is_ours) {
        return shown;
    }
    if (!key.empty()) {
        const auto found = site_.store.reading<std::optional<Match>>(
            [&](store::Session& session) { return find(session, key, facts_of(given[3])); });
        // A template that nobody changed has its texts in the recipient's language already.
        if (found && (found->matched_by != "global" || (!is_ours && found->found.is_customized)))
            shown.set("subject", found->found.subject).set("body", found->found.body);
        if (found) {
            const EmailTemplate& row = found->found;
            for (const auto& [member, value] : {std::pair{"from_name", &row.from_name},
                                                {"from_email", &row.from_email},
                                                {"reply_to", &row.reply_to},
                                                {"to", &row.to_email},
                                                {"cc", &row.cc},
                                                {"bcc", &row.bcc}})
                if (!value->empty())
                    shown.set(member, *value);
        }
    }
    if (is_ours)
        shown.set("body", with_footer(shown.text_or("body"), is_marketing));
    return shown;
}

std::string Templates::rendered_as(const EmailTemplate& each) const {
    const std::string& key = each.is_override() ? each.overrides : each.template_key;
    const auto known = built_in(key);
    if (known && !is_of_sequences(key))
        return key;
    return std::string(each.is_marketing() ? marketing_message : plain_message);
}

Result<void> Templates::check_texts(const std::string& key, const std::optional<std::string>& subject,
                                    const std::optional<std::string>& body) const {
    if (!subject && !body)
        return {};
    Value draft = Value::object({{"template_key", key}});
    if (subject)
        draft.set("subject", *subject);
    if (body)
        draft.set("body", *body);
    SVC_ASSIGN_OR_RETURN(const auto reply, site_.host.need<Calls>()({.method = api::Method::post,
                                                                     .path = "/email-template-preview",
                                                                     .body = std::move(draft),
                                                                     .as = Calls::As::system}));
    if (reply.status == 400)
        return fault_in(reply);
    if (!reply.is_good())
        return Error{errc::unavailable}.because("the base rendered no e-mail: " + reply.code());
    return {};
}

Result<Value> Templates::preview(const EmailTemplate& shown, const Value& asked, std::int64_t user_id) const {
    const auto& calls = site_.host.need<Calls>();
    const std::string key = rendered_as(shown);
    std::string body = asked.text_or("body", shown.body);
    if (is_own_message(key))
        body = with_footer(body, key == marketing_message);
    Value draft = Value::object(
        {{"template_key", key}, {"subject", asked.text_or("subject", shown.subject)}, {"body", std::move(body)}});
    if (const auto booking = asked.maybe_integer("booking_id")) {
        SVC_ASSIGN_OR_RETURN(
            const auto seen,
            calls({.path = "/bookings/" + std::to_string(*booking), .as = Calls::As::user, .user_id = user_id}));
        if (seen.status == 403)
            return Error{errc::forbidden, "Showing a booking requires the permission svc_view_bookings."_sentence};
        if (!seen.is_good())
            return errc::booking_not_found;
        draft.set("booking_id", *booking);
    } else if (const auto trip = asked.maybe_integer("trip_id")) {
        draft.set("trip_id", *trip);
    }
    SVC_ASSIGN_OR_RETURN(const auto reply, calls({.method = api::Method::post,
                                                  .path = "/email-template-preview",
                                                  .body = std::move(draft),
                                                  .as = Calls::As::system}));
    if (reply.status == 404)
        return asked["booking_id"].is_number() ? errc::booking_not_found : errc::trip_not_found;
    if (reply.status == 400)
        return fault_in(reply);
    if (!reply.is_good())
        return Error{errc::unavailable}.because("the base rendered no e-mail: " + reply.code());
    return reply.data();
}

}  // namespace svc::pro::email_automation
