// The page where a visitor allows tags, or takes that back, and the forms that decide.
#include <algorithm>

#include "base/sales/booking/record/tracking_consent.hpp"
#include "base/website/pages/pages.hpp"
#include "base/website/views/views.hpp"
#include "shared/core/log.hpp"
#include "shared/core/uri.hpp"

namespace svc::pages {
namespace {

using json::Value;

Value partners_of(const TagsOn& tags, std::string_view purpose) {
    Value all = Value::array();
    for (const Tag* tag : *tags) {
        if (tag->offered.purpose != purpose)
            continue;
        std::string cookies;
        for (const std::string& name : tag->offered.cookies)
            cookies.append(cookies.empty() ? "" : ", ").append(name);
        all.push(Value::object({{"name", tag->offered.name}, {"cookies", cookies}}));
    }
    return all;
}

Value purposes_of(const PageRequest& visit) {
    const Format& words = visit.words;
    Value purposes = Value::array();
    if (has_purpose(visit.tags, "analytics"))
        purposes.push(
            Value::object({{"name", "analytics"},
                           {"title", words.say_text("Counting visits")},
                           {"label", words.say_text("You may count my visits")},
                           {"text", words.say_text("The partner learns which pages you open and what you book, without"
                                                   " your name. It helps us to see which trips and pages work.")},
                           {"partners", partners_of(visit.tags, "analytics")},
                           {"allowed", visit.consent.analytics},
                           {"barred", false}}));
    if (has_purpose(visit.tags, "marketing"))
        purposes.push(
            Value::object({{"name", "marketing"},
                           {"title", words.say_text("Measuring advertising")},
                           {"label", words.say_text("You may measure your advertising by my visits")},
                           {"text", words.say_text("The partner learns which pages you open and what you book, and may"
                                                   " recognize you, so that we see which of our advertisements work.")},
                           {"partners", partners_of(visit.tags, "marketing")},
                           {"allowed", visit.consent.marketing},
                           {"barred", visit.consent.is_private}}));
    return purposes;
}

bool names(std::string_view pattern, std::string_view cookie) {
    return pattern.ends_with('*') ? cookie.starts_with(pattern.substr(0, pattern.size() - 1)) : cookie == pattern;
}

// The cookies of tags that the visitor does not allow.
void drop_cookies(PageRequest& visit, const Decision& decision) {
    const auto is_refused = [&](std::string_view cookie) {
        return std::any_of(visit.tags->begin(), visit.tags->end(), [&](const Tag* tag) {
            return !(tag->offered.purpose == "analytics" ? decision.analytics : decision.marketing) &&
                   std::any_of(tag->offered.cookies.begin(), tag->offered.cookies.end(),
                               [&](const std::string& pattern) { return names(pattern, cookie); });
        });
    };
    for (const std::string& cookie : cookie_names_in(visit.http))
        if (is_refused(cookie))
            visit.drop_cookie(cookie);
}

// Bookings that this browser made are no longer told to partners either.
void withdraw_from_bookings(const Views& views, PageRequest& visit, const Decision& decision) {
    // What visitors are not asked about now stays as it was.
    const bool keeps_analytics = decision.analytics || !has_purpose(visit.tags, "analytics");
    const bool keeps_marketing = decision.marketing || !has_purpose(visit.tags, "marketing");
    if (keeps_analytics && keeps_marketing)
        return;
    for (const std::int64_t id : visit.kept_booking_ids()) {
        const PageRequest::BookingProofs proofs = visit.booking_proofs(id);
        bool is_proven = false;
        for (const std::string& proof : {proofs.link, proofs.token}) {
            if (proof.empty() || is_proven)
                continue;
            visit.use_booking_token(proof);
            is_proven = visit.get("/customers/my-bookings/" + std::to_string(id)).is_good();
        }
        if (is_proven)
            static_cast<void>(views.site.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
                booking::TrackingConsents::withdraw(tx, id, keeps_analytics, keeps_marketing);
                return true;
            }));
    }
    visit.use_booking_token({});
}

}  // namespace

View Views::privacy_choices(PageRequest& visit) const {
    View view{.page = "privacy-choices"};
    view.head.title = visit.words.say_text("Cookies");
    view.model.set("action", choices_path);
    view.model.set("saved", visit.parameter("saved") == "1");
    view.model.set("is_private", visit.consent.is_private && has_purpose(visit.tags, "marketing"));
    Value purposes = visit.tags ? purposes_of(visit) : Value::array();
    view.model.set("has_purposes", purposes.size() > 0);
    view.model.set("purposes", std::move(purposes));
    if (visit.consent.decided_at > 0)
        view.model.set(
            "decided",
            visit.words.say_text(
                "You decided this on {moment}.",
                {{"moment", visit.words.moment(Instant::from_micros(visit.consent.decided_at * 1'000'000).text())}}));
    return view;
}

View Views::privacy_choices_submit(PageRequest& visit) const {
    const std::string choice = visit.typed("choice"), back = visit.typed("back");
    const bool accepts = choice == "accept", chooses = choice == "chosen";
    if (!accepts && !chooses && choice != "refuse")
        throw Stopped{400, visit.words.say_text("The form cannot be read.")};
    const auto allows = [&](const char* purpose) {
        return has_purpose(visit.tags, purpose) && (accepts || (chooses && visit.typed(purpose) == "1"));
    };
    Decision decision{.analytics = allows("analytics"),
                      .marketing = allows("marketing") && !visit.consent.is_private,
                      .at = site.clock.now().seconds()};
    if (visit.tags) {
        for (const Tag* tag : *visit.tags)
            decision.about.push_back(tag->offered.id);
        visit.set_cookie(consent_cookie, to_cookie(decision), consent_seconds);
        drop_cookies(visit, decision);
        try {
            withdraw_from_bookings(*this, visit, decision);
        } catch (const Stopped& stop) {  // too many requests: the cookie counts all the same
            log::warning("consent_not_withdrawn_from_bookings", {{"status", stop.status}});
        }
    }
    const bool is_ours = back.starts_with('/') && text::is_place(back) && back.size() <= 2000;
    return go_to(is_ours ? back : std::string(choices_path) + "?saved=1");
}

}  // namespace svc::pages
