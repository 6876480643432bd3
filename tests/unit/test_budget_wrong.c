/* SPDX-License-Identifier: MIT */
/* What is no budget file: refused in one line, with its place and what was meant. */
#include "tests/unit/budget_helper.h"

struct wrong {
    const char *text, *place, *words;
};

static void refuse_all(const struct wrong *wrong, size_t count)
{
    for (size_t i = 0; i < count; i++)
        helper_refused(wrong[i].text, strlen(wrong[i].text), wrong[i].place, wrong[i].words);
}

#define REFUSE(...)                                                                                \
    do {                                                                                           \
        static const struct wrong wrong[] = {__VA_ARGS__};                                         \
        refuse_all(wrong, sizeof wrong / sizeof wrong[0]);                                         \
    } while (0)

static void test_empty(void **state)
{
    (void)state;
    REFUSE({"", "1:1", "the file is empty"}, {"\n\n", "3:1", "the file is empty"},
           {"# all of it\n", "2:1", "the file is empty"}, {"---\n", "2:1", "'budgets:'"},
           {"~", "1:1", "'budgets:'"}, {"{}", "1:1", "'budgets:'"}, {"[]", "1:1", "'budgets:'"},
           {"budgets:", "1:9", "'budgets' is empty"}, {"budgets: {}", "1:10", "'budgets' is empty"},
           {"budgets: []", "1:10", "'budgets' is empty"},
           {"budgets:\n  a:\n", "2:5", "the budget 'a' is empty"},
           {"budgets:\n  a: {}\n", "2:6", "the budget 'a' is empty"},
           {"budgets:\n  a: 4 KiB\n", "2:6", "the budget 'a' is empty"},
           {"budgets:\n  a: {per: frame}\n", "2:3", "the budget 'a' limits nothing"},
           {"budgets: {'': {bytes: 0 B}}", "1:11", "nothing is written here"},
           {"budgets: {a: {bytes: }}", "1:22", "nothing is written here: bytes with a unit"},
           {"budgets: {a: {bytes: {}}}", "1:22", "the limit is empty"},
           {"budgets: {a: {bytes: {fails: true}}}", "1:22", "the limit is empty"},
           {"budgets: {a: {bytes: 0 B, scope: }}", "1:34", "nothing is written here"},
           {"budgets: {a: {bytes: 0 B, site: ''}}", "1:33", "nothing is written here"},
           {"budgets: {a: {bytes: 0 B, where: []}}", "1:34", "the list is empty"},
           {"budgets: {a: {bytes: 0 B, when: {}}}", "1:33", "'when' has one or more"},
           {"require: {}\nbudgets: {a: {bytes: 0 B}}", "1:10", "'require' has one or more"},
           {"require: {polls: 3}", "1:1", "'budgets:' is missing"},
           {"allowances: []\nbudgets: {a: {bytes: 0 B}}", "1:13", "'allowances' is a list"});
}

static void test_keys(void **state)
{
    (void)state;
    REFUSE({"budget: {}", "1:1", "did you mean 'budgets'?"},
           {"others: {}", "1:1", "there are: budgets, allowances, require"},
           {"budgets: {a: {byte: 0 B}}", "1:15", "did you mean 'bytes'?"},
           {"budgets: {a: {threads: loop}}", "1:15", "did you mean 'thread'?"},
           {"budgets: {a: {latency: 0 B}}", "1:15", "there are: bytes, allocations"},
           {"budgets: {a: {bytes: 0 B, scope: steddy}}", "1:34", "did you mean 'steady'?"},
           {"budgets: {a: {bytes: 0 B, per: frames}}", "1:32", "did you mean 'frame'?"},
           {"budgets: {a: {bytes: 0 B, where: [in pol]}}", "1:35", "did you mean 'in poll'?"},
           {"budgets: {a: {bytes: 0 B, cadence: often}}", "1:36", "there are: startup, warm-up"},
           {"budgets: {a: {bytes: 0 B, growing: yes}}", "1:36", "there are: false, true"},
           {"budgets: {a: {bytes: 0 B, when: {SDL: 2}}}", "1:34", "there are: sdl, video, arch"},
           {"budgets: {a: {bytes: {most: 0 B}}}", "1:23", "there are: max, min, change, fails"},
           {"budgets: {a: {bytes: 0 B}}\nrequire: {poll: 3}", "2:11", "did you mean 'polls'?"},
           {"budgets: {a: {bytes: 0 B, bytes: 1 B}}", "1:27",
            "'bytes' is here twice; first in line 1"},
           {"budgets:\n  a: {bytes: 0 B}\n  b: {bytes: 0 B}\n  a: {bytes: 1 B}", "4:3",
            "'a' is here twice; first in line 2"},
           {"budgets: {a: {bytes: 0 B}}\nbudgets: {b: {bytes: 0 B}}", "2:1",
            "'budgets' is here twice"},
           {"budgets: {a: {bytes: {max: 1 B, max: 2 B}}}", "1:33", "'max' is here twice"},
           {"budgets: {[a]: {bytes: 0 B}}", "1:11", "a key is a word"},
           {"? {a: b}\n: c", "1:3", "a key is a word"});
}

