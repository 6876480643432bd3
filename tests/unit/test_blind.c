/* SPDX-License-Identifier: MIT */
/* The table of reasons, what the model takes of a header, and files that nobody vouches for. */
#include "cli/blind.h"
#include "cli/census.h"
#include "cli/preflight.h"
#include "tests/unit/model_helper.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void test_table(void **state)
{
    size_t count;
    const struct blind_words *table = blind_table(&count);
    (void)state;

    assert_true(count > 30);
    for (size_t i = 0; i < count; i++) {
        assert_true(table[i].number != BLIND_NO);
        assert_int_equal(strspn(table[i].code, "abcdefghijklmnopqrstuvwxyz0123456789.-"),
                         strlen(table[i].code));
        assert_true(*table[i].reason != '\0' && *table[i].advice != '\0');
        assert_true(table[i].reason[strlen(table[i].reason) - 1] != '.');
        assert_ptr_equal(blind_words(table[i].number), &table[i]);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(table[i].code, table[j].code);
            assert_string_not_equal(table[i].reason, table[j].reason);
        }
    }
    assert_null(blind_words(BLIND_NO));
    assert_null(blind_words(999));
}

static void test_every_runtime_has_words(void **state)
{
    unsigned numbers[BLIND_INCOMPLETE_MOST];
    (void)state;

    assert_int_equal(blind_incomplete(0, 0, numbers), 0);
    assert_int_equal(blind_incomplete(0, DUMP_RUNTIME_ALLOCATOR * 2 - 1, numbers), 10);
    assert_int_equal(blind_incomplete(0, UINT32_MAX, numbers), 10);
    assert_int_equal(blind_incomplete(DUMP_FACT_DEEPBIND, DUMP_RUNTIME_GO, numbers), 2);
    assert_int_equal(numbers[0], BLIND_INCOMPLETE_DEEP);
    assert_string_equal(blind_words(numbers[1])->code, "runtime-go");
    /* An allocator that is known by its text is said once. */
    assert_int_equal(blind_incomplete(DUMP_FACT_HIDDEN_MALLOC, DUMP_RUNTIME_ALLOCATOR, numbers), 1);
    assert_true(blind_incomplete(UINT32_MAX, UINT32_MAX, numbers) <= BLIND_INCOMPLETE_MOST);
}

/* What the model makes of the header's word, for a program that polled and allocated or did not. */
static unsigned seen(unsigned polls, unsigned allocations, uint32_t told, uint32_t facts,
                     size_t *incomplete)
{
    struct helper_game game;

    helper_game(&game);
    for (unsigned i = 0; i < polls; i++)
        builder_poll(&game.builder, game.loop, false);
    for (unsigned i = 0; i < allocations; i++)
        builder_alloc(&game.builder, game.main, game.outside, 10);
    game.builder.header.blind = told;
    game.builder.header.facts = facts;
    struct model *model = helper_model(&game.builder);
    unsigned blind = model->blind;
    *incomplete = model->incomplete_count;
    model_close(model);
    builder_end(&game.builder);
    return blind;
}

static void test_model_believes_the_counts(void **state)
{
    size_t incomplete;
    (void)state;

    assert_int_equal(seen(5, 5, 0, 0, &incomplete), BLIND_NO);
    assert_int_equal(incomplete, 0);
    assert_int_equal(seen(5, 5, DUMP_BLIND_NO_SDL, DUMP_FACT_DEEPBIND, &incomplete), BLIND_NO);
    assert_int_equal(incomplete, 1);
    assert_int_equal(seen(0, 5, DUMP_BLIND_SDL_1, DUMP_FACT_DEEPBIND, &incomplete),
                     DUMP_BLIND_SDL_1);
    assert_int_equal(incomplete, 0);
    assert_int_equal(seen(0, 5, 0, 0, &incomplete), BLIND_NOT_TOLD);
    assert_int_equal(seen(0, 5, DUMP_BLIND_OWN_MALLOC, 0, &incomplete), BLIND_NOT_TOLD);
    assert_int_equal(seen(0, 5, BLIND_STATIC, 0, &incomplete), BLIND_NOT_TOLD);
    assert_int_equal(seen(0, 5, 12345, 0, &incomplete), BLIND_NOT_TOLD);
    assert_int_equal(seen(5, 0, DUMP_BLIND_OWN_MALLOC, 0, &incomplete), DUMP_BLIND_OWN_MALLOC);
    assert_int_equal(seen(5, 0, 0, 0, &incomplete), DUMP_BLIND_MALLOC_UNSEEN);
    assert_int_equal(seen(5, 0, DUMP_BLIND_SDL_1, 0, &incomplete), DUMP_BLIND_MALLOC_UNSEEN);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
}

