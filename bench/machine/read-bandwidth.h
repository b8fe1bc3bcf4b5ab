#pragma once

struct ReadBandwidth {
  double bytesPerSecond = 0;
  // How many places each thread read from at once when it was fastest.
  int streams = 0;
};

ReadBandwidth measureReadBandwidth(int threads);
