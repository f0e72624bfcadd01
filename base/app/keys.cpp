// The operator's ways with the installation's keys.
#include "base/app/assembly.hpp"

namespace svc::commands {

void add_key(const BaseOptions& options) { crypto::Keyring::add(options.key_file); }

void use_last_key(const BaseOptions& options) { crypto::Keyring::use_last(options.key_file); }

std::int64_t renew_sealed(const BaseOptions& options, svc_plugin_entry_fn* plugin) {
    BaseOptions quiet = options;
    quiet.serves = quiet.run_jobs = false;
    app::Assembly parts(quiet);
    parts.start(plugin);
    std::int64_t count = 0;
    for (const auto& renewed : {parts.settings.renew_sealed(), parts.modules.renew_sealed(),
                                parts.payments.renew_sealed(), parts.bookings.renew_sealed()}) {
        if (!renewed)
            throw std::runtime_error(renewed.error().message());
        count += *renewed;
    }
    return count;
}

void drop_other_keys(const BaseOptions& options) { crypto::Keyring::drop_others(options.key_file); }

}  // namespace svc::commands
