// AMX: whether the processor has the tiles that the kernels use, and whether the system lets this process use them.
#pragma once

#include <string>

/**
 * Empty where tiles can be used from now on, by every thread of this process, those to come included; else what is
 * missing. Asks the system for permission, which Linux has given since 5.16; it is kept until the process ends.
 */
std::string whatTilesLack();
