// Routes, requests and replies as JSON text.
#include "shared/plugin/codec.hpp"

#include <algorithm>
#include <array>

#include "shared/core/ascii.hpp"
#include "shared/core/text.hpp"
#include "shared/json/sentence.hpp"
#include "shared/plugin/crossing.hpp"

namespace svc::plugin {
namespace {

constexpr std::array methods{api::Method::get, api::Method::post, api::Method::put, api::Method::patch,
                             api::Method::del};
constexpr std::array<std::string_view, 5> lanes{"general", "webhook", "admin", "provider", "checkout"};
// Bases of before know the first four, and refuse a plugin that names another one: it is named beside "general".
constexpr std::size_t first_lanes = 4;
constexpr std::array<std::string_view, 2> limit_subjects{"address", "credential"};
constexpr std::array<std::string_view, 3> ways_in{"nothing", "cookie", "application_password"};

template <std::size_t n>
std::size_t place_of(const std::array<std::string_view, n>& names, std::string_view name, std::string_view member) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw Malformed("Unknown " + std::string(member) + " \"" + std::string(name) + "\".");
    return static_cast<std::size_t>(found - names.begin());
}

// Whether the text can cross as a JSON string unchanged.
bool is_plain(std::string_view bytes) { return bytes.find('\0') == bytes.npos && text::is_utf8(bytes); }

json::Value to_json(const api::Permission& who) {
    if (who.is_decided())
        return json::Value::object({{"rule", "decided_by"}, {"says", who.text()}});
    if (!who.capabilities().empty())
        return json::Value::object({{"rule", "any_of"}, {"capabilities", texts(who.capabilities())}});
    return json::Value::object({{"rule", who.is_public() ? "everyone" : "signed_in"}});
}

// Unknown permissions are rejected: an unknown rule or key may restrict access.
api::Permission permission_from(const json::Value& who, std::function<Result<void>(const api::Request&)> check,
                                const std::function<bool(std::string_view)>& knows_capability) {
    const auto rule = text_of(who, "rule");
    const auto only = [&](std::string_view allowed) {
        for (const auto& [name, value] : who.members())
            if (name != "rule" && name != allowed)
                throw Malformed("Unknown key \"" + name + "\" in the permission.");
    };
    if ((rule == "decided_by") != static_cast<bool>(check))
        throw Malformed("A route decided by a check needs one, and no other has one.");
    if (rule == "everyone") {
        only("");
        return api::Permission::everyone();
    }
    if (rule == "signed_in") {
        only("");
        return api::Permission::signed_in();
    }
    if (rule == "decided_by") {
        only("says");
        return api::Permission::decided_by(text_of(who, "says"), std::move(check));
    }
    if (rule != "any_of")
        throw Malformed("Unknown permission \"" + rule + "\".");
    only("capabilities");
    auto capabilities = texts_of(who, "capabilities");
    if (capabilities.empty())
        throw Malformed("A permission without capabilities.");
    for (const auto& capability : capabilities)
        if (!knows_capability(capability))
            throw Malformed("Unknown capability \"" + capability + "\".");
    return api::Permission::any_of(std::move(capabilities));
}

json::Value to_json(const api::Caller& caller) {
    return json::Value::object({{"kind", caller.is_user() ? "user" : "anonymous"},
                                {"user_id", caller.user_id},
                                {"login", caller.login},
                                {"email", caller.email},
                                {"capabilities", texts(caller.capabilities)},
                                {"through", ways_in.at(static_cast<std::size_t>(caller.through))}});
}

api::Caller caller_from(const json::Value& value) {
    api::Caller caller;
    caller.kind = value.text_or("kind") == "user" ? api::Caller::Kind::user : api::Caller::Kind::anonymous;
    caller.user_id = value.maybe_integer("user_id").value_or(0);
    caller.login = value.text_or("login");
    caller.email = value.text_or("email");
    caller.capabilities = texts_of(value, "capabilities");
    caller.through =
        static_cast<api::Caller::Through>(place_of(ways_in, value.text_or("through", "nothing"), "through"));
    return caller;
}

template <class Pairs>
json::Value text_pairs_json(const Pairs& pairs) {
    auto list = json::Value::array();
    for (const auto& [first, second] : pairs)
        list.push(json::Value::array({json::Value(first), json::Value(second)}));
    return list;
}

bool is_pair_of_texts(const json::Value& pair) {
    return pair.is_array() && pair.size() == 2 && pair[std::size_t{0}].is_string() && pair[std::size_t{1}].is_string();
}

std::vector<std::pair<std::string_view, std::string_view>> pairs_from(const json::Value& object, std::string_view name,
                                                                      std::deque<std::string>& keep) {
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    const auto* list = object.find(name);
    if (!list || list->is_null())
        return pairs;
    if (!list->is_array())
        throw Malformed("\"" + std::string(name) + "\" is no list.");
    for (const auto& pair : list->items()) {
        if (!is_pair_of_texts(pair))
            throw Malformed("\"" + std::string(name) + "\" holds something that is no pair of texts.");
        const std::string_view first = keep.emplace_back(pair[std::size_t{0}].text());
        pairs.emplace_back(first, keep.emplace_back(pair[std::size_t{1}].text()));
    }
    return pairs;
}

api::RateLimit limit_from(const json::Value& value) {
    return {.burst = static_cast<int>(value.maybe_integer("burst").value_or(0)),
            .seconds = static_cast<int>(value.maybe_integer("seconds").value_or(60)),
            .per = static_cast<api::RateLimit::Per>(
                place_of(limit_subjects, value.text_or("per", "address"), "limit.per"))};
}

}  // namespace

