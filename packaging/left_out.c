/* Stands in for x264 and x265 in the frozen folder for Windows, which must not pass those on (docs/licences.md).

   FFmpeg's libavcodec names them in its import table, so libraries of these names have to be there. Every call fails
   in the way that FFmpeg takes for "this encoder does not work", and the program chooses another. */

#ifdef X264
__declspec(dllexport) const struct { int level[64]; } x264_levels = {{0}}; /* ends with level_idc 0 */
#define FAILS(NAME) __declspec(dllexport) int NAME(void) { return -1; }
FAILS(x264_encoder_delayed_frames)
FAILS(x264_encoder_encode)
FAILS(x264_encoder_headers)
FAILS(x264_encoder_maximum_delayed_frames)
FAILS(x264_encoder_reconfig)
FAILS(x264_param_apply_profile)
FAILS(x264_param_default_preset)
FAILS(x264_param_parse)
#define DOES_NOTHING(NAME) __declspec(dllexport) void *NAME(void) { return 0; }
DOES_NOTHING(x264_encoder_close)
DOES_NOTHING(x264_encoder_open_165)
DOES_NOTHING(x264_param_apply_fastfirstpass)
DOES_NOTHING(x264_param_cleanup)
DOES_NOTHING(x264_param_default)
DOES_NOTHING(x264_picture_init)
#endif

#ifdef X265
static void *nothing(void) { return 0; }
#define SOME nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing
static void *(*const table[64])(void) = {SOME, SOME, SOME, SOME, SOME, SOME, SOME, SOME}; /* a table of functions */
__declspec(dllexport) const void *x265_api_get_216(int bits) { return table; }
#endif

int DllMain(void *module, unsigned reason, void *reserved) { return 1; }
