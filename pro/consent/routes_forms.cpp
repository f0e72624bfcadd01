// CRUD of /consent/forms, its copies and test e-mails.
#include "pro/consent/form.hpp"
#include "pro/consent/routes.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

namespace svc::pro::consent {
namespace {

using api::Method;
using json::Value;

api::RouteSpec duplicate_route(const resource::Resource<ConsentForm>& forms) {
    auto spec = forms.action_route("duplicate", "Copy a consent form as a draft.", {}, {});
    spec.success = 201;
    spec.handle = [forms](const api::Request& request) {
        return forms.engine().write(request, true, [&](store::Transaction& tx) -> Result<record::Any> {
            SVC_ASSIGN_OR_RETURN(auto copy, duplicate(forms, tx, request.path_id(), resource::writer_of(request)));
            return std::static_pointer_cast<void>(std::make_shared<ConsentForm>(std::move(copy)));
        });
    };
    return spec;
}

api::RouteSpec test_route(const Site& site, Requests& requests) {
    auto spec = route(Method::post, "/consent/forms/send-test-email",
                      "Send the e-mail of a consent form to an address, marked as a test.");
    spec.body = api::Schema{{.name = "email", .type = api::email(), .required = true},
                            {.name = "form_id",
                             .type = api::id().referring_to("consent/forms").or_null(),
                             .help = "Else the form's fields."}}
                    .plus(form_record().update_schema().without({"row_version"}));
    spec.answer = api::object("ConsentTestSent", {{.name = "sent", .type = api::boolean(), .required = true}});
    spec.stores_reply = true;
    spec.handle = [&site, &requests](const api::Request& request) -> api::Reply {
        const std::int64_t form_id = request.body.maybe_integer("form_id").value_or(0);
        std::string name = request.body.text_or("name");
        if (form_id > 0) {
            const auto form = site.store.reading<std::optional<ConsentForm>>(
                [&](store::Session& session) { return form_record().find(session, form_id); });
            if (!form)
                return api::failed(invalid("form_id", "There is no such form."_sentence));
            name = name.empty() ? form->name : name;
        }
        if (name.empty())
            return api::failed(missing("form_id"));
        return api::respond_once(
            request, [&] { return requests.send_test(name, request.body.text_or("email"), form_id, request.now); },
            [](bool sent) {
                return api::ok(Value::object({{"sent", sent}}));
            });
    };
    return spec;
}

}  // namespace

api::RouteSpec route(Method method, std::string path, std::string summary) {
    api::RouteSpec spec{
        .method = method, .path = std::move(path), .who = api::Permission::can(std::string(capability)), .handle = {}};
    spec.module = std::string(module_slug);
    spec.summary = std::move(summary);
    return spec;
}

void add_form_routes(const Site& site, Requests& requests) {
    const auto forms = form_resource(site);
    for (auto& spec : {forms.list_route(), forms.create_route(), forms.read_route(), forms.update_route(),
                       forms.remove_route(), forms.bulk_route(), duplicate_route(forms)})
        site.routes.add(spec, resource::Routes::headers());
    site.routes.add(test_route(site, requests));
}

}  // namespace svc::pro::consent
