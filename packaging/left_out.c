/* Stands in for libraries that a frozen folder must not or need not pass on (docs/licences.md): x264 and x265 on Windows,
   JACK on Linux.

   FFmpeg's libavcodec and PortAudio name them in their import tables, so libraries of these names have to be there. Every
   call fails in the way that they take for "this encoder does not work" and "no JACK server runs", and another is used. */

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT
#endif

#ifdef X264
EXPORT const struct { int level[64]; } x264_levels = {{0}}; /* ends with level_idc 0 */
#define FAILS(NAME) EXPORT int NAME(void) { return -1; }
FAILS(x264_encoder_delayed_frames)
FAILS(x264_encoder_encode)
FAILS(x264_encoder_headers)
FAILS(x264_encoder_maximum_delayed_frames)
FAILS(x264_encoder_reconfig)
FAILS(x264_param_apply_profile)
FAILS(x264_param_default_preset)
FAILS(x264_param_parse)
#define DOES_NOTHING(NAME) EXPORT void *NAME(void) { return 0; }
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
EXPORT const void *x265_api_get_216(int bits) { return table; }
#endif

#ifdef JACK
#define NO(NAME) void *NAME(void) { return 0; }
#define NO5(A, B, C, D, E) NO(jack_##A) NO(jack_##B) NO(jack_##C) NO(jack_##D) NO(jack_##E)
int jack_client_name_size(void) { return 64; }
NO5(client_open, client_close, activate, deactivate, connect)
NO5(frame_time, get_buffer_size, get_client_name, get_ports, get_sample_rate)
NO5(on_shutdown, port_by_name, port_connected, port_disconnect, port_get_buffer)
NO5(port_get_latency, port_name, port_name_size, port_register, port_unregister)
NO5(set_error_function, set_process_callback, set_sample_rate_callback, set_xrun_callback, free)
#endif

#ifdef _WIN32
int DllMain(void *module, unsigned reason, void *reserved) { return 1; }
#endif
