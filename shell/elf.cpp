// Reads an ELF file with bounds checks: headers, notes and exported symbols.
#include "shell/elf.hpp"

#include <cstring>
#include <elf.h>
#include <optional>

#include "shared/plugin/svc_plugin.h"

namespace svc::shell {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t machine = EM_AARCH64;
#else
#error "Tell the ELF machine of this architecture."
#endif

// A view into the file that refuses to leave it.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    [[nodiscard]] std::optional<Bytes> part(std::uint64_t offset, std::uint64_t size) const {
        if (offset > bytes_.size() || size > bytes_.size() - offset)
            return std::nullopt;
        return Bytes(bytes_.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)));
    }
    template <class T>
    [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
        const auto place = part(offset, sizeof(T));
        if (!place)
            return std::nullopt;
        T value;
        std::memcpy(&value, place->bytes_.data(), sizeof(T));
        return value;
    }
    // The text that ends before the next NUL.
    [[nodiscard]] std::optional<std::string_view> name_at(std::uint64_t offset) const {
        if (offset >= bytes_.size())
            return std::nullopt;
        const auto rest = bytes_.substr(static_cast<std::size_t>(offset));
        const auto end = rest.find('\0');
        return end == rest.npos ? std::nullopt : std::optional(rest.substr(0, end));
    }
    [[nodiscard]] std::string_view text() const { return bytes_; }

  private:
    std::string_view bytes_;
};

constexpr std::uint64_t padded(std::uint64_t size, std::uint64_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

// Looks for our note in one segment; false when the segment is malformed.
bool read_notes(const Bytes& segment, std::uint64_t alignment, ElfFacts& facts) {
    std::uint64_t offset = 0;
    while (offset < segment.size()) {
        const auto head = segment.at<Elf64_Nhdr>(offset);
        if (!head)
            return false;
        const auto name_offset = offset + sizeof(Elf64_Nhdr);
        const auto body_offset = padded(name_offset + head->n_namesz, alignment);
        const auto name = segment.part(name_offset, head->n_namesz);
        const auto body = segment.part(body_offset, head->n_descsz);
        if (!name || !body)
            return false;
        constexpr std::string_view ours(SVC_PLUGIN_NOTE_NAME, sizeof(SVC_PLUGIN_NOTE_NAME));
        if (name->text() == ours && head->n_type == SVC_PLUGIN_NOTE_TYPE) {
            const auto major = body->at<std::uint16_t>(0);
            const auto minor = body->at<std::uint16_t>(sizeof(std::uint16_t));
            if (!major || !minor)
                return false;
            facts.has_note = true;
            facts.abi_major = *major;
            facts.abi_minor = *minor;
        }
        offset = padded(body_offset + head->n_descsz, alignment);
    }
    return true;
}

bool read_segments(const Bytes& file, const Elf64_Ehdr& head, ElfFacts& facts) {
    if (head.e_phentsize != sizeof(Elf64_Phdr) || head.e_phnum == 0)
        return false;
    for (std::uint64_t i = 0; i < head.e_phnum; ++i) {
        const auto segment = file.at<Elf64_Phdr>(head.e_phoff + i * sizeof(Elf64_Phdr));
        if (!segment)
            return false;
        const auto bytes = file.part(segment->p_offset, segment->p_filesz);
        if (segment->p_type == PT_LOAD && !bytes)
            return false;
        if (segment->p_type == PT_NOTE && (!bytes || !read_notes(*bytes, segment->p_align == 8 ? 8 : 4, facts)))
            return false;
    }
    return true;
}

bool defines_entry(const Bytes& symbols, const Bytes& names) {
    for (std::uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= symbols.size(); offset += sizeof(Elf64_Sym)) {
        const auto symbol = symbols.at<Elf64_Sym>(offset);
        if (!symbol || symbol->st_shndx == SHN_UNDEF || (symbol->st_info & 0xf) != STT_FUNC)
            continue;
        if (names.name_at(symbol->st_name) == std::string_view("svc_plugin_entry"))
            return true;
    }
    return false;
}

bool read_symbols(const Bytes& file, const Elf64_Ehdr& head, ElfFacts& facts) {
    if (head.e_shentsize != sizeof(Elf64_Shdr))
        return false;
    const auto section = [&](std::uint64_t index) {
        return index < head.e_shnum ? file.at<Elf64_Shdr>(head.e_shoff + index * sizeof(Elf64_Shdr)) : std::nullopt;
    };
    for (std::uint64_t i = 0; i < head.e_shnum; ++i) {
        const auto symbols = section(i);
        if (!symbols)
            return false;
        if (symbols->sh_type != SHT_DYNSYM)
            continue;
        const auto names = section(symbols->sh_link);
        if (!names || symbols->sh_entsize != sizeof(Elf64_Sym))
            return false;
        const auto symbol_bytes = file.part(symbols->sh_offset, symbols->sh_size);
        const auto name_bytes = file.part(names->sh_offset, names->sh_size);
        if (!symbol_bytes || !name_bytes)
            return false;
        facts.exports_entry = facts.exports_entry || defines_entry(*symbol_bytes, *name_bytes);
    }
    return true;
}

ElfFacts fault(const char* help) {
    ElfFacts facts;
    facts.fault = help;
    return facts;
}

}  // namespace

ElfFacts read_elf(std::string_view bytes) noexcept {
    const Bytes file(bytes);
    const auto head = file.at<Elf64_Ehdr>(0);
    if (bytes.substr(0, SELFMAG) != std::string_view(ELFMAG, SELFMAG) || !head)
        return fault("It is no ELF file.");
    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB || head->e_machine != machine ||
        head->e_type != ET_DYN)
        return fault("It is no shared library for this machine.");
    ElfFacts facts;
    if (!read_segments(file, *head, facts) || !read_symbols(file, *head, facts))
        return fault("It is cut off or malformed.");
    return facts;
}

}  // namespace svc::shell