std::string text_of(const json::Value& object, std::string_view name) {
    const auto* value = object.find(name);
    if (!value || !value->is_string())
        throw Malformed("\"" + std::string(name) + "\" is missing or no text.");
    return value->text();
}

std::vector<std::string> texts_of(const json::Value& object, std::string_view name) {
    std::vector<std::string> list;
    const auto* value = object.find(name);
    if (!value || value->is_null())
        return list;
    if (!value->is_array())
        throw Malformed("\"" + std::string(name) + "\" is no list.");
    for (const auto& item : value->items()) {
        if (!item.is_string())
            throw Malformed("\"" + std::string(name) + "\" holds something that is no text.");
        list.push_back(item.text());
    }
    return list;
}

json::Value texts(const std::vector<std::string>& list) {
    return json::array_of(list, [&](const auto& item) { return json::Value(item); });
}

json::Value to_json(const api::RouteSpec& spec, const std::vector<std::string>& headers) {
    const auto lane = static_cast<std::size_t>(spec.lane);
    auto errors = json::Value::array();
    for (const auto* code : spec.errors)
        errors.push(
            json::Value::object({{"code", code->name}, {"status", code->status}, {"sentence", code->sentence}}));
    return json::Value::object(
        {{"method", api::name_of(spec.method)},
         {"path", spec.path},
         {"name", spec.name},
         {"who", to_json(spec.who)},
         {"module", spec.module},
         {"summary", spec.summary},
         {"query", to_json(spec.query)},
         {"body", to_json(spec.body)},
         {"body_component", spec.body.name()},
         {"is_list", spec.is_list},
         {"sortable", texts(spec.sortable)},
         {"ascending", spec.ascending},
         {"ranked", spec.ranked},
         {"statuses", texts(spec.statuses)},
         {"columns", texts(spec.columns)},
         {"pages_on_request", spec.pages_on_request},
         {"answer", to_json(spec.answer)},
         {"enveloped", spec.enveloped},
         {"has_etag", spec.has_etag},
         {"files", texts(spec.files)},
         {"success", spec.success},
         {"errors", std::move(errors)},
         {"since", spec.since},
         {"deprecated_since", spec.deprecated_since},
         {"instead", spec.instead},
         {"waits", spec.waits},
         {"brief", spec.brief},
         {"lane", lanes.at(lane < first_lanes ? lane : 0)},
         {"later_lane", lane < first_lanes ? json::Value() : json::Value(lanes.at(lane))},
         {"body_limit", static_cast<std::uint64_t>(spec.body_limit)},
         {"free_body", spec.free_body},
         {"raw_body_only", spec.raw_body_only},
         {"raw_media", spec.raw_media},
         {"limit", json::Value::object({{"burst", spec.limit.burst},
                                        {"seconds", spec.limit.seconds},
                                        {"per", limit_subjects.at(static_cast<std::size_t>(spec.limit.per))}})},
         {"keeps_replay", spec.keeps_replay},
         {"keeps_own_reply", spec.stores_reply},
         {"repeats_safely", spec.repeats_safely},
         {"beside", text_pairs_json(spec.beside)},
         {"headers", texts(headers)}});
}

