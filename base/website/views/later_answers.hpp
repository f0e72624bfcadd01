// Answers and files on a booking's page: what was sent, and what can still be added or replaced.
#pragma once

#include "base/website/views/checkout.hpp"

namespace svc::pages {

// Sets `answers` in the model of a booking's page: files with their links, and the form of what is open; with what its
// visitor typed and the faults, after save_later_answers() said no. Nothing while the module of form fields is off.
void add_later_answers(const Views& views, PageRequest& visit, const json::Value& booking, const std::string& root,
                       json::Value& model);
// Handles that form, with its files. False: `fault` says why nothing was saved.
bool save_later_answers(PageRequest& visit, const json::Value& booking, std::string& fault);

// A file of a booking by its code, as a download.
bool is_file_code(std::string_view kind);
View file_of(PageRequest& visit, const json::Value& booking, const std::string& code);

}  // namespace svc::pages
