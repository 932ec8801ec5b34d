/* The version, kept in the header so that the build files can read it from one place. */
#include "assay/core.h"

const char *assay_version(void) { return ASSAY_VERSION; }
