/* SPDX-License-Identifier: MIT */
/*
 * replay.h: runs LLVMFuzzerTestOneInput without libFuzzer: over files, and over a stated number of
 * damaged ones made from them with a stated seed. Included by fuzz targets that are built with
 * -DREPLAY, once by each.
 */
#ifndef TESTS_REPLAY_H
#define TESTS_REPLAY_H

#include "tests/unit/dump_builder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPLAY_MUTATIONS 10000u

/* A target of something else than dumps defines where its files are kept, before it includes this.
 */
#ifndef REPLAY_CORPUS
#define REPLAY_CORPUS "tests/fuzz/corpus"
#define REPLAY_DUMPS  "tests/dumps"
#endif

/* The target that includes this. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct replay_input {
    uint8_t *data;
    size_t size;
};

static struct replay_input *replay_inputs;
static size_t replay_count;
static uint64_t replay_state = 88172645463325252u;

/* xorshift64: the same numbers on every machine. */
static uint64_t replay_random(uint64_t below)
{
    replay_state ^= replay_state << 13;
    replay_state ^= replay_state >> 7;
    replay_state ^= replay_state << 17;
    return below ? replay_state % below : 0;
}

static void replay_add(uint8_t *data, size_t size)
{
    replay_inputs = realloc(replay_inputs, (replay_count + 1) * sizeof *replay_inputs);
    if (!replay_inputs)
        abort();
    replay_inputs[replay_count++] = (struct replay_input){data, size};
}

/* False: cannot be read. */
static bool replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    uint8_t *data = size >= 0 ? malloc((size_t)size + 1) : NULL;
    bool read =
        data && fseek(file, 0, SEEK_SET) == 0 && fread(data, 1, (size_t)size, file) == (size_t)size;
    if (file)
        fclose(file);
    if (!read) {
        free(data);
        fprintf(stderr, "cannot read '%s'\n", path);
        return false;
    }
    replay_add(data, (size_t)size);
    return true;
}

/* All dumps of a directory; false if there is none. */
static bool replay_directory(const char *path)
{
    struct dirent **names;
    int count = scandir(path, &names, NULL, alphasort);
    size_t before = replay_count;
    bool read = count >= 0;
    for (int i = 0; i < count; i++) {
        char file[1024];
        snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.' && !strstr(names[i]->d_name, "README") &&
            !strstr(names[i]->d_name, ".txt"))
            read = replay_file(file) && read;
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    if (replay_count == before)
        fprintf(stderr, "no dumps in '%s'\n", path);
    return read && replay_count > before;
}

/* Sound dumps of other shapes than files are kept of. */
__attribute__((unused)) static void replay_build(void)
{
    for (unsigned shape = 0; shape < 4; shape++) {
        struct builder builder;
        size_t size;
        builder_example(&builder);
        builder.unknown_chunks = shape & 1;
        builder.record_change = shape & 2 ? 16 : 0;
        unsigned thread = builder_thread(&builder, "audio", 0);
        for (unsigned i = 0; i < 200 * shape; i++) {
            builder_alloc(&builder, i % 2 ? 0 : thread, 1 + i % 2, i);
            builder_poll(&builder, 0, i % 3);
            builder_present(&builder, 0);
        }
        uint8_t *data = builder_image(&builder, &size);
        builder_end(&builder);
        replay_add(data, size);
    }
}

/* Numbers that readers trip over. */
static uint64_t replay_number(void)
{
    static const uint64_t numbers[] = {0,
                                       1,
                                       7,
                                       8,
                                       64,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0xffff,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       UINT64_MAX,
                                       UINT64_MAX / 2,
                                       UINT64_MAX / 16 + 1};
    uint64_t number = numbers[replay_random(sizeof numbers / sizeof numbers[0])];
    return replay_random(4) ? number : replay_random(UINT64_MAX);
}

static void replay_damage(uint8_t *data, size_t *size)
{
    size_t at = replay_random(*size);
    /* Most of a dump are histograms: looks for the rest in the first bytes of something. */
    if (replay_random(2))
        at = at / 64 * 64 + replay_random(64);
    if (at >= *size)
        return;
    uint64_t number = replay_number();
    size_t width = (size_t)1 << replay_random(4);
    switch (replay_random(6)) {
    case 0:
        data[at] ^= (uint8_t)(1u << replay_random(8));
        break;
    case 1:
    case 2:
        at = at / width * width;
        memcpy(data + at, &number, width < *size - at ? width : *size - at);
        break;
    case 3:
        memset(data + at, (int)number, replay_random(*size - at < 256 ? *size - at : 256));
        break;
    case 4: {
        size_t from = replay_random(*size) / 8 * 8;
        size_t length = replay_random(512);
        if (from + length <= *size && at / 8 * 8 + length <= *size)
            memmove(data + at / 8 * 8, data + from, length);
        break;
    }
    default:
        if (replay_random(8) == 0)
            *size = at;
        break;
    }
}

static void replay_mutated(unsigned long mutations)
{
    for (unsigned long i = 0; i < mutations; i++) {
        const struct replay_input *input = &replay_inputs[replay_random(replay_count)];
        size_t size = input->size;
        uint8_t *data = malloc(size + 1);
        if (!data)
            abort();
        memcpy(data, input->data, size);
        for (uint64_t n = 1 + replay_random(8); n > 0 && size > 0; n--)
            replay_damage(data, &size);
        uint8_t *exact = realloc(data, size ? size : 1);
        LLVMFuzzerTestOneInput(exact ? exact : data, size);
        free(exact ? exact : data);
    }
}

__attribute__((unused)) static int replay_main(int count, char **arguments)
{
    unsigned long mutations = REPLAY_MUTATIONS;
    bool read = true;
    int option;
    while ((option = getopt(count, arguments, "n:s:")) != -1) {
        if (option == 'n')
            mutations = strtoul(optarg, NULL, 10);
        else if (option == 's')
            replay_state ^= strtoull(optarg, NULL, 10);
        else
            return 2;
    }
    for (int i = optind; i < count; i++)
        read = replay_file(arguments[i]) && read;
    if (optind == count)
        read = replay_directory(REPLAY_CORPUS);
#ifdef REPLAY_DUMPS
    if (optind == count)
        read = replay_directory(REPLAY_DUMPS) && read;
#endif
    size_t files = replay_count;
    for (size_t i = 0; i < files; i++)
        LLVMFuzzerTestOneInput(replay_inputs[i].data, replay_inputs[i].size);
    printf("1..2\n%sok 1 - %zu files as they are\n", read ? "" : "not ", files);
#ifdef REPLAY_DUMPS
    replay_build();
#endif
    replay_mutated(mutations);
    printf("ok 2 - %lu damaged ones\n", mutations);
    for (size_t i = 0; i < replay_count; i++)
        free(replay_inputs[i].data);
    free(replay_inputs);
    return read ? 0 : 1;
}

#endif
