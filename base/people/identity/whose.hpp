// Whose a booking, an enquiry or a review is, once for all statements: its account's, which made it, was given it by
// staff or has proven its address; without an account, of the person who proves its own address. Never of the customer
// record that it hangs on, which staff may merge.
#pragma once

// A condition over the columns with the account and with the address in lower case. :user is 0 without an account;
// :email is the person's present proven address, folded and not empty.
#define SVC_IS_OF_PERSON(user_column, email_column) \
    "(" user_column " = :user OR (" user_column " IS NULL AND " email_column " = :email))"

// Gives the account what its proven address has: sets `more` of the table's columns too.
#define SVC_CLAIM(table, email_column, more) \
    "UPDATE " table " SET user_id = :user" more " WHERE user_id IS NULL AND " email_column " = :email"
