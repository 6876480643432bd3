/* SPDX-License-Identifier: MIT */
#include "cli/symbols_elf.h"
#include "cli/elfid.h"
#include "cli/errors.h"
#include "cli/ranges.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Debug information that is nested deeper than this is not looked through, nor more of its entries
 * in one unit: that of a damaged file may go round in circles. */
#define MOST_DEEP    48
#define MOST_ENTRIES 16000000u

/* One compilation unit; its functions are collected when first asked for. */
struct unit {
    Dwarf_Die die;
    bool read;
    uint32_t entries;        /* that were looked at */
    struct ranges functions; /* value: index into dies */
    size_t die_count;
    size_t die_room;
    Dwarf_Die *dies;
};

struct symbols_elf {
    Dwfl *dwfl;
    Dwfl_Module *module;
    GElf_Addr bias; /* of libdwfl's addresses over the file's */
    Dwarf_Addr dwarf_bias;
    Dwarf *dwarf; /* NULL: none */
    bool units_read;
    size_t unit_count;
    struct unit *units;
    struct ranges unit_ranges;
    bool table_read;
    struct ranges table; /* value: index of libdwfl's symbol */
};

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

/* Whether the file can be used for the module; else *source and *note say why not. */
static bool is_same_file(const struct symbol_module *module, enum symbol_source *source,
                         char **note)
{
    const char *path = module->path;
    switch (elfid_compare(path, module->build_id, module->build_id_length)) {
    case ELFID_SAME:
        return true;
    case ELFID_OTHER:
        *source = SYMBOL_SOURCE_CHANGED;
        *note =
            xasprintf("'%s' has changed since it was recorded: its build-id is another one", path);
        return false;
    case ELFID_NO_ELF:
        *note = xasprintf("cannot use '%s': it is no ELF file", path);
        return false;
    case ELFID_NO_FILE:
        *note = xasprintf("cannot open '%s': %s", path, strerror(errno));
        return false;
    }
    return false;
}

/* Any file with the module's build-id, as libdwfl finds it. */
static Dwfl_Module *report_by_build_id(Dwfl *dwfl, const struct symbol_module *module)
{
    if (module->build_id_length == 0)
        return NULL;
    /* The debug file may be there though its program is not (any more). */
    char *debug = elfid_debug_file(module->build_id, module->build_id_length);
    Dwfl_Module *installed = debug ? dwfl_report_offline(dwfl, debug, debug, -1) : NULL;
    free(debug);
    if (installed)
        return installed;
    Dwfl_Module *found = dwfl_report_module(dwfl, module->path, 0x10000, UINT64_C(1) << 40);
    bool known = found && dwfl_module_report_build_id(found, module->build_id,
                                                      module->build_id_length, 0) == 0;
    return known ? found : NULL;
}

struct symbols_elf *symbols_elf_open(const struct symbol_module *module, enum symbol_source *source,
                                     char **note)
{
    struct symbols_elf *elf = xcalloc(1, sizeof *elf);
    *source = SYMBOL_SOURCE_MISSING;
    *note = NULL;
    elf->dwfl = dwfl_begin(&callbacks);
    if (elf->dwfl) {
        dwfl_report_begin(elf->dwfl);
        if (is_same_file(module, source, note))
            elf->module = dwfl_report_offline(elf->dwfl, module->path, module->path, -1);
        else
            elf->module = report_by_build_id(elf->dwfl, module);
        dwfl_report_end(elf->dwfl, NULL, NULL);
    }
    if (elf->module && dwfl_module_getelf(elf->module, &elf->bias)) {
        elf->dwarf = dwfl_module_getdwarf(elf->module, &elf->dwarf_bias);
        return elf;
    }
    if (!*note)
        *note = xasprintf("cannot use '%s': %s", module->path, dwfl_errmsg(-1));
    symbols_elf_close(elf);
    return NULL;
}

void symbols_elf_close(struct symbols_elf *elf)
{
    if (!elf)
        return;
    for (size_t i = 0; i < elf->unit_count; i++) {
        ranges_free(&elf->units[i].functions);
        free(elf->units[i].dies);
    }
    free(elf->units);
    ranges_free(&elf->unit_ranges);
    ranges_free(&elf->table);
    if (elf->dwfl)
        dwfl_end(elf->dwfl);
    free(elf);
}

