// Reads a shared library's facts before any of its code runs; every offset is checked against the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace svc::shell {

struct ElfFacts {
    std::string fault;  // one sentence; empty when the file is a complete library for this machine
    bool has_note = false;
    std::uint16_t abi_major = 0, abi_minor = 0;  // of the note, when there is one
    bool exports_entry = false;                  // defines the function svc_plugin_entry for others
};

// `file` is the whole file. Never throws, for any bytes.
ElfFacts read_elf(std::string_view file) noexcept;

}  // namespace svc::shell
