// The database knows its key: a mark sealed with it says whether a key file opens what is stored.
#pragma once

#include <memory>
#include <string>

#include "base/app/base.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/store/store.hpp"

namespace svc::app {

// The key file's keys. Makes the file for a database without records alone, and marks such a one with its key. Throws
// std::runtime_error with a sentence for the operator when the file is missing or does not open what is stored.
std::shared_ptr<const crypto::Keyring> keyring_of(const BaseOptions& options, store::Store& store);

// Empty: the key file opens what is stored, or nothing is stored yet; else why not. Makes no file.
std::string key_fault(const BaseOptions& options, store::Store& store);

// Of a backup, before it is put in place: throws as keyring_of(). An empty mark is of an older release.
void check_mark(const BaseOptions& options, const std::string& mark);

// Marks the database with the key in use: for a new key, and where the operator takes another one.
void mark(store::Store& store, const crypto::Keyring& keyring);

}  // namespace svc::app
