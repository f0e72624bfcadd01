// The routes and rules of landing pages as staff write them.
#include "pro/landing_pages/landing_pages.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::landing_pages {
namespace {

constexpr std::size_t longest_slug = 100;
constexpr int most_names = 50;

void adjust(const LandingPage* before, LandingPage& after, const json::Value& body, Faults& faults) {
    after.blocks = whole_blocks(after.blocks);
    if (after.owner_type == "none")
        after.owner_id.reset();
    else if (!after.owner_id)
        faults.at("owner_id", "Choose the record whose page this one replaces."_sentence);
    if (!after.slug.empty() && !text::is_slug(after.slug))
        faults.at("slug", "Use letters, digits and hyphens."_sentence);
    if (after.slug.empty() && before && !body["slug"].is_null())
        faults.at("slug", "Enter the end of the page's address."_sentence);
}

// The title's slug, with a number where it is taken.
void name_page(store::Session& session, LandingPage& page) {
    const std::string wanted = text::slug_of(page.title, longest_slug - 3);
    const std::string base = wanted.empty() ? "page" : wanted;
    page.slug = base;
    for (int number = 2; number < most_names; ++number) {
        if (session.number("SELECT COUNT(*) FROM svc_landing_pages WHERE slug = :slug", {{"slug", page.slug}}) == 0)
            return;
        page.slug = base + "-" + std::to_string(number);
    }
}

void check_owner(store::Session& session, const LandingPage& after, Faults& faults) {
    if (after.status != "publish" || !after.owner_id)
        return;
    if (session.number("SELECT COUNT(*) FROM svc_landing_pages WHERE owner_type = :type AND owner_id = :owner"
                       " AND status = 'publish' AND id <> :id",
                       {{"type", after.owner_type}, {"owner", *after.owner_id}, {"id", after.id}}) > 0)
        faults.at("owner_id", "Another published page replaces that record's already. Unpublish it first."_sentence);
}

}  // namespace

resource::Resource<LandingPage> LandingPages::resource(std::function<void(store::Transaction&)> note_change) const {
    using Does = resource::BulkAction::Does;
    const auto may = api::Permission::can(std::string(capability));
    resource::Options options{
        .store = site_.store,
        .path = "/landing-pages",
        .one = "landing page",
        .many = "landing pages",
        .reads = may,
        .writes = may,
        .removes = may,
        .module = std::string(module_slug),
        .filters = {{.name = "owner_type",
                     .type = api::choice({"none", "destination", "activity", "trip_category"}),
                     .help = "Only pages that replace records of this kind."}},
        .bulk = {{.name = "publish", .status = "publish"},
                 {.name = "draft", .status = "draft"},
                 {.name = "trash", .status = "trash"},
                 {.name = "restore", .does = Does::restore},
                 {.name = "delete", .does = Does::remove}},
        .restored_status = "draft",
        .zone = [this] { return site_.zone(); },
        .note_change = std::move(note_change),
        .taken = [](std::string_view) { return invalid("slug", "Another landing page has this address."_sentence); }};
    resource::Rules<LandingPage> rules;
    rules.adjust = adjust;
    rules.check = [](const auto*, const LandingPage& after, Faults& faults) { check_blocks(after.blocks, faults); };
    rules.settle = [](store::Transaction& tx, const LandingPage*, LandingPage* after,
                      const json::Value&) -> Result<void> {
        if (after && after->slug.empty())
            name_page(tx, *after);
        return {};
    };
    rules.check_stored = [](store::Session& session, const LandingPage*, const LandingPage& after, Faults& faults) {
        check_owner(session, after, faults);
    };
    return {landing_page_record(), std::move(options), std::move(rules)};
}

}  // namespace svc::pro::landing_pages
