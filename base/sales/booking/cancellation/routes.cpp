// RouteSpec of the sentences that rows come to, before they are stored.
#include "base/sales/booking/cancellation/routes.hpp"

#include "base/sales/booking/cancellation/sentences.hpp"
#include "base/sales/booking/cancellation/trip_terms.hpp"
#include "shared/api/named.hpp"

namespace svc::booking {

void add_cancellation_routes(api::RouteTable& routes, const settings::Settings& settings) {
    using namespace api;
    const std::string field(cancellation_terms_name);
    routes.add({.method = Method::post,
                .path = "/cancellation-terms/preview",
                .who = Permission::any_of({"svc_create_trips", "svc_edit_trips", "svc_manage_settings"}),
                .summary = "Return cancellation terms as the site's visitors would read them; stores nothing.",
                .body = {{.name = field,
                          .type = cancellation_terms_type(),
                          .help = "As in a trip, or in the setting.",
                          .required = true},
                         {.name = "currency", .type = text(3), .help = "Of the amounts; defaults to the site's."},
                         {.name = "language", .type = text(20), .help = "Of the sentences; defaults to the site's."}},
                .answer = object("CancellationPreview", {{.name = field,
                                                          .type = cancellation_terms_type(),
                                                          .help = "With the row for the fee from then on.",
                                                          .required = true},
                                                         {.name = "sentences",
                                                          .type = list(text(1000), most_cancellation_steps + 1),
                                                          .help = "One for each row.",
                                                          .required = true}}),
                .repeats_safely = true,
                .handle = [&settings, field](const Request& request) -> Reply {
                    Currency currency = settings.currency();
                    if (const std::string code = request.body.text_or("currency"); !code.empty()) {
                        const auto known = Currency::parse(code);
                        if (!known)
                            return failed(invalid("currency", known.error().message()));
                        currency = *known;
                    }
                    const auto terms = cancellation_terms_of(request.body[field], currency, field);
                    if (!terms)
                        return failed(terms.error());
                    const std::string language = request.body.text_or("language");
                    const CancellationReader reader{
                        .locale = language.empty() ? settings.text("site_language") : language,
                        .look = settings::look_of(settings)};
                    return ok(json::Value::object(
                        {{field, to_json(*terms)}, {"sentences", json::array_of(sentences_of(*terms, reader))}}));
                }});
}

}  // namespace svc::booking
