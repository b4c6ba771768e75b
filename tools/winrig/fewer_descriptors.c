/* Rig only: Mesa's Vulkan driver for the CPU, with a lower limit of descriptors.
 *
 * Wine's Direct3D 12 makes every descriptor heap as large as the driver's limit, a million, and the driver clears 256
 * bytes for each: 512 MB for each network that is opened.
 */

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#define PROPERTIES "vkGetPhysicalDeviceProperties2" /* and its older name, with KHR behind it */

enum {
    LIMIT = 65536,
    INDEXING = 1000161002, /* VkPhysicalDeviceDescriptorIndexingProperties */
    WORDS = 23             /* in it: flags and numbers of descriptors */
};

typedef void (*Function)(void);
typedef struct Chained {
    uint32_t type;
    struct Chained *next;
    uint32_t words[WORDS];
} Chained;

static void (*driver_properties)(void *, Chained *);

static void properties(void *device, Chained *asked) {
    driver_properties(device, asked);
    for (Chained *each = asked->next; each; each = each->next)
        for (int at = 0; each->type == INDEXING && at < WORDS; at++)
            if (each->words[at] > LIMIT) each->words[at] = LIMIT;
}

static void *driver(const char *name) {
    static void *library;
    if (!library) library = dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_LOCAL);
    return dlsym(library, name);
}

static Function found(const char *finder, void *instance, const char *name) {
    Function function = ((Function(*)(void *, const char *))driver(finder))(instance, name);
    if (!function || strncmp(name, PROPERTIES, strlen(PROPERTIES))) return function;
    driver_properties = (void (*)(void *, Chained *))function;
    return (Function)properties;
}

Function vk_icdGetInstanceProcAddr(void *instance, const char *name) { return found(__func__, instance, name); }

Function vk_icdGetPhysicalDeviceProcAddr(void *instance, const char *name) { return found(__func__, instance, name); }

int32_t vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
    return ((int32_t(*)(uint32_t *))driver(__func__))(version);
}
