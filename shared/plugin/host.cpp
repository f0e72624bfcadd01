// A plugin's wrappers around the tables of the base.
#include "shared/plugin/host.hpp"

#include "shared/plugin/codec.hpp"
#include "shared/plugin/crossing.hpp"

namespace svc::plugin {
namespace {

void registered(svc_status status, const std::string& what) {
    if (status != SVC_OK)
        throw Refused("The base refused " + what + ".");
}

std::vector<svc_step> faces(const std::vector<Step>& steps) {
    std::vector<svc_step> list;
    list.reserve(steps.size());
    for (const auto& step : steps)
        list.push_back({borrow(step.name), borrow(step.sql)});
    return list;
}

// A request for the handler. A free body that arrives as bytes is parsed here, as a base that supports them does.
Result<void> read_free_body(api::Request& request) {
    request.body = json::Value::object();
    if (request.raw_body.empty())
        return {};
    SVC_ASSIGN_OR_RETURN(auto body, json::parse(request.raw_body));
    if (!body.is_object())
        return Error{errc::invalid_json, "The body must be a JSON object."_sentence};
    request.body = std::move(body);
    return {};
}

}  // namespace

void Routes::add(api::RouteSpec spec, const std::vector<std::string>& headers) {
    auto& held = added_.emplace_back(Added{table_, std::move(spec)});
    const bool is_decided = held.spec.who.is_decided();
    svc_status status = SVC_REFUSED;
    if (SVC_HAS(svc_routes_1, table_, add_route)) {
        const auto text = to_json(held.spec, headers).dump();
        const svc_route_1 functions{sizeof(svc_route_1), &held, &handle, is_decided ? &check : nullptr,
                                    held.spec.rules ? &rules : nullptr};
        status = table_->add_route(table_->self, borrow(text), &functions);
    } else {
        if (held.spec.free_body) {
            held.reads_body = true;
            held.spec.raw_body_only = true;
            held.spec.raw_media = "application/json";
        }
        const auto text = to_json(held.spec, headers).dump();
        status = is_decided ? table_->add_decided(table_->self, borrow(text), &held, &check, &handle)
                            : table_->add(table_->self, borrow(text), &held, &handle);
    }
    registered(status, "the route " + std::string(api::name_of(held.spec.method)) + " " + held.spec.path);
}

svc_status Routes::handle(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto& [table, spec, reads_body] = *static_cast<const Added*>(context);
        HeldRequest held(read_json(request), spec);
        if (reads_body)
            if (const auto read = read_free_body(held.request); !read)
                return answer_error(answer, read.error());
        if (held.reply_key)
            held.request.keep_reply = [table = table, key = *held.reply_key](store::Transaction& tx,
                                                                             const api::Reply& reply) {
                Answer stored;
                const auto text = to_json(reply).dump();
                const auto outcome =
                    stored.done(table->keep_reply(table->self, Store::face_of(tx), key, borrow(text), stored.table()));
                if (!outcome)
                    throw Failed("The base could not keep an answer.");
            };
        const auto reply = spec.handle(held.request);
        return reply.error ? answer_error(answer, *reply.error) : answer_value(answer, to_json(reply));
    });
}

svc_status Routes::check(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto& added = *static_cast<const Added*>(context);
        HeldRequest held(read_json(request), added.spec);
        if (added.reads_body)
            if (const auto read = read_free_body(held.request); !read)
                return answer_error(answer, read.error());
        return answer_result(answer, added.spec.who.admits(held.request));
    });
}

svc_status Routes::rules(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto& spec = static_cast<const Added*>(context)->spec;
        const HeldRequest held(read_json(request), spec);
        const auto faults = spec.rules(held.request);
        return faults ? answer_value(answer, to_json(*faults, held.takes_sentences))
                      : answer_error(answer, faults.error());
    });
}

void Settings::declare(const Setting& setting) {
    const auto text = json::Value::object({{"key", setting.key},
                                           {"type", to_json(setting.type)},
                                           {"fresh", setting.initial},
                                           {"says", setting.help},
                                           {"group", setting.group},
                                           {"secret", setting.secret},
                                           {"module", setting.module},
                                           {"also", texts(setting.also)}})
                          .dump();
    registered(table_->declare(table_->self, borrow(text)), "the setting " + setting.key);
}

json::Value Settings::get(std::string_view key) const {
    Answer answer;
    auto value = answer.value(table_->get(table_->self, borrow(key), answer.table()));
    if (!value)
        throw Failed("The base has no setting " + std::string(key) + ".");
    return std::move(*value);
}

Result<void> Settings::write(const json::Value& values, store::Transaction* tx, std::int64_t user_id) {
    Answer answer;
    const auto text = values.dump();
    return answer.done(
        table_->write(table_->self, tx ? Store::face_of(*tx) : nullptr, borrow(text), user_id, answer.table()));
}

