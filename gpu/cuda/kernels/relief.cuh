// Constants of gpu.constants.relief, and how far the bristles of a frame have come.
CONSTANTS(RELIEF)

// Of one frame. The two ways of each block follow it: in pixels of the working size first, then in those of the picture.
struct alignas(16) Drift {
  float first_way;  // the weight of the first way
};

typedef Vector<int, 2> Vec;  // y and x

DEVICE const Vec* ways_of(const Drift* drift) { return (const Vec*)(drift + 1); }