static void test_numbers(void **state)
{
    (void)state;
    REFUSE(
        {"budgets: {a: {bytes: 12}}", "1:22", "'12' has no unit: bytes with a unit"},
        {"budgets: {a: {bytes: 0}}", "1:22", "'0' has no unit"},
        {"budgets: {a: {bytes: {max: 4}}}", "1:28", "'4' has no unit"},
        {"budgets: {a: {bytes: 4 KB}}", "1:22", "write kB (1000 bytes) or KiB (1024 bytes)"},
        {"budgets: {a: {bytes: 4 ms}}", "1:22", "wrong unit: bytes with a unit"},
        {"budgets: {a: {bytes: 5 %}}", "1:22", "wrong unit"},
        {"budgets: {a: {bytes: {change: 5 %}}}", "1:31", "a change to the baseline with its sign"},
        {"budgets: {a: {bytes: {max: +5 %}}}", "1:28", "wrong unit"},
        {"budgets: {a: {allocations: 4 B}}", "1:28", "a number without a unit"},
        {"budgets: {a: {poll time p99: 4}}", "1:30", "a time with a unit"},
        {"budgets: {a: {allocating share: 4}}", "1:33", "per cent, like '10 %'"},
        {"budgets: {a: {bytes: '1,5 B'}}", "1:22", "a comma is no decimal point"},
        {"budgets: {a: {bytes: many}}", "1:22", "'many' is no number"},
        {"budgets: {a: {bytes: -4 B}}", "1:22", "a sign is for"},
        {"budgets: {a: {bytes: 99999999999999999999 B}}", "1:22", "the number is too large"},
        {"budgets: {a: {bytes: [1 B]}}", "1:22", "a limit is a number, or {max: ..."},
        {"budgets: {a: {bytes: {max: [1 B]}}}", "1:28", "a number is meant here"},
        {"budgets: {a: {bytes: {min: 2 B, max: 1 B}}}", "1:22", "'min' is more than 'max'"},
        {"budgets: {a: {bytes: -100.5 %}}", "1:22", "-100 % is the least"},
        {"budgets: {a: {allocating polls: 101 %}}", "1:33", "100 % is the most"},
        {"require: {polls: many}", "1:18", "'many' is no whole number"},
        {"require: {polls: 1.5}", "1:18", "'1.5' is no whole number"},
        {"require: {polls: -1}", "1:18", "'-1' is no whole number"},
        {"require: {polls: 18446744073709551616}", "1:18", "is no whole number"},
        {"require: {polls: [3]}", "1:18", "is no whole number"},
        {"require: {polls: 0}", "1:18", "of no polls nothing can be told"},
        {"require: {steady: 1}", "1:19", "there are: false, true"});
}

/* Limits that nothing could exceed, or that no run could tell. */
static void test_senseless(void **state)
{
    (void)state;
    REFUSE(
        {"budgets: {a: {bytes: 0 B, thread: loop, where: other threads}}", "1:48",
         "leave out 'thread: loop'"},
        {"budgets: {a: {bytes: 0 B, cadence: startup}}", "1:36", "another 'scope'"},
        {"budgets: {a: {bytes: 0 B, cadence: [warm-up, shutdown]}}", "1:36", "another 'scope'"},
        {"budgets: {a: {p99: 0 B, scope: startup}}", "1:15", "'p99' is of polls"},
        {"budgets: {a: {bytes: 0 B, scope: shutdown, per: poll}}", "1:15", "leave out 'per'"},
        {"budgets: {a: {largest: 0 B, scope: warmup}}", "1:15", "steady and process alone"},
        {"budgets: {a: {poll time p50: 1 s, scope: warmup}}", "1:15", "steady and process alone"},
        {"budgets: {a: {p99: 0 B, site: f}}", "1:15", "of all sites together"},
        {"budgets: {a: {p99: 0 B, growing: true}}", "1:15", "of all sites together"},
        {"budgets: {a: {peak live: 0 B, cadence: once}}", "1:15", "of all sites together"},
        {"budgets: {a: {largest: 0 B, where: between polls}}", "1:15", "known in poll, or"},
        {"budgets: {a: {allocating polls: 0, where: other threads}}", "1:15", "known in poll, or"},
        {"budgets: {a: {largest: 0 B, where: in poll, per: frame}}", "1:15", "not of frames"},
        {"budgets: {a: {largest: 0 B, site: f, per: drain}}", "1:15", "not of frames"},
        {"budgets: {a: {new sites: +5 %}}", "1:15", "against the baseline already"});
}