ReadRoute route_from(const json::Value& value, std::function<Result<void>(const api::Request&)> check,
                     const std::function<bool(std::string_view)>& knows_capability, std::deque<std::string>& keep) {
    const auto method_name = text_of(value, "method");
    const auto method = std::find_if(methods.begin(), methods.end(),
                                     [&](api::Method candidate) { return api::name_of(candidate) == method_name; });
    if (method == methods.end())
        throw Malformed("Unknown method \"" + method_name + "\".");
    api::RouteSpec spec{.method = *method,
                        .path = text_of(value, "path"),
                        .name = value.text_or("name"),
                        .who = permission_from(value["who"], std::move(check), knows_capability),
                        .summary = value.text_or("summary"),
                        .handle = {}};
    const auto flag = [&](std::string_view name, bool otherwise = false) {
        return value.maybe_boolean(name).value_or(otherwise);
    };
    spec.module = value.text_or("module");
    spec.query = schema_from(value["query"]);
    spec.body = schema_from(value["body"]).named(value.text_or("body_component"));
    spec.is_list = flag("is_list");
    spec.sortable = texts_of(value, "sortable");
    spec.ascending = flag("ascending");
    spec.ranked = flag("ranked");
    spec.statuses = texts_of(value, "statuses");
    spec.columns = texts_of(value, "columns");
    spec.pages_on_request = flag("pages_on_request");
    if (value.find("answer"))
        spec.answer = type_from(value["answer"]);
    spec.enveloped = flag("enveloped", true);
    spec.has_etag = flag("has_etag");
    spec.files = texts_of(value, "files");
    spec.success = static_cast<int>(value.maybe_integer("success").value_or(200));
    if (value["errors"].is_array())
        for (const auto& row : value["errors"].items())
            spec.errors.push_back(
                &code_named(text_of(row, "code"), row.maybe_integer("status").value_or(500), row.text_or("sentence")));
    spec.since = value.text_or("since", "3.0.0");
    spec.deprecated_since = value.text_or("deprecated_since");
    spec.instead = value.text_or("instead");
    spec.waits = flag("waits", true);
    spec.brief = flag("brief");
    spec.lane = static_cast<api::Lane>(place_of(lanes, value.text_or("lane", "general"), "lane"));
    const auto later = std::find(lanes.begin(), lanes.end(), value.text_or("later_lane"));
    if (later != lanes.end())  // else one of a plugin newer than this base
        spec.lane = static_cast<api::Lane>(later - lanes.begin());
    const auto body_limit = value.maybe_integer("body_limit").value_or(1 << 20);
    if (body_limit < 0 || body_limit > 64 << 20)
        throw Malformed("\"body_limit\" is out of range.");
    spec.body_limit = static_cast<std::size_t>(body_limit);
    spec.free_body = flag("free_body");
    spec.raw_body_only = flag("raw_body_only");
    spec.raw_media = value.text_or("raw_media", spec.raw_media);
    if (const auto& limit = value["limit"]; limit.is_object())
        spec.limit = limit_from(limit);
    spec.keeps_replay = flag("keeps_replay", true);
    spec.stores_reply = flag("keeps_own_reply");
    spec.repeats_safely = flag("repeats_safely");
    spec.beside = pairs_from(value, "beside", keep);
    return {std::move(spec), texts_of(value, "headers")};
}

json::Value to_json(const api::Request& request, const std::vector<std::string>& headers) {
    auto named = json::Value::object();
    for (const auto& name : headers)
        named.set(name, json::Value(request.header ? request.header(name) : std::string_view()));
    auto value = json::Value::object({{"id", request.id},
                                      {"address", request.address},
                                      {"now", request.now.micros()},
                                      {"caller", to_json(request.caller)},
                                      {"path", request.path},
                                      {"query", request.query},
                                      {"body", request.body},
                                      {"headers", std::move(named)},
                                      {"takes_sentences", true}});
    if (request.route && request.route->raw_body_only)
        value.set("raw_body", json::Value(ascii::hex(request.raw_body)));
    return value;
}

