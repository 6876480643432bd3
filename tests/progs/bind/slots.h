/* SPDX-License-Identifier: MIT */
/* slots.h: places of functions in SDL's table, as src/dynapi/SDL_dynapi_procs.h has them; SDL 3's
 * SDL_Quit has any that is free. */
#ifndef SDL_MAJOR
#define SDL_MAJOR 2
#endif

#if defined(SLOTS)
#elif SDL_MAJOR == 2
#define SLOTS 838 /* SDL 2.32 */
#else
#define SLOTS 1270 /* SDL 3.4 */
#endif

#if SDL_MAJOR == 2
#define SLOT_INIT          13
#define SLOT_QUIT          17
#define SLOT_WAS_INIT      16
#define SLOT_AUDIO_DRIVER  36
#define SLOT_PUMP          75
#define SLOT_PEEP          76
#define SLOT_POLL          81
#define SLOT_WAIT          82
#define SLOT_WAIT_TIMEOUT  83
#define SLOT_PUSH          84
#define SLOT_RENDER        305
#define SLOT_VERSION       450
#define SLOT_VIDEO_DRIVER  457
#define SLOT_SURFACE       497
#define SLOT_SURFACE_RECTS 498
#define SLOT_GL_SWAP       522
#else
#define SLOT_INIT          602
#define SLOT_QUIT          683
#define SLOT_WAS_INIT      982
#define SLOT_AUDIO_DRIVER  264
#define SLOT_PUMP          681
#define SLOT_PEEP          675
#define SLOT_POLL          677
#define SLOT_WAIT          972
#define SLOT_WAIT_TIMEOUT  973
#define SLOT_PUSH          682
#define SLOT_RENDER        744
#define SLOT_VERSION       534
#define SLOT_VIDEO_DRIVER  271
#define SLOT_SURFACE       958
#define SLOT_SURFACE_RECTS 959
#define SLOT_GL_SWAP       202
#define SLOT_LOOP          171
#define SLOT_GPU_ACQUIRE   17
#define SLOT_GPU_SUBMIT    921
#define SLOT_GPU_FENCE     922
#define SLOT_GPU_WAIT      1204
#endif
