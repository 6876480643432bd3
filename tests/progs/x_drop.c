/* SPDX-License-Identifier: MIT */
/*
 * x_drop TITLE FILE ...: drops the files on the window of that title, as a file manager under X11
 * does (XDND, version 5): a source of its own that needs no pointer.
 */
#include "tests/progs/target.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

static Display *display;
static Window source, target;
static char list[4096];

static Atom atom(const char *name)
{
    return XInternAtom(display, name, False);
}

static Window find(Window below, const char *title)
{
    Window root, parent, found = None, *children = NULL;
    unsigned count = 0;
    char *name = NULL;

    if (XFetchName(display, below, &name) != 0 && name != NULL && strcmp(name, title) == 0)
        found = below;
    if (name != NULL)
        XFree(name);
    if (found != None || XQueryTree(display, below, &root, &parent, &children, &count) == 0)
        return found;
    for (unsigned i = 0; i < count && found == None; i++)
        found = find(children[i], title);
    if (children != NULL)
        XFree(children);
    return found;
}

static void tell(const char *what, long second, long third, long fourth, long fifth)
{
    XEvent event = {.xclient = {.type = ClientMessage,
                                .display = display,
                                .window = target,
                                .message_type = atom(what),
                                .format = 32,
                                .data.l = {(long)source, second, third, fourth, fifth}}};

    XSendEvent(display, target, False, NoEventMask, &event);
    XFlush(display);
}

/* The target wants the list. */
static void answer(const XSelectionRequestEvent *request)
{
    XEvent event = {.xselection = {.type = SelectionNotify,
                                   .display = display,
                                   .requestor = request->requestor,
                                   .selection = request->selection,
                                   .target = request->target,
                                   .property = request->property,
                                   .time = request->time}};

    XChangeProperty(display, request->requestor, request->property, request->target, 8,
                    PropModeReplace, (unsigned char *)list, (int)strlen(list));
    XSendEvent(display, request->requestor, False, NoEventMask, &event);
    XFlush(display);
}

int main(int argc, char **argv)
{
    XEvent event;

    must(argc > 2);
    display = XOpenDisplay(NULL);
    must(display != NULL);
    target = find(DefaultRootWindow(display), argv[1]);
    must(target != None);
    source = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    for (int i = 2; i < argc; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "file://%s\r\n", argv[i]);
    XSetSelectionOwner(display, atom("XdndSelection"), source, CurrentTime);
    tell("XdndEnter", 5L << 24, (long)atom("text/uri-list"), None, None);
    tell("XdndPosition", 0, 100L << 16 | 100, CurrentTime, (long)atom("XdndActionCopy"));
    for (;;) {
        XNextEvent(display, &event);
        if (event.type == SelectionRequest)
            answer(&event.xselectionrequest);
        else if (event.type == ClientMessage && event.xclient.message_type == atom("XdndStatus"))
            tell("XdndDrop", 0, CurrentTime, 0, 0);
        else if (event.type == ClientMessage && event.xclient.message_type == atom("XdndFinished"))
            break;
    }
    XCloseDisplay(display);
    return 0;
}
