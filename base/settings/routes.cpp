// GET and PUT /settings.
#include "base/settings/routes.hpp"

namespace svc::settings {
namespace {

json::Value texts(const std::vector<std::string>& list) { return json::array_of(list); }

json::Value written_json(const SiteSettings& settings, const Settings::Written& written, const api::Request& request) {
    auto notices = json::Value::array();
    for (const auto& notice : settings.notices())
        notices.push(json::Value::object(
            {{"level", notice.level}, {"code", notice.code}, {"message", request.say(notice.message)}}));
    return json::Value::object({{"updated", texts(written.updated)},
                                {"rejected_keys", texts(written.rejected_keys)},
                                {"notices", std::move(notices)},
                                {"settings", settings.shown()}});
}

}  // namespace

void add_routes(api::RouteTable& routes, SiteSettings& settings, std::function<void()> then,
                std::function<void()> moved, std::function<void()> completed) {
    routes.add({
        .method = api::Method::get,
        .path = "/settings",
        .who = api::Permission::can("svc_manage_settings"),
        .summary = "Return the settings; secrets are masked.",
        .query = {{.name = "group",
                   .type = api::text(60),
                   .help = "Only settings whose key or group begins with this prefix, such as smtp."}},
        .answer = api::map(api::anything(), 10'000),
        .handle = [&settings](
                      const api::Request& request) { return api::ok(settings.shown(request.query.text_or("group"))); },
    });
    routes.add({
        .method = api::Method::put,
        .path = "/settings",
        .who = api::Permission::can("svc_manage_settings"),
        .summary = "Update settings; stores nothing if a value is invalid.",
        .answer = api::object({{.name = "updated", .type = api::list(api::text(100), 1000)},
                               {.name = "rejected_keys", .type = api::list(api::raw_text(64 * 1024), 10'000)},
                               {.name = "notices", .type = api::list(api::anything())},
                               {.name = "settings", .type = api::map(api::anything(), 10'000)}}),
        .free_body = true,
        .repeats_safely = true,
        .handle = [&settings, follow = std::move(then), moved = std::move(moved),
                   completed = std::move(completed)](const api::Request& request) -> api::Reply {
            std::vector<std::string> refused;
            const json::Value addresses = settings.shown("permalinks");
            const bool is_new = settings.text("company_name").empty();
            const json::Value values = settings.writable(request.body, refused);
            SVC_ASSIGN_OR_RETURN(auto written, settings.write(values, request.caller.user_id));
            if (follow)
                follow();
            if (moved && settings.shown("permalinks") != addresses)
                moved();
            if (is_new && completed && !settings.text("company_name").empty())
                completed();
            written.rejected_keys.insert(written.rejected_keys.end(), refused.begin(), refused.end());
            return api::ok(written_json(settings, written, request));
        },
    });
}

}  // namespace svc::settings