HeldRequest::HeldRequest(const json::Value& value, const api::RouteSpec& spec) {
    request.route = &spec;
    request.caller = caller_from(value["caller"]);
    request.path = value["path"];
    request.query = value["query"];
    request.body = value["body"];
    reply_key = value.maybe_integer("reply_key");
    takes_sentences = value.maybe_boolean("takes_sentences").value_or(false);
    if (takes_sentences)
        request.say = [](const Sentence& sentence) { return said_mark + json::to_json(sentence).dump() + said_mark; };
    raw_body = unhex(value.text_or("raw_body"), "raw_body");
    request.raw_body = raw_body;
    request.id = value.text_or("id");
    request.address = value.text_or("address");
    request.now = Instant::from_micros(value.maybe_integer("now").value_or(0));
    if (value["headers"].is_object())
        for (const auto& [name, text] : value["headers"].members())
            headers.emplace(name, text.is_string() ? text.text() : std::string());
    request.header = [this](std::string_view name) -> std::string_view {
        const auto found = headers.find(name);
        return found == headers.end() ? std::string_view() : found->second;
    };
}

json::Value to_json(const api::Reply& reply) {
    auto value = json::Value::object({{"status", reply.status},
                                      {"data", reply.data},
                                      {"more_meta", reply.more_meta},
                                      {"message", reply.message},
                                      {"content_type", reply.content_type},
                                      {"headers", text_pairs_json(reply.headers)}});
    if (reply.page)
        value.set("page",
                  json::Value::object(
                      {{"page", reply.page->page}, {"per_page", reply.page->per_page}, {"total", reply.page->total}}));
    if (reply.raw) {
        const bool plain = is_plain(*reply.raw);
        value.set(plain ? "raw" : "raw_hex", json::Value(plain ? *reply.raw : ascii::hex(*reply.raw)));
    }
    return value;
}

api::Reply reply_from(const json::Value& value) {
    api::Reply reply;
    const auto status = value.maybe_integer("status").value_or(200);
    if (status < 200 || status > 599)
        throw Malformed("\"status\" is out of range.");
    reply.status = static_cast<int>(status);
    reply.data = value["data"];
    reply.more_meta = value["more_meta"];
    reply.message = value.text_or("message");
    reply.content_type = value.text_or("content_type", reply.content_type);
    if (const auto& page = value["page"]; page.is_object())
        reply.page = api::PageMeta{.page = page.maybe_integer("page").value_or(1),
                                   .per_page = page.maybe_integer("per_page").value_or(20),
                                   .total = page.maybe_integer("total").value_or(0)};
    if (value.find("raw"))
        reply.raw = std::make_shared<const std::string>(text_of(value, "raw"));
    else if (value.find("raw_hex"))
        reply.raw = std::make_shared<const std::string>(unhex(text_of(value, "raw_hex"), "raw_hex"));
    if (value["headers"].is_array())
        for (const auto& header : value["headers"].items())
            if (is_pair_of_texts(header))
                reply.headers.emplace_back(header[std::size_t{0}].text(), header[std::size_t{1}].text());
    return reply;
}

json::Value to_json(const std::vector<FieldError>& faults, bool with_sentences) {
    return json::array_of(faults, [&](const auto& fault) {
        auto pair = json::Value::array({json::Value(fault.field), json::Value(fault.sentence.english())});
        if (with_sentences)
            pair.push(json::to_json(fault.sentence));
        return pair;
    });
}

std::vector<FieldError> faults_from(const json::Value& value) {
    std::vector<FieldError> faults;
    if (!value.is_array())
        throw Malformed("The faults are no list.");
    for (const auto& fault : value.items()) {
        const bool has_sentence = fault.is_array() && fault.size() == 3;
        if (has_sentence ? !fault[std::size_t{0}].is_string() : !is_pair_of_texts(fault))
            throw Malformed("A fault is no pair of field and sentence.");
        faults.push_back({fault[std::size_t{0}].text(), json::sentence_from(fault[has_sentence ? 2U : 1U])});
    }
    return faults;
}

}  // namespace svc::plugin
