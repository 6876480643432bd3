/* SPDX-License-Identifier: MIT */
#include "preload/sys.h"

bool ar_sys_frozen;
