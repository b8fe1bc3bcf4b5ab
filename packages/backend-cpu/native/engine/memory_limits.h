// How much memory there is for this process. The system promises more than there is, and ends a process that uses it.
#pragma once

#include <cstdint>

/** Bytes of this machine, or of this control group where that has less. */
int64_t memoryOfMachine();

/** Bytes that can be filled now: what other processes and this one have left over. */
int64_t availableMemory();
