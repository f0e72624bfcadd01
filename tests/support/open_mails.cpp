// Lays the texts of an installation's e-mails open in their rows: open_mails DATABASE_URL KEY_FILE.
#include "tests/support/open_mails.hpp"

#include "base/platform/store/open.hpp"

int main(int count, char** arguments) {
    if (count != 3)
        return 2;
    const auto store = svc::store::open({.url = arguments[1], .sessions = 1});
    svc::tests::open_mails(*store, *svc::crypto::Keyring::open(arguments[2]));
    return 0;
}