const char *symbols_elf_file(const struct symbols_elf *elf)
{
    const char *main = NULL;
    const char *debug = NULL;
    dwfl_module_info(elf->module, NULL, NULL, NULL, NULL, NULL, &main, &debug);
    return debug ? debug : main;
}

/* Where a symbol of no size is taken to end: where the next one begins. */
struct start {
    uint64_t address;
    uint64_t size;
    size_t index;
    unsigned rank; /* of several at one place the highest names it */
};

static int compare_starts(const void *a, const void *b)
{
    const struct start *x = a;
    const struct start *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Public names that do not hide behind underscores are those that people know. */
static unsigned rank_of(const char *name, const GElf_Sym *sym)
{
    bool local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;
    return (sym->st_size ? 4 : 0) + (local ? 0 : 2) + (strncmp(name, "__", 2) == 0 ? 0 : 1);
}

static void read_table(struct symbols_elf *elf)
{
    int count = dwfl_module_getsymtab(elf->module);
    struct start *starts = xcalloc(count > 0 ? (size_t)count : 0, sizeof *starts);
    size_t used = 0;
    elf->table_read = true;
    for (int i = 1; i < count; i++) {
        GElf_Sym sym = {0};
        GElf_Addr address;
        const char *name =
            dwfl_module_getsym_info(elf->module, i, &sym, &address, NULL, NULL, NULL);
        unsigned type = GELF_ST_TYPE(sym.st_info);
        bool code = type == STT_FUNC || type == STT_GNU_IFUNC;
        if (name && *name && code && sym.st_shndx != SHN_UNDEF)
            starts[used++] = (struct start){address, sym.st_size, (size_t)i, rank_of(name, &sym)};
    }
    if (used)
        qsort(starts, used, sizeof *starts, compare_starts);
    for (size_t i = 0; i < used; i++) {
        uint64_t end = starts[i].address + starts[i].size;
        if (starts[i].size == 0) {
            size_t next = i + 1;
            while (next < used && starts[next].address == starts[i].address)
                next++;
            end = next < used ? starts[next].address : starts[i].address + 1;
        }
        ranges_add(&elf->table, starts[i].address, end, starts[i].index);
    }
    free(starts);
}

static const char *table_name(struct symbols_elf *elf, uint64_t address)
{
    size_t index;
    GElf_Sym sym;
    GElf_Addr at;
    if (!elf->table_read)
        read_table(elf);
    if (!ranges_find(&elf->table, address + elf->bias, &index))
        return NULL;
    return dwfl_module_getsym_info(elf->module, (int)index, &sym, &at, NULL, NULL, NULL);
}

static void add_ranges(struct ranges *ranges, Dwarf_Die *die, size_t value)
{
    Dwarf_Addr base;
    Dwarf_Addr start;
    Dwarf_Addr end;
    ptrdiff_t at = 0;
    while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
        ranges_add(ranges, start, end, value);
}

static void read_units(struct symbols_elf *elf)
{
    size_t room = 0;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, split;
    uint8_t type;
    elf->units_read = true;
    while (dwarf_get_units(elf->dwarf, unit, &unit, NULL, &type, &die, &split) == 0) {
        if (type != DW_UT_compile && type != DW_UT_skeleton)
            continue;
        if (elf->unit_count == room) {
            room = room * 2 + 64;
            elf->units = xreallocarray(elf->units, room, sizeof *elf->units);
        }
        add_ranges(&elf->unit_ranges, &die, elf->unit_count);
        bool is_split = type == DW_UT_skeleton && split.addr;
        elf->units[elf->unit_count++] = (struct unit){.die = is_split ? split : die};
    }
}

/* Siblings stand behind each other; in damaged files they may not. */
static bool next_sibling(Dwarf_Die *die)
{
    const void *here = die->addr;
    return dwarf_siblingof(die, die) == 0 && die->addr > here;
}

static void add_function(struct unit *unit, Dwarf_Die *die)
{
    if (unit->die_count == unit->die_room) {
        unit->die_room = unit->die_room * 2 + 64;
        unit->dies = xreallocarray(unit->dies, unit->die_room, sizeof *unit->dies);
    }
    unit->dies[unit->die_count] = *die;
    add_ranges(&unit->functions, die, unit->die_count++);
}

/* Functions stand in namespaces, but also in classes within other functions. */
static void collect_functions(struct unit *unit, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;
    if (depth > MOST_DEEP || dwarf_child(parent, &die) != 0)
        return;
    do {
        unit->entries++;
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
            if (dwarf_hasattr(&die, DW_AT_low_pc) || dwarf_hasattr(&die, DW_AT_ranges))
                add_function(unit, &die);
            collect_functions(unit, &die, depth + 1);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
        case DW_TAG_lexical_block:
            collect_functions(unit, &die, depth + 1);
            break;
        default:
            break;
        }
    } while (unit->entries < MOST_ENTRIES && next_sibling(&die));
}

