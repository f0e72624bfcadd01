// The operator's commands, once the configuration is known; each returns its exit code.
#pragma once

#include <string>

#include "shell/config.hpp"
#include "shell/pro.hpp"

namespace svc::shell::commands {

struct NewUser {
    std::string login, email, role;
    bool generate = false;  // prints a random password instead of reading one
};

// The configuration, with the shell's checks for the doctor and for staff.
Config checked(const Effective& effective, const Pro& pro);

// Prepares a fresh installation: directories, schema, samples where they are wanted, an administrator whose secrets are
// printed once. Where users exist it only brings the schema up to date.
int init(const Config& config, const Pro& pro, const NewUser& admin, bool with_samples);
int migrate(const Config& config, const Pro& pro);
int add_user(const Config& config, const NewUser& user);
int list_users(const Config& config, bool with_customers);
int set_role(const Config& config, const NewUser& user);
int disable_user(const Config& config, const std::string& login);
int enable_user(const Config& config, const std::string& login);
// Reads a new password, or generates one and prints it.
int set_password(const Config& config, const NewUser& user);
int add_password(const Config& config, const std::string& login, const std::string& name);
int backup(const Config& config, const std::string& path);
int load_samples(const Config& config);
int theme_check(const Config& config);
int theme_eject(const Config& config, const std::string& name);
int doctor(const Effective& effective, const Pro& pro);
int failed(const Config& config);
int add_key(const Config& config);
int use_key(const Config& config);
int renew_sealed(const Config& config, const Pro& pro);
int drop_keys(const Config& config, const Pro& pro);
int accept_key(const Config& config);
int retry(const Config& config, const std::string& kind, std::int64_t id);
// The stored data of an address's owner: prints it, or erases it permanently.
int export_person(const Config& config, const Pro& pro, const std::string& address);
int erase_person(const Config& config, const Pro& pro, const std::string& address);
// Begins Pro's evaluation of 30 days and tells when it ends.
int evaluate(const Config& config, const Pro& pro);
int routes(const Config& config, const Pro& pro);
int catalogue(const Pro& pro, const std::string& kind);

// 24 characters from the system's randomness, without lookalikes.
std::string random_password();

}  // namespace svc::shell::commands
