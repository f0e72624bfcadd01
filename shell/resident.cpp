// Walks the loaded files' segments.
#include "shell/resident.hpp"

#include <cstdint>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace svc::shell {
namespace {

// Code that the loader itself has written into would come back as it is in the file.
bool written_by_the_loader(const dl_phdr_info& file) {
    for (const ElfW(Phdr)* part = file.dlpi_phdr; part != file.dlpi_phdr + file.dlpi_phnum; ++part) {
        if (part->p_type != PT_DYNAMIC)
            continue;
        const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(file.dlpi_addr + part->p_vaddr);
        for (; entry->d_tag != DT_NULL; ++entry)
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
                return true;
    }
    return false;
}

int give_back(dl_phdr_info* file, std::size_t, void* page_size) {
    const auto page = *static_cast<const std::uintptr_t*>(page_size);
    if (written_by_the_loader(*file))
        return 0;
    for (const ElfW(Phdr)* part = file->dlpi_phdr; part != file->dlpi_phdr + file->dlpi_phnum; ++part) {
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0)
            continue;
        const std::uintptr_t begin = (file->dlpi_addr + part->p_vaddr) & ~(page - 1);
        const std::uintptr_t end = (file->dlpi_addr + part->p_vaddr + part->p_memsz + page - 1) & ~(page - 1);
        // Fails for anything but our files, such as the kernel's own page of code: then it stays.
        static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED));
    }
    return 0;
}

}  // namespace

void give_back_code() {
    auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    dl_iterate_phdr(&give_back, &page);
}

}  // namespace svc::shell