/* The functions at the pc, outermost first: the one that has a frame, then those inlined into it.
 */
static size_t find_scopes(struct unit *unit, Dwarf_Addr pc, Dwarf_Die *scopes, size_t room)
{
    size_t index;
    if (!unit->read) {
        collect_functions(unit, &unit->die, 0);
        unit->read = true;
    }
    if (!ranges_find(&unit->functions, pc, &index))
        return 0;
    size_t count = 1;
    Dwarf_Die parent = unit->dies[index];
    scopes[0] = parent;
    for (unsigned depth = 0; depth < MOST_DEEP && count < room; depth++) {
        Dwarf_Die die;
        bool found = false;
        if (dwarf_child(&parent, &die) != 0)
            break;
        do {
            int tag = dwarf_tag(&die);
            found = (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
                    dwarf_haspc(&die, pc) == 1;
        } while (!found && next_sibling(&die));
        if (!found)
            break;
        if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
            scopes[count++] = die;
        parent = die;
    }
    return count;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static const char *linkage_name(Dwarf_Die *die)
{
    const char *name = text_of(die, DW_AT_linkage_name);
    return name ? name : text_of(die, DW_AT_MIPS_linkage_name);
}

/* Where the inlined function was called. */
static void place_of_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct symbols_elf_line *line)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    Dwarf_Files *files;
    size_t count;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &value) == 0)
        line->line = (uint32_t)value;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &value) == 0 &&
        dwarf_getsrcfiles(unit, &files, &count) == 0 && value < count)
        line->file = dwarf_filesrc(files, value, NULL, NULL);
}

static void place_of_pc(Dwarf_Die *unit, Dwarf_Addr pc, struct symbols_elf_line *line)
{
    int number;
    Dwarf_Line *found = dwarf_getsrc_die(unit, pc);
    if (!found)
        return;
    line->file = dwarf_linesrc(found, NULL, NULL);
    if (dwarf_lineno(found, &number) == 0 && number > 0)
        line->line = (uint32_t)number;
}

size_t symbols_elf_find(struct symbols_elf *elf, uint64_t address, struct symbols_elf_line *lines,
                        size_t room)
{
    Dwarf_Die scopes[MOST_DEEP];
    size_t index;
    size_t count = 0;
    Dwarf_Addr pc = address + elf->bias - elf->dwarf_bias;
    struct unit *unit = NULL;
    memset(lines, 0, room * sizeof *lines);
    if (elf->dwarf && !elf->units_read)
        read_units(elf);
    if (elf->dwarf && ranges_find(&elf->unit_ranges, pc, &index))
        unit = &elf->units[index];
    if (unit)
        count = find_scopes(unit, pc, scopes, room < MOST_DEEP ? room : MOST_DEEP);
    for (size_t i = 0; i < count; i++) {
        Dwarf_Die *scope = &scopes[count - 1 - i];
        lines[i].name = linkage_name(scope);
        lines[i].directory = text_of(&unit->die, DW_AT_comp_dir);
        /* Of functions with local types in their names only the table has the whole name. */
        const char *other = !lines[i].name && i + 1 == count ? table_name(elf, address) : NULL;
        if (other && strncmp(other, "_Z", 2) == 0)
            lines[i].name = other;
        if (!lines[i].name)
            lines[i].name = text_of(scope, DW_AT_name);
        if (i > 0)
            place_of_call(&unit->die, &scopes[count - i], &lines[i]);
    }
    if (unit)
        place_of_pc(&unit->die, pc, &lines[0]);
    size_t last = count ? count - 1 : 0;
    if (!lines[last].name)
        lines[last].name = table_name(elf, address);
    return count || lines[0].name || lines[0].file ? last + 1 : 0;
}

enum symbol_source symbols_elf_source(struct symbols_elf *elf)
{
    if (elf->dwarf)
        return SYMBOL_SOURCE_DWARF;
    if (!elf->table_read)
        read_table(elf);
    return elf->table.count ? SYMBOL_SOURCE_TABLE : SYMBOL_SOURCE_NONE;
}