static void test_preflight_of_damaged_programs(void **state)
{
    static uint8_t program[1 << 16];
    char path[] = "/tmp/test-blind-XXXXXX";
    int own = open("/proc/self/exe", O_RDONLY);
    ssize_t size = read(own, program, sizeof program);
    (void)state;

    close(own);
    assert_true(size > 4096);
    close(mkstemp(path));
    /* Each byte of the headers, set to values that are the worst. */
    for (size_t at = 0; at < 64 + 56 * 14; at++) {
        static const uint8_t worst[] = {0, 1, 0x7f, 0x80, 0xff};
        uint8_t before = program[at];
        for (size_t i = 0; i < sizeof worst; i++) {
            program[at] = worst[i];
            write_file(path, program, (size_t)size);
            unsigned number = preflight_look(path, "/none");
            assert_true(number == BLIND_NO || blind_words(number) != NULL);
        }
        program[at] = before;
    }
    for (size_t length = 0; length < 1200; length += 7) {
        write_file(path, program, length);
        unsigned number = preflight_look(path, "/none");
        assert_true(number == BLIND_NO || blind_words(number) != NULL);
    }
    write_file(path, program, (size_t)size);
    assert_int_equal(preflight_look(path, "/none"), BLIND_NO);
    assert_int_equal(preflight_look("/dev/null", "/none"), BLIND_NO);
    assert_int_equal(preflight_look("/none/of/it", "/none"), BLIND_NO);
    unlink(path);
}

static void test_census_of_what_is_written_there(void **state)
{
    char path[] = "/tmp/test-blind-XXXXXX";
    struct dump_census records[4] = {
        {.magic = DUMP_CENSUS_MAGIC, .size = sizeof records[0], .pid = 7, .polls = 1},
        {.magic = DUMP_CENSUS_MAGIC, .size = sizeof records[0], .pid = 8},
        {.magic = DUMP_CENSUS_MAGIC, .size = sizeof records[0], .pid = 7, .polls = 2},
        {.magic = 1, .size = sizeof records[0], .pid = 9},
    };
    size_t count;
    (void)state;

    close(mkstemp(path));
    memset(records[2].program, 'x', sizeof records[2].program); /* no NUL */
    write_file(path, records, sizeof records);
    struct dump_census *list = census_read(path, &count);
    assert_int_equal(count, 2);
    assert_int_equal(list[0].pid, 7);
    assert_int_equal(list[0].polls, 2);
    assert_int_equal(strlen(list[0].program), sizeof list[0].program - 1);
    assert_int_equal(list[1].pid, 8);
    free(list);

    write_file(path, records, sizeof records[0] + 100); /* cut */
    list = census_read(path, &count);
    assert_int_equal(count, 1);
    free(list);
    write_file(path, "no census", 9);
    assert_null(census_read(path, &count));
    assert_int_equal(count, 0);
    unlink(path);
    assert_null(census_read(path, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_every_runtime_has_words),
        cmocka_unit_test(test_model_believes_the_counts),
        cmocka_unit_test(test_preflight_of_damaged_programs),
        cmocka_unit_test(test_census_of_what_is_written_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
