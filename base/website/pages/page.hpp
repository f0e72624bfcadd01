// A page, declared once: the router, the page gate, the sitemap and the tests read it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/platform/templates/later.hpp"
#include "shared/json/value.hpp"
#include "shared/pages/origins.hpp"

namespace svc::pages {

class PageRequest;

// A list's items without a copy of them; none for what is no list.
inline const json::Array& list_of(const json::Value& value) {
    static const json::Array none;
    return value.is_array() ? value.items() : none;
}
const json::Array& list_of(json::Value&& value) = delete;  // its items would be gone

// The head of a page besides its title.
struct Head {
    std::string title = {}, description = {}, keywords = {};
    std::string canonical = {};                // a path; empty: none
    std::string image = {};                    // for shared links
    bool is_indexed = false;                   // false: noindex
    bool follows = true;                       // false: its links are not followed either
    std::string kind = "website";              // og:type
    std::vector<std::string> structured = {};  // JSON-LD, one script each
};

// A page's answer. `model` is the contract with its template.
struct View {
    std::string page;  // the template and the type, "single-trip"; empty: `raw` or `go` is the answer
    json::Value model = json::Value::object();
    std::vector<templates::Later> later = {};  // members of the model that are made when the template needs them
    Head head = {};
    int status = 200;
    std::string go = {};   // 303 to this address
    bool moved = false;    // 301 instead: the address is an old one
    std::string raw = {};  // whole body instead of a template
    std::string content_type = "text/html; charset=utf-8";
    bool is_part = false;  // the template alone, without the layout: a script inserts it into its page
    // Other servers that it needs, as Origins says.
    std::vector<std::string> form_origins = {}, script_origins = {}, frame_origins = {}, connect_origins = {},
                             image_origins = {};
    // What tags are told of the page; see svc_pages.h. Made only where a tag is on.
    json::Value facts = json::Value::object();
    bool stands_alone = false;              // its template is the whole document
    bool is_framed = false;                 // frames may show it: those of this site and of its parents
    std::vector<std::string> parents = {};  // other origins that may show it in a frame
    std::vector<std::pair<std::string, std::string>> headers = {};
};

inline void append_to(std::vector<std::string>& all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
}
inline void add_origins(Origins& all, const Origins& more) {
    append_to(all.form, more.form);
    append_to(all.script, more.script);
    append_to(all.frame, more.frame);
    append_to(all.connect, more.connect);
    append_to(all.image, more.image);
}
inline void add_origins(View& view, const Origins& more) {
    append_to(view.form_origins, more.form);
    append_to(view.script_origins, more.script);
    append_to(view.frame_origins, more.frame);
    append_to(view.connect_origins, more.connect);
    append_to(view.image_origins, more.image);
}

// Leads the browser on after a form.
inline View go_to(std::string address) {
    View view;
    view.status = 303;
    view.go = std::move(address);
    return view;
}

enum class Who : std::uint8_t { everyone, signed_in };
// `shared`: the same for all visitors, cacheable by its ETag. `own`: no-store.
enum class Keeping : std::uint8_t { shared, own };

struct PageSpec {
    std::string path;  // "/{trip}/{slug}"; {trip}, {book}, {account} and the like are the settings' bases
    std::string type;  // the name of its template and of its body class
    Who who = Who::everyone;
    Keeping keeping = Keeping::own;
    std::function<View(PageRequest&)> show = {};    // GET
    std::function<View(PageRequest&)> submit = {};  // POST of its forms; empty: 405
    bool begins = false;  // its form is part of shared pages, so it carries no nonce and is sent anonymously
};

}  // namespace svc::pages