static void test_sites(void **state)
{
    (void)state;
    REFUSE(
        {"budgets: {a: {bytes: 0 B, site: 'game.c:12'}}", "1:33", "a line or an offset"},
        {"budgets: {a: {bytes: 0 B, site: 'game!+0x12'}}", "1:33", "a line or an offset"},
        {"budgets: {a: {bytes: 0 B, site: 'game!'}}", "1:33",
         "the function behind 'game!' is missing"},
        {"budgets: {a: {bytes: 0 B, site: '!f'}}", "1:33", "the module in front of '!' is missing"},
        {"budgets: {a: {bytes: 0 B, site: 'a > '}}", "1:33", "no pattern of a site"},
        {"budgets: {a: {bytes: 0 B, site: [f]}}", "1:33", "text is meant here"},
        {"budgets:\n  a:\n    site: *!f\n", "3:12", "quote a pattern that begins with '*'"});
}

static void test_allowances(void **state)
{
    (void)state;
    REFUSE({"allowances: {}", "1:13", "'allowances' is a list"},
           {"allowances: [f]", "1:14", "an allowance has a site, a cap, a reason and a day"},
           {"allowances: [{}]", "1:14", "lacks site"},
           {"allowances: [{bytes: 1 B, reason: so, expires: 2030-01-01}]", "1:14", "lacks site"},
           {"allowances: [{site: f, reason: so, expires: 2030-01-01}]", "1:14",
            "lacks bytes or allocations"},
           {"allowances: [{site: f, bytes: 1 B, expires: 2030-01-01}]", "1:14", "lacks reason"},
           {"allowances: [{site: f, bytes: 1 B, reason: so}]", "1:14", "lacks expires"},
           {"allowances: [{site: f, bytes: 1 B, reason: ''}]", "1:44", "nothing is written here"},
           {"allowances: [{site: f, bytes: 1}]", "1:31", "has no unit"},
           {"allowances: [{site: f, bytes: +5 %}]", "1:31", "wrong unit"},
           {"allowances: [{site: f, bytes: 1 B, allocations: 1}]", "1:36", "one cap"},
           {"allowances: [{sites: f}]", "1:15", "did you mean 'site'?"},
           {"allowances: [{expires: tomorrow}]", "1:24", "write it like 2026-12-31"},
           {"allowances: [{expires: 2030-02-30}]", "1:24", "'2030-02-30' is no day"},
           {"allowances: [{expires: 2030-02-29}]", "1:24", "is no day"},
           {"allowances: [{expires: 2100-02-29}]", "1:24", "is no day"},
           {"allowances: [{expires: 2030-13-01}]", "1:24", "is no day"},
           {"allowances: [{expires: 2030-00-10}]", "1:24", "is no day"},
           {"allowances: [{expires: 2030-1-1}]", "1:24", "is no day"},
           {"allowances: [{expires: 31-12-2030}]", "1:24", "is no day"},
           {"allowances: [{expires: 2030-01-0-}]", "1:24", "is no day"},
           {"allowances: [{expires: 2030-01-01T00:00}]", "1:24", "is no day"});
}

