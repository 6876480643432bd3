/* SPDX-License-Identifier: MIT */
/*
 * swaps.c: LIBRARY: a stand-in of GLX and EGL. Else: a program that polls 7 times and presents 4
 * frames by EGL itself, 3 by GLX; within SDL_RenderPresent, of which there are 2, GLX presents too.
 */
#include <stdio.h>

unsigned eglSwapBuffers(void *display, void *surface);
void glXSwapBuffers(void *display, unsigned long drawable);

#ifdef LIBRARY
static unsigned swapped;

unsigned eglSwapBuffers(void *display, void *surface)
{
    swapped++;
    return display != NULL && surface != NULL;
}

void glXSwapBuffers(void *display, unsigned long drawable)
{
    swapped += display != NULL && drawable == 5;
}

unsigned times_swapped(void);
unsigned times_swapped(void)
{
    return swapped;
}
#elif defined(RENDERER)
void SDL_RenderPresent(void *renderer);
void SDL_RenderPresent(void *renderer)
{
    glXSwapBuffers(renderer, 5);
}
#else
unsigned times_swapped(void);
void SDL_RenderPresent(void *renderer);
int SDL_PollEvent(void *event);

int main(void)
{
    char event[128];

    for (int i = 0; i < 7; i++) {
        SDL_PollEvent(event);
        if (i < 4 && eglSwapBuffers(event, event) != 1)
            return 1;
        if (i >= 4)
            glXSwapBuffers(event, 5);
        if (i % 4 == 0)
            SDL_RenderPresent(event);
    }
    printf("%u\n", times_swapped());
    return 3;
}
#endif