void Modules::declare(Module module) {
    const auto text = json::Value::object({{"slug", module.slug},
                                           {"name", module.name},
                                           {"description", module.description},
                                           {"category", module.category},
                                           {"plan", module.plan},
                                           {"requires_pro", true},
                                           {"depends_on", texts(module.depends_on)},
                                           {"settings", to_json(module.settings)},
                                           {"secret_settings", texts(module.secret_settings)}})
                          .dump();
    const auto steps = faces(module.steps);
    const bool prepares = static_cast<bool>(module.prepare);
    auto& held = prepares_.emplace_back(std::move(module.prepare));
    registered(
        table_->declare(table_->self, borrow(text), steps.data(), steps.size(), &held, prepares ? &prepare : nullptr),
        "the module " + module.slug);
}

svc_status Modules::prepare(void* context, svc_answer* why_not) noexcept {
    return barrier(why_not, [&] {
        return answer_result(why_not, (*static_cast<const std::function<Result<void>()>*>(context))());
    });
}

void Modules::storage(const std::vector<Step>& steps) {
    const auto list = faces(steps);
    registered(table_->storage(table_->self, list.data(), list.size()), "the plugin's storage steps");
}

bool Modules::enabled(std::string_view slug) const { return table_->enabled(table_->self, borrow(slug)) == 1; }

Result<json::Value> Modules::settings(std::string_view slug) const {
    Answer answer;
    return answer.value(table_->settings(table_->self, borrow(slug), answer.table()));
}

void Jobs::add(Job job) {
    auto& held = jobs_.emplace_back(std::move(job));
    auto value = json::Value::object({{"name", held.name}, {"says", held.help}, {"every", held.every.count()}});
    if (held.daily_at)
        value.set("daily_at", json::Value(*held.daily_at));
    const auto text = value.dump();
    registered(table_->add(table_->self, borrow(text), &held, &run), "the job " + held.name);
}

svc_status Jobs::run(void* context, std::int64_t now, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        return answer_result(answer, static_cast<const Job*>(context)->run(Instant::from_micros(now)));
    });
}

void Jobs::wake(std::string_view name) { table_->wake(table_->self, borrow(name)); }

void Log::write(log::Level level, std::string_view event, log::Fields fields) const {
    auto object = json::Value::object();
    for (const auto& [name, value] : fields)
        object.set(std::string(name), value.quoted ? json::Value(value.text) : json::Value(json::Number{value.text}));
    const auto text = object.dump();
    table_->write(table_->self, static_cast<std::uint32_t>(level), borrow(event), borrow(text));
}

std::string Secrets::seal(std::string_view secret, std::string_view bound_to) const {
    Answer answer;
    auto sealed = answer.value(table_->seal(table_->self, borrow(secret), borrow(bound_to), answer.table()));
    if (!sealed)
        throw Failed("The base could not seal a secret.");
    return sealed->text();
}

Result<std::string> Secrets::open(std::string_view sealed, std::string_view bound_to) const {
    Answer answer;
    SVC_ASSIGN_OR_RETURN(auto secret,
                         answer.value(table_->open(table_->self, borrow(sealed), borrow(bound_to), answer.table())));
    return secret.text();
}

Result<FetchReply> Fetch::operator()(const FetchRequest& request) const {
    const auto text = json::Value::object({{"method", request.method},
                                           {"url", request.url},
                                           {"headers", headers_json(request.headers)},
                                           {"body", request.body},
                                           {"timeout_ms", static_cast<std::int64_t>(request.timeout.count())},
                                           {"limit", static_cast<std::uint64_t>(request.limit)}})
                          .dump();
    Answer answer;
    SVC_ASSIGN_OR_RETURN(auto value, answer.value(table_->fetch(table_->self, borrow(text), answer.table())));
    FetchReply reply;
    reply.status = static_cast<int>(value.maybe_integer("status").value_or(0));
    reply.body = value.text_or("body");
    reply.headers = headers_from(value);
    return reply;
}

Result<bool> ConfirmModes::confirms(std::int64_t booking_id, bool settles_in_full) const {
    Answer answer;
    std::int32_t confirms = 0;
    auto outcome =
        answer.done(table_->confirms(table_->self, booking_id, settles_in_full ? 1 : 0, &confirms, answer.table()));
    if (!outcome)
        return outcome.error();
    return confirms == 1;
}

Host::Host(const svc_host* host) : host_(host) {}

Host::~Host() {
    while (!kept_.empty())
        kept_.pop_back();
}

std::string Host::version() const { return std::string(view(host_->version)); }

const void* Host::service(const char* id) const { return host_->service(host_->self, id); }

svc_status attach_plugin(void (*attach)(Host&), const svc_host* host, void** self, svc_answer* why_not) noexcept {
    try {
        if (!SVC_HAS(svc_host, host, service) || !self)
            return answer_failure(why_not, SVC_FAILURE_EXCEPTION, "The base's host table is too short.");
        auto attached = std::make_unique<Host>(host);
        attach(*attached);
        *self = attached.release();
        return SVC_OK;
    } catch (const Refused& refused) {
        return answer_failure(why_not, SVC_FAILURE_EXCEPTION, refused.what()), SVC_REFUSED;
    } catch (...) {
        return answer_exception(why_not);
    }
}

void detach_plugin(void* self) noexcept { delete static_cast<Host*>(self); }

}  // namespace svc::plugin
