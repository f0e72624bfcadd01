// A plugin's pages behind the plugin interface, and how origins cross it.
#include "shared/plugin/host_pages.hpp"

#include "shared/json/sentence.hpp"
#include "shared/plugin/codec.hpp"
#include "shared/plugin/crossing.hpp"

namespace svc::plugin {
namespace {

struct OriginList {
    const char* name;
    std::vector<std::string> pages::Origins::*list;
};
constexpr OriginList origin_lists[] = {{"form", &pages::Origins::form},
                                       {"script", &pages::Origins::script},
                                       {"frame", &pages::Origins::frame},
                                       {"connect", &pages::Origins::connect},
                                       {"image", &pages::Origins::image}};

bool is_origin(const std::string& text) {
    const std::size_t scheme = text.starts_with("https://") ? 8 : text.starts_with("http://") ? 7 : 0;
    return scheme > 0 && text.size() > scheme && text.size() <= 200 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-:*", scheme) == std::string::npos;
}

// For a base that reads sentences of pages as texts: each as its English text.
json::Value with_texts(const json::Value& shown) {
    if (shown.is_array())
        return json::array_of(shown.items(), with_texts);
    if (!shown.is_object())
        return shown;
    if (shown["id"].is_string() && (shown.size() == 1 || (shown.size() == 2 && shown["values"].is_object())))
        return json::sentence_from(shown).english();
    json::Value all = json::Value::object();
    for (const auto& [name, value] : shown.members())
        all.set(name, name == "title" || name == "sentence" || !value.is_object() || !value["id"].is_string()
                          ? with_texts(value)
                          : value);
    return all;
}

void require_ok(svc_status status, const std::string& what) {
    if (status != SVC_OK)
        throw Refused("The base refused " + what + ".");
}

}  // namespace

json::Value to_json(const pages::Origins& origins) {
    json::Value value = json::Value::object();
    for (const auto& [name, list] : origin_lists)
        value.set(name, texts(origins.*list));
    return value;
}

pages::Origins origins_from(const json::Value& value) {
    pages::Origins origins;
    if (!value.is_object())
        return origins;
    for (const auto& [name, list] : origin_lists) {
        origins.*list = texts_of(value, name);
        for (const std::string& each : origins.*list)
            if (!is_origin(each))
                throw Malformed("\"" + each + "\" is no origin such as https://js.example.com.");
    }
    return origins;
}

bool Pages::add(pages::OfferedPage page) {
    const bool is_account_page = !page.account_label.empty();
    if (is_account_page && !SVC_HAS(svc_pages_1, table_, add_account_page))
        return false;
    auto& held = pages_.emplace_back(std::move(page));
    const auto text = json::Value::object({{"path", held.path},
                                           {"type", held.type},
                                           {"template", held.template_source},
                                           {"module", held.module},
                                           {"forms", held.takes_forms},
                                           {"shared", held.is_shared},
                                           {"label", held.account_label},
                                           {"origins", to_json(held.origins)}})
                          .dump();
    const auto add_page = is_account_page ? table_->add_account_page : table_->add_page;
    require_ok(add_page(table_->self, borrow(text), &held, &show), "the page " + held.path);
    return true;
}

void Pages::add(const pages::OfferedAsset& asset) {
    require_ok(table_->add_asset(table_->self, borrow(asset.name), borrow(asset.text)), "the file " + asset.name);
}

bool Pages::add(pages::OfferedTag tag) {
    if (!SVC_HAS(svc_pages_1, table_, add_tag))
        return false;
    auto& held = tags_.emplace_back(std::move(tag));
    const auto text = json::Value::object({{"id", held.id},
                                           {"name", held.name},
                                           {"purpose", held.purpose},
                                           {"asset", held.asset},
                                           {"module", held.module},
                                           {"origins", to_json(held.origins)},
                                           {"cookies", texts(held.cookies)}})
                          .dump();
    require_ok(table_->add_tag(table_->self, borrow(text), &held, &configure), "the tag " + held.id);
    return true;
}

void Pages::declare(std::string_view of, const pages::Origins& origins) {
    const auto text = to_json(origins).dump();
    require_ok(table_->declare_origins(table_->self, borrow(of), borrow(text)), "the origins of " + std::string(of));
}

svc_status Pages::show(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const json::Value asked = read_json(request);
        auto shown = static_cast<const pages::OfferedPage*>(context)->show(asked);
        if (shown && !asked.maybe_boolean("takes_sentences").value_or(false))
            shown = with_texts(*shown);
        return shown ? answer_value(answer, *shown) : answer_error(answer, shown.error());
    });
}

svc_status Pages::configure(void* context, svc_text request, svc_answer* answer) noexcept {
    return barrier(answer, [&] {
        const auto made = static_cast<const pages::OfferedTag*>(context)->configure(read_json(request));
        return made ? answer_value(answer, *made) : answer_error(answer, made.error());
    });
}

}  // namespace svc::plugin
