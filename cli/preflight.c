/* SPDX-License-Identifier: MIT */
#include "cli/preflight.h"

#include "cli/blind.h"
#include "cli/errors.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE       EM_X86_64
#define OTHER_MACHINE EM_386 /* of the same processor, with words of 32 bits */
#elif defined(__aarch64__)
#define MACHINE       EM_AARCH64
#define OTHER_MACHINE EM_ARM
#else
#error "this machine's ELF number is not known"
#endif

#define INTERPRETER_MOST 4096u

char *preflight_find(const char *program)
{
    const char *path = getenv("PATH");

    if (strchr(program, '/') != NULL)
        return access(program, F_OK) == 0 ? xstrdup(program) : NULL;
    for (const char *at = path != NULL ? path : "/bin:/usr/bin"; at != NULL;) {
        size_t length = strcspn(at, ":");
        char *found = length > 0 ? xasprintf("%.*s/%s", (int)length, at, program)
                                 : xasprintf("./%s", program);
        struct stat status;
        if (access(found, X_OK) == 0 && stat(found, &status) == 0 && S_ISREG(status.st_mode))
            return found;
        free(found);
        at = at[length] == ':' ? at + length + 1 : NULL;
    }
    return NULL;
}

/* Will the kernel set AT_SECURE for it (security/commoncap.c: bprm->secureexec)? Then the loader
 * ignores a path in LD_PRELOAD. */
static bool is_privileged(int file)
{
    struct stat status;
    struct statvfs system;

    if (fstat(file, &status) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
        (fstatvfs(file, &system) == 0 && (system.f_flag & ST_NOSUID) != 0))
        return false;
    if ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid())
        return true;
    if ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status.st_gid != getgid())
        return true;
    return getuid() != 0 && fgetxattr(file, "security.capability", NULL, 0) > 0;
}

static unsigned look_at_machine(const GElf_Ehdr *header)
{
    bool same_class = header->e_ident[EI_CLASS] == ELFCLASS64;

    if (header->e_machine == MACHINE && same_class)
        return BLIND_NO;
    return !same_class && (header->e_machine == MACHINE || header->e_machine == OTHER_MACHINE)
               ? BLIND_32_BIT
               : BLIND_MACHINE;
}

/* glibc's loader, by whatever path: ld-linux-x86-64.so.2, ld-linux-aarch64.so.1, ld64.so.2. */
static bool is_glibc(const char *interpreter)
{
    const char *slash = strrchr(interpreter, '/');
    const char *name = slash != NULL ? slash + 1 : interpreter;

    return strncmp(name, "ld-linux", 8) == 0 || strncmp(name, "ld64.so", 7) == 0 ||
           strncmp(name, "ld.so", 5) == 0;
}

static unsigned look_at_interpreter(Elf *elf)
{
    GElf_Phdr segment;
    size_t count;

    if (elf_getphdrnum(elf, &count) != 0)
        return BLIND_NO;
    for (size_t i = 0; i < count; i++) {
        if (gelf_getphdr(elf, (int)i, &segment) == NULL || segment.p_type != PT_INTERP)
            continue;
        if (segment.p_filesz == 0 || segment.p_filesz > INTERPRETER_MOST)
            return BLIND_NO;
        Elf_Data *data =
            elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_BYTE);
        if (data == NULL || memchr(data->d_buf, '\0', data->d_size) == NULL)
            return BLIND_NO;
        return is_glibc(data->d_buf) ? BLIND_NO : BLIND_LIBC;
    }
    return BLIND_STATIC;
}

/* Does it export a malloc? All its libraries reach that one, and not the recorder's. */
static bool has_malloc(Elf *elf)
{
    GElf_Shdr header;
    GElf_Sym symbol;

    for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
         section = elf_nextscn(elf, section)) {
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_DYNSYM)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++) {
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (symbol.st_shndx != SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
                name != NULL && strcmp(name, "malloc") == 0)
                return true;
        }
    }
    return false;
}

/* A regular file, open, or -1. */
static int open_file(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;

    if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(file);
        file = -1;
    }
    return file;
}

/* NULL: it is no program or library. */
static Elf *begin_elf(int file, GElf_Ehdr *header)
{
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, header) != NULL &&
        (header->e_type == ET_EXEC || header->e_type == ET_DYN))
        return elf;
    elf_end(elf);
    return NULL;
}

static bool read_header(const char *path, GElf_Ehdr *header)
{
    int file = open_file(path);
    Elf *elf = file >= 0 ? begin_elf(file, header) : NULL;
    bool found = elf != NULL;

    elf_end(elf);
    if (file >= 0)
        close(file);
    return found;
}

bool preflight_is_32_bit(const char *path)
{
    GElf_Ehdr header;

    return read_header(path, &header) && header.e_machine == OTHER_MACHINE &&
           header.e_ident[EI_CLASS] == ELFCLASS32;
}

static bool is_for(const char *recorder, const GElf_Ehdr *program)
{
    GElf_Ehdr header;

    return read_header(recorder, &header) && header.e_machine == program->e_machine &&
           header.e_ident[EI_CLASS] == program->e_ident[EI_CLASS];
}

static unsigned look_at_elf(int file, const char *recorder)
{
    GElf_Ehdr header;
    unsigned number = BLIND_NO;

    Elf *elf = begin_elf(file, &header);
    if (elf != NULL) {
        number = is_for(recorder, &header) ? BLIND_NO : look_at_machine(&header);
        if (number == BLIND_NO)
            number = look_at_interpreter(elf);
        if (number == BLIND_NO && is_privileged(file))
            number = BLIND_PRIVILEGED;
        if (number == BLIND_NO && has_malloc(elf))
            number = DUMP_BLIND_OWN_MALLOC;
    }
    elf_end(elf);
    return number;
}

unsigned preflight_look(const char *path, const char *recorder)
{
    int file = open_file(path);
    unsigned number;

    if (file < 0)
        return BLIND_NO;
    number = look_at_elf(file, recorder);
    close(file);
    return number;
}
