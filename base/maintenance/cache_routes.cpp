// The routes of the caches: list, switch on and off, clear, warm.
#include <algorithm>
#include <deque>
#include <mutex>

#include "base/maintenance/hooks.hpp"
#include "base/maintenance/routes.hpp"
#include "shared/api/named.hpp"

namespace svc::maintenance {
namespace {

using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

constexpr const char* switch_key = "cache_enabled";
constexpr std::int64_t most_viewed = 10'000;

// The recent operations on this process's caches. Any thread.
class Operations {
  public:
    static constexpr std::size_t most = 10;
    void note(const char* what, std::string_view target, Instant at, std::chrono::microseconds took) {
        const std::lock_guard lock(mutex_);
        if (all_.size() == most)
            all_.pop_back();
        all_.push_front(Value::object(
            {{"operation", what}, {"key", target}, {"at", at}, {"milliseconds", milliseconds_of(took.count())}}));
        total_ += took.count();
        ++count_;
    }
    [[nodiscard]] Value recent() const {
        const std::lock_guard lock(mutex_);
        return json::array_of(all_);
    }
    [[nodiscard]] Value average() const {
        const std::lock_guard lock(mutex_);
        return milliseconds_of(count_ == 0 ? 0 : total_ / count_);
    }
    static json::Number milliseconds_of(std::int64_t micros) {
        std::string thousandths = std::to_string(micros % 1'000);
        thousandths.insert(0, 3 - thousandths.size(), '0');
        return {std::to_string(micros / 1'000) + "." + thousandths};
    }

  private:
    mutable std::mutex mutex_;
    std::deque<Value> all_;
    std::int64_t total_ = 0, count_ = 0;
};

enum class Reach : bool { here, all };  // this process, or all of the installation

struct CacheDesk {
    const Site& site;
    const caches::Caches& caches;
    std::shared_ptr<Operations> operations = std::make_shared<Operations>();

    // Clears, notifies listeners and, if that reaches them, the other processes, and returns the duration.
    Reply clear(const Request& request, std::string_view group, const Value& id,
                const std::function<std::int64_t()>& work, const std::function<Value(std::int64_t, Value)>& report,
                Reach reach = Reach::all) const {
        const auto began = std::chrono::steady_clock::now();
        const std::int64_t cleared = work();
        const auto written = site.store.write([&](store::Transaction& tx) -> Result<void> {
            site.hooks.emit(tx, clear_cache, {Value(group), id});
            if (reach == Reach::all)
                store::touch(tx, caches::changes_channel);
            return {};
        });
        if (!written)
            return api::failed(written.error());
        const auto took =
            std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
        operations->note("clear", id.is_string() ? id.text() : std::string(group), request.now, took);
        return api::ok(report(cleared, Operations::milliseconds_of(took.count())));
    }

    Reply turn(const Request& request, bool on) const {
        SVC_RETURN_IF_ERROR(site.settings.write(Value::object({{switch_key, on}}), request.caller.user_id));
        operations->note(on ? "enable" : "disable", "", request.now, {});
        return api::ok(Value::object({{"cache_enabled", on}}));
    }
};

std::int64_t permille(std::int64_t part, std::int64_t whole) { return whole == 0 ? 0 : part * 1'000 / whole; }

Value percent_of(std::int64_t part, std::int64_t whole) {
    const auto tenths = permille(part, whole);
    return json::Number{std::to_string(tenths / 10) + "." + std::to_string(tenths % 10)};
}

Value usage_json(const caches::Cache& cache) {
    const auto usage = cache.usage();
    return Value::object({{"name", cache.name},
                          {"group", cache.group},
                          {"description", cache.help},
                          {"entries", usage.entries},
                          {"size", usage.bytes},
                          {"hits", usage.hits},
                          {"misses", usage.misses},
                          {"hit_rate", percent_of(usage.hits, usage.hits + usage.misses)},
                          {"can_disable", static_cast<bool>(cache.use)}});
}

Value switched(const Site& site, const Request& request) {
    const bool on = site.settings.flag(switch_key);
    return Value::object({{"cache_enabled", on},
                          {"effective", on},
                          {"reason", on ? Value() : Value(request.say("The setting cache_enabled is off."_sentence))}});
}

Reply stats(const CacheDesk& desk, const Request& request) {
    caches::Usage all;
    auto list = Value::array();
    for (const caches::Cache& cache : desk.caches.all()) {
        const auto usage = cache.usage();
        all.hits += usage.hits;
        all.misses += usage.misses;
        list.push(usage_json(cache));
    }
    const Value state = switched(desk.site, request);
    return api::ok(Value::object({{"total_operations", all.hits + all.misses},
                                  {"cache_hits", all.hits},
                                  {"cache_misses", all.misses},
                                  {"hit_rate", percent_of(all.hits, all.hits + all.misses)},
                                  {"avg_execution_time", desk.operations->average()},
                                  {"cache_enabled", state["cache_enabled"]},
                                  {"cache_effective", state["effective"]},
                                  {"cache_reason_disabled", state["reason"]},
                                  {"recent_operations", desk.operations->recent()},
                                  {"caches", std::move(list)}}));
}

Reply view(const caches::Caches& caches, const Request& request) {
    const std::string search = request.query.text_or("search");
    const auto page = request.query["page"].integer(), per_page = request.query["per_page"].integer();
    const std::int64_t first = (page - 1) * per_page;
    auto rows = Value::array();
    std::int64_t total = 0, size = 0;
    for (const caches::Cache& cache : caches.all())
        cache.each([&](const caches::Entry& entry) {
            if (entry.key.find(search) == std::string::npos || total >= most_viewed)
                return;
            if (total >= first && total < first + per_page)
                rows.push(Value::object({{"key", entry.key},
                                         {"type", "memory"},
                                         {"group", cache.group},
                                         {"size", entry.size},
                                         {"created_at", nullptr},
                                         {"expires_at", nullptr}}));
            ++total;
            size += entry.size;
        });
    Reply reply =
        api::ok(Value::object({{"cache_data", std::move(rows)}, {"total_items", total}, {"total_size", size}}));
    reply.page = api::PageMeta{page, per_page, total};
    return reply;
}

Reply warm(const CacheDesk& desk, const Request& request) {
    const auto began = std::chrono::steady_clock::now();
    auto warmed = Value::array();
    for (const caches::Cache& cache : desk.caches.all())
        if (cache.warm) {
            cache.warm();
            warmed.push(cache.name + ":");
        }
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
    desk.operations->note("warm", "", request.now, took);
    return api::ok(Value::object(
        {{"warmed_patterns", std::move(warmed)}, {"execution_time", Operations::milliseconds_of(took.count())}}));
}

// The first cache of a group creates the group.
bool is_group(const caches::Caches& caches, std::string_view group) {
    const auto& all = caches.all();
    return std::any_of(all.begin(), all.end(), [&](const caches::Cache& cache) { return cache.group == group; });
}

api::RouteSpec spec_of(api::Method method, const char* path, const char* summary, api::Type answer) {
    return {.method = method,
            .path = path,
            .who = Permission::can("svc_manage_settings"),
            .summary = summary,
            .answer = std::move(answer),
            .repeats_safely = method != api::Method::get};
}

void add_readers(const CacheDesk& desk) {
    const Site& site = desk.site;
    const api::Field enabled{.name = "cache_enabled", .type = api::boolean(), .help = "The setting of this name."};
    const api::Schema cache{{.name = "name", .type = api::text(40), .help = "The prefix of its keys."},
                            {.name = "group", .type = api::text(40)},
                            {.name = "description", .type = api::text(300)},
                            {.name = "entries", .type = api::integer(0)},
                            {.name = "size", .type = api::integer(0), .help = "Bytes; 0 if not counted."},
                            {.name = "hits", .type = api::integer(0)},
                            {.name = "misses", .type = api::integer(0)},
                            {.name = "hit_rate", .type = api::percent()},
                            {.name = "can_disable", .type = api::boolean()}};
    const api::Schema operation{{.name = "operation", .type = api::text(40)},
                                {.name = "key", .type = api::text(300), .help = "The cleared key; empty: all."},
                                {.name = "at", .type = api::instant()},
                                {.name = "milliseconds", .type = api::decimal(0)}};
    const api::Schema entry{{.name = "key", .type = api::text(500)},
                            {.name = "type", .type = api::choice({"memory"})},
                            {.name = "group", .type = api::text(40)},
                            {.name = "size", .type = api::integer(0), .help = "Bytes; 0 if not counted."},
                            {.name = "created_at",
                             .type = api::instant().or_null(),
                             .help = "Always null: caches in memory do not store it."},
                            {.name = "expires_at",
                             .type = api::instant().or_null(),
                             .help = "Always null: an entry is valid until its record changes."}};
    auto spec = spec_of(
        api::Method::get, "/cache/stats", "Return the sizes and hit rates of this process's caches.",
        api::object("CacheStats",
                    {{.name = "total_operations", .type = api::integer(0), .help = "Look-ups."},
                     {.name = "cache_hits", .type = api::integer(0)},
                     {.name = "cache_misses", .type = api::integer(0)},
                     {.name = "hit_rate", .type = api::percent()},
                     {.name = "avg_execution_time",
                      .type = api::decimal(0),
                      .help = "Average time of clearing and warming in milliseconds."},
                     enabled,
                     {.name = "cache_effective", .type = api::boolean()},
                     {.name = "cache_reason_disabled", .type = api::text(200).or_null()},
                     {.name = "recent_operations", .type = api::list(api::object("CacheOperation", operation), 10)},
                     {.name = "caches", .type = api::list(api::object("Cache", cache))}}));
    spec.handle = [desk](const Request& request) { return stats(desk, request); };
    site.routes.add(spec);

    spec = spec_of(
        api::Method::get, "/cache/view", "List the keys in the caches of this process, without their values.",
        api::object("CacheView", {{.name = "cache_data", .type = api::list(api::object("CacheEntry", entry), 100)},
                                  {.name = "total_items", .type = api::integer(0)},
                                  {.name = "total_size", .type = api::integer(0)}}));
    spec.query = {{.name = "search", .type = api::text(200)},
                  {.name = "page", .type = api::integer(1, 1'000), .otherwise = Value(1)},
                  {.name = "per_page", .type = api::integer(1, 100), .otherwise = Value(20)}};
    spec.handle = [&caches = desk.caches](const Request& request) { return view(caches, request); };
    site.routes.add(spec);

    spec = spec_of(api::Method::get, "/cache/status", "Return whether the caches are enabled.",
                   api::object("CacheStatus", {enabled,
                                               {.name = "effective_status", .type = api::boolean()},
                                               {.name = "reason_disabled", .type = api::text(200).or_null()}}));
    spec.handle = [&site](const Request& request) {
        const Value state = switched(site, request);
        return api::ok(Value::object({{"cache_enabled", state["cache_enabled"]},
                                      {"effective_status", state["effective"]},
                                      {"reason_disabled", state["reason"]}}));
    };
    site.routes.add(spec);
}

void add_switches(const CacheDesk& desk) {
    const api::Type answer = api::object("CacheSwitch", {{.name = "cache_enabled", .type = api::boolean()}});
    for (const auto method : {api::Method::put, api::Method::post})
        for (const bool on : {true, false}) {
            auto spec = spec_of(
                method, on ? "/cache/enable" : "/cache/disable",
                on ? "Enable the caches (the setting cache_enabled)."
                   : "Disable the caches: the server computes each answer anew and forbids clients to cache it.",
                answer);
            if (method == api::Method::post)
                spec.name = on ? "turnOnCache" : "turnOffCache";
            spec.handle = [desk, on](const Request& request) { return desk.turn(request, on); };
            desk.site.routes.add(spec);
        }
    auto spec = spec_of(api::Method::post, "/cache/toggle", "Enable or disable the caches.", answer);
    spec.body = {{.name = "enabled", .type = api::boolean(), .required = true}};
    spec.handle = [desk](const Request& request) { return desk.turn(request, request.body["enabled"].boolean()); };
    desk.site.routes.add(spec);
}

void add_whole_clearers(const CacheDesk& desk) {
    const Site& site = desk.site;
    auto spec = spec_of(
        api::Method::del, "/cache/clear-all", "Clear all caches in all processes.",
        api::object("ClearedAll", {{.name = "cleared", .type = api::integer(0)},
                                   {.name = "execution_time", .type = api::decimal(0), .help = "Milliseconds."}}));
    const auto clear_all = [desk](const Request& request) {
        return desk.clear(
            request, "", {}, [&] { return desk.caches.clear({}); },
            [](std::int64_t cleared, Value took) {
                return Value::object({{"cleared", cleared}, {"execution_time", std::move(took)}});
            });
    };
    spec.handle = clear_all;
    site.routes.add(spec);

    spec = spec_of(api::Method::del, "/tools/clear-cache", "Clear all caches in all processes.",
                   api::object("ClearedCache", {{.name = "cleared", .type = api::boolean()}}));
    spec.name = "clearAllCaches";
    spec.who = Permission::can("manage_options");
    spec.handle = [desk](const Request& request) {
        return desk.clear(
            request, "", {}, [&] { return desk.caches.clear({}); },
            [](std::int64_t, const Value&) {
                return Value::object({{"cleared", true}});
            });
    };
    site.routes.add(spec);
}

void add_clearers(const CacheDesk& desk) {
    const Site& site = desk.site;
    const api::Field key{.name = "key", .type = api::text(300, 3), .required = true};
    auto spec = spec_of(api::Method::del, "/cache/clear-item", "Clear one entry of a cache.",
                        api::object("ClearedItem", {{.name = "key", .type = api::text(300)},
                                                    {.name = "type", .type = api::text(20)},
                                                    {.name = "cleared", .type = api::integer(0)}}));
    spec.query = {
        key,
        {.name = "type",
         .type = api::choice({"memory", "store"}),
         .help = "`memory`: in this process alone; `store`: in every process, the others of which forget all that they"
                 " hold.",
         .otherwise = Value("memory")}};
    spec.handle = [desk](const Request& request) {
        const std::string name = request.query.text_or("key"), type = request.query.text_or("type");
        const caches::Cache* cache = desk.caches.cache_of(name);
        return desk.clear(
            request, cache ? std::string_view(cache->group) : std::string_view{}, name,
            [&] { return cache ? cache->clear(name, caches::Match::whole) : 0; },
            [&](std::int64_t cleared, const Value&) {
                return Value::object({{"key", name}, {"type", type}, {"cleared", cleared}});
            },
            // A key of no cache is nowhere else either.
            cache && type == "store" ? Reach::all : Reach::here);
    };
    site.routes.add(spec);

    spec = spec_of(api::Method::del, "/cache/clear-pattern", "Clear the entries whose key begins with the pattern.",
                   api::object("ClearedPattern", {{.name = "pattern", .type = api::text(300)},
                                                  {.name = "cleared", .type = api::integer(0)}}));
    spec.query = {{.name = "pattern", .type = api::text(300, 3), .help = "For example `trips:`.", .required = true}};
    spec.handle = [desk](const Request& request) {
        const std::string pattern = request.query.text_or("pattern");
        return desk.clear(
            request, "", pattern, [&] { return desk.caches.clear(pattern); },
            [&](std::int64_t cleared, const Value&) {
                return Value::object({{"pattern", pattern}, {"cleared", cleared}});
            });
    };
    site.routes.add(spec);

    spec = spec_of(api::Method::del, "/cache/clear-group", "Clear a group of caches.",
                   api::object("ClearedGroup", {{.name = "group", .type = api::text(40)},
                                                {.name = "cleared", .type = api::integer(0)}}));
    spec.query = {{.name = "group", .type = api::text(40), .help = "As in /cache/stats.", .required = true}};
    spec.handle = [desk](const Request& request) {
        const std::string group = request.query.text_or("group");
        if (!is_group(desk.caches, group))
            return api::failed(invalid("group", "There is no such group. GET /cache/stats lists them."_sentence));
        return desk.clear(
            request, group, {}, [&] { return desk.caches.clear_group(group); },
            [&](std::int64_t cleared, const Value&) {
                return Value::object({{"group", group}, {"cleared", cleared}});
            });
    };
    site.routes.add(spec);
    add_whole_clearers(desk);
}

}  // namespace

void add_cache_routes(const Site& site, const caches::Caches& caches) {
    const CacheDesk desk{site, caches};
    add_readers(desk);
    add_switches(desk);
    add_clearers(desk);
    auto spec = spec_of(api::Method::post, "/cache/warm", "Warm the caches.",
                        api::object("WarmedCaches", {{.name = "warmed_patterns", .type = api::list(api::text(60))},
                                                     {.name = "execution_time", .type = api::decimal(0)}}));
    spec.handle = [desk](const Request& request) { return warm(desk, request); };
    site.routes.add(spec);
}

}  // namespace svc::maintenance
