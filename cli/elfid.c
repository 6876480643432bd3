/* SPDX-License-Identifier: MIT */
#include "cli/elfid.h"
#include "cli/errors.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether one of these notes is the build-id; false too if it is another one. */
static bool notes_have(Elf_Data *data, const uint8_t *build_id, size_t length)
{
    GElf_Nhdr note;
    size_t name;
    size_t value;
    size_t at = 0;
    while (data && (at = gelf_getnote(data, at, &note, &name, &value)) > 0) {
        const char *bytes = data->d_buf;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            memcmp(bytes + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0)
            return note.n_descsz == length && memcmp(bytes + value, build_id, length) == 0;
    }
    return false;
}

static Elf_Type note_type(uint64_t align)
{
    return align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
}

/* Separate debug files have sound notes in their sections only, stripped ones perhaps no sections.
 */
static bool has_build_id(Elf *elf, const uint8_t *build_id, size_t length)
{
    GElf_Shdr section;
    for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn))
        if (gelf_getshdr(scn, &section) && section.sh_type == SHT_NOTE &&
            notes_have(elf_getdata(scn, NULL), build_id, length))
            return true;
    size_t count;
    if (elf_getphdrnum(elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_NOTE)
            continue;
        Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)header.p_offset, header.p_filesz,
                                              note_type(header.p_align));
        if (notes_have(data, build_id, length))
            return true;
    }
    return false;
}

enum elfid elfid_compare(const char *path, const uint8_t *build_id, size_t length)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return ELFID_NO_FILE;
    enum elfid result = ELFID_NO_ELF;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF)
        result = length == 0 || has_build_id(elf, build_id, length) ? ELFID_SAME : ELFID_OTHER;
    elf_end(elf);
    close(fd);
    return result;
}

char *elfid_debug_file(const uint8_t *build_id, size_t length)
{
    char hexadecimal[2 * 64 + 1] = "";
    for (size_t i = 1; i < length && i < 64; i++)
        sprintf(hexadecimal + 2 * (i - 1), "%02x", build_id[i]);
    char *path = xasprintf("/usr/lib/debug/.build-id/%02x/%s.debug", build_id[0], hexadecimal);
    if (elfid_compare(path, build_id, length) == ELFID_SAME)
        return path;
    free(path);
    return NULL;
}
