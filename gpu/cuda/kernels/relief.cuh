// Constants of gpu.constants.relief, and how far the bristles of a frame have drifted.
CONSTANTS(RELIEF)

// For one frame. It is followed by the two displacements of each block: in pixels of the working size, then in those of the picture.
struct alignas(16) Drift {
  float first_way;  // the weight of the first displacement
};

typedef Vector<int, 2> Vec;  // y and x

DEVICE const Vec* ways_of(const Drift* drift) { return (const Vec*)(drift + 1); }
