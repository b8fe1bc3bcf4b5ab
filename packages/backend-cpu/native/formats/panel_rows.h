#pragma once

/** Weight rows of a panel (panels.h). */
constexpr int kPanelRows = 16;
