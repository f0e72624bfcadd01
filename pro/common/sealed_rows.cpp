// Seals again by the ability svc.secrets/1, which knows no keys: what begins as a text sealed now is of the key in use.
#include "pro/common/sealed_rows.hpp"

#include <stdexcept>

#include "pro/common/tables.hpp"

namespace svc::pro {
namespace {

// "v1.<key id>."
std::string beginning_now(const plugin::Secrets& secrets) {
    const std::string sealed = secrets.seal("", "beginning");
    return sealed.substr(0, sealed.rfind('.') + 1);
}

}  // namespace

void renews_sealed(const Site& site, const std::string& listener, std::vector<store::SealedColumn> columns) {
    site.filter_if_known("svc_sealed_renewal", {.name = listener, .module = {}},
                         [&site, columns = std::move(columns)](store::Transaction*, const json::Array& given) {
                             const std::string beginning = beginning_now(site.secrets);
                             const auto renewed = [&](const std::string& sealed,
                                                      const std::string& bound_to) -> std::optional<std::string> {
                                 if (sealed.starts_with(beginning))
                                     return std::nullopt;
                                 const auto secret = site.secrets.open(sealed, bound_to);
                                 return secret ? std::optional(site.secrets.seal(*secret, bound_to)) : std::nullopt;
                             };
                             std::int64_t count = given.front().integer();
                             for (const store::SealedColumn& column : columns) {
                                 if (!site.store.reading<bool>(
                                         [&](store::Session& session) { return has_table(session, column.table); }))
                                     continue;  // the module was never on
                                 const auto done = store::renew_sealed(site.store, column, renewed);
                                 if (!done)
                                     throw std::runtime_error(
                                         column.table + " was not sealed again: " + done.error().message().english());
                                 count += *done;
                             }
                             return json::Value(count);
                         });
}

}  // namespace svc::pro
