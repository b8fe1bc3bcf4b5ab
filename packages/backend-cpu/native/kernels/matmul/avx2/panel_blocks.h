// The blocks of panels with AVX2: eight of the 16 rows in a register, operands of the products of group_dots.h.
#pragma once

#ifdef POCKET_AVXVNNI
#include "../avxvnni/group_dots.h"
#else
#include "group_dots.h"
#endif
// The blocks are written over the registers and operands.
#include "../small_panel_blocks.h"
