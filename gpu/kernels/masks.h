// For every language of kernels: how a mask is read between its samples, and what comes into faces. Rule: gpu/stages/masks.

// How much a sample counts with a luma that differs by so much, in units of ALIKE_LUMA.
DEVICE float likeness(float apart) {
  float near_by = 1.0f / (1.0f + apart * apart);
  return near_by * near_by;
}
