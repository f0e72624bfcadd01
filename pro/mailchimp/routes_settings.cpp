// GET, PUT /mailchimp/settings; POST …/test; GET …/lists, …/lists/{list_id}/merge-fields; POST …/webhook-address.
#include "pro/crypto/hmac.hpp"
#include "pro/mailchimp/receiver.hpp"
#include "pro/mailchimp/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::mailchimp {
namespace {

using api::Method;
using json::Value;

constexpr auto cached_for = std::chrono::seconds(60);
constexpr std::size_t most_cached = 50;

api::Type settings_answer() {
    return api::object(
        settings_schema()
            .plus({{.name = "connected", .type = api::boolean(), .help = "A key and an audience are saved."},
                   {.name = "webhook_url",
                    .type = api::text(500),
                    .help = "The address for a webhook at Mailchimp, by which unsubscribing flows back. It holds a"
                            " secret."}})
            .named("MailchimpSettings"));
}

Value settings_now(const Parts& parts, const Result<std::string>& root, const std::string& secret) {
    Value settings = settings_json(parts.site);
    settings.set("connected", configuration_of(parts.site).is_complete());
    return settings.set("webhook_url",
                        root && !secret.empty() ? *root + "/mailchimp/webhook/" + secret : std::string());
}

Value settings_now(const Parts& parts) { return settings_now(parts, parts.root(), receiver_secret(parts.site)); }

// The audience as Mailchimp knows it under the key that will count: another account's is refused. While Mailchimp does
// not answer it is believed; its contacts are asked for later.
Result<std::optional<std::string>> name_of_list(const Parts& parts, const Value& body) {
    const Value stored = settings_json(parts.site);
    const std::string list_id = body.text_or("list_id", stored.text_or("list_id"));
    const std::string key = key_meant(parts.site, body.text_or("api_key", stored.text_or("api_key")));
    const bool changes = body.find("list_id") || body.find("api_key");
    if (!changes || list_id.empty() || key.empty())
        return std::optional<std::string>();
    const Answer answer = parts.client.list(key, list_id);
    if (answer.outcome == Outcome::gone)
        return invalid("list_id", "The account of this key has no such audience."_sentence);
    if (answer.outcome == Outcome::key)
        return invalid("api_key",
                       "Mailchimp does not accept this key: {detail}"_sentence.with("detail", answer.detail));
    if (answer.outcome != Outcome::done || text_of(answer.body, "id") != list_id)
        return std::optional<std::string>();
    // Whole characters, and nothing that a setting cannot hold.
    return std::optional(std::string(text::first(text::clean(text_of(answer.body, "name")), 200)));
}

void add_settings(const Parts& parts) {
    auto read = route(Method::get, "/settings", "Return the settings of Mailchimp; the key is masked.");
    read.answer = settings_answer();
    read.handle = [parts](const api::Request&) { return api::ok(settings_now(parts)); };
    parts.site.routes.add(std::move(read));
    auto write = route(Method::put, "/settings", "Change settings of Mailchimp.");
    write.body = settings_schema();
    write.answer = settings_answer();
    write.lane = api::Lane::provider;
    write.repeats_safely = true;
    write.rules = [](const api::Request& request) -> Result<std::vector<FieldError>> {
        const auto checked = check_settings(request.body);
        return checked ? std::vector<FieldError>() : checked.error().fields();
    };
    write.handle = [parts](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(check_settings(request.body));
        SVC_ASSIGN_OR_RETURN(const auto name, name_of_list(parts, request.body));
        Value body = request.body;
        if (name)
            body.set("list_name", *name);
        SVC_RETURN_IF_ERROR(parts.site.store.write([&](store::Transaction& tx) -> Result<void> {
            // What was wrong may be right now.
            Repository::resume(tx);
            tx.after_commit([jobs = parts.site.jobs] { jobs->wake(sync_job); });
            return write_settings(parts.site, body, tx, request.caller.user_id);
        }));
        parts.cache.clear();
        return api::ok(settings_now(parts));
    };
    parts.site.routes.add(std::move(write));
}

void add_test(const Parts& parts) {
    auto spec = route(Method::post, "/test", "Ask Mailchimp whether it accepts a key, and whose it is.");
    spec.body = {
        {.name = "api_key", .type = api::text(100), .help = "A masked one is the stored one.", .required = true}};
    spec.answer = api::object("MailchimpTest", {{.name = "connected", .type = api::boolean(), .required = true},
                                                {.name = "account", .type = api::text(200), .required = true}});
    spec.errors = {&integration_auth_failed, &errc::upstream_error};
    spec.lane = api::Lane::provider;
    spec.limit = {.burst = 20, .seconds = 60, .per = api::RateLimit::Per::credential};
    spec.keeps_replay = false;
    spec.handle = [parts](const api::Request& request) -> api::Reply {
        const Answer answer = parts.client.account(key_meant(parts.site, request.body.text_or("api_key")));
        if (answer.outcome != Outcome::done)
            return api::failed(error_of(answer));
        if (text_of(answer.body, "account_id").empty())
            return api::failed(error_of({.outcome = Outcome::garbled, .detail = "no account"}));
        return api::ok(Value::object({{"connected", true}, {"account", text_of(answer.body, "account_name")}}));
    };
    parts.site.routes.add(std::move(spec));
}

// Of the stored key.
Result<Answer> read_by_key(const Parts& parts, const Error& no_key, const std::string& what,
                           const std::function<Answer(const std::string& key)>& read) {
    const std::string key = configuration_of(parts.site).api_key;
    if (key.empty())
        return no_key;
    Answer answer = parts.cache.of(crypto::sha256_hex(key) + what, [&] { return read(key); });
    return answer.outcome == Outcome::done ? Result<Answer>(std::move(answer)) : Result<Answer>(error_of(answer));
}

void add_lists(const Parts& parts) {
    auto spec = route(Method::get, "/lists", "List the audiences of the account at Mailchimp.");
    spec.answer = api::list(api::object("MailchimpList", {{.name = "id", .type = api::text(50), .required = true},
                                                          {.name = "name", .type = api::text(200), .required = true},
                                                          {.name = "member_count", .type = api::integer(0)}}),
                            1000);
    spec.errors = {&errc::conflict, &integration_auth_failed, &errc::upstream_error};
    spec.lane = api::Lane::provider;
    spec.handle = [parts](const api::Request&) -> api::Reply {
        SVC_ASSIGN_OR_RETURN(const auto answer,
                             read_by_key(parts, {errc::conflict, "Save a key of Mailchimp first."_sentence}, "lists",
                                         [&](const std::string& key) { return parts.client.lists(key); }));
        Value lists = Value::array();
        if (answer.body["lists"].is_array())
            for (const Value& each : answer.body["lists"].items())
                if (const std::string id = text_of(each, "id"); is_list_id(id))
                    lists.push(Value::object({{"id", id},
                                              {"name", text_of(each, "name")},
                                              {"member_count", count_of(each["stats"], "member_count")}}));
        return api::ok(std::move(lists));
    };
    parts.site.routes.add(std::move(spec));
}

void add_merge_fields(const Parts& parts) {
    auto spec = route(Method::get, "/lists/{list_id}/merge-fields", "List the merge fields of an audience.");
    spec.answer =
        api::list(api::object("MailchimpMergeField", {{.name = "tag", .type = api::text(50), .required = true},
                                                      {.name = "name", .type = api::text(200), .required = true},
                                                      {.name = "type", .type = api::text(50), .required = true},
                                                      {.name = "required", .type = api::boolean(), .required = true}}),
                  1000);
    spec.errors = {&errc::not_found, &integration_auth_failed, &errc::upstream_error};
    spec.lane = api::Lane::provider;
    spec.handle = [parts](const api::Request& request) -> api::Reply {
        const std::string list_id = request.path.text_or("list_id");
        if (!is_list_id(list_id))
            return api::failed(errc::not_found);
        SVC_ASSIGN_OR_RETURN(const auto answer,
                             read_by_key(parts, errc::not_found, "fields " + list_id, [&](const std::string& key) {
                                 return parts.client.merge_fields(key, list_id);
                             }));
        Value fields = Value::array();
        if (answer.body["merge_fields"].is_array())
            for (const Value& each : answer.body["merge_fields"].items())
                if (const std::string tag = text_of(each, "tag"); !tag.empty())
                    fields.push(Value::object({{"tag", tag},
                                               {"name", text_of(each, "name")},
                                               {"type", text_of(each, "type")},
                                               {"required", each["required"] == Value(true)}}));
        return api::ok(std::move(fields));
    };
    parts.site.routes.add(std::move(spec));
}

void add_new_address(const Parts& parts) {
    auto spec = route(Method::post, "/webhook-address",
                      "Make a new address for the webhook at Mailchimp; the former one takes nothing any more.");
    spec.answer = settings_answer();
    spec.stores_reply = true;
    spec.handle = [parts](const api::Request& request) {
        const auto root = parts.root();  // asks the base, which no transaction may
        return api::respond_once(
            request,
            [&] {
                return parts.site.store.transact<std::string>([&](store::Transaction& tx) -> Result<std::string> {
                    const std::string secret = new_secret();
                    Repository::set_secret(tx, sealed_secret(parts.site, secret));
                    return secret;
                });
            },
            [&](const std::string& secret) { return api::ok(settings_now(parts, root, secret)); });
    };
    parts.site.routes.add(std::move(spec));
}

}  // namespace

