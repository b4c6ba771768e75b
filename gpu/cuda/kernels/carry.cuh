// What carrying and filling share.
#include "search.cuh"

DEVICE bool cut(const Tally* tally, const Layers& c) {
  return 8 * (int)tally->lost >= CUT_EIGHTHS * c.blocks[0] * c.blocks[1];
}