static void test_yaml(void **state)
{
    (void)state;
    REFUSE({"budgets: {a: {bytes: &x 4 B}}", "1:22", "anchors ('&name') are not taken"},
           {"budgets: &x {a: {bytes: 4 B}}", "1:10", "anchors"},
           {"budgets: {a: {bytes: *x}}", "1:22", "aliases ('*name') are not taken"},
           {"budgets: {*x : {bytes: 0 B}}", "1:11", "aliases"},
           {"budgets: {a: {bytes: !!str 4 B}}", "1:22", "tags ('!name') are not taken"},
           {"budgets: !x {a: {bytes: 4 B}}", "1:10", "tags"},
           {"budgets: {a: {<<: {bytes: 4 B}}}", "1:15", "'<<' is no limit or setting"},
           {"budgets: {a: {bytes: 0 B}}\n--- {}\n", "2:1", "a second document begins here"},
           {"budgets: {a: {bytes: 0 B}}\n...\nb: c\n", "3:1", ""},
           {"budgets:\n\ta: {bytes: 0 B}\n", "2:1", "not tabs"},
           {"budgets:\n  a: b: c\n", "2:7", "quote text that has ': ' in it"},
           {"budgets: {a: {bytes: 0 B}\n", "2:1", "is not closed"},
           {"budgets: {a: {bytes: '0 B}}\n", "2:1", "a quote is not closed"},
           {"budgets:\n    a: {bytes: 0 B}\n  b: {bytes: 0 B}\n", "3:3", "alike"},
           {"%YAML 9.9\n--- {}\n", "1:1", "incompatible YAML document"},
           {"budgets: {\"a\\0b\": {bytes: 0 B}}", "1:11", "a NUL"},
           {"budgets: {\"a\\nb\": {bytes: 0 B}}", "1:11", "'a\\x0ab' is no name"},
           {"budgets: {\"\\e[31ma\": {bytes: 0 B}}", "1:11", "'\\x1b[31ma' is no name"},
           {"budgets: {a: {\"\\e]0;x\\a\": 0 B}}", "1:15", "'\\x1b]0;x\\x07' is no limit"},
           {"budgets: {a: {\"\\u202e\": 0 B}}", "1:15", "'\\xe2\\x80\\xae' is no limit"},
           {"budgets: {a: {bytes: \"\\n\"}}", "1:22", "'\\x0a' is no number"});
}

static void test_bytes(void **state)
{
    (void)state;
    static const char nul[] = "budgets: {a: {bytes: 0 B}}\n\0";
    static const char utf16[] = "\xff\xfe"
                                "b\0u\0d\0";

    REFUSE({"budgets:\n  a: {bytes: \xff\xfe}\n", "2:14", "text in UTF-8"},
           {"budgets:\n  \xc3\xa4: {bytes: \xc3}\n", "2:15", "text in UTF-8"},
           {"budgets:\n  \xe4: {bytes: 0 B}\n", "2:4", "text in UTF-8"},
           {"\xed\xa0\x80", "1:1", "text in UTF-8"}, {"\xf5\x80\x80\x80", "1:1", "text in UTF-8"},
           {"budgets: {a: \x01}", "1:14", "text in UTF-8"});
    helper_refused(nul, sizeof nul - 1, "2:1", "text in UTF-8");
    helper_refused(utf16, sizeof utf16 - 1, "1:1", "text in UTF-8");
}

/* Built of `count` times `unit` between two ends. */
static void refuse_built(const char *begin, const char *unit, size_t count, const char *end,
                         const char *place, const char *words)
{
    size_t length = strlen(begin) + count * strlen(unit) + strlen(end);
    char *text = malloc(length + 1);
    char *at = stpcpy(text, begin);

    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, unit);
    strcpy(at, end);
    helper_refused(text, length, place, words);
    free(text);
}

#define MOST (1u << 20) /* bytes of a file */

static void test_huge(void **state)
{
    (void)state;
    refuse_built("", "[", 20, "", "1:18", "nested too deep");
    refuse_built("", "[", MOST, "", "1:18", "nested too deep");
    refuse_built("budgets: ", "{a: ", MOST / 4 - 4, "", "1:71", "nested too deep");
    refuse_built("", "- ", MOST / 2, "", "1:35", "nested too deep");
    refuse_built("", "#", MOST - 1, "\n", "2:1", "the file is empty");
    refuse_built("", "#", MOST, "\n", "1:1", "larger than 1048576 bytes");
    refuse_built("budgets: {a: {bytes: ", "9", MOST - 64, " B}}", "1:22", "too large");
    refuse_built("budgets: {a: {", "x", MOST - 64, ": 0 B}}", "1:1048527",
                 "did not find expected ','");
    refuse_built("budgets: {a: {? ", "x", MOST - 64, " : 0 B}}", "1:17",
                 "is no limit or setting of a budget; there are: bytes, ");
    refuse_built("allowances: [", "[],", MOST / 3 - 8, "]", "1:14", "an allowance has a site");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),   cmocka_unit_test(test_keys),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_senseless),
        cmocka_unit_test(test_sites),   cmocka_unit_test(test_allowances),
        cmocka_unit_test(test_yaml),    cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
