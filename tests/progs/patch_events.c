/* SPDX-License-Identifier: MIT */
/*
 * patch_events bursts | window | clip: prints every event that it receives, without times, so that
 * two runs can be compared byte for byte.
 *
 *     bursts  under the dummy driver: bursts of 1, 100, 10,000 and 65,000 pushed events, a virtual
 *             joystick, a watch and a filter that allocate inside the poll, text pushed by hand
 *     window  a window, until F12 is released; F9 asks for the clipboard, F10 takes it; F11 makes
 * it sleep for 2.5 seconds, so that what comes meanwhile comes in one poll. It prints "ready" to
 * standard error when it is shown. clip    owns the clipboard for two seconds, for the other one to
 * ask for
 */
#include "tests/progs/target_sdl.h"

#include <stdbool.h>

static unsigned kept; /* by the watch, so that it is not taken away */

static int SDLCALL watch(void *unused, SDL_Event *event)
{
    char *copy = target_keep(malloc(200));

    (void)unused;
    memset(copy, (int)event->type, 200);
    kept += copy[100] != 0;
    free(copy);
    return 0;
}

static int SDLCALL filter(void *unused, SDL_Event *event)
{
    void *block = target_keep(calloc(3, 50));

    (void)unused;
    block = target_keep(realloc(block, 4000));
    free(block);
    return event->type != SDL_USEREVENT || event->user.code % 7 != 3;
}

static void print_window(const SDL_WindowEvent *event)
{
    printf("window %u %u %d %d\n", event->windowID, event->event, event->data1, event->data2);
}

static void print_key(const SDL_KeyboardEvent *event)
{
    printf("key %x %u %u %u %d %x %x\n", event->type, event->windowID, event->state, event->repeat,
           event->keysym.scancode, (unsigned)event->keysym.sym, event->keysym.mod);
}

static void print_motion(const SDL_MouseMotionEvent *event)
{
    printf("motion %u %u %x %d %d %d %d\n", event->windowID, event->which, event->state, event->x,
           event->y, event->xrel, event->yrel);
}

static void print_button(const SDL_MouseButtonEvent *event)
{
    printf("button %x %u %u %u %u %u %d %d\n", event->type, event->windowID, event->which,
           event->button, event->state, event->clicks, event->x, event->y);
}

/* The program releases the name, as SDL's documentation asks for. */
static void print_drop(const SDL_DropEvent *event)
{
    printf("drop %x %u '%s'\n", event->type, event->windowID,
           event->file != NULL ? event->file : "");
    if (event->file != NULL)
        SDL_free(event->file);
}

static void print_clipboard(void)
{
    char *text = SDL_GetClipboardText();

    printf("clipboard '%s'\n", text);
    SDL_free(text);
}

static void print(const SDL_Event *event)
{
    switch (event->type) {
    case SDL_WINDOWEVENT:
        print_window(&event->window);
        break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        print_key(&event->key);
        break;
    case SDL_TEXTINPUT:
        printf("text %u '%s'\n", event->text.windowID, event->text.text);
        break;
    case SDL_MOUSEMOTION:
        print_motion(&event->motion);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        print_button(&event->button);
        break;
    case SDL_MOUSEWHEEL:
        printf("wheel %d %d %u\n", event->wheel.x, event->wheel.y, event->wheel.direction);
        break;
    case SDL_DROPFILE:
    case SDL_DROPTEXT:
    case SDL_DROPBEGIN:
    case SDL_DROPCOMPLETE:
        print_drop(&event->drop);
        break;
    case SDL_CLIPBOARDUPDATE:
        print_clipboard();
        break;
    case SDL_JOYAXISMOTION:
        printf("axis %d %u %d\n", event->jaxis.which, event->jaxis.axis, event->jaxis.value);
        break;
    case SDL_USEREVENT:
        printf("user %d %p %p\n", event->user.code, event->user.data1, event->user.data2);
        break;
    default:
        printf("event %x\n", event->type);
    }
}

static void push(int from, int count)
{
    for (int i = from; i < from + count; i++) {
        SDL_Event event = {.user = {.type = SDL_USEREVENT, .code = i, .data1 = (void *)(long)i}};

        SDL_PushEvent(&event);
    }
}

static void drain(void)
{
    SDL_Event event;

    while (SDL_PollEvent(&event))
        print(&event);
    printf("-\n");
}

static void bursts(void)
{
    static const int sizes[] = {1, 100, 10000, 65000, 1, 65000};
    SDL_Event text = {.text = {.type = SDL_TEXTINPUT, .text = "\xc3\xa9t\xc3\xa9"}};
    SDL_Joystick *stick;

    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    target_start();
    must(SDL_InitSubSystem(SDL_INIT_JOYSTICK) == 0);
    printf("types from %x\n", SDL_RegisterEvents(3));
    SDL_SetEventFilter(filter, NULL);
    SDL_AddEventWatch(watch, NULL);
    stick = SDL_JoystickOpen(SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_UNKNOWN, 2, 2, 0));
    must(stick != NULL);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        push((int)i * 100000, sizes[i]);
        SDL_JoystickSetVirtualAxis(stick, 0, (Sint16)(i % 2 ? 30000 : -30000));
        SDL_PushEvent(&text);
        drain();
    }
    for (int i = 0; i < 200; i++) {
        SDL_JoystickSetVirtualAxis(stick, 0, (Sint16)(i * 100));
        drain();
    }
    SDL_JoystickClose(stick);
}

static void window(void)
{
    SDL_Window *shown;
    SDL_Event event;

    must(SDL_Init(SDL_INIT_VIDEO) == 0);
    shown = SDL_CreateWindow("patch_events", 0, 0, 640, 480, SDL_WINDOW_SHOWN);
    must(shown != NULL);
    SDL_AddEventWatch(watch, NULL);
    SDL_StartTextInput();
    for (int i = 0; i < 50; i++) { /* what opening a window brings comes in no fixed order */
        SDL_Delay(10);
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
        SDL_PumpEvents();
    }
    fprintf(stderr, "ready\n");
    for (;;) {
        while (SDL_PollEvent(&event)) {
            print(&event);
            if (event.type != SDL_KEYUP)
                continue;
            if (event.key.keysym.sym == SDLK_F10)
                SDL_SetClipboardText("taken");
            if (event.key.keysym.sym == SDLK_F9 || event.key.keysym.sym == SDLK_F10)
                print_clipboard();
            if (event.key.keysym.sym == SDLK_F11)
                SDL_Delay(2500);
            if (event.key.keysym.sym == SDLK_F12)
                return;
        }
        SDL_Delay(2);
    }
}

static void clip(void)
{
    must(SDL_Init(SDL_INIT_VIDEO) == 0);
    must(SDL_CreateWindow("patch_clip", 0, 0, 10, 10, SDL_WINDOW_HIDDEN) != NULL);
    must(SDL_SetClipboardText("pasted") == 0);
    for (int i = 0; i < 200; i++) {
        SDL_PumpEvents();
        SDL_Delay(10);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "clip") == 0)
        clip();
    else if (argc > 1 && strcmp(argv[1], "window") == 0)
        window();
    else
        bursts();
    SDL_Quit();
    return 0;
}