Answer Cache::of(const std::string& what, const std::function<Answer()>& read) {
    const auto now = clock_.now();
    {
        const std::lock_guard lock(mutex_);
        if (const auto kept = kept_.find(what); kept != kept_.end() && kept->second.until > now)
            return kept->second.answer;
    }
    Answer answer = read();
    if (answer.outcome == Outcome::done) {
        const std::lock_guard lock(mutex_);
        if (kept_.size() >= most_cached)
            kept_.clear();
        kept_.insert_or_assign(what, Kept{.answer = answer, .until = now.plus(cached_for)});
    }
    return answer;
}

void Cache::clear() {
    const std::lock_guard lock(mutex_);
    kept_.clear();
}

Result<std::string> Root::operator()() {
    SVC_ASSIGN_OR_RETURN(const auto site_url, address_.site_url());
    SVC_ASSIGN_OR_RETURN(const auto base_path, address_.base_path());
    return site_url + base_path;
}

api::RouteSpec route(Method method, std::string path, std::string summary) {
    api::RouteSpec spec{.method = method,
                        .path = "/mailchimp" + std::move(path),
                        .who = api::Permission::can(std::string(capability)),
                        .handle = {}};
    spec.module = module_slug;
    spec.summary = std::move(summary);
    return spec;
}

void add_settings_routes(const Parts& parts) {
    add_settings(parts);
    add_test(parts);
    add_lists(parts);
    add_merge_fields(parts);
    add_new_address(parts);
}

}  // namespace svc::pro::mailchimp
