// What this machine has, and what of it this process may use. Compiled without wide flags.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/** Instruction sets with kernels in this build that the processor and the system support, fastest first. */
std::vector<std::string> usableIsas();

/** All instruction sets with kernels in this build, fastest first. */
std::vector<std::string> builtIsas();

/** Why one of them cannot run here; empty where there is nothing to say but that the processor lacks it. */
std::string reasonAgainst(const std::string& isa);

std::string processorName();

/** Cores by affinity mask and control group quota; at least 1. */
int usableCores();
