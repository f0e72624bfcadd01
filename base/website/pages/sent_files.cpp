// The texts of a form with files are those of any other form.
#include "base/website/pages/sent_files.hpp"

#include "base/catalog/media/multipart.hpp"
#include "shared/core/text.hpp"

namespace svc::pages {

void read_files(PageRequest& visit, std::string_view type) {
    constexpr std::size_t most_parts = 2000;
    const auto parts = catalog::media::read_form(type, visit.http.body, most_parts);
    if (!parts)
        throw Stopped{400, visit.words.say_text("The form cannot be read.")};
    for (const catalog::media::FormPart& part : *parts) {
        if (part.file_name) {
            if (!part.content.empty())
                visit.files.push_back({part.name, *part.file_name, part.content});
            continue;
        }
        json::Value value{text::made_utf8(part.content)};
        const json::Value* known = visit.form.find(part.name);
        if (!known) {
            visit.form.set(part.name, std::move(value));
            continue;
        }
        // As api::parse_query() reads a name that is there twice.
        json::Value all = known->is_array() ? *known : json::Value::array({*known});
        all.push(std::move(value));
        visit.form.set(part.name, std::move(all));
    }
}

}  // namespace svc::pages
