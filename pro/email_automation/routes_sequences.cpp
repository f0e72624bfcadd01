// CRUD of /email-sequences.
#include "pro/email_automation/mails.hpp"
#include "pro/email_automation/resource.hpp"
#include "pro/email_automation/routes.hpp"

namespace svc::pro::email_automation {
namespace {

using json::Value;

// Texts of steps without a template are read by the base, as those of templates are.
Result<void> check_texts(const Templates& templates, const Value& body) {
    if (!body["steps"].is_array())
        return {};
    std::size_t number = 0;
    Faults faults;
    for (const Value& step : body["steps"].items()) {
        const std::string path = "steps." + std::to_string(++number) + ".custom_";
        const std::string subject = step.text_or("custom_subject"), text = step.text_or("custom_body");
        if (step["template_id"].is_number() || (subject.empty() && text.empty()))
            continue;
        const auto checked = templates.check_texts(std::string(plain_message), subject, text);
        if (checked)
            continue;
        if (checked.error().code().status != 400)
            return checked.error();
        for (const FieldError& fault : checked.error().fields())
            faults.at(path + fault.field, fault.sentence);
    }
    return faults.outcome();
}

api::RouteSpec create_route(const SequenceResource& resource, const Templates& templates) {
    auto spec = resource.create_route();
    spec.handle = [inner = spec.handle, &templates](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(check_texts(templates, request.body));
        return inner(request);
    };
    return spec;
}

// Everything of an update but its commit.
Result<Sequence> updated(const SequenceResource& resource, store::Transaction& tx, const api::Request& request,
                         std::optional<std::int64_t> version) {
    const auto before = sequence_record().find(tx, request.path_id());
    SVC_ASSIGN_OR_RETURN(const auto written, resource.engine().update(tx, request.path_id(), request.body, version,
                                                                      resource::writer_of(request)));
    Sequence after = *static_cast<const Sequence*>(written.get());
    EditEffect effect{.active = after.enrolled_active, .due_now = 0, .finished = 0};
    if (before && before->steps != after.steps) {
        effect = move_enrolled(tx, after.id, before->steps, after.steps, request.now);
        after = sequence_record().find(tx, after.id).value();
    }
    after.edit_effect = effect;
    return after;
}

// What would happen, in a transaction that is taken back.
api::Reply tried(const Site& site, const SequenceResource& resource, const api::Request& request,
                 std::optional<std::int64_t> version) {
    std::optional<Sequence> seen;
    static const ErrorCode taken_back{"svc_taken_back", 409, "Nothing was stored."};
    const auto done = site.store.write([&](store::Transaction& tx) -> Result<void> {
        SVC_ASSIGN_OR_RETURN(seen, updated(resource, tx, request, version));
        return taken_back;
    });
    if (!seen ||
        (!done && done.error().code().name != taken_back.name))  // it comes back from the base as another object
        return api::failed(done.error());
    return api::ok(sequence_record().to_json(*seen));
}

api::RouteSpec update_route(const Site& site, const SequenceResource& resource, const Templates& templates) {
    auto spec = resource.update_route();
    spec.handle = [&site, resource, &templates](const api::Request& request) -> api::Reply {
        SVC_RETURN_IF_ERROR(check_texts(templates, request.body));
        SVC_ASSIGN_OR_RETURN(const auto version, resource.engine().version_of(request));
        if (request.body.maybe_boolean("dry_run").value_or(false))
            return tried(site, resource, request, version);
        return resource.engine().write(request, false, [&](store::Transaction& tx) -> Result<record::Any> {
            SVC_ASSIGN_OR_RETURN(auto after, updated(resource, tx, request, version));
            return std::static_pointer_cast<void>(std::make_shared<Sequence>(std::move(after)));
        });
    };
    return spec;
}

}  // namespace

void add_sequence_routes(const Site& site, Templates& templates) {
    const auto resource = sequence_resource(site);
    auto list = resource.list_route();
    list.summary = "List e-mail sequences.";  // they have no trash
    site.routes.add(std::move(list), resource::Routes::headers());
    site.routes.add(resource.read_route(), resource::Routes::headers());
    site.routes.add(create_route(resource, templates), resource::Routes::headers());
    site.routes.add(update_route(site, resource, templates), resource::Routes::headers());
    site.routes.add(resource.remove_route(), resource::Routes::headers());
}

}  // namespace svc::pro::email_automation
