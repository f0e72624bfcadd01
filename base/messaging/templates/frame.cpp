// The layout of e-mails: mail/layout.html.
#include "base/messaging/templates/frame.hpp"

#include <charconv>

#include "base/messaging/outbox/inline_styles.hpp"
#include "base/platform/html/html.hpp"
#include "base/platform/texts/countries.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/colour.hpp"

namespace svc::messaging {
namespace {

int channel_of(std::string_view color, std::size_t at) {
    int value = 0;
    std::from_chars(color.data() + at, color.data() + at + 2, value, 16);
    return value;
}

// Half way to white: a dark colour would not be seen on a dark ground.
std::string lightened(std::string_view color) {
    std::string light = "#";
    for (const std::size_t at : {1U, 3U, 5U}) {
        const char byte = static_cast<char>((channel_of(color, at) + 255) / 2);
        light += ascii::hex({&byte, 1});
    }
    return light;
}

// The shades of a site's colour that the layout uses.
struct Shades {
    std::string of;
    colour::Pair button, dark_button;
    std::string link, dark_link;
};

// Kept by each thread, as finding a readable shade takes longer than filling in the layout.
const Shades& shades_of(const std::string& color) {
    constexpr std::string_view ground = "#ffffff", dark_ground = "#1c2220";  // of the text in layout.html
    thread_local Shades kept;
    if (kept.of != color)
        kept = {.of = color,
                .button = colour::button(color),
                .dark_button = colour::button(lightened(color)),
                .link = colour::readable(color, ground, colour::least_of_text),
                .dark_link = colour::readable(color, dark_ground, colour::least_of_text)};
    return kept;
}

std::string joined_with(std::string_view separator, std::initializer_list<std::string> parts) {
    std::string all;
    for (const std::string& part : parts)
        if (!part.empty())
            all.append(all.empty() ? std::string_view() : separator).append(part);
    return all;
}

}  // namespace

Frame frame_of(const settings::Settings& settings, const std::string& site_url, bool is_for_staff,
               std::string_view locale) {
    Frame frame;
    frame.site_name = settings.text("company_name");
    frame.site_url = site_url;
    frame.logo_url = settings.text("company_logo");
    if (std::string color = settings.text("frontend_primary_color"); ascii::is_color(color))
        frame.color = std::move(color);
    if (is_for_staff)
        return frame;
    frame.email = settings.text("company_email");
    frame.phone = settings.text("company_phone");
    frame.address = joined_with(", ", {settings.text("company_address"),
                                       joined_with(" ", {settings.text("company_zip"), settings.text("company_city")}),
                                       texts::country_name(settings.text("company_country"), locale)});
    return frame;
}

std::string in_frame(const templates::Library& files, const Frame& frame, const std::string& body_html,
                     const std::string& subject, std::string_view locale) {
    if (body_html.find("<html") != std::string::npos || body_html.find("<HTML") != std::string::npos)
        return body_html;
    const std::string language(texts::bundled().language_of(locale, "mail"));
    const Shades& shades = shades_of(frame.color);
    return files.render("layout.html",
                        json::Value::object({{"language", language},
                                             {"direction", texts::is_right_to_left(language) ? "rtl" : "ltr"},
                                             {"subject", subject},
                                             {"body_html", with_marked_names(body_html)},
                                             {"site_name", frame.site_name},
                                             {"site_url", frame.site_url},
                                             {"logo_url", frame.logo_url},
                                             {"color", shades.button.ground},
                                             {"color_on", shades.button.text},
                                             {"color_link", shades.link},
                                             {"color_dark", shades.dark_button.ground},
                                             {"color_on_dark", shades.dark_button.text},
                                             {"color_link_dark", shades.dark_link},
                                             {"email", frame.email},
                                             {"phone", frame.phone},
                                             {"address", frame.address}}),
                        locale);
}

std::string signature_of(const Frame& frame) {
    const std::string lines =
        joined_with("\n", {frame.site_name, frame.address, joined_with(", ", {frame.email, frame.phone})});
    return lines.empty() ? lines : "\n-- \n" + lines + "\n";
}

std::string paragraph_html(std::string_view text) { return "<p>" + html::escaped(text) + "</p>"; }

std::string button_html(std::string_view address, std::string_view label) {
    return "<p class=\"action\"><a class=\"button\" href=\"" + html::escaped(address) + "\">" + html::escaped(label) +
           "</a></p>";
}

}  // namespace svc::messaging
